import { type FigureRange, figureBounds, type Indicator, rangeOf } from '../../contracts/indicators.ts'
import type { Series } from '../../contracts/records.ts'
import { firstIndex } from '../first-index.ts'
import { listText } from '../list-text.ts'
import { frequencyOf, startOfPeriod } from '../period.ts'
import { compareText } from '../served-series.ts'

/** A value as a number, exact enough to tell whether it is plausible, and its period or its time (UTC, ISO 8601). */
export type Value = { readonly at: string; readonly value: number }

/**
 * What decides how far a value may move. Indices, amounts and prices are levels and move by factors. Shares (a percentage of a
 * whole) and rates (a change in percent) move by percentage points.
 */
export type ValueKind = 'index' | 'amount' | 'price' | 'share' | 'rate'

/** A value that differs from the one on record for its period. */
type Revision = { readonly at: string; readonly from: number; readonly to: number }

/** A series that others are compared with. `rate` is what its values are multiplied by to be at the rate of the judged ones. */
export type Other = { readonly id: string; readonly record: readonly Value[]; readonly rate: number }

/**
 * What one document states of one member of a series, such as the rate on the year before, or of the prices of one symbol, beside
 * what is on record. Lists are in order of time.
 */
export type SeriesView = {
  readonly kind: ValueKind
  /** Every value that differs from the record, new or revised. Impossible figures are left out, because they are rejected. */
  readonly news: readonly Value[]
  readonly revised: readonly Revision[]
  /** Number of values that repeat the record. */
  readonly unchanged: number
  /** Periods on record for which the document says that there is no value. */
  readonly withdrawn: readonly string[]
  /** Last period that the document states a value for. */
  readonly last: string
  readonly record: readonly Value[]
  /** Values of the series' indicator that are judged in one part of the document, of any series, and how many of them are impossible. */
  readonly ofIndicator: { readonly count: number; readonly impossible: number }
  /** Whether nothing says how old the document is. False for Almanac's own format, which means what it says. */
  readonly isUndated: boolean
  /** Finds other series of the same measure, mostly of other sources. */
  readonly others: () => readonly Other[]
  /** Finds the series of an indicator that this one may be mistaken for. */
  readonly mistakable: () => readonly Other[]
}

/** Why values are held for review, and which of them. */
export type Verdict = {
  readonly reason:
    | 'held_range'
    | 'held_scale'
    | 'held_base'
    | 'held_jump'
    | 'held_withdrawal'
    | 'held_contradiction'
    | 'held_older'
  readonly detail: string
  readonly periods: 'all' | readonly string[]
}

/** One check: pure, and the same for figures and prices where `kind` allows. */
export type Check = (view: SeriesView) => Verdict | undefined

/** What a view says of prices: they are compared only with the record of their own source. */
const alone = {
  withdrawn: [],
  isUndated: false,
  others: () => [],
  mistakable: () => [],
  ofIndicator: { count: 0, impossible: 0 },
}

/** Compares what is stated with the record. Both are in order of time, with one value for each. */
export function seriesView(
  kind: ValueKind,
  all: readonly Value[],
  record: readonly Value[],
  rest: Partial<SeriesView> = {},
): SeriesView {
  const news: Value[] = []
  const revised: Revision[] = []
  let next = indexFrom(record, all[0]?.at ?? '')
  for (const one of all) {
    while (record[next] && (record[next]?.at ?? '') < one.at) next++
    const known = record[next]?.at === one.at ? record[next] : undefined
    if (known && areEqual(known.value, one.value)) continue
    news.push(one)
    if (known) revised.push({ at: one.at, from: known.value, to: one.value })
  }
  const unchanged = all.length - news.length
  const last = all.at(-1)?.at ?? ''
  return { ...alone, kind, news, revised, unchanged, last, record, ...rest }
}

/**
 * A document may state several values of one period or time. The first ones are judged together, then the second ones beside
 * those that are not held, and so on. Returns the first ones, the second ones …, each in the order given.
 */
export function layersOf<T>(statements: readonly T[], atOf: (statement: T) => string): (readonly T[])[] {
  if (new Set(statements.map(atOf)).size === statements.length) return [statements]
  const layers: T[][] = []
  const counts = new Map<string, number>()
  for (const statement of statements) {
    const at = atOf(statement)
    const count = counts.get(at) ?? 0
    counts.set(at, count + 1)
    const layer = layers[count]
    if (layer) layer.push(statement)
    else layers.push([statement])
  }
  return layers
}

/** Sorts by period or time unless that is the order already, as it is in nearly every document. */
export const inOrder = <T extends Value>(values: readonly T[]): readonly T[] =>
  values.every(({ at }, i) => i === 0 || (values[i - 1]?.at ?? '') <= at)
    ? values
    : values.toSorted((a, b) => compareText(a.at, b.at))

/** The values on record without those of some periods or times, and with others. */
export const replaced = (
  record: readonly Value[],
  places: { has(at: string): boolean },
  others: readonly Value[],
): readonly Value[] => inOrder([...record.filter(({ at }) => !places.has(at)), ...others])

/** Index of the first value at or after a period or time, by halving: a document usually states the end of a long record. */
export const indexFrom = (values: readonly Value[], at: string): number =>
  firstIndex(values.length, (i) => (values[i]?.at ?? '') < at)

/** The kind of a member of a series; undefined if it can have any value. */
export function kindOf({ indicator, base_period }: Series, member: string): ValueKind | undefined {
  const range = rangeOf(indicator, member)
  if (range === 'any' || range === 'share' || range === 'rate') return range === 'any' ? undefined : range
  return base_period === '' ? 'amount' : 'index'
}

export function isPossible(indicator: Indicator, member: string, value: number): boolean {
  const range: FigureRange = rangeOf(indicator, member)
  const { above = Number.NEGATIVE_INFINITY, from = Number.NEGATIVE_INFINITY, to = Infinity } = figureBounds(range)
  return Number.isFinite(value) && value > above && value >= from && value <= to
}

export const isLevel = (kind: ValueKind): boolean => kind !== 'share' && kind !== 'rate'

/** How far two values are apart: the logarithm of their ratio for a level, else percentage points. */
export const distance = (kind: ValueKind, from: number, to: number): number =>
  from === to ? 0 : Math.abs(isLevel(kind) ? Math.log(to / from) : to - from)

/** Numbers that differ by no more than this share of them are one decimal, computed in two ways. */
const ROUNDING = 1e-9
export const areEqual = (a: number, b: number): boolean => Math.abs(a - b) <= ROUNDING * Math.abs(b)

/** A number as a detail states it. */
export const rounded = (value: number): number => Number(value.toPrecision(3))

/** Names the first three, and says how many more there are. */
export const firstOf = (texts: readonly string[], separator = ', '): string =>
  listText(texts.slice(0, 3), texts.length, separator)

const YEAR_MS = 365.25 * 86_400_000
const beginOf = (at: string): number => Date.parse(frequencyOf(at) ? startOfPeriod(at) : at)
/** Years between two periods or times. */
export const yearsBetween = (a: string, b: string): number => Math.abs(beginOf(b) - beginOf(a)) / YEAR_MS
