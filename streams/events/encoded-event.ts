import { encodeEventCursor } from '../../domain/cursor.ts'
import type { Lineage } from '../../domain/lineage.ts'
import type { TypedJournal } from '../../journal/typed.ts'

/** The part of the journal that the events stream uses. */
export type EventJournal = Pick<
  TypedJournal,
  'id' | 'generations' | 'bounds' | 'decode' | 'followEncoded' | 'newest' | 'offsetForTime' | 'readEncoded'
>

/** A position in the log: the event's sequence, and the offset from which to look for it first. The hint may be wrong. */
export type LogPosition = { readonly sequence: number; readonly hint: number }

/** An event, ready to be sent: the fields that filters compare, and the frame that all subscribers share. */
export type EncodedEvent = {
  readonly sequence: number
  readonly offset: number
  readonly family: string
  readonly country: string | null
  readonly type: string
  readonly frame: Uint8Array
}

export const cursorOf = (lineage: Lineage, { sequence, hint }: LogPosition): string =>
  encodeEventCursor({ journal: lineage.nameOf({ event: sequence }), sequence, hint })

/** Approximate memory of an event, in bytes: its frame and the objects around it. */
export const weightOf = ({ frame }: EncodedEvent): number => frame.length + 200
