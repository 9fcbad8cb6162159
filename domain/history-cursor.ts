import type { Frequency } from '../contracts/records.ts'
import { type AggregationMethod, aggregationMethods, type UnitCode, unitCodes } from '../contracts/transformations.ts'
import { decodeCursor, encodeCursor, isCount } from './cursor.ts'
import { frequencyOf } from './period.ts'

/** What a request for a history chooses. A text is empty if the request leaves it out. */
export type HistoryFilters = {
  /** First and last month, YYYY-MM. */
  readonly start: string
  readonly end: string
  readonly frequency: Frequency | ''
  /** Day, YYYY-MM-DD: releases after it are left out. */
  readonly asOf: string
  /** Transformation. Empty, not `lin`, if the figures stay as they are. */
  readonly units: Exclude<UnitCode, 'lin'> | ''
  /** How a higher frequency is aggregated to `frequency`. */
  readonly aggregation: AggregationMethod | ''
  /** `desc`: newest period first. */
  readonly sort: 'desc' | ''
  /** Number of the print of each period, from 1. Empty: the newest one. Not with the three before. */
  readonly print: string
}

/**
 * A position in a history. Entries are ordered by period, then by figure, then by the day from which they were the answer.
 * Newest first, only the order of the periods is reversed.
 */
export type HistoryPosition = {
  readonly period: string
  /** Number of the figure among those of its indicator, from 1. */
  readonly figure: number
  /** Journal offset of the record by which it became the answer; 0 where a figure has one entry only. */
  readonly offset: number
}

/** The next page of a history, and the snapshot that its first page read. */
export type HistoryCursor = HistoryFilters & {
  readonly journal: string
  readonly operation: string
  readonly country: string
  /** Checksum of the series that the history is read from (`row` in `history-row.ts`). */
  readonly row: number
  /** Releases up to and including this offset belong to the snapshot. */
  readonly snapshot: number
  /** The last entry delivered. */
  readonly after: HistoryPosition
  /** Start of the cursor's lifetime, UTC milliseconds: the time of the first page, rounded up by `issueTime`. */
  readonly issuedAt: number
}

export function encodeHistoryCursor(c: HistoryCursor): string {
  const computing = [c.units, c.aggregation, c.sort]
  const print = c.print === '' ? [] : [c.print]
  return encodeCursor('h', [
    ...[c.journal, c.operation, c.country, c.start, c.end, c.frequency, c.asOf, c.after.period],
    ...[c.after.figure, c.after.offset, c.row, c.snapshot, c.issuedAt],
    // Left out where they are empty, as in the cursors of earlier releases, which stay valid.
    ...([...computing, ...print].some((text) => text !== '') ? [...computing, ...print] : []),
  ])
}

const TEXTS = 8
const COUNTS = 5
/** Texts at the end, which a cursor has or lacks together; one more with `print`. */
const COMPUTING = 3

/** Undefined if the text is no intact cursor, or has a member that no cursor can have: a client can compute the checksum too. */
export function decodeHistoryCursor(text: string): HistoryCursor | undefined {
  const members = decodeCursor('h', text) ?? []
  const texts = members.slice(0, TEXTS).filter((member) => typeof member === 'string')
  const counts = members.slice(TEXTS, TEXTS + COUNTS).filter(isCount)
  const computing = members.slice(TEXTS + COUNTS).filter((member) => typeof member === 'string')
  if (texts.length !== TEXTS || counts.length !== COUNTS) return undefined
  if (![0, COMPUTING, COMPUTING + 1].includes(computing.length) || members.length !== TEXTS + COUNTS + computing.length)
    return undefined
  const [journal = '', operation = '', country = '', start = '', end = '', frequency = '', asOf = '', period = ''] =
    texts
  const [figure = 0, offset = 0, row = 0, snapshot = 0, issuedAt = 0] = counts
  const [units = '', aggregation = '', sort = '', print = ''] = computing
  const filters = { start, end, frequency, asOf, units, aggregation, sort, print }
  if ((print === '') === computing.length > COMPUTING) return undefined
  const own = frequencyOf(period)
  if (!hasForm(filters) || own === undefined || (filters.frequency !== '' && filters.frequency !== own))
    return undefined
  const after = { period, figure, offset }
  return { journal, operation, country, ...filters, row, snapshot, after, issuedAt }
}

type Texts = { readonly [F in keyof HistoryFilters]: string }

const hasForm = (filters: Texts): filters is HistoryFilters =>
  isMonthOrOpen(filters.start) &&
  isMonthOrOpen(filters.end) &&
  /^[AQM]?$/.test(filters.frequency) &&
  /^(?:\d{4}-\d{2}-\d{2})?$/.test(filters.asOf) &&
  isOneOf(['', ...unitCodes.filter((code) => code !== 'lin')], filters.units) &&
  isOneOf(
    filters.frequency === 'A' || filters.frequency === 'Q' ? ['', ...aggregationMethods] : [''],
    filters.aggregation,
  ) &&
  isOneOf(['', 'desc'], filters.sort) &&
  (filters.print === '' ||
    (/^[1-9]\d?$/.test(filters.print) && filters.units + filters.aggregation + filters.sort === ''))

const isOneOf = (list: readonly string[], text: string): boolean => list.includes(text)

const isMonthOrOpen = (text: string): boolean => text === '' || frequencyOf(text) === 'M'
