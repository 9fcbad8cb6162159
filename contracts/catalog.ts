import { Type } from '#typebox'
import { indicatorCodes } from './indicators.ts'
import { csvParameters, literals, noParameters, type Operation, repeatable } from './operation.ts'
import { Plan } from './resources.ts'
import { AnyPeriod, BaseValue, CountryCode, CurrencyCode, IsoDate, nullable, strict, Timestamp } from './scalars.ts'

/** The catalogue: which figures, countries, indicators, instruments and plans there are. It has no figures itself. */

/** An indicator in a filter. Any text has its form, so that a mistyped code is answered with the nearest one. */
export const IndicatorCode = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Indicator code, e.g. cpi',
})
/** What each basis says of the date of a release. */
export const dateBasisMeaning =
  '`publisher`: the publisher’s own date; `dataset`: the day of the dataset’s last update; `copy`: the day on which a copy held the figure, which was released on that day or before; `first_seen`: the day on which this service first saw the figure; `estimated`, only below `/asof/{day}/estimated`: the end of the period and the usual lag of the series'
/** What the release that another one revised says, and does not say, of their order. */
export const revisesMeaning =
  'Null if none of an earlier day was on record when it was accepted. One that becomes known later does not change it: the order of prints is that of released_on'
/** The evidence for the date of a release. */
export const dateBasis = Type.String({ description: dateBasisMeaning })

/** What the bases of an expected day that events have say of it. */
export const publisherOrLag =
  '`publisher`: the publisher’s own calendar announces this day, in its time zone; `lag`: an estimate, the end of the period and the usual lag of the series, which is the median of its latest first prints'
const expectedOnBases = ['publisher', 'lag', 'standard'] as const
export type ExpectedOnBasis = (typeof expectedOnBases)[number]
/** The evidence for an expected day. */
export const expectedOnBasis = {
  ...nullable(Type.Unsafe<ExpectedOnBasis>(literals(expectedOnBases))),
  description: `${publisherOrLag}; \`standard\`: the last day on which the Special Data Dissemination Standard of the IMF lets it come out, because fewer than three first prints of the series are dated; null if there is no day`,
}

/**
 * Days after the end of the next period from which a series has probably ended, if no day can be estimated. Offices publish
 * a month within weeks and a quarter within months; international collections of years take up to two years.
 */
export const endedUndatedDays = { M: 183, Q: 274, A: 731 } as const

const CatalogEntry = strict(
  {
    series: Type.String({ description: 'Id of the series: all members that identify it, in one line' }),
    country: CountryCode,
    country_name: Type.String(),
    indicator: Type.String({ description: 'Indicator code, e.g. cpi' }),
    indicator_name: Type.String(),
    publisher: Type.String({ description: 'Name of the publisher; of a derived series, of what it is derived from' }),
    source: Type.String({ description: 'Agency code of the publisher, e.g. BIS' }),
    dataset: Type.String({ description: 'The publisher’s own name of the dataset or series' }),
    licence: Type.String({ description: 'Terms under which the publisher makes the figures available' }),
    unit: Type.String({ description: 'ISO 4217 currency, `percent` or `index`' }),
    multiplier: Type.String({ description: 'Always 1: figures are in whole units, never in thousands or millions' }),
    frequency: Type.String({ description: 'A, Q or M: by year, quarter or month (SDMX CL_FREQ)' }),
    seasonal_adjustment: Type.String(),
    annualization: Type.String(),
    base_period: Type.String({
      description: 'Period in which the index equals base_value, or at whose prices a volume is; empty for others',
    }),
    base_value: BaseValue,
    derivation: Type.String({ description: 'How the figures are computed from others; empty: as published' }),
    is_served: Type.Boolean({
      description:
        'Whether this is the series that requests for the country, indicator and frequency are answered from. False: it is an input of another, or an alternative, which answers the periods that the served one lacks',
    }),
    first_period: { ...AnyPeriod, description: 'First period that ever had figures' },
    last_period: { ...AnyPeriod, description: 'Last period that ever had figures' },
    latest_period: nullable({
      ...AnyPeriod,
      description:
        'The latest period that requests for the country, indicator and frequency are answered with, from whichever series; null if is_served is false or there is none',
    }),
    periods_ended_since: Type.Integer({
      minimum: 0,
      description:
        'How many periods of the frequency have ended since latest_period, or without one since last_period: a large number says that the figure is old',
    }),
    observations: Type.Integer({
      minimum: 0,
      description: 'Number of periods with figures, without those that were withdrawn',
    }),
    vintages: Type.Integer({ minimum: 1, description: 'Number of prints: first prints, revisions and withdrawals' }),
    last_released_on: IsoDate,
    last_released_on_basis: dateBasis,
    last_recorded_at: Timestamp,
    next_period: {
      ...AnyPeriod,
      description:
        'The first period after last_period, and after all that answer in place of a served series, whose figure may still come: it was neither cancelled nor stated as never published.',
    },
    next_expected_on: nullable({
      ...IsoDate,
      description:
        'When a figure of next_period is expected, by its publisher’s calendar or else by an estimate; null if that is unknown, or if the series has probably ended, by the rule of the calendar: the figure is more than two years late, or, if no day is known, next_period is over for 183 days (months), 274 days (quarters) or two years (years)',
    }),
    days_late: nullable(
      Type.Integer({ minimum: 0, description: 'Days since next_expected_on; 0 up to that day; null if unknown' }),
    ),
    link: nullable(Type.String({ description: 'Address of its history; null if is_served is false' })),
    next_expected_on_basis: expectedOnBasis,
    last_fetched_at: nullable({
      ...Timestamp,
      description:
        'When the last fetch of the dataset that ended without error had ended, whether or not it brought anything new. Of a series that is derived from several datasets, the earliest of their times. Null if none is known, as of a dataset that only local files or the sample have brought, and below /asof',
    }),
  },
  { $id: 'CatalogEntry', description: 'One series' },
)
export type CatalogEntry = Type.Static<typeof CatalogEntry>

const Catalog = strict(
  {
    series: Type.Array(CatalogEntry),
    as_of: {
      ...nullable(Timestamp),
      description: 'When the newest release of these series was recorded; null if there are none',
    },
  },
  { $id: 'Catalog', description: 'Every public series, ordered by country, indicator and rank in serving' },
)

const CatalogCountries = strict(
  {
    countries: Type.Array(
      strict({
        code: CountryCode,
        alpha2: Type.String({ description: 'ISO 3166-1 alpha-2 code' }),
        numeric: Type.String({ description: 'ISO 3166-1 numeric code, three digits' }),
        name: Type.String(),
        indicators: Type.Array(Type.String(), { description: 'Codes of the indicators that are served for it' }),
      }),
    ),
  },
  { $id: 'CatalogCountries', description: 'Countries with at least one figure' },
)

const CatalogIndicators = strict(
  {
    indicators: Type.Array(
      strict({
        code: Type.String({ description: 'Indicator code, e.g. cpi' }),
        name: Type.String(),
        description: Type.String(),
        family: Type.String({ description: 'Family of its events' }),
        figures: Type.Array(Type.String(), { description: 'Members of the body that hold its figures' }),
        unit: { ...literals(['index', 'percent', 'currency']), description: '`currency`: named in each body' },
        path: Type.String({ description: 'Address of its latest figure, with {country} in place of a code' }),
        countries: Type.Array(Type.String(), { description: 'Codes of the countries that have it' }),
      }),
    ),
  },
  { $id: 'CatalogIndicators', description: 'All indicators that are served' },
)

const CatalogInstruments = strict(
  {
    instruments: Type.Array(
      strict({
        code: Type.String({ description: 'Commodity code or ISO 4217 currency code' }),
        kind: literals(['commodity', 'currency']),
        name: Type.String(),
        unit: nullable(Type.String({ description: 'Unit of quantity that a price is for; null for a currency' })),
        currency: nullable({ ...CurrencyCode, description: 'Currency of the native quote; null for a currency' }),
        stale_after_seconds: nullable(
          Type.Integer({
            description:
              'Open time of the market after which the price of the present source is stale; null while no source has quoted it',
          }),
        ),
        market: Type.String({ description: 'Code of the market whose hours count' }),
      }),
    ),
  },
  { $id: 'CatalogInstruments', description: 'Commodities, then currencies' },
)

const CatalogPlans = strict(
  {
    plans: Type.Array(
      strict({
        code: Plan,
        calls_per_month: Type.Integer(),
        calls_per_minute: Type.Integer(),
        concurrent_streams: Type.Integer({ description: 'Open streams of prices, events and predictions together' }),
        prices_stream: Type.Boolean({ description: 'Whether the plan includes the prices stream' }),
        families: Type.Array(Type.String(), { description: 'Event families that the plan includes' }),
      }),
    ),
  },
  { $id: 'CatalogPlans' },
)

const list = {
  method: 'GET',
  tag: 'Catalogue',
  params: noParameters,
  query: strict({ ...csvParameters }),
  hasCsv: true,
} as const
const keyed = {
  ...list,
  access: 'key',
  problems: ['invalid_query', 'unauthorized', 'rate_limited', 'unavailable'],
} as const

/** Value of a Link header (RFC 8288) that leads from figures to the series of their country and indicator. */
export const catalogLink = (country: string, indicator: string): string =>
  `<${catalogAddress({ country, indicator })}>; rel="collection"`

/** Address of the series of a country, of an indicator, or of both. */
export const catalogAddress = (of: { readonly country?: string; readonly indicator?: string }): string =>
  `${catalogPath}?${new URLSearchParams(of)}`

const catalogPath = '/v1/catalog'
export const catalogOperationId = 'catalog_list'

export const catalogOperations: readonly Operation[] = [
  {
    ...keyed,
    id: catalogOperationId,
    path: catalogPath,
    summary: 'The catalogue: every series with its publisher, span, last release and the next one expected',
    description:
      'Says what there is before a figure is requested: each series with publisher, licence, unit, frequency, first and last period, number of observations and vintages, when it was last released, when the next release is expected and how late it is. `link` has its figures. A series with `is_served` false is an input of derived figures or an alternative to the served one. Asking costs nothing.',
    query: strict({
      country: repeatable(CountryCode, 'Only series of these countries. Left out: all'),
      indicator: repeatable(
        IndicatorCode,
        `Only series of these indicators: ${indicatorCodes.join(', ')}. Left out: all`,
      ),
      ...csvParameters,
    }),
    response: Catalog,
  },
  {
    ...keyed,
    id: 'catalog_countries',
    path: '/v1/catalog/countries',
    summary: 'Countries that have figures, and which',
    description:
      'Each country with its codes, its name and the indicators that are served for it now. Countries without any figure are left out. Asking costs nothing.',
    response: CatalogCountries,
  },
  {
    ...keyed,
    id: 'catalog_indicators',
    path: '/v1/catalog/indicators',
    summary: 'Indicators, and the countries that have them',
    description:
      'Each indicator with its meaning, its unit, its address and the countries that it is served for now. Asking costs nothing.',
    response: CatalogIndicators,
  },
  {
    ...keyed,
    id: 'catalog_instruments',
    path: '/v1/catalog/instruments',
    summary: 'Commodities and currencies that are priced',
    description:
      'Each instrument with its name, unit, native currency and market, and the time after which its price is stale. Any commodity can be priced in any currency. Asking costs nothing.',
    response: CatalogInstruments,
  },
  {
    ...list,
    access: 'none',
    id: 'catalog_plans',
    path: '/v1/catalog/plans',
    summary: 'Plans and their limits',
    description:
      'Calls per month and per minute, open streams, and the event families of each plan. For what a key has used, use account_get_usage. No key is needed.',
    response: CatalogPlans,
    problems: ['invalid_query'],
  },
]
