import { crc32 } from 'node:zlib'
import type { Lineage } from './lineage.ts'

/**
 * Cursors are opaque to clients, have a checksum and are bound to their journal and its generation. Format: `v1.` and
 * base64url of a CRC-32 followed by JSON. A cursor is no secret, because it grants nothing that a fresh read does not.
 */
const VERSION = 'v1.'

/** The next event to read. */
type EventCursor = {
  /** Name of the journal and the generation (`Lineage.nameOf`). */
  readonly journal: string
  readonly sequence: number
  /** Likely offset of that event. */
  readonly hint: number
}

/** The list that a cursor continues: events, a history, candles, ticks or the calendar. */
type CursorKind = 'e' | 'h' | 'c' | 't' | 'd'

export const encodeCursor = (kind: CursorKind, members: readonly (string | number)[]): string => {
  const body = Buffer.from(JSON.stringify([kind, ...members]))
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return VERSION + Buffer.concat([sum, body]).toString('base64url')
}

/** The members of a cursor of `kind`; undefined if the text is no intact cursor of that kind. */
export function decodeCursor(kind: CursorKind, text: string): readonly unknown[] | undefined {
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
  cursor_foreign: 'The cursor belongs to another journal, or to another day of /asof.',
  cursor_superseded:
    'The cursor comes from another history of this journal: the two have been apart since one was restored from a backup.',
  cursor_expired: 'The event at the cursor is no longer kept.',
  cursor_ahead: 'The cursor points beyond the end of the journal.',
} as const

/** Sequences of the events that can be read: the oldest one kept, and the one after the newest; undefined if unknown. */
type ReadableEvents = {
  readonly lineage: Lineage
  readonly first: number | undefined
  readonly end: number | undefined
}

/** A cursor that is not honoured, and where its owner may go on: an end of the events, or a sequence. */
type RefusedCursor = {
  readonly refused: keyof typeof cursorFaults
  readonly goOnAt: 'earliest' | 'latest' | number
}

/**
 * Judges the cursor that a client sent. The first fault in this order is returned: invalid, foreign, superseded,
 * expired, ahead. A cursor is honoured or refused, never moved.
 */
export function judgeEventCursor(
  text: string,
  { lineage, first = 0, end = Number.POSITIVE_INFINITY }: ReadableEvents,
): EventCursor | RefusedCursor {
  const cursor = decodeEventCursor(text)
  if (!cursor || cursor.sequence < 1) return { refused: 'cursor_invalid', goOnAt: 'earliest' }
  const fault = lineage.faultOf(cursor.journal, { event: cursor.sequence })
  if (fault === 'foreign') return { refused: 'cursor_foreign', goOnAt: 'earliest' }
  if (fault) return { refused: 'cursor_superseded', goOnAt: Math.max(first, lineage.branchOf(cursor.journal)) }
  if (cursor.sequence < first) return { refused: 'cursor_expired', goOnAt: 'earliest' }
  return cursor.sequence > end ? { refused: 'cursor_ahead', goOnAt: 'latest' } : cursor
}

export const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)
