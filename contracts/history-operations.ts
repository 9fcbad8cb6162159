import { Type } from '#typebox'
import {
  ObservationList,
  SeriesObservationList,
  SpecifiedObservationList,
  servedFrequencies,
  VintageList,
} from './histories.ts'
import { indicators, type ServedIndicator, servedIndicators, servingOf } from './indicators.ts'
import {
  chargedProblems,
  countryParameter,
  csvParameters,
  cursorParameter,
  layoutParameter,
  limitParameter,
  literals,
  type Operation,
} from './operation.ts'
import type { Frequency } from './records.ts'
import { AnyPeriod, IsoDate, strict } from './scalars.ts'
import { frequencyOrder, periodNames } from './serving.ts'
import { aggregationParameter, sortOrders, unitsParameter } from './transformations.ts'

/** The histories of all indicators, and the vintages behind them. */

/** The history of exports has its id from the interface specification; the others are named by one rule. */
const exportsHistoryId = 'economics_get_trade_exports_history'

const nameOf = (indicator: ServedIndicator): string => indicator.replaceAll('-', '_')

export const observationsOperationId = (indicator: ServedIndicator): string =>
  indicator === 'trade-exports' ? exportsHistoryId : `economics_list_${nameOf(indicator)}_observations`

export const vintagesOperationId = (indicator: ServedIndicator): string =>
  `economics_list_${nameOf(indicator)}_vintages`

const rangeParameters = {
  start: Type.Optional({
    ...AnyPeriod,
    description: 'First period, inclusive; a year means its January, a quarter its first month',
  }),
  end: Type.Optional({
    ...AnyPeriod,
    description: 'Last period, inclusive; a year means its December, a quarter its last month',
  }),
}

/** Also where an indicator is served in one frequency only, so that a program may name it for every indicator. */
function frequencyParameter(frequencies: readonly Frequency[], more = '') {
  const names = frequencies.map((code) => `${code}: ${periodNames[code]}`).join(', ')
  const description = `${names}. Left out: the frequency of the latest figure${more}`
  return Type.Optional({ ...literals(frequencies), description })
}

/** The frequencies that an indicator is served in, and those to which these can be aggregated. */
function reachableFrequencies(indicator: ServedIndicator): readonly Frequency[] {
  const served = servedFrequencies(indicator)
  return frequencyOrder.slice(frequencyOrder.findIndex((frequency) => served.includes(frequency)))
}

const pageParameters = { limit: limitParameter, cursor: cursorParameter, ...csvParameters }

const historyProblems = [
  ...chargedProblems,
  'no_complete_publication',
  'no_dated_evidence',
  'never_published',
  'cursor_invalid',
  'cursor_mismatch',
  'cursor_foreign',
  'cursor_superseded',
  'cursor_expired',
] as const

const common = {
  method: 'GET',
  tag: 'Economics',
  access: 'charged',
  params: countryParameter,
  hasCsv: true,
  problems: historyProblems,
} as const

const paging = 'Pass `next_cursor` as cursor for the next page, until it is null.'
const computing =
  ' `units` and `aggregation_method` compute changes, rates, logarithms and lower frequencies as FRED does.'
const figuresOf = (indicator: ServedIndicator): string => {
  const { figures } = indicators[indicator]
  return figures.length > 1 ? ` A period has one entry for each of ${figures.join(', ')}.` : ''
}

const asOfParameter = Type.Optional({
  ...IsoDate,
  description:
    'Figures as they were known on this day, by the dates of their releases (`released_on`). Left out: as they are known now',
})
/** Words for the numbers of prints, from 1. */
export const printWords: readonly string[] = ['first', 'second', 'third']
const printParameter = Type.Optional(
  Type.String({
    pattern: `^(?:${printWords.join('|')}|[1-9]\\d?)$`,
    description: `For each period this print in place of the newest: ${printWords.join(', ')}, or a number from 1 to 99. They are counted as in the vintages, a withdrawal is none, and a period with fewer prints has no entry. Not with units, aggregation_method or sort=desc`,
  }),
)
const sortParameter = Type.Optional({
  ...literals(sortOrders),
  description: 'Order of the periods. asc: oldest first, the default; desc: newest first',
})

/** The history of exports as the interface specification has it, without parameters that it does not know. */
export const specifiedExportsHistory = {
  query: strict({
    ...rangeParameters,
    as_of: asOfParameter,
    frequency: frequencyParameter(servedFrequencies('trade-exports')),
    limit: limitParameter,
    cursor: cursorParameter,
  }),
  response: SpecifiedObservationList,
}

const observationsOperation = (indicator: ServedIndicator): Operation => {
  const { summary } = indicators[indicator]
  return {
    ...common,
    id: observationsOperationId(indicator),
    path: `/v1/economics/{country}/${servingOf(indicator).path}/observations`,
    summary:
      indicator === 'trade-exports'
        ? 'History of merchandise exports, page by page from one snapshot'
        : `${summary}: history, page by page from one snapshot`,
    description:
      indicator === 'trade-exports'
        ? `The exports of a country to the whole world for each period from start to end, oldest first. ${paging}${computing}`
        : `The figures of a country for each period from start to end, oldest first: those that ${servingOf(indicator).operationId} returns period by period.${figuresOf(indicator)} ${paging}${computing} For revised figures, use ${vintagesOperationId(indicator)}.`,
    query: strict({
      ...rangeParameters,
      as_of: asOfParameter,
      frequency: frequencyParameter(
        reachableFrequencies(indicator),
        '. With aggregation_method, made from a higher frequency',
      ),
      aggregation_method: aggregationParameter,
      units: unitsParameter,
      sort: sortParameter,
      print: printParameter,
      ...pageParameters,
    }),
    response: indicator === 'trade-exports' ? ObservationList : SeriesObservationList,
  }
}

const vintagesOperation = (indicator: ServedIndicator): Operation => {
  const { summary } = indicators[indicator]
  const { path, period } = servingOf(indicator)
  return {
    ...common,
    id: vintagesOperationId(indicator),
    path: `/v1/economics/{country}/${path}/vintages`,
    summary: `${summary}: first prints and revisions, page by page from one snapshot`,
    description: `What was answered over time for one period, or for each period from start to end. Periods come in order, and the entries of a figure oldest first. The last one with \`valid_from\` on or before a day is that of ${observationsOperationId(indicator)} with this day as as_of and the same frequency. If another series answered from a day on, its figures follow.${figuresOf(indicator)} ${paging}`,
    query: strict({
      period: Type.Optional({
        ...period,
        // TypeBox types leave out a schema's annotations.
        description: `${(period as { readonly description?: string }).description}; without start, end and frequency. Left out: all periods`,
      }),
      ...rangeParameters,
      frequency: frequencyParameter(servedFrequencies(indicator)),
      ...pageParameters,
      layout: layoutParameter,
    }),
    response: VintageList,
  }
}

export const historyOperations: readonly Operation[] = servedIndicators.flatMap((indicator) => [
  observationsOperation(indicator),
  vintagesOperation(indicator),
])
