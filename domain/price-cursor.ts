import { type CandleInterval, intervals } from '../contracts/candles.ts'
import { decodeCursor, encodeCursor, isCount } from './cursor.ts'

/** Times are UTC milliseconds. `first` and `last` bound the range, inclusive; null leaves it open. */
export type PriceCursor = {
  readonly journal: string
  readonly symbol: string
  readonly first: number | null
  readonly last: number | null
  /** Start of the cursor's lifetime (`issueTime`). */
  readonly issuedAt: number
}

/** The next page of candles. */
export type CandleCursor = PriceCursor & {
  readonly interval: CandleInterval
  /** Time of the newest price when the first page was read. No page has candles that begin later. */
  readonly newest: number
  /** Number of the last interval delivered. */
  readonly after: number
}

/** The next page of ticks. */
export type TickCursor = PriceCursor & {
  /** Ticks up to and including this journal offset belong to the snapshot; `recordedAt` is when it was recorded. */
  readonly snapshot: number
  readonly recordedAt: number
  /** Position of the last tick delivered: time of observation, journal offset, index within the record. */
  readonly after: readonly [number, number, number]
}

export const encodeCandleCursor = (c: CandleCursor): string =>
  encodeCursor('c', [c.journal, c.symbol, bound(c.first), bound(c.last), c.issuedAt, c.interval, c.newest, c.after])

export const encodeTickCursor = (c: TickCursor): string =>
  encodeCursor('t', [
    ...[c.journal, c.symbol, bound(c.first), bound(c.last), c.issuedAt],
    ...[c.snapshot, c.recordedAt, ...c.after],
  ])

/** An open end is an empty text. */
const bound = (at: number | null): number | '' => at ?? ''

export function decodeCandleCursor(text: string): CandleCursor | undefined {
  const members = decodeCursor('c', text) ?? []
  const shared = sharedMembers(members)
  const [interval, newest, after] = members.slice(5)
  const known = intervals.find((each) => each === interval)
  if (!shared || !known || !isTime(newest) || !isWhole(after)) return undefined
  return { ...shared, interval: known, newest, after }
}

export function decodeTickCursor(text: string): TickCursor | undefined {
  const members = decodeCursor('t', text) ?? []
  const shared = sharedMembers(members)
  const [snapshot, recordedAt, at, offset, index] = members.slice(5)
  if (!shared || !isCount(snapshot) || !isTime(recordedAt)) return undefined
  if (!isTime(at) || !isCount(offset) || !isCount(index)) return undefined
  return { ...shared, snapshot, recordedAt, after: [at, offset, index] }
}

function sharedMembers([journal, symbol, first, last, issuedAt]: readonly unknown[]): PriceCursor | undefined {
  if (typeof journal !== 'string' || typeof symbol !== 'string' || !isCount(issuedAt)) return undefined
  if (!isBound(first) || !isBound(last)) return undefined
  return { journal, symbol, first: first === '' ? null : first, last: last === '' ? null : last, issuedAt }
}

const isBound = (value: unknown): value is number | '' => value === '' || isTime(value)
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && !Object.is(value, -0)
/** Whether a value is a time that a Date can hold. */
const isTime = (value: unknown): value is number => isWhole(value) && Math.abs(value) <= 8.64e15
