/** A calendar month, UTC. `start` is inclusive and `end` exclusive, UTC milliseconds. */
export type Month = { readonly name: string; readonly start: number; readonly end: number }

export function monthOf(now: number): Month {
  const date = new Date(now)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  return { name: date.toISOString().slice(0, 7), start: Date.UTC(year, month), end: Date.UTC(year, month + 1) }
}
