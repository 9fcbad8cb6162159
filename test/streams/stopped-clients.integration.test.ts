import type { WebSocket, WebSocketBehavior } from 'uWebSockets.js'
import { expect, it, onTestFinished, vi } from 'vitest'
import { eventsStream } from '../../streams/events/index.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { until } from '../support/journal.ts'
import { eventNumber } from '../support/journal-records.ts'
import { type Client, startStreams } from './support.ts'

/** Clients of a round. With many more they are cut for not answering before the kernel's 2 MB for each are full. */
const STOPPED = 50
/** ALMANAC_TEST_STOPPED=1000 for the long form. */
const rounds = Array.from({ length: Number(process.env.ALMANAC_TEST_STOPPED ?? STOPPED) / STOPPED }, (_, i) => i + 1)
const BEFORE = 800
const LIVE = 200
const SOFT_LIMIT = 256 * 1024

/** A socket as the server sees it: the most bytes that ever waited, the largest frame, and what it was closed with. */
type Seen = { waiting: number; frame: number; end: string | undefined }

const seen = vi.hoisted((): Seen[] => [])

vi.mock('uWebSockets.js', async (original) => {
  const real = await original<typeof import('uWebSockets.js')>()
  const App: typeof real.App = () => {
    const app = real.App()
    const { ws: route } = app
    app.ws = <U>(path: string, behavior: WebSocketBehavior<U>): typeof app => {
      const sockets = new WeakMap<object, Seen>()
      const observed: WebSocketBehavior<U> = {
        ...behavior,
        open(ws: WebSocket<U>) {
          const socket: Seen = { waiting: 0, frame: 0, end: undefined }
          sockets.set(ws, socket)
          seen.push(socket)
          const { send } = ws
          ws.send = (...message) => {
            const outcome = send.apply(ws, message)
            socket.waiting = Math.max(socket.waiting, ws.getBufferedAmount())
            socket.frame = Math.max(socket.frame, (message[0] as Uint8Array).byteLength)
            return outcome
          }
          behavior.open?.(ws)
        },
        close(ws, code, message) {
          const socket = sockets.get(ws)
          if (socket) socket.end = `${code} ${Buffer.from(message).toString()}`
          behavior.close?.(ws, code, message)
        },
      }
      return Reflect.apply(route, app, [path, observed])
    }
    return app
  }
  return { ...real, App }
})

const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({
    ...eventNumber(from + i),
    data: JSON.stringify({ text: 'x'.repeat(10_000) }),
  }))
const sequencesOf = (client: Client) =>
  client.of('event').map(({ event }) => Number((event as { sequence: string }).sequence))
const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i + 1)

async function served() {
  const { journal } = await openEmbeddedTestJournal()
  const append = (from: number, to: number) =>
    journal.append(
      'events',
      0,
      range(from, to).map((value) => ({ value, id: value.id, at: Date.parse(value.time) })),
    )
  for (let from = 0; from < BEFORE; from += 100) await append(from, from + 100)
  const stop = new AbortController()
  const events = eventsStream({ journal, signal: stop.signal })
  onTestFinished(async () => {
    stop.abort()
    await events.done
  })
  await events.caughtUp
  const { connect } = await startStreams([events])
  return {
    append,
    join: async (cursor: string) => {
      const client = connect('events')
      await client.seen('ready')
      client.send({ action: 'subscribe', cursor })
      return client
    },
  }
}

it.each(rounds)(
  `cuts ${STOPPED} clients that stop reading, keeps little for each, and the others miss nothing (%i)`,
  async () => {
    const { join, append } = await served()
    const live = await Promise.all(Array.from({ length: 5 }, () => join('latest')))
    for (const client of live) await client.seen('caught_up')
    const readers = seen.length

    const stopped = await Promise.all(
      Array.from({ length: STOPPED }, async () => {
        const client = await join('earliest')
        client.socket.pause()
        return client
      }),
    )
    await until('something waits for each', () => seen.slice(readers).every(({ waiting }) => waiting > SOFT_LIMIT))
    const replaying = await join('earliest')
    const hanging = seen.slice(readers, readers + STOPPED)
    for (let from = BEFORE; from < BEFORE + LIVE; from += 10) await append(from, from + 10)
    for (const client of [...live, replaying]) await client.seen('event', LIVE)
    await until('each is cut', () => hanging.every(({ end }) => end !== undefined))
    expect(new Set(hanging.map(({ end }) => end?.slice(0, 20)))).toEqual(new Set(['4408 slow_consumer: ']))
    // A frame is sent while no more than the soft limit waits; a header has 4 bytes, and an error of 400 still fits.
    for (const { waiting, frame } of hanging) expect(waiting).toBeLessThanOrEqual(SOFT_LIMIT + frame + 4 + 400)

    // What the operating system holds for them still arrives: all events up to the error, which says where to go on.
    for (const { socket } of stopped) socket.resume()
    for (const client of stopped) {
      await client.end()
      const received = sequencesOf(client)
      expect(received).toEqual(upTo(0, received.length))
      expect(received.length).toBeLessThan(BEFORE)
      const last = client.of('event').at(-1)?.event as { cursor: string } | undefined
      expect(client.messages.at(-1)).toEqual({
        type: 'error',
        code: 'slow_consumer',
        detail: expect.stringContaining('ping'),
        resume_cursor: last?.cursor,
      })
    }
    await replaying.seen('event', BEFORE + LIVE)
    for (const client of live) expect(sequencesOf(client)).toEqual(upTo(BEFORE, BEFORE + LIVE))
    expect(sequencesOf(replaying)).toEqual(upTo(0, BEFORE + LIVE))
    expect([...live, replaying].map(({ closed }) => closed)).toEqual(Array(6).fill(undefined))
  },
)
