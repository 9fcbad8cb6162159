import type { Event } from '../../contracts/events.ts'
import type { EventRecord } from '../../contracts/records.ts'
import { servedEvent } from '../../domain/served-event.ts'

/** Members that differ from event to event. The others, few in all, stand in the pieces of a frame as they are. */
const variable = ['id', 'subject', 'time', 'country', 'sequence', 'data', 'cursor'] as const
export type Variable = (typeof variable)[number]

/** The text of a frame, cut at its variable members: piece, member, piece, …, piece. */
type FrameShape = { readonly pieces: readonly string[]; readonly members: readonly Variable[] }

const isVariable = (member: string): member is Variable => (variable as readonly string[]).includes(member)

/** The frame of an event is `servedEvent` as JSON: cut from that, so that there is one definition. */
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
