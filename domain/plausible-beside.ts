import { type FigureRange, indicatorEntry, rangeOf } from '../contracts/indicators.ts'
import type { Series } from '../contracts/records.ts'
import type { RecordedFigure, Stated, Suspicion } from './plausibility.ts'
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
 * differs by more than 1.71 times. An annual rate is four times a quarter.
 */
const LARGEST_RATIO = 3
/** Percentages of one measure differ by less, beside the factor: a rate of 0.2 may be 0.7 elsewhere. */
const LEAST_POINTS = 2
/**
 * The middle eight tenths of the ratios of two levels lie within this factor, whatever their bases: within 1.25 for measured
 * pairs. Consumer prices and their own changes on the year before are at least 3.2 times apart (61 countries).
 */
const LARGEST_SPREAD = 2.5

/**
 * Judges the figures of a series that was never compared with another source. They are implausible if they contradict one and
 * agree with none. Rates of change are not judged.
 */
export function suspicionBeside(
  series: Series,
  stated: readonly Stated[],
  others: readonly Beside[],
): Suspicion | undefined {
  const entry = indicatorEntry(series.indicator)
  if (!entry) return undefined
  for (const member of entry.figures) {
    const range = rangeOf(series.indicator, member)
    if (range === 'any' || range === 'rate') continue
    const compared = others.flatMap(({ series: other, recorded }) => {
      const pairs = pairsOf(stated, member, recorded)
      return pairs.length > 0 ? [{ other, fault: faultOf(range, series, other, pairs) }] : []
    })
    if (compared.some(({ other, fault }) => isOneMeasure(series, other) && !fault)) continue
    const contradicted = compared.find(({ fault }) => fault)
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
function pairsOf(stated: readonly Stated[], member: string, recorded: RecordedFigure): Pair[] {
  return stated.flatMap(({ period, figures }) => {
    const [value = 0, other = 0] = [figures?.[member], recorded(period, member)]
    return value > 0 && other > 0 ? [{ other, stated: value }] : []
  })
}

function faultOf(range: FigureRange, series: Series, other: Series, pairs: readonly Pair[]): string | undefined {
  const ratios = pairs.map(({ other, stated }) => stated / other)
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

const isOneMeasure = (a: Series, b: Series): boolean =>
  a.unit === b.unit &&
  a.annualization === b.annualization &&
  a.base_period === b.base_period &&
  a.base_value === b.base_value

/** Whether the ratio of two levels has to be steady: that of amounts in two currencies follows the exchange rate. */
const moveAlike = (a: Series, b: Series): boolean => a.unit === b.unit || a.unit === 'index' || b.unit === 'index'
