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
 * Largest median ratio to another source of the same measure. Of 9,721 common periods of 66 measured pairs of series none differs
 * by more than 1.71 times (unemployment of Iceland, two surveys); 3 leaves room, and is far below 10.
 */
const TO_OTHER = 3
/** Least difference of shares, beside the factor: of small ones a large ratio says little, as 0.2 % may be 0.7 % elsewhere. */
const LEAST_POINTS = 2

/**
 * Median ratio to another series of the same measure, unit and base, mostly of another source: a series of which nothing is on
 * record contradicts one of them and agrees with none. Without a common period the first or last stated value is compared with the
 * nearest one of the other series. The bound is
 * then 3 × (1 + years between), because values move meanwhile: 6 after one year, 9 after two. That growth is not measured. Of several
 * series only those with the fewest years between count.
 *
 * Example: unemployment of 41 % where another office has 4.1 %.
 */
export function ratioToOther({ kind, news, record, others }: SeriesView): Verdict | undefined {
  if (record.length > 0 || kind === 'rate') return undefined
  const pairs = others().flatMap((other) => pairsOf(news, other) ?? [])
  const nearest = Math.min(...pairs.map(({ years }) => years))
  // The bound of a source that ended years ago would excuse almost anything.
  const compared = pairs.filter(({ years }) => years === nearest).map((one) => ({ ...one, isFar: isFar(kind, one) }))
  const [contradicted] = compared
  if (!contradicted || compared.some((one) => !one.isFar)) return undefined
  const { id, ratio, count, years } = contradicted
  const which = years > 0 ? 'The first or last value is' : `${count} values are`
  const detail = `${which} about ${rounded(ratio)} times ${years > 0 ? 'the nearest' : 'those'} of ${id}.`
  return { reason: 'held_contradiction', detail, periods: 'all' }
}

type Comparison = {
  readonly id: string
  readonly ratio: number
  readonly points: number
  readonly count: number
  /** Years between the compared values: 0 for those of the same periods. */
  readonly years: number
}

const isFar = (kind: ValueKind, { ratio, points, years }: Comparison): boolean =>
  Math.abs(Math.log(ratio)) > Math.log(TO_OTHER * (1 + years)) && (isLevel(kind) || points > LEAST_POINTS * (1 + years))

/** Compares the values of common periods or, without any, the nearest two. */
function pairsOf(news: readonly Value[], { id, record, rate }: Other): Comparison | undefined {
  const known = new Map(record.map(({ at, value }) => [at, value * rate]))
  const pairs = news.flatMap(({ at, value }) => {
    const other = known.get(at) ?? 0
    return value > 0 && other > 0 ? [{ value, other, years: 0 }] : []
  })
  if (pairs.length === 0) pairs.push(...nearestPair(news, record, rate))
  const [first] = pairs
  if (!first) return undefined
  const ratio = median(pairs.map(({ value, other }) => value / other))
  const points = median(pairs.map(({ value, other }) => Math.abs(value - other)))
  return { id, ratio, points, count: pairs.length, years: first.years }
}

/** The end of one list that is nearest to the other's. */
function nearestPair(news: readonly Value[], record: readonly Value[], rate: number) {
  const pairs = [
    [news[0], record.findLast(({ at }) => at < (news[0]?.at ?? ''))],
    [news.at(-1), record.find(({ at }) => at > (news.at(-1)?.at ?? ''))],
  ] as const
  return pairs
    .flatMap(([a, b]) =>
      a && b && a.value > 0 && b.value > 0
        ? [{ value: a.value, other: b.value * rate, years: yearsBetween(a.at, b.at) }]
        : [],
    )
    .sort((a, b) => a.years - b.years)
    .slice(0, 1)
}
