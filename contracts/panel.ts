import { Type } from '#typebox'
import { IndicatorCode } from './catalog.ts'
import { servedIndicators } from './indicators.ts'
import { chargedProblems, csvStyleParameter, literals, noParameters, type Operation } from './operation.ts'
import { AnyPeriod, CountryCode, IsoDate, strict } from './scalars.ts'
import { frequencyOrder, periodNames } from './serving.ts'
import { aggregationParameter, unitsParameter } from './transformations.ts'

/** Most values of a panel, those that are missing too. */
export const MAX_PANEL_VALUES = 100_000

export const panelOperationId = 'panel_get'

/** The forms of a panel. */
const panelForms = {
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.stream',
} as const
export type PanelForm = keyof typeof panelForms

export const panelOperation: Operation = {
  id: panelOperationId,
  method: 'GET',
  path: '/v1/panel',
  summary: 'Several countries and indicators at one moment, as one wide table',
  description: `The histories of all countries and indicators that are asked for, as of one moment: a row for each period, without a gap between the first and the last, and a column for each figure of each country, such as USA.cpi or USA.inflation.year_over_year. A figure that does not exist is an empty field: it was not published, was withdrawn or cannot be computed. A country without the indicator keeps its column, and the column is empty. Values of another base, unit or adjustment have a column of their own, such as USA.cpi (2010=100). With \`about\` each column says above its name what it is. At most ${MAX_PANEL_VALUES} values, in one call.`,
  tag: 'Economics',
  access: 'charged',
  params: noParameters,
  query: strict({
    country: Type.Array(CountryCode, {
      minItems: 1,
      maxItems: 64,
      description: 'The countries, in the order of the columns',
    }),
    indicator: Type.Array(
      { ...IndicatorCode, description: `One of ${servedIndicators.join(', ')}` },
      { minItems: 1, maxItems: 64, description: 'The indicators, in the order of the columns of a country' },
    ),
    frequency: {
      ...literals(frequencyOrder),
      description: `${frequencyOrder.map((code) => `${code}: ${periodNames[code]}`).join(', ')}. With aggregation_method, figures of shorter periods are aggregated to it, else only those published for it are given`,
    },
    start: Type.Optional({ ...AnyPeriod, description: 'First period, inclusive; a year means its January' }),
    end: Type.Optional({ ...AnyPeriod, description: 'Last period, inclusive; a year means its December' }),
    as_of: Type.Optional({
      ...IsoDate,
      description: 'Figures as they were known on this day, by the dates of their releases. Left out: as they are now',
    }),
    units: unitsParameter,
    aggregation_method: aggregationParameter,
    about: Type.Optional({
      ...literals(['none', 'rows']),
      description:
        'rows: above the header, rows that begin with # say of each column its unit, transformation, base, seasonal adjustment, sources, series, what the dates of its figures rest on, and from which period on each of its series answers. Left out: none',
    }),
    format: Type.Optional({
      ...literals(Object.keys(panelForms)),
      description:
        'csv; parquet: a Parquet file; arrow: an Arrow IPC stream. In both a column is DECIMAL(38, s) with as many places as its longest figure, or text if 38 digits are too few; a missing figure is null, and what `about` says is the metadata of the columns. Left out: what the Accept header prefers, else csv',
    }),
    csv_style: csvStyleParameter,
  }),
  response: Type.String({ description: 'CSV with a header row; its first column is `period`' }),
  mediaType: 'text/csv',
  forms: panelForms,
  problems: [...chargedProblems, 'no_complete_publication', 'no_dated_evidence'],
}
