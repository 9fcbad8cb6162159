import { median } from '../median.ts'
import {
  isLevel,
  type Other,
  rounded,
  type SeriesView,
  type Value,
  type ValueKind,
  type Verdict,
  yearsBetween,
} from './view.ts'

/**
 * Largest ratio to another source of the same measure. Of 9,721 common periods of 66 measured pairs of series none differs
 * by more than 1.71 times (unemployment of Iceland, two surveys); 3 leaves room, and is far below 10.
 */
const TO_OTHER = 3
/** Least difference of shares, beside the factor: of small ones a large ratio says little, as 0.2 % may be 0.7 % elsewhere. */
const LEAST_POINTS = 2

/**
 * Ratio to another series: if nothing is on record of a series, its values are compared with other series of the same measure,
 * unit and base, mostly of other sources. If they are far from each of these, all are held. Rates of change are not compared.
 *
 * With common periods, far is a median ratio of more than 3, or of less than a third, and for shares also a median difference of
 * more than 2 points. If there are such series, only they are compared.
 *
 * Without a common period whose values are above 0, the first stated value is compared with the other series' last one before it,
 * or the last stated value with the next one after it, whichever is nearer in time. Values move meanwhile, so the bounds are
 * multiplied by 1 + the years between: a ratio of 6 after one year, 9 after two. That growth is not measured. Only the series
 * with the fewest years between are compared, because the bound of one that ended years ago would excuse almost anything.
 *
 * Example: unemployment of 41 % where another office has 4.1 %.
 */
export function ratioToOther({ kind, news, record, others }: SeriesView): Verdict | undefined {
  if (record.length > 0 || kind === 'rate') return undefined
  const comparisons = others().flatMap((other) => comparedWith(other, news) ?? [])
  const fewest = Math.min(...comparisons.map(({ years }) => years))
  const nearest = comparisons.filter(({ years }) => years === fewest)
  const [first] = nearest
  if (!first || !nearest.every((comparison) => isFar(kind, comparison))) return undefined
  const { id, ratio, count, years } = first
  const which = years > 0 ? 'The first or last value is' : `${count} values are`
  const detail = `${which} about ${rounded(ratio)} times ${years > 0 ? 'the nearest' : 'those'} of ${id}.`
  return { reason: 'held_contradiction', detail, periods: 'all' }
}

/** How values compare with those of another series, at the median of `count` pairs. */
type Comparison = {
  readonly id: string
  readonly ratio: number
  readonly points: number
  readonly count: number
  /** Years between the values of a pair: 0 for common periods. */
  readonly years: number
}

const isFar = (kind: ValueKind, { ratio, points, years }: Comparison): boolean =>
  Math.abs(Math.log(ratio)) > Math.log(TO_OTHER * (1 + years)) && (isLevel(kind) || points > LEAST_POINTS * (1 + years))

/** Undefined if there is no pair of values above 0. */
function comparedWith({ id, record, rate }: Other, news: readonly Value[]): Comparison | undefined {
  const theirs = record.map(({ at, value }) => ({ at, value: value * rate }))
  const common = commonPairs(news, theirs)
  const pairs = common.length > 0 ? common : nearestPair(news, theirs)
  const [first] = pairs
  if (!first) return undefined
  const ratio = median(pairs.map(([ours, theirs]) => ours.value / theirs.value))
  const points = median(pairs.map(([ours, theirs]) => Math.abs(ours.value - theirs.value)))
  return { id, ratio, points, count: pairs.length, years: yearsBetween(first[0].at, first[1].at) }
}

type Pair = readonly [ours: Value, theirs: Value]
const arePositive = (pair: readonly [Value | undefined, Value | undefined]): pair is Pair =>
  pair.every((one) => one !== undefined && one.value > 0)

function commonPairs(news: readonly Value[], theirs: readonly Value[]): Pair[] {
  const known = new Map(theirs.map((one) => [one.at, one]))
  return news.map((one) => [one, known.get(one.at)] as const).filter(arePositive)
}

/** The first value with the last one before it, or the last with the next one after it: the pair that is nearer in time. */
function nearestPair(news: readonly Value[], theirs: readonly Value[]): Pair[] {
  const [first, last] = [news[0], news.at(-1)]
  const before = theirs.findLast(({ at }) => at < (first?.at ?? ''))
  const after = theirs.find(({ at }) => at > (last?.at ?? ''))
  const pairs = [[first, before] as const, [last, after] as const].filter(arePositive)
  return pairs.sort((a, b) => yearsBetween(a[0].at, a[1].at) - yearsBetween(b[0].at, b[1].at)).slice(0, 1)
}
