/** The value below which a share of the values lies; of two the upper one. NaN if there is none. */
export function quantile(values: readonly number[], share: number): number {
  const ordered = values.toSorted((a, b) => a - b)
  return ordered[Math.min(ordered.length - 1, Math.floor(share * ordered.length))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)
