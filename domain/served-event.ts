import type { Event } from '../contracts/events.ts'
import type { EventRecord } from '../contracts/records.ts'
import { encodeEventCursor } from './cursor.ts'
import type { Lineage } from './lineage.ts'

/** A sequence as it is served: text that sorts as the numbers do. */
export const sequenceText = (sequence: number): string => String(sequence).padStart(20, '0')

/** The served form of an event: the stored record as CloudEvents 1.0, with the cursor that points just after it. */
export const servedEvent = (record: EventRecord, lineage: Lineage): Event => ({
  specversion: '1.0',
  id: record.id,
  source: record.source,
  type: record.type,
  subject: record.subject,
  time: record.time,
  datacontenttype: 'application/json',
  dataschema: record.dataschema,
  family: record.family,
  ...(record.country === null ? {} : { country: record.country }),
  sequence: sequenceText(record.sequence),
  data: JSON.parse(record.data),
  cursor: cursorAt(lineage, record.sequence + 1),
})

/**
 * The cursor of the next event to read. The offset is unknown here, so the hint is the sequence; a reader of the
 * journal finds the event by its sequence.
 */
export const cursorAt = (lineage: Lineage, sequence: number): string =>
  encodeEventCursor({ journal: lineage.nameOf({ event: sequence }), sequence, hint: sequence })
