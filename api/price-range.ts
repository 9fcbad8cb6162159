import { type CandleInterval, DEFAULT_INTERVAL, MAX_CSV_ROWS } from '../contracts/candles.ts'
import { ProblemError } from '../contracts/problems.ts'
import { spanOfInstant } from '../domain/instant.ts'
import { snapshotCursorAge } from '../domain/snapshot-lifetime.ts'
import type { ApiDeps } from './deps.ts'
import type { OperationInput } from './execute.ts'

/** What candles and ticks have in common: a symbol, a range of times, and pages of one snapshot. */
export type PriceInput = OperationInput & {
  readonly params: { readonly symbol: string }
  readonly query: {
    readonly interval?: CandleInterval
    readonly start?: string
    readonly end?: string
    readonly limit: number
    readonly cursor?: string
  }
}

/** First and last instant, inclusive, UTC milliseconds; null where the range is open. */
type TimeRange = { readonly first: number | null; readonly last: number | null }

/** Form of the answer. `isWhole`: all entries of the range in one CSV answer, of which `limit` is the greatest number. */
type Form = { readonly limit: number; readonly isCsv: boolean; readonly isWhole: boolean }

/** The first page of a list, or a later one. */
export type PricePage<C> = Form & { readonly symbol: string } & (
    | (TimeRange & { readonly cursor: null; readonly interval: CandleInterval })
    | { readonly cursor: C }
  )

/** Members of every price cursor. A cursor of ticks has no interval. */
type Bound = TimeRange & {
  readonly journal: string
  readonly symbol: string
  readonly interval?: CandleInterval
  readonly issuedAt: number
}

/**
 * Reads symbol, range and cursor of a request. Throws `invalid_query` for a day or time that does not exist, and a problem of
 * the cursor if it is none of this operation, too old, or sent with other filters than its own.
 */
export function pricePage<C extends Bound>(
  { params: { symbol }, query, csv }: PriceInput,
  decode: (text: string) => C | undefined,
  { journalId, clock }: Pick<ApiDeps, 'journalId' | 'clock'>,
): PricePage<C> {
  const isWhole = csv?.isWhole === true
  const form = { symbol, limit: isWhole ? MAX_CSV_ROWS : query.limit, isCsv: csv !== undefined, isWhole }
  const first = spanOf('start', query.start)?.first ?? null
  const last = spanOf('end', query.end)?.last ?? null
  if (first !== null && last !== null && first > last) {
    throw new ProblemError('invalid_query', `start ${query.start} is after end ${query.end}`)
  }
  if (query.cursor === undefined) {
    return { ...form, first, last, interval: query.interval ?? DEFAULT_INTERVAL, cursor: null }
  }
  const cursor = decode(query.cursor)
  if (!cursor) throw notIssued()
  if (cursor.journal !== journalId) throw new ProblemError('cursor_foreign', 'The cursor belongs to another journal.')
  const age = snapshotCursorAge(cursor.issuedAt, clock().getTime())
  if (age === 'forged') throw notIssued()
  if (age === 'expired') {
    throw new ProblemError('cursor_expired', 'The first page of this list was read more than 24 hours ago.')
  }
  requireSameFilters(cursor, query, { symbol, first, last })
  return { ...form, cursor }
}

function spanOf(name: 'start' | 'end', text: string | undefined) {
  if (text === undefined) return undefined
  const span = spanOfInstant(text)
  if (span) return span
  throw new ProblemError('invalid_query', `query parameter ${name}: ${text} does not exist in the calendar`)
}

function requireSameFilters(
  cursor: Bound,
  query: PriceInput['query'],
  asked: TimeRange & { readonly symbol: string },
): void {
  const of = (name: string, value: string) =>
    new ProblemError(
      'cursor_mismatch',
      `The cursor was made for ${name} ${value}: send it with exactly this, or alone.`,
    )
  if (asked.symbol !== cursor.symbol) throw of('symbol', cursor.symbol)
  if (query.interval !== undefined && query.interval !== cursor.interval) throw of('interval', `${cursor.interval}`)
  const isAlone = query.start === undefined && query.end === undefined
  if (isAlone || (asked.first === cursor.first && asked.last === cursor.last)) return
  throw of('start and end', `${written(cursor.first)} and ${written(cursor.last)}`)
}

const written = (at: number | null): string => (at === null ? 'left out' : instantText(at))

/** An instant as the answers write it; a time that is beyond their four digits of a year has more. */
export const instantText = (at: number): string => new Date(at).toISOString()

const notIssued = () => new ProblemError('cursor_invalid', 'The text is not a cursor of this operation.')

export const behindSnapshot = () =>
  new ProblemError('unavailable', 'This node has not reached the snapshot of this page yet.')

/** CSV has no place for the cursor of the next page, so a header names it (RFC 8288). */
export const nextLink = (path: string, cursor: string | null): Readonly<Record<string, string>> =>
  cursor === null ? {} : { link: `<${path}?format=csv&cursor=${cursor}>; rel="next"` }

/** Refusal of a CSV answer that would be too long or take too long. It says where to cut the range, in UTC milliseconds. */
export function tooMany(what: string, last: number, advice: string): ProblemError {
  const detail = `The range is too long for one CSV answer, which has ${MAX_CSV_ROWS} ${what} at most. Send end=${instantText(last)} and then go on from there${advice}, or send limit and follow the Link header.`
  return new ProblemError('invalid_query', detail)
}
