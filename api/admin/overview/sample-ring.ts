/** Time between two samples, and the number that is kept: an hour. */
export const SAMPLE_MS = 10_000
export const SAMPLES = 360
/** Between samples that are further apart, nothing is known: the process stood still. */
export const GAP_MS = 3 * SAMPLE_MS

export type Labels = Readonly<Record<string, string>>
export type Measured = { readonly labels: Labels; readonly value: number }
/** Values of an hour, oldest first, as far apart as `SampleRing.times`. Undefined where there was none. */
export type SampleValues = readonly (number | undefined)[]
type Series = { readonly labels: Labels; readonly values: SampleValues }

/**
 * The samples of the last hour, in memory. Their times are those of the clock that is never set, because they measure how
 * long something holds, and how much rises in a span. A series without a value in the hour is forgotten.
 */
export class SampleRing {
  readonly #size: number
  readonly #times: Float64Array
  readonly #metrics = new Map<string, Map<string, { readonly labels: Labels; readonly values: Float64Array }>>()
  #count = 0

  constructor(size = SAMPLES) {
    this.#size = size
    this.#times = new Float64Array(size)
  }

  /** Adds what was measured at `at` (monotonic ms), by metric. A metric that this process does not have is absent. */
  add(at: number, measured: ReadonlyMap<string, readonly Measured[]>): void {
    const slot = this.#count++ % this.#size
    this.#times[slot] = at
    for (const series of this.#metrics.values())
      for (const [key, { values }] of series) {
        values[slot] = Number.NaN
        if (values.every(Number.isNaN)) series.delete(key)
      }
    for (const [metric, all] of measured) {
      const series = this.#metrics.get(metric) ?? new Map()
      this.#metrics.set(metric, series)
      for (const { labels, value } of all) {
        const key = JSON.stringify(labels)
        const known = series.get(key) ?? { labels, values: new Float64Array(this.#size).fill(Number.NaN) }
        known.values[slot] = value
        series.set(key, known)
      }
    }
  }

  /** Times of the samples, monotonic ms, oldest first. */
  get times(): readonly number[] {
    return this.#inOrder(this.#times)
  }

  /** Whether this process has the metric, also while it has no value. */
  has(metric: string): boolean {
    return this.#metrics.has(metric)
  }

  series(metric: string): Series[] {
    const known = (value: number) => (Number.isNaN(value) ? undefined : value)
    return Array.from(this.#metrics.get(metric)?.values() ?? [], ({ labels, values }) => ({
      labels,
      values: this.#inOrder(values).map(known),
    }))
  }

  #inOrder(slots: Float64Array): number[] {
    if (this.#count <= this.#size) return Array.from(slots.subarray(0, this.#count))
    const first = this.#count % this.#size
    return [...slots.subarray(first), ...slots.subarray(0, first)]
  }
}

/**
 * How far a series rose from sample to sample. `isCounter`: it counts from 0, so its first value is a rise too. Undefined for
 * the first sample, beside a missing value, and where it fell, because it was set back.
 */
export function risesOf(values: SampleValues, isCounter: boolean): SampleValues {
  return values.map((value, i) => {
    const before = values[i - 1] ?? (isCounter && i > 0 ? 0 : undefined)
    return value === undefined || before === undefined || value < before ? undefined : value - before
  })
}

/** Rises of several series together. Undefined where none is known. */
export const sumOf = (all: readonly SampleValues[]): SampleValues =>
  (all[0] ?? []).map((_, i) => {
    const known = all.flatMap((values) => values[i] ?? [])
    return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value)
  })

/** Rises a second. */
export const ratesOf = (times: readonly number[], rises: SampleValues): SampleValues =>
  rises.map((rise, i) => {
    const seconds = ((times[i] ?? 0) - (times[i - 1] ?? 0)) / 1_000
    return rise === undefined || seconds <= 0 ? undefined : rise / seconds
  })

/** Sum of the rises in the `overMs` before a sample, without extrapolation. Undefined if none is known. */
export function increaseAt(
  times: readonly number[],
  rises: SampleValues,
  at: number,
  overMs: number,
): number | undefined {
  const from = (times[at] ?? 0) - overMs
  let sum: number | undefined
  for (let i = at; i > 0 && (times[i - 1] ?? 0) >= from; i--) {
    const rise = rises[i]
    if (rise !== undefined) sum = (sum ?? 0) + rise
  }
  return sum
}

/**
 * The value below which a share of what a histogram counted lies, interpolated within its bucket as Prometheus does. `buckets`:
 * upper bounds in order, with the number up to each. Undefined if nothing was counted.
 */
export function quantileOf(
  share: number,
  buckets: readonly (readonly [bound: number, upTo: number])[],
): number | undefined {
  const rank = share * (buckets.at(-1)?.[1] ?? 0)
  if (rank === 0) return undefined
  const at = buckets.findIndex(([, upTo]) => upTo >= rank)
  const [lower, below] = buckets[at - 1] ?? [0, 0]
  const [upper, upTo] = buckets[at] ?? [0, 0]
  // Nothing is known of what is above the last finite bound.
  return Number.isFinite(upper) ? lower + ((upper - lower) * (rank - below)) / (upTo - below) : lower
}
