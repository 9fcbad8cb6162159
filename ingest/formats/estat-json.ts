import { DocumentError, type Reject } from '../source.ts'
import { rejectOf } from '../sources/shared/figure.ts'
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  membersBeside,
  parseJson,
  printed,
} from '../sources/shared/json.ts'
import { type DayForm, isoDay, statedDay, unambiguousDays } from '../sources/shared/printed-days.ts'
import type { Dataset, FormatReader, MessageObservation } from './observation.ts'
import { wholeText } from './text.ts'

/**
 * Tables of e-Stat, the portal of Japan's official statistics: answers of `getStatsData`. A table names its number and the
 * office that makes it, and states how many values it has. Each value has a code for every dimension.
 * Source: https://www.e-stat.go.jp/api/api-info/e-stat-manual3-0
 */
export const eStatJson: FormatReader = {
  name: 'JSON of e-Stat',
  recognises: (head) => /^\{\s*"GET_STATS_DATA"\s*:/.test(head),
  read: readEStatJson,
}

function* readEStatJson(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const root = parseJson(wholeText(text))
  const answer = memberOf(root, 'GET_STATS_DATA')
  const result = memberOf(answer, 'RESULT')
  if (printed(result?.STATUS) !== '0')
    throw new DocumentError(
      'publisher_error',
      `The publisher answered: ${JSON.stringify(result?.ERROR_MSG ?? result ?? null)}`,
    )
  const data = memberOf(answer, 'STATISTICAL_DATA')
  const table = memberOf(data, 'TABLE_INF')
  const content = memberOf(data, 'DATA_INF')
  const id = printed(table?.['@id'])
  if (!table || !content || id === undefined)
    throw new DocumentError('malformed_document', 'The answer has no TABLE_INF with @id, or no DATA_INF.')
  const values = listOf(content.VALUE)
  refusePart(memberOf(data, 'RESULT_INF'), values.length)
  const dataset = datasetOf(id, table)
  const marks = new Set(listOf(content.NOTE).map((note) => (isObject(note) ? printed(note['@char']) : undefined)))
  for (const [at, value] of values.entries()) yield observationOf(value, dataset, marks, `value ${at + 1}`)
}

/**
 * Throws `DocumentError`: `malformed_document` without the range, `truncated` for a page of several, and for an answer with
 * fewer values than it states.
 */
function refusePart(range: JsonObject | undefined, count: number): void {
  const [total, from, to] = ['TOTAL_NUMBER', 'FROM_NUMBER', 'TO_NUMBER'].map((name) => {
    const number = printed(range?.[name])
    if (number === undefined)
      throw new DocumentError('malformed_document', `The answer has no RESULT_INF with ${name}.`)
    return Number(number)
  })
  if (from !== 1 || to !== total)
    throw new DocumentError(
      'truncated',
      `The document has values ${from} to ${to} of ${total}. Ask for fewer at a time.`,
    )
  if (count !== total) throw new DocumentError('truncated', `The document has ${count} values and states ${total}.`)
}

function datasetOf(id: string, table: JsonObject): Dataset {
  const updated = statedDay(table.UPDATED_DATE, { name: 'TABLE_INF.UPDATED_DATE', forms: updateForms })
  return {
    format: eStatJson.name,
    dataflow: { agency: printed(memberOf(table, 'GOV_ORG')?.['@code']) ?? '', id, version: '' },
    ...(updated === undefined ? {} : { updated }),
  }
}

/** `2026/07/31`, as dates are written in Japan. */
const yearFirst: DayForm = {
  example: '2026/07/31',
  dayOf: (text) => isoDay.dayOf(text.replace(/^(\d{4})\/(\d{2})\/(\d{2})(?!\d)/, '$1-$2-$3')),
}

const updateForms: readonly DayForm[] = [yearFirst, ...unambiguousDays]

function observationOf(
  entry: Json,
  dataset: Dataset,
  marks: ReadonlySet<string | undefined>,
  location: string,
): MessageObservation | Reject {
  const text = JSON.stringify(entry)
  const time = isObject(entry) ? printed(entry['@time']) : undefined
  const value = isObject(entry) ? printed(entry.$) : undefined
  if (!isObject(entry) || time === undefined || value === undefined)
    return rejectOf('missing_member', 'The value has no @time, or no $.', location, text)
  const { period, frequency } = periodOf(time)
  const codes = Object.entries(membersBeside(entry, notDimensions)).map(([name, code]) => [
    name.replace(/^@/, ''),
    code,
  ])
  return {
    kind: 'observation',
    dataset,
    codes: { ...Object.fromEntries(codes), FREQ: frequency },
    period,
    value: marks.has(value) ? null : value,
    attributes: { UNIT: printed(entry['@unit']) ?? '' },
    location,
    text,
  }
}

const notDimensions: ReadonlySet<string> = new Set(['@time', '@unit', '@annotation', '$'])

/**
 * Reads a code of time: the year, `00` for a year of the calendar, and the first and last month, or `0000` for all of it.
 * `2026000707` is July, `2026000709` the third quarter. Fiscal years (`10`) and parts of other lengths have no frequency.
 */
function periodOf(code: string): { readonly period: string; readonly frequency: string } {
  const [, year, first = '', last = ''] = /^(\d{4})00(\d\d)(\d\d)$/.exec(code) ?? []
  if (year === undefined) return { period: code, frequency: '' }
  if (first === '00' && last === '00') return { period: year, frequency: 'A' }
  if (first === last) return { period: `${year}-${first}`, frequency: 'M' }
  const isQuarter = Number(last) % 3 === 0 && Number(last) - Number(first) === 2
  return isQuarter ? { period: `${year}-Q${Number(last) / 3}`, frequency: 'Q' } : { period: code, frequency: '' }
}

/** A list of one is printed without its brackets, and an empty one is left out. */
const listOf = (json: Json | undefined): readonly Json[] => (isArray(json) ? json : json === undefined ? [] : [json])

function memberOf(json: Json | undefined, name: string): JsonObject | undefined {
  const member = isObject(json) ? json[name] : undefined
  return isObject(member) ? member : undefined
}
