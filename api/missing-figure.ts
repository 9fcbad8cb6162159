import { countryByAlpha3 } from '../contracts/countries.ts'
import {
  exportsCountries,
  indicators,
  isPublic,
  lackingFigures,
  type ServedIndicator,
  servedIndicators,
} from '../contracts/indicators.ts'
import { ProblemError } from '../contracts/problems.ts'
import type { Frequency, Release } from '../contracts/records.ts'
import { searchAddress } from '../contracts/search.ts'
import { frequencyOrder, periodNames } from '../contracts/serving.ts'
import { type Gap, gapOf, gapReason, statusName } from '../domain/calendar-gaps.ts'
import { frequencyOf, nearestPeriod } from '../domain/period.ts'
import type { ApiDeps, Figures } from './deps.ts'
import { countryText, listed, suggestedCountry } from './known-codes.ts'

type Known = Pick<Figures, 'countries' | 'periods' | 'partial' | 'servedSeries' | 'at' | 'withdrawal'>
type Statements = ApiDeps['statements']

/**
 * The problem of a figure that isn't served. Its detail says which case it is: an unknown country code, a country whose total
 * isn't public, a country without the indicator, a period without a figure, one that lacks a figure of the body, or one whose figure was
 * withdrawn, cancelled or never published. It also says what is served instead and, unless only the period is wrong, where to search.
 */
export function missingFigure(
  known: Known,
  statements: Statements,
  indicator: ServedIndicator,
  country: string,
  period?: string,
): ProblemError {
  const detail = detailOf(known, indicator, country, period)
  const gap = period === undefined ? undefined : gapIn(known, statements, indicator, country, period)
  if (!gap || period === undefined) return new ProblemError('no_complete_publication', detail)
  const code = gap.status === 'never_published' ? 'never_published' : 'no_complete_publication'
  return new ProblemError(code, `${gapText(gap, indicator, country, period)}${spanText(known, indicator, country)}`)
}

/** The statement that a figure does not exist, by the series that would have it. */
function gapIn(
  figures: Known,
  statements: Statements,
  indicator: ServedIndicator,
  country: string,
  period: string,
): Gap | undefined {
  const frequency = frequencyOf(period)
  const series = frequency && isPublic(indicator, country) && figures.servedSeries(country, indicator, frequency)
  return series ? gapOf({ figures, statements }, series, period) : undefined
}

/** The operator's reason stands at the end, because it may be several sentences. */
function gapText(gap: Gap, indicator: string, country: string, period: string): string {
  const figure = `${indicator} of ${countryText(country)}`
  const why = `${gapReason(gap, { indicator, period }).replace(/[.\s]+$/, '')}.`
  return gap.indicator === indicator && gap.period === period
    ? `${figure} was ${statusName(gap.status)} for ${period}: ${why}`
    : `${figure} for ${period} ${why} It is not interpolated.`
}

function spanText(known: Known, indicator: ServedIndicator, country: string): string {
  const spans = spansOf(known, indicator, country)
  return spans.length === 0 ? '' : ` Published: ${spansText(spans)}.`
}

function detailOf(known: Known, indicator: ServedIndicator, country: string, period?: string): string {
  const spans = spansOf(known, indicator, country)
  // A country whose figures were all withdrawn is on record, too.
  const withFigures = known
    .countries(indicator)
    .filter((code) => isPublic(indicator, code) && (code !== country || spans.length > 0))
  const published =
    withFigures.length === 0
      ? `${indicator} is not published for any country yet.`
      : `${indicator} is published for ${listed(withFigures)}.`
  if (!countryByAlpha3.has(country)) {
    return `"${country}" is not a country code of ISO 3166-1.${suggestedCountry(country, withFigures)} ${published}${searchText(indicator, country)}`
  }
  if (!isPublic(indicator, country)) {
    return `Export totals are not public for ${countryText(country)}, only for ${listed(exportsCountries)}.${othersText(known, country)}${searchText(indicator, country)}`
  }
  const partials = partialFigures(known, indicator, country)
  const partial = partials.findLast((one) => period === undefined || one.period === period)
  if (partial && (period !== undefined || spans.length === 0)) return partialText(partial)
  const withdrawal = period === undefined ? undefined : known.withdrawal(country, indicator, period)
  const what = `${indicator} of ${countryText(country)}`
  const isAbsent = withdrawal
    ? `${what} was withdrawn for ${period} on ${withdrawal.released_on}.`
    : period !== undefined && spans.length + partials.length > 0
      ? `${what} is not published for ${period}.`
      : isOnRecord(known, indicator, country)
        ? `All figures of ${what} were withdrawn. Its vintages have them.`
        : `${indicator} is not published for ${countryText(country)}.`
  if (period === undefined || spans.length === 0)
    return `${isAbsent} ${published}${othersText(known, country)}${searchText(indicator, country)}`
  const span = spans.find(({ frequency }) => frequency === frequencyOf(period))
  const near = span && nearestPeriod(span.frequency, period, span.periods)
  return `${isAbsent}${spanText(known, indicator, country)}${near ? ` Nearest: ${near}.` : ''}`
}

/** Whether a country has a series of an indicator, whatever became of its figures. */
const isOnRecord = (known: Pick<Known, 'servedSeries'>, indicator: ServedIndicator, country: string): boolean =>
  frequencyOrder.some((frequency) => known.servedSeries(country, indicator, frequency) !== undefined)

const searchText = (indicator: ServedIndicator, country: string): string =>
  ` Search: ${searchAddress(`${indicators[indicator].summary.replace(/:.*/, '')} ${countryByAlpha3.get(country)?.name ?? country}`)}.`

/** What else is published for a country. */
function othersText(known: Known, country: string): string {
  const hasFigures = (one: ServedIndicator) =>
    spansOf(known, one, country).length + partialFigures(known, one, country).length > 0
  const others = servedIndicators.filter((one) => isPublic(one, country) && hasFigures(one))
  return others.length === 0 ? '' : ` Published for ${countryText(country)}: ${others.join(', ')}.`
}

/** The releases that only the histories have, of all frequencies. */
const partialFigures = (known: Pick<Known, 'partial'>, indicator: ServedIndicator, country: string): Release[] =>
  frequencyOrder.flatMap((frequency) => known.partial(country, indicator, frequency))

function partialText({ series: { indicator, country }, period, figures }: Release): string {
  const lacking = lackingFigures(indicator, figures).join(' and ')
  const has = Object.keys(figures).join(' and ')
  return `${indicator} of ${countryText(country)} for ${period} is published without ${lacking}. Its observations and vintages have ${has}.`
}

/** The problem of a history in a frequency that the country doesn't have. Its detail says which ones it has. */
export function missingFrequency(
  known: Known,
  indicator: ServedIndicator,
  country: string,
  frequency: Frequency,
): ProblemError {
  const spans = isPublic(indicator, country) ? spansOf(known, indicator, country) : []
  if (spans.length === 0) return new ProblemError('no_complete_publication', detailOf(known, indicator, country))
  const what = `${indicator} of ${countryText(country)} is not published for ${periodNames[frequency]}`
  return new ProblemError('no_complete_publication', `${what}. Published: ${spansText(spans)}.`)
}

type Span = { readonly frequency: Frequency; readonly first: string; readonly last: string }

const spansText = (spans: readonly Span[]): string =>
  spans.map(({ frequency, first, last }) => `${periodNames[frequency]} ${first} to ${last}`).join(', ')

const spansOf = (known: Known, indicator: ServedIndicator, country: string) =>
  frequencyOrder.flatMap((frequency) => spanOf(known.periods(country, indicator, frequency), frequency))

const spanOf = (periods: readonly string[], frequency: Frequency) => {
  const [first, last] = [periods.at(0), periods.at(-1)]
  return first && last ? [{ frequency, periods, first, last }] : []
}

/**
 * The problem of a day before the first date of any figure: nothing is known of it, and an empty list would say that there was
 * nothing.
 *
 * @param since the earliest day of which something is known
 */
export function noDatedEvidence(indicator: string, country: string, day: string, since: string): ProblemError {
  const what = `No figure of ${indicator} of ${countryText(country)} is dated ${day} or before`
  const why = `The earliest day that can be asked for is ${since}: by then a source or a copy of it had the first figures.`
  return new ProblemError('no_dated_evidence', `${what}. ${why}`)
}
