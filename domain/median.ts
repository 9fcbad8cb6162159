/** The middle value; of an even number of values the upper one of the middle two. NaN if there is none. */
export function median(values: readonly number[]): number {
  const ordered = values.toSorted((a, b) => a - b)
  return ordered[Math.floor(ordered.length / 2)] ?? Number.NaN
}
