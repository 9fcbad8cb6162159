import { Type } from '#typebox'
import { dateBasisMeaning, revisesMeaning } from './catalog.ts'
import { type Indicator, indicators, type ServedIndicator, servedIndicators, servingOf } from './indicators.ts'
import { literals, NextCursor } from './operation.ts'
import { type Frequency, type ReleasedOnBasis, servedBases } from './records.ts'
import { AnyPeriod, BaseValue, CountryCode, IsoDate, nullable, SignedDecimal, strict, Timestamp } from './scalars.ts'
import { frequencyOrder } from './serving.ts'
import { ofTransformation } from './transformations.ts'

/** Bodies of the histories and of the vintages behind them, and what an indicator's figures are called there. */

/** How the figures of an observation are named: what is measured, and which change of it. Empty: the level itself. */
type Naming = { readonly measure: string; readonly transformation: string }

/** Names of the trade figures, which are levels, by indicator and figure. */
const tradeMeasures: Partial<Record<Indicator, Readonly<Record<string, string>>>> = {
  trade: { exports: 'merchandise_exports', imports: 'merchandise_imports', balance: 'merchandise_balance' },
  'trade-exports': { value: 'merchandise_exports' },
  'trade-imports': { value: 'merchandise_imports' },
}
const changes: ReadonlySet<string> = new Set([
  'year_over_year',
  'month_over_month',
  'quarter_over_quarter',
  'year_to_date',
])

export const namingOf = (indicator: ServedIndicator, figure: string): Naming => ({
  measure: tradeMeasures[indicator]?.[figure] ?? indicator.replaceAll('-', '_'),
  transformation: changes.has(figure) ? figure : '',
})

const namings = servedIndicators.flatMap((indicator) =>
  indicators[indicator].figures.map((figure) => namingOf(indicator, figure)),
)
const measures = [...new Set(namings.map(({ measure }) => measure))]
const transformations = [...new Set(['', ...namings.map(({ transformation }) => transformation)])]

const anyPeriodOf: Readonly<Record<Frequency, string>> = { A: '2000', Q: '2000-Q1', M: '2000-01' }
const frequenciesOf = new Map(
  servedIndicators.map((indicator) => {
    // TypeBox types leave out `pattern`.
    const { pattern = '' } = servingOf(indicator).period as { readonly pattern?: string }
    return [indicator, frequencyOrder.filter((frequency) => new RegExp(pattern).test(anyPeriodOf[frequency]))]
  }),
)
/** The frequencies whose periods a request for an indicator may name. */
export const servedFrequencies = (indicator: ServedIndicator): readonly Frequency[] =>
  frequenciesOf.get(indicator) ?? []

/** What a figure is of, and what it measures. */
export const measuredAs = {
  measure: { ...Type.Unsafe<string>(literals(measures)), description: 'What is measured' },
  unit: Type.String({ description: 'A currency code, `percent` or `index`' }),
  transformation: {
    ...Type.Unsafe<string>(literals(transformations)),
    description: 'Change that the value is, in percent; empty: the level as published',
  },
}
const { measure, unit, transformation } = measuredAs
const observation = { country: CountryCode, measure, value: SignedDecimal, unit, transformation, period: AnyPeriod }
/** An observation as a request may have it transformed and aggregated. The order is that of the members in a body. */
const transformable = {
  ...observation,
  value: {
    ...nullable(SignedDecimal),
    description: 'The figure; null only if it is transformed or aggregated and does not exist: see `missing`',
  },
  unit: Type.String({
    description:
      'A currency code, `percent` or `index`; for differences of percentages `percentage_points`, for logarithms `log`',
  }),
  transformation: Type.String({
    description: `Change that the value is, in percent: ${transformations.filter((name) => name !== '').join(', ')}; empty: the level as published. With \`units\`, the code of the transformation, e.g. \`pc1\`, for a change \`chg:year_over_year\``,
  }),
}
const page = {
  next_cursor: NextCursor,
  as_of: { ...Timestamp, description: 'When the newest release of the snapshot was recorded' },
}

/** The series of an entry. The next entry may be of another one, with another base, rate or source. */
export const ofSeries = {
  series: Type.String({ description: 'Id of the series that the entry is from, as in the catalogue' }),
  source: Type.String({ description: 'Agency code of the publisher, e.g. BIS' }),
  base_period: Type.String({
    description: 'Period in which the index equals base_value, or at whose prices a volume is; empty for others',
  }),
  base_value: BaseValue,
  seasonal_adjustment: Type.String({ description: 'Whether the figure is seasonally adjusted' }),
  annualization: Type.String({ description: 'Whether a quarter is given at its rate for a year' }),
}
export const ofRelease = {
  released_on: { ...IsoDate, description: 'Day on which the value was released' },
  released_on_basis: {
    ...Type.Unsafe<ReleasedOnBasis>(literals(servedBases)),
    description: dateBasisMeaning,
  },
}

/** The history of exports by the interface specification, which knows no transformations. */
export const SpecifiedObservationList = strict({ observations: Type.Array(strict(observation)), ...page })
/** Entry of the history of exports: the interface specification gives the members that it always has. */
const Observation = strict({ ...transformable, ...ofTransformation }, { $id: 'Observation' })
export const ObservationList = strict(
  { observations: Type.Array(Observation), ...page },
  { $id: 'ObservationList', description: 'One page of the history of exports, read from one snapshot' },
)

const SeriesObservation = strict(
  {
    ...transformable,
    ...ofSeries,
    ...ofRelease,
    released_on: {
      ...IsoDate,
      description: 'Day on which the value was released; if it is computed, the latest day of what it is computed from',
    },
    ...ofTransformation,
  },
  {
    $id: 'SeriesObservation',
    description: 'A figure of a period, with the series that it is from and the day of its release',
  },
)
export const SeriesObservationList = strict(
  { observations: Type.Array(SeriesObservation), ...page },
  { $id: 'SeriesObservationList', description: 'One page of a history, read from one snapshot' },
)

const Vintage = strict(
  {
    ...observation,
    value: {
      ...nullable(SignedDecimal),
      description:
        'The figure; null if there is none from then on: it was withdrawn, or the series that answers does not have it',
    },
    ...ofSeries,
    valid_from: {
      ...IsoDate,
      description:
        'First day on which this was the answer: `released_on`, or a later day on which the series that answered before lost the figure',
    },
    ...ofRelease,
    release_id: Type.String({ pattern: '^rel_[0-9A-HJKMNP-TV-Z]{26}$', description: 'Id of the release' }),
    revises: nullable(Type.String({ description: `Id of the release that this one revised. ${revisesMeaning}` })),
    recorded_at: { ...Timestamp, description: 'When the release was recorded here' },
  },
  { $id: 'Vintage', description: 'What was answered for a period from a day on, with the release that it is from' },
)
export const VintageList = strict(
  { vintages: Type.Array(Vintage), ...page },
  {
    $id: 'VintageList',
    description: 'One page of what was answered for the periods over time, read from one snapshot',
  },
)

export type ObservationList = Type.Static<typeof ObservationList>
export type SeriesObservationList = Type.Static<typeof SeriesObservationList>
export type VintageList = Type.Static<typeof VintageList>
