import { expect, it, onTestFinished } from 'vitest'
import { decodeEventCursor } from '../../../domain/cursor.ts'
import { Connection } from '../../../streams/connection.ts'
import { eventsStream } from '../../../streams/events/index.ts'
import { SimulatedTime, settle } from '../../support/simulated-time.ts'
import { MemoryEvents } from './support/journal.ts'

type Message = { readonly type: string; readonly code?: string; readonly cursor?: string }

/** A real connection to the real stream, on a socket that takes everything and whose client answers every ping. */
function connected(events: MemoryEvents) {
  const time = new SimulatedTime(() => 0)
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const stream = eventsStream({ journal: events.asJournal(), signal: stop.signal, time })
  const messages: Message[] = []
  const connection = new Connection(
    stream,
    {
      send: (frame) => messages.push(JSON.parse(Buffer.from(frame).toString())) && 1,
      ping: (payload) => {
        time.soon(() => connection.answered(payload))
        return 1
      },
      cork: (write) => write(),
      end: () => undefined,
      getBufferedAmount: () => 0,
    },
    time.monotonic,
  )
  /** Lets time pass in the steps in which the server checks its connections. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed <= ms; passed += 250) {
      do await settle()
      while (time.step())
      time.pass(250)
      connection.tick()
    }
  }
  const send = (message: object) =>
    connection.take({ type: 'frame', bytes: Buffer.from(JSON.stringify(message)), isBinary: false })
  const sequencesOf = (type: string) =>
    messages.filter((message) => message.type === type).map(({ cursor }) => decodeEventCursor(cursor ?? '')?.sequence)
  return { connection, messages, pass, send, sequencesOf }
}

it('a heartbeat has the cursor after all that the filter has passed over, and so has the notice of a shutdown', async () => {
  const events = new MemoryEvents()
  events.append(10)
  const { connection, messages, pass, send, sequencesOf } = connected(events)
  await pass(0)
  connection.admit('pro')
  // Nothing in this journal is of this family.
  send({ action: 'subscribe', families: ['fx'], cursor: 'earliest' })
  await pass(29_000)
  expect(sequencesOf('heartbeat')).toEqual([])
  expect(sequencesOf('subscribed')).toEqual([1])
  await pass(2_000)
  expect(sequencesOf('heartbeat')).toEqual([11])
  events.append(5)
  await pass(30_000)
  expect(sequencesOf('heartbeat')).toEqual([11, 16])
  events.append(1)
  await pass(500)
  connection.take({ type: 'going_away' })
  expect(messages.at(-1)).toMatchObject({ type: 'notice', code: 'going_away' })
  expect(decodeEventCursor(messages.at(-1)?.cursor ?? '')?.sequence).toBe(17)
})
