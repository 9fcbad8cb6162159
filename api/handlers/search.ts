import { catalogAddress, catalogOperationId } from '../../contracts/catalog.ts'
import { countryByAlpha3 } from '../../contracts/countries.ts'
import { observationsOperationId } from '../../contracts/history-operations.ts'
import { type Indicator, indicators, isPublic, isServed, servingOf } from '../../contracts/indicators.ts'
import { isCommodity } from '../../contracts/instruments.ts'
import type { Frequency } from '../../contracts/records.ts'
import { type SearchHit, type SearchResult, searchOperationId } from '../../contracts/search.ts'
import { frequencyOrder, periodNames } from '../../contracts/serving.ts'
import { answeredSeries } from '../../domain/answered-series.ts'
import { listText } from '../../domain/list-text.ts'
import type { SeriesRecord } from '../../domain/release-index.ts'
import { type Found, search } from '../../domain/search.ts'
import { servingKey } from '../../domain/served-series.ts'
import { caching, type Render } from '../answer.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler, type OperationInput, requireReady } from '../execute.ts'
import { commodityCodes, countryText, currencyCodes } from '../known-codes.ts'
import { historyAddress, newestIn } from '../newer-figures.ts'
import { unservedTopics, withPairsApart } from '../search-terms.ts'
import { searchedFrom } from '../searched.ts'

type Input = OperationInput & { readonly query: { readonly q: string; readonly limit: number } }
type Deps = Pick<ApiDeps, 'figures' | 'releaseIndex' | 'publishersIds' | 'prices' | 'clock' | 'answering'>

/** Finds figures and prices by what people call them. Everything is in memory. */
export const searchHandlers = (deps: Deps, render: Render): Handlers => {
  const searched = searchedFrom(deps)
  return {
    [searchOperationId]: handler<Input, Input['query']>({
      ask: ({ query }) => query,
      answer: ({ q, limit }) => {
        requireReady(deps.answering())
        return render(searchOperationId, resultOf({ ...deps, ...searched() }, q, limit), caching.latest)
      },
    }),
  }
}

function resultOf(known: Known, q: string, limit: number): SearchResult {
  const { found, unknownWords } = search(withPairsApart(q), known)
  return {
    query: q,
    hits: found.slice(0, limit).map((one) => ({ kind: one.kind, ...hitOf(known, one), matched: one.matched })),
    hits_found: found.length,
    unknown_words: unknownWords,
  }
}

type Hit = Omit<SearchHit, 'kind' | 'matched'>
const nothing: Hit = {
  name: '',
  country: null,
  indicator: null,
  instrument: null,
  publishers_id: null,
  series: null,
  is_served: false,
  frequencies: [],
  operation: null,
  link: null,
  note: null,
}

/** The ports, and what is searched. */
type Known = Pick<Deps, 'figures' | 'publishersIds' | 'prices' | 'clock'> & ReturnType<ReturnType<typeof searchedFrom>>

/** Describes what was found: whether it is served, with what, and where. */
function hitOf(known: Known, found: Found): Hit {
  const { kind, code, country = '', indicator } = found
  switch (kind) {
    case 'figures':
      return indicator ? figuresHit(known, country, indicator) : nothing
    case 'series':
      return seriesHit(known, found)
    case 'indicator':
      return indicator ? indicatorHit(known, indicator) : nothing
    case 'country':
      return countryHit(known, country)
    case 'topic':
      return topicHit(code)
    default:
      return instrumentHit(known, code)
  }
}

const nameOf = (country: string): string => countryByAlpha3.get(country)?.name ?? country
const nameOfFigures = (country: string, indicator: Indicator): string =>
  `${indicators[indicator].summary} (${nameOf(country)})`

/** Most countries in a note. */
const MAX_LISTED = 10

type Span = SearchHit['frequencies'][number] & { readonly frequency: Frequency }

/** The periods of a cell that its history has, by frequency. */
function spansOf({ figures }: Pick<Known, 'figures'>, country: string, indicator: Indicator): Span[] {
  if (!isServed(indicator) || !isPublic(indicator, country)) return []
  return frequencyOrder.flatMap((frequency) => {
    const partial = figures.partial(country, indicator, frequency).map(({ period }) => period)
    const periods = [...figures.periods(country, indicator, frequency), ...partial].sort()
    const [first_period, last_period] = [periods.at(0), periods.at(-1)]
    return first_period && last_period ? [{ frequency, first_period, last_period }] : []
  })
}

function figuresHit(known: Known, country: string, indicator: Indicator): Hit {
  const hit = { ...nothing, name: nameOfFigures(country, indicator), country, indicator }
  if (!isServed(indicator)) return { ...hit, ...inputOnly(known, indicator, country) }
  const frequencies = spansOf(known, country, indicator)
  const [first] = frequencies
  if (!first) return { ...hit, note: whyNone(known, country, indicator) }
  const { operationId, path } = servingOf(indicator)
  const served = { ...hit, is_served: true, frequencies }
  return known.figures.latest(country, indicator)
    ? { ...served, operation: operationId, link: `/v1/economics/${country}/${path}` }
    : {
        ...served,
        operation: observationsOperationId(indicator),
        link: historyAddress(country, indicator, first.frequency),
        note: 'Only some of its figures are published, so they are in its history alone.',
      }
}

/** What is said of an indicator from which others are computed. */
function inputOnly({ records }: Pick<Known, 'records'>, indicator: Indicator, country?: string): Partial<Hit> {
  const note = `${indicator} is an input of other figures and is not served itself.`
  const isOf = ({ series }: SeriesRecord) =>
    series.indicator === indicator && (country === undefined || series.country === country)
  if (!records.some(isOf)) return { note }
  const link = catalogAddress({ ...(country === undefined ? {} : { country }), indicator })
  return { operation: catalogOperationId, link, note: `${note} The catalogue lists its series.` }
}

function whyNone({ cells }: Pick<Known, 'cells'>, country: string, indicator: Indicator): string {
  if (!isPublic(indicator, country)) return `Export totals are not public for ${countryText(country)}.`
  const others = cells.filter((cell) => cell.indicator === indicator).map((cell) => cell.country)
  const published = others.length === 0 ? 'any country yet' : `${listText(others.slice(0, MAX_LISTED), others.length)}`
  return `No figures of it are on record for ${countryText(country)}. ${indicator} is published for ${published}.`
}

function seriesHit(known: Known, { listed, code }: Found): Hit {
  if (!listed) return nothing
  const { series, indicator, countries } = listed
  const ids = known.publishersIds.readAs(code)
  if (!series) {
    const [country, ...others] = countries === '*' ? [] : countries
    const only = country !== undefined && others.length === 0 ? country : null
    const [{ source = '', title = '' } = {}] = ids
    return {
      ...nothing,
      name: `${title || (only ? nameOfFigures(only, indicator) : indicators[indicator].summary)}: ${source} ${code}`,
      country: only,
      indicator,
      publishers_id: code,
      note: `${source} lists it under this id. Nothing of it is on record here.`,
    }
  }
  const { id, country, frequency, source, dataset } = series
  const record = known.records.find((one) => one.series.id === id)
  const hit = {
    ...nothing,
    name: `${nameOfFigures(country, indicator)}: ${source} ${dataset}`,
    country,
    indicator,
    publishers_id: code === id ? dataset : code,
    series: id,
    frequencies: record ? [{ frequency, first_period: record.firstPeriod, last_period: record.lastPeriod }] : [],
  }
  if (!isServed(indicator)) return { ...hit, ...inputOnly(known, indicator, country) }
  const best = bestOf(known, servingKey(series))
  if (best === id && newestIn(known.figures, country, indicator, frequency) !== '')
    return {
      ...hit,
      is_served: true,
      operation: observationsOperationId(indicator),
      link: historyAddress(country, indicator, frequency),
    }
  const note = `Requests for ${indicator} of ${countryText(country)} by ${periodNames[frequency]} are answered from ${best}; this series answers for periods that it lacks.`
  return { ...hit, operation: catalogOperationId, link: catalogAddress({ country, indicator }), note }
}

const bestOf = ({ records }: Pick<Known, 'records'>, key: string): string | undefined =>
  answeredSeries(records.filter(({ series }) => servingKey(series) === key)).get(key)?.series.id

function indicatorHit(known: Known, indicator: Indicator): Hit {
  const { summary } = indicators[indicator]
  const hit = { ...nothing, name: summary, indicator }
  if (!isServed(indicator)) return { ...hit, ...inputOnly(known, indicator) }
  if (!known.cells.some((cell) => cell.indicator === indicator))
    return { ...hit, note: `${indicator} is not published for any country yet.` }
  return { ...hit, is_served: true, operation: catalogOperationId, link: catalogAddress({ indicator }) }
}

function countryHit({ cells }: Known, country: string): Hit {
  const hit = { ...nothing, name: nameOf(country), country }
  if (!cells.some((cell) => cell.country === country))
    return { ...hit, note: `No figures of ${countryText(country)} are on record.` }
  return { ...hit, is_served: true, operation: catalogOperationId, link: catalogAddress({ country }) }
}

function topicHit(code: string): Hit {
  const { name = code, nearest } = unservedTopics[code] ?? {}
  const instead = nearest ? ` Nearest is ${nearest}: ${indicators[nearest].summary}.` : ''
  return { ...nothing, name, note: `Not served here.${instead}` }
}

const names = new Map([...commodityCodes, ...currencyCodes].map(({ code, name }) => [code, name]))
const nameOfInstrument = (code: string): string => names.get(code) ?? code
const withoutPrice = 'No current price is on record. prices_list_candles has past ones.'

function instrumentHit({ prices, clock }: Known, code: string): Hit {
  const [base = '', quote] = code.split('-')
  const name = quote ? `${nameOfInstrument(base)} in ${nameOfInstrument(quote)}` : nameOfInstrument(base)
  const hit = { ...nothing, name, instrument: code }
  const currency = quote ?? 'USD'
  const spot = isCommodity(base)
  const is_served = spot
    ? prices.spot(base, currency, clock()) !== undefined
    : (prices.fx(base, clock())?.rates.some((rate) => quote === undefined || rate.currency === quote) ?? false)
  if (!is_served) return { ...hit, note: withoutPrice }
  return spot
    ? { ...hit, is_served, operation: 'commodities_get_spot', link: `/v1/commodities/spot/${base}/${currency}` }
    : { ...hit, is_served, operation: 'fx_get_rates', link: `/v1/fx/rates/${base}` }
}
