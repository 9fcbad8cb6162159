/** What a request for data asks, in both versions of the interface. */

import { addDays } from '../../domain/day.ts'
import { faultOfDay } from '../../domain/day-of-knowledge.ts'
import { latest } from '../../domain/instant.ts'
import type { MonthRange } from '../../domain/period-range.ts'
import { monthsWithin, type TimeSpan, timeSpan } from '../../domain/time-span.ts'
import type { Fields } from '../fields.ts'
import { invalidQuery, notImplemented } from '../refusals.ts'
import { AGENCY, type FlowReference, flowNamed, meansEvery, referenceOf } from './flows.ts'
import { type Condition, conditionsOf, refuseUnknownCodes, selectionOf, withFilters } from './key.ts'
import { chosenFormat, type Format } from './media.ts'
import { badParameter, countParameter, isTrue, parametersOf } from './parameters.ts'
import type { SdmxInput } from './sdmx-plugin.ts'

const dataFormats = [
  { encoding: 'generic', type: 'application/vnd.sdmx.genericdata+xml', version: '2.1' },
  { encoding: 'specific', type: 'application/vnd.sdmx.structurespecificdata+xml', version: '2.1' },
  { encoding: 'csv2', type: 'application/vnd.sdmx.data+csv', version: '2.0.0' },
  { encoding: 'csv1', type: 'application/vnd.sdmx.data+csv', version: '1.0.0' },
] as const satisfies readonly Format[]

/** Whether series have attributes, observations, or both. */
const details = ['full', 'dataonly', 'serieskeysonly', 'nodata'] as const
type Detail = (typeof details)[number]
export const showsObservations = (detail: Detail): boolean => detail === 'full' || detail === 'dataonly'
export const showsAttributes = (detail: Detail): boolean => detail === 'full' || detail === 'nodata'

export type DataQuestion = ReturnType<typeof dataQuestion>

const common = [
  'firstNObservations',
  'lastNObservations',
  'updatedAfter',
  'includeHistory',
  'dimensionAtObservation',
] as const
const known = {
  '2.1': [...common, 'startPeriod', 'endPeriod', 'detail'],
  '3.0': [...common, 'c', 'asOf', 'attributes', 'measures'],
} as const

/** Parameters of the standard that are not served. */
const unserved = ['limit', 'offset', 'sort'] as const

export function dataQuestion({ params, query }: SdmxInput, now: Date) {
  const { reference, key } = flowAndKeyOf(params)
  const flow = flowNamed(reference)
  const parameters = parametersOf(query, known[params.interface], params.interface === '3.0' ? unserved : [])
  const format = chosenFormat(params.accept, dataFormats)
  const hasHistory = isTrue(parameters, 'includeHistory') && !flow.hasVintages
  if (hasHistory && format.encoding.startsWith('csv')) {
    throw notImplemented(
      `includeHistory in CSV, which has no place for the days. Ask for XML, or for ${flow.id}_VINTAGES.`,
    )
  }
  const selection = withFilters(flow, selectionOf(flow, key), query)
  refuseUnknownCodes(flow, selection)
  const updatedAfter = dayOf(parameters, 'updatedAfter', now)
  if (updatedAfter !== '' && !flow.hasVintages && format.encoding === 'csv1') {
    throw notImplemented('updatedAfter in SDMX-CSV 1.0, which has no place for deletions. Ask for SDMX-CSV 2.0 or XML.')
  }
  const dimension = parameters.chosen('dimensionAtObservation', ['TIME_PERIOD', 'AllDimensions'], 'TIME_PERIOD')
  const detail = detailOf(parameters)
  const isFlat = dimension === 'AllDimensions'
  if (isFlat && !showsObservations(detail)) {
    throw invalidQuery(
      'Without observations there is no dimensionAtObservation=AllDimensions. Leave one of the two out.',
    )
  }
  return {
    flow,
    selection,
    months: monthsOf(params.interface === '2.1' ? spanOfPeriods(parameters) : spanOfFilter(query)),
    format,
    detail,
    /** Whether each observation has the whole key. */
    isFlat,
    /** Most periods of a series from its beginning, and from its end. */
    first: countParameter(parameters, 'firstNObservations'),
    last: countParameter(parameters, 'lastNObservations'),
    /** Days, YYYY-MM-DD; empty if they are not given. */
    updatedAfter,
    asOf: dayOf(parameters, 'asOf', now),
    hasHistory,
  }
}

export function flowAndKeyOf({ interface: version, path }: SdmxInput['params']): {
  readonly reference: FlowReference
  readonly key: string
} {
  if (version === '2.1') {
    const [flow = '', key = 'all', provider = 'all', ...rest] = path
    const isOurs = meansEvery(provider) || provider === AGENCY || provider.endsWith(`,${AGENCY}`)
    if (flow === '' || rest.length > 0 || !isOurs) throw badAddress('/data/FLOW/KEY', path)
    return { reference: referenceOf(flow), key }
  }
  const [context = '*', agency = '*', id = '*', own = '*', key = '*', ...rest] = path
  if (rest.length > 0 || (context !== 'dataflow' && context !== '*')) {
    throw badAddress('/data/dataflow/AGENCY/FLOW/VERSION/KEY', path)
  }
  return { reference: { agency, id, version: own }, key }
}

const badAddress = (form: string, path: readonly string[]): Error =>
  notImplemented(`The address /data/${path.join('/')} is not served. Use ${form}.`)

function detailOf(parameters: Fields): Detail {
  const attributes = parameters.chosen('attributes', ['dsd', 'all', 'none'], 'dsd')
  const measures = parameters.chosen('measures', ['all', 'OBS_VALUE', 'none'], 'all')
  const hasNone = attributes === 'none'
  if (measures === 'none') return hasNone ? 'serieskeysonly' : 'nodata'
  return hasNone ? 'dataonly' : parameters.chosen('detail', details, 'full')
}

const spanOfPeriods = (parameters: Fields): TimeSpan => ({
  first: spanIn(parameters, 'startPeriod')?.first ?? '',
  last: spanIn(parameters, 'endPeriod')?.last ?? '',
})

function spanIn(parameters: Fields, name: string): TimeSpan | undefined {
  const value = parameters.get(name)
  return value === undefined ? undefined : validSpan(name, value)
}

function validSpan(name: string, value: string): TimeSpan {
  const span = timeSpan(value)
  if (span) return span
  throw badParameter(name, value, 'Use a time as SDMX writes it, such as 2024, 2024-Q1, 2024-01 or 2024-01-15.')
}

/** The days of `c[TIME_PERIOD]`: all of its conditions hold. */
function spanOfFilter(query: SdmxInput['query']): TimeSpan {
  const spans = conditionsOf(query['c[TIME_PERIOD]'] ?? []).map(spanOfCondition)
  const ends = spans.flatMap(({ last }) => (last === '' ? [] : [last]))
  return { first: latest(...spans.map(({ first }) => first)), last: ends.sort()[0] ?? '' }
}

/** The first and the last day that can be written. No figure is of a period that has either. */
const [FIRST_DAY, LAST_DAY] = ['0000-01-01', '9999-12-31']

function spanOfCondition({ operator, values }: Condition): TimeSpan {
  const [value = '', ...others] = values
  const { first, last } = validSpan('c[TIME_PERIOD]', value)
  const spans: Readonly<Record<string, TimeSpan>> = {
    eq: { first, last },
    ge: { first, last: '' },
    gt: { first: last < LAST_DAY ? addDays(last, 1) : last, last: '' },
    le: { first: '', last },
    lt: { first: '', last: first > FIRST_DAY ? addDays(first, -1) : first },
  }
  const span = spans[operator]
  if (span && others.length === 0) return span
  throw notImplemented('c[TIME_PERIOD] takes eq, ge, gt, le and lt with one time each.')
}

function monthsOf(span: TimeSpan): MonthRange {
  if (span.first !== '' && span.last !== '' && span.first > span.last) {
    throw invalidQuery(`The times end before they begin: ${span.first} to ${span.last}.`)
  }
  return monthsWithin(span)
}

/** The day of an instant, as it is written, because publishers' days are known and no times. */
function dayOf(parameters: Fields, name: string, now: Date): string {
  const value = parameters.get(name)
  if (value === undefined) return ''
  const { first: day, last } = validSpan(name, value)
  if (day !== last) throw badParameter(name, value, 'Use one day, such as 2024-01-15.')
  const fault = faultOfDay(day, now)
  if (fault) throw badParameter(name, value, `It ${fault}.`)
  return day
}
