import type { Event } from '../../contracts/events.ts'
import type { EventRecord } from '../../contracts/records.ts'
import { servedEvent } from '../../domain/served-event.ts'

/** Members that differ from event to event. The values of the others are few, so they are part of a frame's pieces. */
const variable = ['id', 'subject', 'time', 'country', 'sequence', 'data', 'cursor'] as const
export type Variable = (typeof variable)[number]

/** The text of a frame, cut at its variable members: piece, member, piece, …, piece. */
type FrameShape = { readonly pieces: readonly string[]; readonly members: readonly Variable[] }

/** The cast lets `includes` take any text. */
const isVariable = (member: string): member is Variable => (variable as readonly string[]).includes(member)

/** Cuts the shape of an event's frame from `servedEvent` as JSON, so that a frame is defined only there. */
export function frameShape(record: EventRecord): FrameShape {
  const event: Event = servedEvent({ ...record, data: '{}' }, '')
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
