import { crc32 } from 'node:zlib'

/**
 * Cursors: opaque to clients, checksummed, bound to their journal. `v1.` and base64url of JSON with a CRC-32 in front.
 * They hold no secret, since they grant nothing that a fresh read doesn't.
 */
const VERSION = 'v1.'

/** The next event to read. */
type EventCursor = {
  readonly journal: string
  readonly sequence: number /** Where that event's offset is likely. */
  readonly hint: number
}

/** Where a history goes on, and the snapshot its first page read. */
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
  /** UTC milliseconds from which its lifetime counts: of the first page, rounded up by `issueTime`. */
  readonly issuedAt: number
}

const HOUR_MS = 3_600_000
/** How long a history's cursor is honoured at least; at most an hour longer. */
const HISTORY_CURSOR_LIFETIME_MS = 24 * HOUR_MS

/** How far the clocks of two nodes may differ. */
const CLOCK_TOLERANCE_MS = HOUR_MS

/** How a history's cursor of `issuedAt` stands at `now`, UTC milliseconds; `forged`: no node can have issued it yet. */
export function historyCursorAge(issuedAt: number, now: number): 'honoured' | 'expired' | 'forged' {
  if (issuedAt > issueTime(now) + CLOCK_TOLERANCE_MS) return 'forged'
  return now - issuedAt > HISTORY_CURSOR_LIFETIME_MS ? 'expired' : 'honoured'
}

/** The end of the hour of `now`, UTC milliseconds: within an hour the same first page gives the same cursor, and tag. */
export const issueTime = (now: number): number => Math.ceil(now / HOUR_MS) * HOUR_MS

export const encodeCursor = (kind: 'e' | 'h', members: readonly (string | number)[]): string => {
  const body = Buffer.from(JSON.stringify([kind, ...members]))
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return VERSION + Buffer.concat([sum, body]).toString('base64url')
}

/** The members of a cursor of `kind`, or undefined if it isn't one that was handed out. */
function decodeCursor(kind: 'e' | 'h', text: string): readonly (string | number)[] | undefined {
  if (!text.startsWith(VERSION)) return undefined
  const encoded = text.slice(VERSION.length)
  const bytes = Buffer.from(encoded, 'base64url')
  if (bytes.length < 6 || bytes.toString('base64url') !== encoded) return undefined
  const body = bytes.subarray(4)
  if (bytes.readUInt32BE(0) !== crc32(body)) return undefined
  const members = parsed(body.toString())
  if (!Array.isArray(members) || members[0] !== kind) return undefined
  return members.slice(1) as (string | number)[]
}

/** A checksum is no secret: what is behind it may be anything. */
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

export const encodeHistoryCursor = (c: HistoryCursor): string =>
  encodeCursor('h', [c.journal, c.country, c.start, c.end, c.series, c.snapshot, c.after, c.issuedAt])

export function decodeHistoryCursor(text: string): HistoryCursor | undefined {
  const [journal, country, start, end, series, snapshot, after, issuedAt] = decodeCursor('h', text) ?? []
  const texts = [journal, country, start, end, series, after]
  if (!texts.every((member) => typeof member === 'string') || !isCount(snapshot) || !isCount(issuedAt)) return undefined
  const [j, c, s = '', e = '', id, a] = texts as string[]
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

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)

const isMonthOrOpen = (text: string): boolean => text === '' || /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)
