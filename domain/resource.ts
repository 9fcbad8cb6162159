import { Compile, Format, type Validator } from '#typebox'
import { isServed, lackingFigures, type ServedIndicator, servedIndicators, servingOf } from '../contracts/indicators.ts'
import type { Release } from '../contracts/records.ts'
import type {
  Cpi,
  Gdp,
  GdpGrowth,
  Inflation,
  LabourForceParticipation,
  TradeExports,
  TradeImports,
  TradeSummary,
  Unemployment,
} from '../contracts/resources.ts'
import { isDate } from './day.ts'

type Resource =
  | Cpi
  | Inflation
  | Unemployment
  | LabourForceParticipation
  | Gdp
  | GdpGrowth
  | TradeSummary
  | TradeExports
  | TradeImports

/** What the body of a release shows. */
type Servable = Pick<Release, 'release_id' | 'series' | 'period' | 'figures' | 'released_on'>

/** The REST body of a release of a served indicator. Events and MCP carry the same body. */
export function toResource(release: Servable): Resource {
  const { indicator } = release.series
  if (!isServed(indicator)) throw new Error(`${indicator} is not served`)
  return bodies[indicator](release)
}

const figure = ({ figures, release_id }: Servable, member: string): string => {
  const value = figures[member]
  if (value === undefined) throw new Error(`release ${release_id} lacks ${member}`)
  return value
}
const countryAndPeriod = ({ series, period }: Servable) => ({ country: series.country, period })

const labour = (release: Servable): Unemployment & LabourForceParticipation => ({
  ...countryAndPeriod(release),
  rate: figure(release, 'rate'),
  unit: 'percent',
  released_on: release.released_on,
})
const flow = <F extends 'export' | 'import'>(direction: F, release: Servable) => ({
  ...countryAndPeriod(release),
  flow: direction,
  value: figure(release, 'value'),
  currency: release.series.unit,
  coverage: 'merchandise' as const,
  partner: null,
  product: null,
  released_on: release.released_on,
})

const bodies: Readonly<Record<ServedIndicator, (release: Servable) => Resource>> = {
  cpi: (release) => ({
    ...countryAndPeriod(release),
    value: figure(release, 'value'),
    base_period: release.series.base_period,
    base_value: release.series.base_value,
    released_on: release.released_on,
  }),
  inflation: (release) => ({
    ...countryAndPeriod(release),
    year_over_year: figure(release, 'year_over_year'),
    month_over_month: figure(release, 'month_over_month'),
    year_to_date: figure(release, 'year_to_date'),
    unit: 'percent',
    released_on: release.released_on,
  }),
  unemployment: labour,
  'labour-force-participation': labour,
  gdp: (release) => ({
    ...countryAndPeriod(release),
    value: figure(release, 'value'),
    currency: release.series.unit,
    price_basis: 'current',
    seasonal_adjustment: release.series.seasonal_adjustment,
    annualization: release.series.annualization,
    released_on: release.released_on,
  }),
  'gdp-growth': (release) => ({
    ...countryAndPeriod(release),
    year_over_year: figure(release, 'year_over_year'),
    quarter_over_quarter: figure(release, 'quarter_over_quarter'),
    year_to_date: release.figures.year_to_date ?? null,
    unit: 'percent',
    price_basis: 'constant',
    seasonal_adjustment: release.series.seasonal_adjustment,
    annualization: release.series.annualization,
    released_on: release.released_on,
  }),
  trade: (release) => ({
    ...countryAndPeriod(release),
    exports: figure(release, 'exports'),
    imports: figure(release, 'imports'),
    balance: figure(release, 'balance'),
    currency: release.series.unit,
    coverage: 'merchandise',
    released_on: release.released_on,
  }),
  'trade-exports': (release) => flow('export', release),
  'trade-imports': (release) => flow('import', release),
}

// A body is checked for each figure that is accepted, and typebox's own test of a date takes apart its text.
Format.Set('date', isDate)

const validators = new Map<string, Validator>(servedIndicators.map((code) => [code, Compile(servingOf(code).resource)]))

/**
 * The reason why a release could not be served as its resource, in one sentence; undefined if it can be. A release is
 * checked before it enters the journal. Figures that it may lack do not count.
 */
export function faultOfResource(release: Servable): string | undefined {
  const { indicator } = release.series
  const validator = validators.get(indicator)
  if (!validator) return undefined
  const lacking = lackingFigures(indicator, release.figures)
  const placeholders = Object.fromEntries(lacking.map((member) => [member, '0']))
  const body = toResource(
    lacking.length === 0 ? release : { ...release, figures: { ...release.figures, ...placeholders } },
  )
  if (validator.Check(body)) return undefined
  const [first] = validator.Errors(body)
  return `${first?.instancePath || '/'} ${first?.message ?? 'is not valid'}`
}
