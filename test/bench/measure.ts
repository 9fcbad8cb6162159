/** One figure of ours beside its ceiling or peer, taken in the same run on the same machine. */
export type Measure = {
  readonly name: string
  readonly ours: number
  readonly ceiling: number
  readonly unit: string
  /** What the ratio should reach, where a goal is set. */
  readonly goal?: number
  /** Whether the goal is a limit, not a least. Absent: where the goal is above 1. */
  readonly isLimit?: boolean
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Seconds that `work` takes. */
export async function seconds(work: () => unknown): Promise<number> {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1000
}
