import type { CatalogEntry } from '../../contracts/catalog.ts'
import { countries, countryByAlpha3 } from '../../contracts/countries.ts'
import {
  indicators,
  isPublic,
  isServed,
  type ServedIndicator,
  servedIndicators,
  servingOf,
} from '../../contracts/indicators.ts'
import { commodities, currencies, marketOf, priceSources } from '../../contracts/instruments.ts'
import { plans } from '../../contracts/plans.ts'
import type { Expect } from '../../domain/announced-days.ts'
import { type AnsweredSeries, answeredSeries } from '../../domain/answered-series.ts'
import { periodsEndedSince, shiftPeriod } from '../../domain/period.ts'
import { publisherDay } from '../../domain/publisher-day.ts'
import { daysLate, estimatedDay, estimateOf, hasEnded, unknownDay } from '../../domain/release-calendar.ts'
import type { SeriesRecord } from '../../domain/release-index.ts'
import { compareForServing, compareText, servingKey } from '../../domain/served-series.ts'
import { type Answer, caching, type Render } from '../answer.ts'
import type { ApiDeps, Awaitable } from '../deps.ts'
import { type Handlers, handler, type OperationInput, requireReady } from '../execute.ts'
import { expectedReleases, nextPossible } from '../expected-releases.ts'
import { refuseUnknownCountry, refuseUnknownIndicator } from '../filters.ts'
import { currencyCodes } from '../known-codes.ts'
import { historyAddress } from '../newer-figures.ts'

type CatalogInput = OperationInput & {
  readonly query: { readonly country?: readonly string[]; readonly indicator?: readonly string[] }
}
type Deps = Pick<
  ApiDeps,
  'figures' | 'releaseIndex' | 'statements' | 'releaseDates' | 'fetches' | 'quotes' | 'clock' | 'answering'
>

/** Serves the catalogue from memory. Series of indicators that are not public for their country are left out everywhere. */
export const catalogHandlers = (deps: Deps, render: Render): Handlers => ({
  catalog_list: handler<CatalogInput, CatalogInput>({
    ask: (input) => {
      refuseUnknownCountry(input.query.country)
      refuseUnknownIndicator(input.query.indicator)
      return input
    },
    answer: ({ query: { country, indicator }, csv }) => {
      requireReady(deps.answering())
      const now = deps.clock().getTime()
      const records = publicSeries(deps).filter(
        ({ series }) => (country?.includes(series.country) ?? true) && (indicator?.includes(series.indicator) ?? true),
      )
      const answered = answeredSeries(records.filter(({ series }) => isServed(series.indicator)))
      const expect = expectedReleases(deps)
      const entry = (record: SeriesRecord) => entryOf(record, answered, deps, expect, now)
      if (csv) return render.csv(csv, 'catalog_list', records, entry, caching.latest)
      return render.list('catalog_list', records, entry, { as_of: newestOf(records) }, caching.latest)
    },
  }),
  catalog_countries: listing(render, 'catalog_countries', 'countries', () => {
    requireReady(deps.answering())
    const withFigures = servedIndicators.map((code) => ({ code, served: new Set(servedCountries(deps, code)) }))
    return countries.flatMap(({ alpha3, alpha2, numeric, name }) => {
      const codes = withFigures.filter(({ served }) => served.has(alpha3)).map(({ code }) => code)
      return codes.length === 0 ? [] : [{ code: alpha3, alpha2, numeric, name, indicators: codes }]
    })
  }),
  catalog_indicators: listing(render, 'catalog_indicators', 'indicators', () => {
    requireReady(deps.answering())
    return servedIndicators.map((code) => describe(code, servedCountries(deps, code)))
  }),
  catalog_instruments: listing(render, 'catalog_instruments', 'instruments', () => {
    requireReady(deps.answering())
    return instruments(deps.quotes)
  }),
  catalog_plans: listing(render, 'catalog_plans', 'plans', () => planList),
})

const newestOf = (records: readonly SeriesRecord[]): string | null =>
  records
    .map(({ recordedAt }) => recordedAt)
    .sort()
    .at(-1) ?? null

/** A handler that answers with one whole list, as JSON or CSV. */
const listing = (render: Render, operationId: string, member: string, entries: () => readonly object[]) =>
  handler<OperationInput, OperationInput>({
    ask: (input) => input,
    answer: ({ csv }): Awaitable<Answer> =>
      csv
        ? render.csv(csv, operationId, entries(), (entry) => entry, caching.latest)
        : render(operationId, { [member]: entries() }, caching.latest),
  })

/** Public series in the order of country, indicator, frequency and rank in serving. */
function publicSeries({ releaseIndex }: Pick<Deps, 'releaseIndex'>): SeriesRecord[] {
  const order = ({ series }: SeriesRecord) => `${series.country} ${series.indicator} ${series.frequency}`
  return releaseIndex
    .series()
    .filter(({ series }) => isPublic(series.indicator, series.country))
    .sort((a, b) => compareText(order(a), order(b)) || compareForServing(a.series, b.series))
}

function entryOf(
  record: SeriesRecord,
  answered: ReadonlyMap<string, AnsweredSeries<SeriesRecord>>,
  { figures, statements, fetches }: Pick<Deps, 'figures' | 'statements' | 'fetches'>,
  expect: Expect,
  now: number,
): CatalogEntry {
  const { series, document, publications, lastPeriod } = record
  const { id, country, indicator, frequency } = series
  const best = answered.get(servingKey(series))
  const served = best?.series.id === id ? best : undefined
  const latestPeriod = served && isServed(indicator) ? figures.newest(country, indicator, frequency) : ''
  const today = publisherDay(country, now)
  const next_period = nextPossible({ statements, figures }, series, shiftPeriod((served ?? record).lastPeriod, 1))
  // The calendars are of the publishers, and other sources come later.
  const day = served ? expect(served, next_period) : estimatedDay(estimateOf(next_period, publications))
  const { expected_on, expected_on_basis } = hasEnded(next_period, day.expected_on, today) ? unknownDay : day
  return {
    series: id,
    country,
    country_name: countryByAlpha3.get(country)?.name ?? country,
    indicator,
    indicator_name: indicators[indicator].summary,
    publisher: document?.publisher ?? '',
    source: series.source,
    dataset: series.dataset,
    licence: document?.licence ?? '',
    unit: series.unit,
    multiplier: '1',
    frequency,
    seasonal_adjustment: series.seasonal_adjustment,
    annualization: series.annualization,
    base_period: series.base_period,
    base_value: series.base_value,
    derivation: series.derivation,
    is_served: served !== undefined,
    first_period: record.firstPeriod,
    last_period: lastPeriod,
    latest_period: latestPeriod || null,
    periods_ended_since: periodsEndedSince(latestPeriod || lastPeriod, today),
    observations: record.observations,
    vintages: record.vintages,
    last_released_on: record.releasedOn,
    last_released_on_basis: record.releasedOnBasis,
    last_recorded_at: record.recordedAt,
    next_period,
    next_expected_on: expected_on,
    next_expected_on_basis: expected_on_basis,
    days_late: daysLate(expected_on, today),
    link: served && isServed(indicator) ? historyAddress(country, indicator, frequency) : null,
    last_fetched_at: fetches.lastOf(series),
  }
}

const servedCountries = ({ figures }: Pick<Deps, 'figures'>, indicator: ServedIndicator): string[] =>
  figures.countries(indicator).filter((country) => isPublic(indicator, country))

function describe(code: ServedIndicator, withFigures: readonly string[]) {
  const { description, path, resource } = servingOf(code)
  const { summary: name, family, figures } = indicators[code]
  const unit = 'unit' in resource.properties ? 'percent' : 'currency' in resource.properties ? 'currency' : 'index'
  return {
    code,
    name,
    description,
    family,
    figures,
    unit,
    path: `/v1/economics/{country}/${path}`,
    countries: withFigures,
  }
}

const nameOfCurrency = new Map(currencyCodes.map(({ code, name }) => [code, name]))
/** Currencies against which sources quote the others. */
const pivots = ['USD', 'EUR'] as const

/** Every commodity and currency, with the time after which the price of its present source is stale. */
function instruments(quotes: Deps['quotes']): object[] {
  const staleAfter = (symbols: readonly string[]): number | null => {
    const quote = symbols.map((symbol) => quotes.quote(symbol)).find((each) => each !== undefined)
    const source = priceSources.find((each) => each.source === quote?.source)
    return source ? source.staleAfterMs / 1000 : null
  }
  const ofCommodities = Object.entries(commodities).map(([code, { name, unit, currency }]) => {
    const symbol = `${code}-${currency}`
    const stale_after_seconds = staleAfter([symbol])
    return { code, kind: 'commodity', name, unit, currency, stale_after_seconds, market: marketOf(symbol) }
  })
  const ofCurrencies = currencies.map((code) => {
    const symbols = pivots.flatMap((pivot) => [`${pivot}-${code}`, `${code}-${pivot}`])
    const stale_after_seconds = staleAfter(symbols)
    const name = nameOfCurrency.get(code) ?? code
    return { code, kind: 'currency', name, unit: null, currency: null, stale_after_seconds, market: 'FX' }
  })
  return [...ofCommodities, ...ofCurrencies]
}

const planList = Object.entries(plans).map(([code, limits]) => ({
  code,
  calls_per_month: limits.callsPerMonth,
  calls_per_minute: limits.callsPerMinute,
  concurrent_streams: limits.concurrentStreams,
  prices_stream: limits.pricesStream,
  families: limits.families,
}))
