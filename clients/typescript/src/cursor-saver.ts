import type { CursorStore } from './cursor-store.ts'

/** Writes cursors to a store one after the other. While one is being written, only the newest of the others is kept. */
export class CursorSaver {
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
    // A writer that has found nothing newer, and has not ended yet, leaves a newer cursor to the next one.
    while (this.#next !== this.#saved) {
      this.#writing ??= this.#write().finally(() => {
        this.#writing = undefined
      })
      await this.#writing
    }
  }

  async #write(): Promise<void> {
    while (this.#next !== null && this.#next !== this.#saved) {
      const cursor = this.#next
      await this.#store?.save(cursor)
      this.#saved = cursor
    }
  }
}
