import type { Event } from '../../contracts/events.ts'
import type { EventRecord } from '../../contracts/records.ts'
import { Lineage } from '../../domain/lineage.ts'
import { servedEvent } from '../../domain/served-event.ts'

/** Members that differ from event to event. The values of the others are few, so they are part of a frame's pieces. */
const variable = ['id', 'subject', 'time', 'country', 'sequence', 'data', 'cursor'] as const
type Variable = (typeof variable)[number]

/** The text of a frame, cut at its variable members: piece, member, piece, …, piece. */
type FrameShape = { readonly pieces: readonly string[]; readonly members: readonly Variable[] }

/** The cast lets `includes` take any text. */
const isVariable = (member: string): member is Variable => (variable as readonly string[]).includes(member)

/** Cuts the frame of an event from `servedEvent` as JSON, so that a frame is defined only there. */
export function frameShape(record: EventRecord): FrameShape {
  const event: Event = servedEvent({ ...record, data: '{}' }, new Lineage({ id: '', generations: [] }))
  const pieces: string[] = []
  const members: Variable[] = []
  let piece = '{"type":"event","event":'
  for (const [i, [member, value]] of Object.entries(event).entries()) {
    piece += `${i === 0 ? '{' : ','}${JSON.stringify(member)}:`
    if (isVariable(member)) {
      pieces.push(piece)
      members.push(member)
      piece = ''
    } else piece += JSON.stringify(value)
  }
  return { pieces: [...pieces, `${piece}}}`], members }
}

/** Number of digits of a sequence, which is padded with zeros. */
export const SEQUENCE_DIGITS = 20

/** Texts of a frame that come before its data. */
const texts = ['id', 'subject', 'time', 'country'] as const
type FrameText = (typeof texts)[number]

/** A frame with room for its variable members. */
export type FrameLayout = {
  /** Everything before the data, with zeros where the sequence and the texts belong. */
  readonly head: Uint8Array
  readonly sequenceAt: number
  /** Byte offsets of the texts in `head`. A country that is null has none. */
  readonly textOffsets: Readonly<Partial<Record<FrameText, number>>>
  /** Bytes between the data and the cursor, and behind the cursor. */
  readonly beforeCursor: Uint8Array
  readonly end: Uint8Array
}

/** Lays out the frame of an event for all events of its shape whose texts have the same lengths, in bytes. */
export function frameLayout(record: EventRecord, lengths: Readonly<Record<FrameText, number>>): FrameLayout {
  const { pieces, members } = frameShape(record)
  if (members.slice(-2).join() !== 'data,cursor')
    throw new Error(`a frame has its members in another order: ${members}`)
  let head = Buffer.alloc(0)
  const textOffsets: Partial<Record<Variable, number>> = {}
  for (const [i, member] of members.slice(0, -2).entries()) {
    head = Buffer.concat([head, Buffer.from(`${pieces[i]}"`)])
    textOffsets[member] = head.length
    const room = member === 'sequence' ? SEQUENCE_DIGITS : lengths[member as FrameText]
    head = Buffer.concat([head, Buffer.alloc(room), Buffer.from('"')])
  }
  const [beforeData = '', beforeCursor = '', end = ''] = pieces.slice(-3)
  return {
    head: Buffer.concat([head, Buffer.from(beforeData)]),
    sequenceAt: textOffsets.sequence ?? 0,
    textOffsets,
    beforeCursor: Buffer.from(`${beforeCursor}"`),
    end: Buffer.from(`"${end}`),
  }
}
