import { type CandleInterval, DEFAULT_INTERVAL } from '../contracts/candles.ts'
import { MAX_CSV_ROWS } from '../contracts/operation.ts'
import { ProblemError } from '../contracts/problems.ts'
import type { Place } from '../domain/lineage.ts'
import type { PriceCursor } from '../domain/price-cursor.ts'
import type { CsvRequest } from './csv.ts'
import type { ApiDeps } from './deps.ts'
import type { OperationInput } from './execute.ts'
import { askedSpan } from './filters.ts'
import { cursorMismatch, requireHonoured } from './snapshot-cursor.ts'

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
type TimeRange = Pick<PriceCursor, 'first' | 'last'>

/** Form of the answer. `isWhole`: all entries of the range in one CSV answer, of which `limit` is the greatest number. */
type Form = { readonly limit: number; readonly csv: CsvRequest | undefined; readonly isWhole: boolean }

/** The first page of a list, or a later one. */
export type PricePage<C> = Form & { readonly symbol: string } & (
    | (TimeRange & { readonly cursor: null; readonly interval: CandleInterval })
    | { readonly cursor: C }
  )

/** Members of every price cursor. A cursor of ticks has no interval. */
type Bound = PriceCursor & { readonly interval?: CandleInterval }

/**
 * Reads symbol, range and cursor of a request. Throws `invalid_query` for a day or time that does not exist, and a problem of the
 * cursor if it is none of this operation, too old, or sent with other filters than its own. `placeOf`: as in `requireHonoured`.
 */
export function pricePage<C extends Bound>(
  { params: { symbol }, query, csv }: PriceInput,
  decode: (text: string) => C | undefined,
  deps: Pick<ApiDeps, 'lineage' | 'clock'>,
  placeOf?: (cursor: C) => Place,
): PricePage<C> {
  const isWhole = csv?.isWhole === true
  const form = { symbol, limit: isWhole ? MAX_CSV_ROWS : query.limit, csv, isWhole }
  const { first, last } = askedRange(query)
  if (query.cursor === undefined) {
    return { ...form, first, last, interval: query.interval ?? DEFAULT_INTERVAL, cursor: null }
  }
  const decoded = decode(query.cursor)
  const cursor = requireHonoured(decoded, 'list', deps, decoded && placeOf?.(decoded))
  requireSameFilters(cursor, query, { symbol, first, last })
  return { ...form, cursor }
}

/** Throws `invalid_query` for a day or time that does not exist, and for a range that ends before it begins. */
export function askedRange({ start, end }: { readonly start?: string; readonly end?: string }): TimeRange {
  const first = start === undefined ? null : askedSpan('start', start).first
  const last = end === undefined ? null : askedSpan('end', end).last
  if (first === null || last === null || first <= last) return { first, last }
  throw new ProblemError('invalid_query', `query parameter start: "${start}" is after end "${end}"`)
}

function requireSameFilters(
  cursor: Bound,
  query: PriceInput['query'],
  asked: TimeRange & { readonly symbol: string },
): void {
  if (asked.symbol !== cursor.symbol) {
    throw new ProblemError('cursor_mismatch', `The cursor was made for symbol ${cursor.symbol}.`)
  }
  const isSameInterval = query.interval === undefined || query.interval === cursor.interval
  const isAlone = query.start === undefined && query.end === undefined
  const isSameRange = asked.first === cursor.first && asked.last === cursor.last
  if (isSameInterval && (isAlone || isSameRange)) return
  const { interval = '', first, last } = cursor
  throw cursorMismatch({ interval, start: written(first), end: written(last) })
}

const written = (at: number | null): string => (at === null ? '' : instantText(at))

/** An instant as the answers write it; a time that is beyond their four digits of a year has more. */
export const instantText = (at: number): string => new Date(at).toISOString()

/** Refusal of a CSV answer that would be too long or take too long. It says where to cut the range, in UTC milliseconds. */
export function tooMany(what: string, last: number, advice: string): ProblemError {
  const detail = `The range is too long for one CSV answer, which has ${MAX_CSV_ROWS} ${what} at most. Send end=${instantText(last)} and then go on from there${advice}, or send limit and follow the Link header.`
  return new ProblemError('invalid_query', detail)
}
