import { printWords } from '../contracts/history-operations.ts'
import { isPublic, type ServedIndicator } from '../contracts/indicators.ts'
import { type Layout, MAX_CSV_ROWS } from '../contracts/operation.ts'
import { ProblemError } from '../contracts/problems.ts'
import type { Frequency } from '../contracts/records.ts'
import { faultOfDay } from '../domain/day-of-knowledge.ts'
import { decodeHistoryCursor, type HistoryCursor, type HistoryFilters } from '../domain/history-cursor.ts'
import { frequencyOf } from '../domain/period.ts'
import { type MonthRange, monthRange } from '../domain/period-range.ts'
import { issueTime } from '../domain/snapshot-lifetime.ts'
import type { CsvRequest } from './csv.ts'
import type { ApiDeps, Awaitable } from './deps.ts'
import type { OperationInput } from './execute.ts'
import { type ComputingQuery, computingOf } from './history-computing.ts'
import { invalidQuery } from './refusals.ts'
import { cursorMismatch, notIssued, placeOfHistory, requireHonoured } from './snapshot-cursor.ts'

/** The input of an operation of a history. Observations have no `period` and `layout`, vintages no `as_of` and `print`. */
export type HistoryInput = OperationInput & {
  readonly params: { readonly country: string }
  readonly query: ComputingQuery & {
    readonly period?: string
    readonly start?: string
    readonly end?: string
    readonly frequency?: Frequency
    readonly as_of?: string
    readonly print?: string
    readonly layout?: Layout
    readonly limit: number
    readonly cursor?: string
  }
}

export type HistoryOperation = { readonly id: string; readonly indicator: ServedIndicator }

/** A request for a page of a history, judged as far as that is possible without the read models. */
export type HistoryQuestion = {
  readonly country: string
  /** The exact period that was asked for. */
  readonly period: string | undefined
  readonly filters: HistoryFilters
  /** The cursor of the page, unless it is the first one. */
  readonly cursor: HistoryCursor | undefined
  readonly limit: number
  readonly csv: CsvRequest | undefined
  /** Whether the answer has all entries. */
  readonly isWhole: boolean
  /** The time of issue of the cursors that follow, UTC milliseconds. */
  readonly issuedAt: number
  /** How vintages are laid out as CSV, if not one entry a row. */
  readonly layout: Layout | undefined
}

type Judges = Pick<ApiDeps, 'lineage' | 'journalReaches' | 'clock'>

/** Judges a request for a page of a history. Throws `invalid_query` and the problems of cursors. */
export function historyQuestion(
  operation: HistoryOperation,
  { params: { country }, query, csv }: HistoryInput,
  judges: Judges,
): Awaitable<HistoryQuestion> {
  const isWhole = csv?.isWhole ?? false
  const asked = filtersOf(query, operation, judges.clock())
  const { period, layout } = query
  if (layout !== undefined && (!isWhole || query.cursor !== undefined)) {
    throw invalidQuery('query parameter layout: it is CSV with all entries: leave out format=json, limit and cursor')
  }
  const limit = isWhole ? MAX_CSV_ROWS : query.limit
  const issuedAt = issueTime(judges.clock().getTime())
  const form = { country, period, limit, csv, isWhole, layout, issuedAt }
  if (query.cursor === undefined) return { ...form, filters: asked, cursor: undefined }
  return readCursor(query.cursor, operation, judges).then((cursor) => {
    requireSameFilters(cursor, country, asked)
    return { ...form, filters: cursor, cursor }
  })
}

/** A period is a range of its own frequency. */
function filtersOf(query: HistoryInput['query'], { indicator }: HistoryOperation, now: Date): HistoryFilters {
  const { period, start, end, frequency, as_of = '' } = query
  const others = { start, end, frequency }
  for (const [name, value] of Object.entries(period === undefined ? {} : others)) {
    if (value !== undefined) throw invalidQuery(`query parameter ${name} is given with period: give one of them`)
  }
  const range = period === undefined ? monthsAsked(start, end) : monthRange(period, period)
  const own = period === undefined ? frequency : frequencyOf(period)
  refuseNoDay(as_of, now)
  const computing = computingOf(query, indicator)
  const print = numberOfPrint(query.print)
  if (print !== '' && Object.values(computing).some((text) => text !== '')) {
    throw invalidQuery(
      'query parameter print: prints are given as they were published, oldest period first: leave out units, aggregation_method and sort',
    )
  }
  return { ...range, frequency: own ?? '', asOf: as_of, ...computing, print }
}

const numberOfPrint = (print = ''): string => {
  const named = printWords.indexOf(print)
  return named < 0 ? print : String(named + 1)
}

/** Refuses an `as_of` that is no day, or one in the future; empty: there is none. */
export function refuseNoDay(asOf: string, now: Date): void {
  const fault = asOf === '' ? undefined : faultOfDay(asOf, now)
  if (fault) throw invalidQuery(`query parameter as_of: ${asOf} ${fault}`)
}

export function monthsAsked(start: string | undefined, end: string | undefined): MonthRange {
  const range = monthRange(start, end)
  if (range.start && range.end && range.start > range.end) {
    throw invalidQuery(`query parameter start: "${start}" is after end "${end}"`)
  }
  return range
}

/** Reads a cursor. Cursors are not signed, so one that no node can have issued is refused here. */
async function readCursor(text: string, { id, indicator }: HistoryOperation, judges: Judges): Promise<HistoryCursor> {
  const decoded = decodeHistoryCursor(text)
  const isOwn = decoded?.operation === id && isPublic(indicator, decoded.country)
  const own = isOwn ? decoded : undefined
  const cursor = requireHonoured(own, 'history', judges, own && placeOfHistory(own.snapshot))
  if (!(await judges.journalReaches(cursor.snapshot))) throw notIssued()
  return cursor
}

const parametersOf = (filters: HistoryFilters): Readonly<Record<string, string>> => {
  const { start, end, frequency, asOf: as_of, units, aggregation: aggregation_method, sort, print } = filters
  return { start, end, frequency, as_of, units, aggregation_method, sort, print }
}

/** Throws `cursor_mismatch` unless the cursor is sent alone or with exactly the filters that it contains. */
function requireSameFilters(cursor: HistoryCursor, country: string, asked: HistoryFilters): void {
  if (country !== cursor.country) {
    throw new ProblemError('cursor_mismatch', `The cursor was made for country ${cursor.country}.`)
  }
  const own = parametersOf(cursor)
  const all = Object.entries(parametersOf(asked))
  if (all.every(([, value]) => value === '') || all.every(([name, value]) => value === own[name])) return
  throw cursorMismatch(own)
}
