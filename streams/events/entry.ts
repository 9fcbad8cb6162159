import { encodeEventCursor } from '../../domain/cursor.ts'
import type { TypedJournal } from '../../journal/typed.ts'

/** What the stream needs of the journal. */
export type EventJournal = Pick<TypedJournal, 'id' | 'bounds' | 'decode' | 'followEncoded' | 'newest' | 'readEncoded'>

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

/** Bytes that an entry is charged with: its frame, and about what the objects around it take. */
export const weightOf = ({ frame }: LogEntry): number => frame.length + 200
