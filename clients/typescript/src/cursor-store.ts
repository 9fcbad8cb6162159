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
