import { type FigureRange, type Indicator, indicatorEntry, rangeOf } from '../contracts/indicators.ts'
import type { Series } from '../contracts/records.ts'
import { frequencyOf, periodsAYear, shiftPeriod } from './period.ts'
import type { RecordedFigure, Stated, Suspicion } from './plausibility.ts'
import { areEqualNumbers } from './plausible-periods.ts'
import { isLevel } from './plausible-steps.ts'
import { median, quantile } from './quantile.ts'

/** Another series of the same country, indicator and frequency, with its figures on record. */
type Beside = { readonly series: Series; readonly recorded: RecordedFigure }

/** How a figure relates to the other source's figure for the same period. */
type Pair = { readonly other: number; readonly stated: number }

/** Fewest common periods that show whether two levels move alike. */
const FEWEST_MOVEMENTS = 24
/**
 * Two sources of one measure differ by less than this factor. Of 9,721 common periods of 66 measured pairs of series none
 * differs by more than 1.71 times. Amounts at an annual rate are compared as such.
 */
const LARGEST_RATIO = 3
/** Percentages of one measure differ by less, beside the factor: a rate of 0.2 may be 0.7 elsewhere. */
const LEAST_POINTS = 2
/**
 * The middle eight tenths of the ratios of two levels lie within this factor, whatever their bases: within 1.25 for measured
 * pairs. Consumer prices and their own changes on the year before are at least 3.2 times apart (61 countries).
 */
const LARGEST_SPREAD = 2.5
/** Most periods between the nearest figures of two sources that have no period in common. */
const LARGEST_GAP = 120
/** Fewest figures that are those of another indicator, and their least share of the common ones that are compared. */
const FEWEST_EQUAL = 8
const LEAST_EQUAL = 0.95

/** Indicators of one unit whose figures are never the same for long. */
const mistakable: readonly (readonly [Indicator, Indicator])[] = [
  ['gdp', 'gdp-volume'],
  ['trade-exports', 'trade-imports'],
  ['unemployment', 'labour-force-participation'],
]
/** The indicators that the figures of one may be mistaken for. */
export const mistakableFor = (indicator: Indicator): readonly Indicator[] =>
  mistakable.flatMap(([a, b]) => (a === indicator ? [b] : b === indicator ? [a] : []))

/**
 * Judges whether figures of one indicator are those of another one of the same country. `others` are series of what it may
 * be mistaken for. Figures that repeat the series' own record tell nothing.
 */
export function suspicionOfSameFigures(
  series: Series,
  stated: readonly Stated[],
  recorded: RecordedFigure,
  others: readonly Beside[],
): Suspicion | undefined {
  if (others.length === 0 || stated.length < FEWEST_EQUAL) return undefined
  const [member = ''] = indicatorEntry(series.indicator)?.figures ?? []
  const news = stated.filter(({ period, figures }) => {
    const [value, known] = [figures?.[member], recorded(period, member)]
    return value !== undefined && (known === undefined || !areEqualNumbers(known, value))
  })
  for (const { series: other, recorded } of others) {
    if (other.unit !== series.unit) continue
    const pairs = pairsOf(news, member, recorded, indicatorEntry(other.indicator)?.figures[0])
    const equal = pairs.filter((pair) => areEqualNumbers(pair.other, pair.stated))
    if (equal.length < FEWEST_EQUAL || equal.length < LEAST_EQUAL * pairs.length) continue
    return {
      reason: 'held_contradiction',
      detail: `${member}: ${equal.length} of ${pairs.length} figures are those of ${other.id}.`,
      periods: new Set(stated.map(({ period }) => period)),
    }
  }
  return undefined
}

/**
 * Judges the figures of a series that was hardly compared with another source. They are implausible if they contradict one
 * and agree with none. With `isNew`, nothing of the series is on record, and if no source of the same measure has a
 * period in common, the one with the nearest figure is compared by it. Rates of change are not judged.
 */
export function suspicionBeside(
  series: Series,
  stated: readonly Stated[],
  others: readonly Beside[],
  isNew: boolean,
): Suspicion | undefined {
  const entry = indicatorEntry(series.indicator)
  if (!entry) return undefined
  for (const member of entry.figures) {
    const range = rangeOf(series.indicator, member)
    if (range === 'any' || range === 'rate') continue
    let contradicted: Contradicted | undefined
    let isCompared = false
    let isAgreed = false
    for (const { series: other, recorded } of others) {
      const pairs = pairsOf(stated, member, recorded)
      if (pairs.length === 0) continue
      const fault = faultOf(range, series, other, pairs)
      isCompared ||= isOneMeasure(series, other)
      isAgreed = !fault && isOneMeasure(series, other)
      if (isAgreed) break
      if (fault) contradicted ??= { other, fault }
    }
    if (isAgreed) continue
    // Only the nearest one counts, because the bound of one that ended years ago would excuse almost anything.
    if (isNew && !isCompared) contradicted ??= contradictedByNearest(range, series, stated, member, others)
    if (!contradicted) continue
    return {
      reason: 'held_contradiction',
      detail: `${member}: ${contradicted.fault} of ${contradicted.other.id}.`,
      periods: new Set(stated.map(({ period }) => period)),
    }
  }
  return undefined
}

/** Pairs of positive figures. Impossible ones, which are rejected later, tell as well that the unit is another one. */
function pairsOf(
  stated: readonly Stated[],
  member: string,
  recorded: RecordedFigure,
  memberOfOther: string = member,
): Pair[] {
  return stated.flatMap(({ period, figures }) => {
    const [value = 0, other = 0] = [figures?.[member], recorded(period, memberOfOther)]
    return value > 0 && other > 0 ? [{ other, stated: value }] : []
  })
}

type Nearest = Pair & { readonly period: string; readonly periodOfOther: string; readonly gap: number }

/** The first stated figure and the last one before it, or the last and the next one after it, whichever are nearer. */
function nearestOf(stated: readonly Stated[], member: string, recorded: RecordedFigure): Nearest | undefined {
  const periods = stated.flatMap(({ period, figures }) => {
    const value = figures?.[member] ?? 0
    return value > 0 && frequencyOf(period) ? [{ period, value }] : []
  })
  const [first] = periods
  if (!first) return undefined
  const earliest = periods.reduce((a, b) => (b.period < a.period ? b : a), first)
  const latest = periods.reduce((a, b) => (b.period > a.period ? b : a), first)
  for (let gap = 1; gap <= LARGEST_GAP; gap++) {
    for (const [{ period, value }, direction] of [[earliest, -1] as const, [latest, 1] as const]) {
      const periodOfOther = shiftPeriod(period, direction * gap)
      const other = recorded(periodOfOther, member) ?? 0
      if (other > 0) return { period, periodOfOther, gap, stated: value, other }
    }
  }
  return undefined
}

type Contradicted = { readonly other: Series; readonly fault: string }

/** Compares with the source of the same measure that has the nearest figure. */
function contradictedByNearest(
  range: FigureRange,
  series: Series,
  stated: readonly Stated[],
  member: string,
  others: readonly Beside[],
): Contradicted | undefined {
  const found = others.flatMap(({ series: other, recorded }) => {
    const nearest = isOneMeasure(series, other) ? nearestOf(stated, member, recorded) : undefined
    return nearest ? [{ other, nearest }] : []
  })
  const [closest] = found.sort((a, b) => a.nearest.gap - b.nearest.gap)
  const fault = closest && faultOfNearest(range, series, closest.other, closest.nearest)
  return fault ? { other: closest.other, fault } : undefined
}

/** Two figures may differ by as much as those of one period, and by as much again for each year between them. */
function faultOfNearest(range: FigureRange, series: Series, other: Series, nearest: Nearest): string | undefined {
  const { period, periodOfOther, gap, stated, other: value } = nearest
  const ratio = (stated / value) * rateBetween(series, other)
  const allowance = 1 + gap / periodsAYear[series.frequency]
  const isFar =
    Math.abs(Math.log(ratio)) > Math.log(LARGEST_RATIO * allowance) &&
    (isLevel(range) || Math.abs(stated - value) > LEAST_POINTS * allowance)
  return isFar ? `${period} is ${stated}, and ${periodOfOther} is ${value} in those` : undefined
}

function faultOf(range: FigureRange, series: Series, other: Series, pairs: readonly Pair[]): string | undefined {
  const rate = rateBetween(series, other)
  const ratios = pairs.map(({ other, stated }) => (stated / other) * rate)
  if (isOneMeasure(series, other)) {
    const ratio = median(ratios)
    const points = median(pairs.map(({ other, stated }) => Math.abs(stated - other)))
    const isFar = Math.abs(Math.log(ratio)) > Math.log(LARGEST_RATIO) && (isLevel(range) || points > LEAST_POINTS)
    if (isFar) return `${pairs.length} figures are about ${Number(ratio.toPrecision(3))} times those`
  }
  if (!isLevel(range) || !moveAlike(series, other) || pairs.length < FEWEST_MOVEMENTS) return undefined
  const spread = quantile(ratios, 0.9) / quantile(ratios, 0.1)
  return spread > LARGEST_SPREAD ? `${pairs.length} figures do not move with those` : undefined
}

/** What a ratio between two series is multiplied by if one of them states annual rates. */
const rateBetween = (a: Series, b: Series): number => rateOf(b) / rateOf(a)
const rateOf = ({ annualization, frequency }: Series): number =>
  annualization === 'annualized' ? periodsAYear[frequency] : 1

const isOneMeasure = (a: Series, b: Series): boolean =>
  a.unit === b.unit && a.base_period === b.base_period && a.base_value === b.base_value

/** Whether the ratio of two levels has to be steady: that of amounts in two currencies follows the exchange rate. */
const moveAlike = (a: Series, b: Series): boolean => a.unit === b.unit || a.unit === 'index' || b.unit === 'index'
