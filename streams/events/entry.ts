import type { EventRecord } from '../../contracts/records.ts'
import { encodeEventCursor } from '../../domain/cursor.ts'
import type { TypedJournal } from '../../journal/typed.ts'

/** What the stream needs of the journal. */
export type EventJournal = Pick<TypedJournal, 'id' | 'bounds' | 'follow' | 'newest' | 'read'>

/** An event and where it would stand: the first record at or after offset `hint` is it, or it stands elsewhere. */
export type Place = { readonly sequence: number; readonly hint: number }

/** An event of the journal, ready to be sent: what filters ask for, and the frame that all its subscribers get. */
export type LogEntry = {
  readonly sequence: number
  readonly offset: number
  readonly family: string
  readonly country: string | null
  readonly type: string
  readonly frame: Uint8Array
}

export const cursorOf = (journal: string, { sequence, hint }: Place): string =>
  encodeEventCursor({ journal, sequence, hint })

/**
 * The message of an event: `servedEvent` as JSON, spelled out without parsing `data`, which is JSON already. The cursor's
 * hint is the offset after the event's own: whatever holes follow, the first record from there on is the next event.
 * Throws on `data` that isn't an object's JSON.
 */
export function eventMessage(journal: string, record: EventRecord, offset: number): string {
  const { id, source, type, subject, time, dataschema, family, country, sequence, data } = record
  if (!data.startsWith('{') || !data.endsWith('}')) throw new Error(`the data of event ${sequence} is no JSON object`)
  const head = JSON.stringify({
    specversion: '1.0',
    id,
    source,
    type,
    subject,
    time,
    datacontenttype: 'application/json',
    dataschema,
    family,
    ...(country === null ? {} : { country }),
    sequence: String(sequence).padStart(20, '0'),
  })
  const cursor = cursorOf(journal, { sequence: sequence + 1, hint: offset + 1 })
  return `{"type":"event","event":${head.slice(0, -1)},"data":${data},"cursor":"${cursor}"}}`
}

export function entryOf(journal: string, record: { readonly offset: number; readonly value: EventRecord }): LogEntry {
  const { offset, value } = record
  const { sequence, family, country, type } = value
  return { sequence, offset, family, country, type, frame: Buffer.from(eventMessage(journal, value, offset)) }
}

/** Bytes that an entry is charged with: its frame, and about what the objects around it take. */
export const weightOf = ({ frame }: LogEntry): number => frame.length + 200
