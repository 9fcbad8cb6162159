/** Keys of series: what a request selects, and the key of each series. */

import { indicators } from '../../contracts/indicators.ts'
import { frequencies, type Series } from '../../contracts/records.ts'
import { isDate } from '../../domain/day.ts'
import { kindOfSeries } from '../../domain/kind-of-series.ts'
import { refuseUnknownCountry } from '../filters.ts'
import { invalidQuery, notImplemented, shown } from '../refusals.ts'
import { type Dimension, dimensionsOf, type Flow, meansEvery, unitCodeOf } from './flows.ts'

/** Operators of the filters `c[DIMENSION]=operator:code`. */
const operators = {
  eq: (code: string, value: string) => code === value,
  ne: (code: string, value: string) => code !== value,
  lt: (code: string, value: string) => code < value,
  le: (code: string, value: string) => code <= value,
  gt: (code: string, value: string) => code > value,
  ge: (code: string, value: string) => code >= value,
  co: (code: string, value: string) => code.includes(value),
  nc: (code: string, value: string) => !code.includes(value),
  sw: (code: string, value: string) => code.startsWith(value),
  ew: (code: string, value: string) => code.endsWith(value),
} as const
type Operator = keyof typeof operators

/** One of these values. Operators other than `eq` have one. */
export type Condition = { readonly operator: Operator; readonly values: readonly string[] }

/** The conditions of each dimension, of which all hold. A dimension that is not there has any code. */
type Selection = ReadonlyMap<Dimension, readonly Condition[]>
/** Codes by dimension; some may be missing. */
type PartialKey = Readonly<Partial<Record<Dimension, string>>>

/** What a key selects, such as `M.USA+DEU`. Dimensions at its end may be left out. */
export function selectionOf(flow: Flow, key: string): Selection {
  if (meansEvery(key) || key === '') return new Map()
  if (key.includes(',')) throw notImplemented('Several keys in one request. Write several codes as M.USA+DEU.')
  const dimensions = dimensionsOf(flow)
  const parts = key.split('.')
  if (parts.length > dimensions.length) {
    const text = `The key ${shown(key)} has ${parts.length} parts. Keys of ${flow.id} are ${dimensions.join('.')}; parts at the end may be left out.`
    throw invalidQuery(text)
  }
  return new Map(
    dimensions.flatMap((dimension, i) => {
      const part = parts[i] ?? ''
      if (part === '' || meansEvery(part)) return []
      return [[dimension, [{ operator: 'eq', values: part.split('+') }]]] as const
    }),
  )
}

/** The selection, and the filters `c[DIMENSION]` of a query besides. That of time is no dimension of the key. */
export function withFilters(flow: Flow, selection: Selection, query: Readonly<Record<string, unknown>>): Selection {
  const filtered = new Map(selection)
  for (const [name, value] of Object.entries(query)) {
    const component = componentOf(name)
    if (component === undefined || component === 'TIME_PERIOD') continue
    const dimension = dimensionsOf(flow).find((one) => one === component)
    if (!dimension) {
      const known = [...dimensionsOf(flow), 'TIME_PERIOD'].map((one) => `c[${one}]`).join(', ')
      throw invalidQuery(`There is no filter ${shown(name)} for ${flow.id}. Filters: ${known}.`)
    }
    const conditions = conditionsOf(value)
    const own = dimension === 'VALID_FROM' ? conditions.map(ofDays) : conditions
    filtered.set(dimension, [...(filtered.get(dimension) ?? []), ...own])
  }
  return filtered
}

/** Codes of dimensions that do not depend on what is on record. */
const codesOf: Partial<Record<Dimension, (flow: Flow) => readonly string[]>> = {
  FREQ: () => frequencies,
  MEASURE: ({ indicator }) => indicators[indicator].figures,
  ADJUSTMENT: () => ['SA', 'NSA'],
}

/** Refuses codes that do not exist, because a key with some of them would give the others in silence. */
export function refuseUnknownCodes(flow: Flow, selection: Selection): void {
  refuseUnknownCountry(everyNamedCode(selection, 'REF_AREA'), 'REF_AREA')
  for (const dimension of dimensionsOf(flow)) {
    const codes = codesOf[dimension]?.(flow)
    const unknown = everyNamedCode(selection, dimension).find((code) => codes && !codes.includes(code))
    if (codes && unknown !== undefined)
      throw invalidQuery(`${dimension} has no code ${shown(unknown)}. Codes: ${codes.join(', ')}.`)
  }
}

const everyNamedCode = (selection: Selection, dimension: Dimension): readonly string[] =>
  (selection.get(dimension) ?? []).flatMap(({ operator, values }) => (operator === 'eq' ? values : []))

/** The component of a filter; undefined if the parameter is none. */
const componentOf = (name: string): string | undefined => /^c\[(.*)\]$/.exec(name)?.[1]

/** The conditions of a filter: `ge:2024-01+le:2024-12` are two, `USA,DEU` is one. */
export const conditionsOf = (value: unknown): Condition[] =>
  [value].flat().flatMap((text) => String(text).split(/[+ ]/).map(conditionOf))

function conditionOf(text: string): Condition {
  const [, name = 'eq', values = ''] = /^(?:([a-z]{2}):)?(.*)$/s.exec(text) ?? []
  const operator = (Object.keys(operators) as Operator[]).find((one) => one === name)
  const all = values.split(',')
  if (all.length > 1 && (operator !== 'eq' || all.some((value) => /^[a-z]{2}:/.test(value)))) {
    throw notImplemented(`A comma beside another operator than eq: ${shown(text)}. Ask once for each.`)
  }
  if (operator) return { operator, values: all }
  throw invalidQuery(`Unknown operator in the filter ${shown(text)}. Known: ${Object.keys(operators).join(', ')}.`)
}

/** The same for days: clients write a time behind them. Operators of texts take a part of a day. */
function ofDays({ operator, values }: Condition): Condition {
  const days = values.map((value) => value.replace(/T.*$/s, ''))
  const bad = ['co', 'nc', 'sw', 'ew'].includes(operator) ? undefined : days.find((day) => !isDate(day))
  if (bad !== undefined) throw invalidQuery(`There is no day ${shown(bad)}. Use one such as 2024-01-15.`)
  return { operator, values: days }
}

/** Whether a selection admits a key, as far as it is known. */
export function admitsKey(selection: Selection, key: PartialKey): boolean {
  for (const [dimension, conditions] of selection) {
    const code = key[dimension]
    if (code !== undefined && !conditions.every((condition) => holds(condition, code))) return false
  }
  return true
}

const holds = ({ operator, values }: Condition, code: string): boolean =>
  values.some((value) => operators[operator](code, value))

/** The codes of a dimension that a selection names; undefined if it names none of them one by one. */
export const namedCodes = (selection: Selection, dimension: Dimension): readonly string[] | undefined =>
  selection.get(dimension)?.find(({ operator }) => operator === 'eq')?.values

/** The key of a figure of a series, without the day from which a value stands. */
export function seriesKeyOf(flow: Flow, series: Series, figure: string): PartialKey {
  const codes = {
    FREQ: series.frequency,
    REF_AREA: series.country,
    MEASURE: figure,
    ADJUSTMENT: kindOfSeries(series).seasonal_adjustment === 'seasonally_adjusted' ? 'SA' : 'NSA',
    UNIT_MEASURE: unitCodeOf(series),
  }
  const { MEASURE, ...others } = codes
  return dimensionsOf(flow).includes('MEASURE') ? { MEASURE, ...others } : others
}
