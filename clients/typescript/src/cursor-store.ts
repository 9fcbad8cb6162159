/** Keeps the cursor of one stream, so that a program continues where it was when it starts again. */
export type CursorStore = {
  /** The cursor that was saved last; null if there is none. */
  load(): string | null | Promise<string | null>
  /** Called with a later cursor each time, and not again before it has resolved. */
  save(cursor: string): void | Promise<void>
}

/** Keeps the cursor while the program runs. */
export function memoryCursor(cursor: string | null = null): CursorStore {
  let kept = cursor
  return {
    load: () => kept,
    save(newer) {
      kept = newer
    },
  }
}

/** Keeps the cursor in `localStorage` or `sessionStorage`. */
export const storageCursor = (
  storage: { getItem(name: string): string | null; setItem(name: string, value: string): void },
  name = 'almanac-cursor',
): CursorStore => ({ load: () => storage.getItem(name), save: (cursor) => storage.setItem(name, cursor) })

/** Writes cursors to a store one after the other. While one is being written, only the newest of the others is kept. */
export class CursorWriter {
  readonly #store: CursorStore | undefined
  #saved: string | null = null
  #next: string | null = null
  #writing: Promise<void> | undefined

  constructor(store: CursorStore | undefined) {
    this.#store = store
  }

  /** Resolves once this cursor, or a later one, has been saved. Rejects with what the store throws. */
  async save(cursor: string): Promise<void> {
    this.#next = cursor
    // Those who wait share one writer, which ends once nothing newer is left.
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
    await this.#writing
  }

  async #write(): Promise<void> {
    while (this.#next !== null && this.#next !== this.#saved) {
      const cursor = this.#next
      await this.#store?.save(cursor)
      this.#saved = cursor
    }
  }
}
