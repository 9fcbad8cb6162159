import { crc32 } from 'node:zlib'

/**
 * Cursors are opaque to clients, have a checksum and are bound to their journal. Format: `v1.` and base64url of a
 * CRC-32 followed by JSON. A cursor is no secret, because it grants nothing that a fresh read does not.
 */
const VERSION = 'v1.'

/** The next event to read. */
type EventCursor = {
  readonly journal: string
  readonly sequence: number
  /** Likely offset of that event. */
  readonly hint: number
}

/** The next page of a history, and the snapshot that its first page read. */
export type HistoryCursor = {
  readonly journal: string
  readonly country: string
  readonly start: string
  readonly end: string
  readonly series: string
  /** Releases up to and including this offset belong to the snapshot. */
  readonly snapshot: number
  /** The last period delivered. */
  readonly after: string
  /** Start of the cursor's lifetime, UTC milliseconds: the time of the first page, rounded up by `issueTime`. */
  readonly issuedAt: number
}

const HOUR_MS = 3_600_000
/** Shortest lifetime of a history cursor. The rounding of `issueTime` adds at most an hour. */
const HISTORY_CURSOR_LIFETIME_MS = 24 * HOUR_MS

/** How far the clocks of two nodes may differ. */
const CLOCK_TOLERANCE_MS = HOUR_MS

/** Judges a history cursor by its `issuedAt`; times are UTC milliseconds. `forged`: no node can have issued it yet. */
export function historyCursorAge(issuedAt: number, now: number): 'honoured' | 'expired' | 'forged' {
  if (issuedAt > issueTime(now) + CLOCK_TOLERANCE_MS) return 'forged'
  return now - issuedAt > HISTORY_CURSOR_LIFETIME_MS ? 'expired' : 'honoured'
}

/**
 * The end of the hour of `now`, UTC milliseconds. Rounding makes the same first page carry the same cursor, and so the
 * same ETag, for up to an hour.
 */
export const issueTime = (now: number): number => Math.ceil(now / HOUR_MS) * HOUR_MS

export const encodeCursor = (kind: 'c' | 'e' | 'h', members: readonly (string | number)[]): string => {
  const body = Buffer.from(JSON.stringify([kind, ...members]))
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return VERSION + Buffer.concat([sum, body]).toString('base64url')
}

/** The members of a cursor of `kind`; undefined if the text is no intact cursor of that kind. */
export function decodeCursor(kind: 'c' | 'e' | 'h', text: string): readonly unknown[] | undefined {
  if (!text.startsWith(VERSION)) return undefined
  const encoded = text.slice(VERSION.length)
  const bytes = Buffer.from(encoded, 'base64url')
  if (bytes.length < 6 || bytes.toString('base64url') !== encoded) return undefined
  const body = bytes.subarray(4)
  if (bytes.readUInt32BE(0) !== crc32(body)) return undefined
  const members = parsed(body.toString())
  if (!Array.isArray(members) || members[0] !== kind) return undefined
  return members.slice(1)
}

/** Parses JSON that may be anything: a client can compute the checksum too. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const encodeEventCursor = ({ journal, sequence, hint }: EventCursor): string =>
  encodeCursor('e', [journal, sequence, hint])

export function decodeEventCursor(text: string): EventCursor | undefined {
  const [journal, sequence, hint] = decodeCursor('e', text) ?? []
  if (typeof journal !== 'string' || !isCount(sequence) || !isCount(hint)) return undefined
  return { journal, sequence, hint }
}

/** Why a cursor is refused, as clients are told over REST and on the stream. */
export const cursorFaults = {
  cursor_invalid: 'The text is not a cursor of the events API.',
  cursor_foreign: 'The cursor belongs to another journal.',
  cursor_expired: 'The event at the cursor is no longer kept.',
  cursor_ahead: 'The cursor points beyond the end of the journal.',
} as const

/** Sequences of the events that can be read: the oldest one kept, and the one after the newest; undefined if unknown. */
type ReadableEvents = { readonly journal: string; readonly first: number | undefined; readonly end: number | undefined }

/**
 * Judges the cursor that a client sent. The first fault in this order is returned: invalid, foreign, expired, ahead. A cursor
 * is honoured or refused, never moved.
 */
export function judgeEventCursor(
  text: string,
  { journal, first = 0, end = Number.POSITIVE_INFINITY }: ReadableEvents,
): EventCursor | keyof typeof cursorFaults {
  const cursor = decodeEventCursor(text)
  if (!cursor || cursor.sequence < 1) return 'cursor_invalid'
  if (cursor.journal !== journal) return 'cursor_foreign'
  if (cursor.sequence < first) return 'cursor_expired'
  return cursor.sequence > end ? 'cursor_ahead' : cursor
}

export const encodeHistoryCursor = (c: HistoryCursor): string =>
  encodeCursor('h', [c.journal, c.country, c.start, c.end, c.series, c.snapshot, c.after, c.issuedAt])

export function decodeHistoryCursor(text: string): HistoryCursor | undefined {
  const [journal, country, start, end, series, snapshot, after, issuedAt] = decodeCursor('h', text) ?? []
  const texts = [journal, country, start, end, series, after]
  if (!texts.every((member) => typeof member === 'string') || !isCount(snapshot) || !isCount(issuedAt)) return undefined
  const [j, c, s = '', e = '', id, a] = texts
  if (!isMonthOrOpen(s) || !isMonthOrOpen(e)) return undefined
  return {
    journal: j ?? '',
    country: c ?? '',
    start: s,
    end: e,
    series: id ?? '',
    snapshot,
    after: a ?? '',
    issuedAt,
  }
}

export const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)

const isMonthOrOpen = (text: string): boolean => text === '' || /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)
