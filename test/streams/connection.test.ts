import { describe, expect, it } from 'vitest'
import { Connection, type Socket } from '../../streams/connection.ts'
import type { Outlet, Stream } from '../../streams/stream.ts'

/** A connection on a socket whose waiting bytes are the test's to say: deadlines and thresholds, not transport. */
function connectionWith({ waiting = 0 } = {}) {
  const socket = { sent: [] as { type: string }[], ended: undefined as string | undefined, waiting, pings: 0 }
  const stream = { isThere: true, resumed: 0, detached: 0, outlet: undefined as Outlet | undefined }
  const connection = new Connection<unknown>(
    {
      name: 'events',
      read: () => ({}),
      attach: (outlet: Outlet) => {
        stream.outlet = outlet
        return { resume: () => stream.resumed++, detach: () => stream.detached++, cursor: () => 'v1.here' }
      },
      asOf: () => '2026-11-20T12:00:00.000Z',
      isAvailable: () => stream.isThere,
    } as unknown as Stream<unknown>,
    {
      send: (frame) => {
        socket.sent.push(JSON.parse(Buffer.from(frame).toString()))
        return socket.waiting > 0 ? 0 : 1
      },
      ping: () => {
        socket.pings++
        return 2
      },
      cork: (write) => write(),
      end: (code, reason) => {
        socket.ended = `${code} ${reason}`
      },
      getBufferedAmount: () => socket.waiting,
    } satisfies Socket,
    0,
  )
  const frame = (message: object, now: number) =>
    connection.take({ type: 'frame', bytes: Buffer.from(JSON.stringify(message)), isBinary: false }, now)
  const subscribed = () => {
    connection.admit('pro', 0)
    frame({ action: 'subscribe' }, 1_000)
  }
  const types = () => socket.sent.map(({ type }) => type)
  return { connection, socket, stream, frame, subscribed, types }
}

describe('the deadlines of a connection', () => {
  it('end it 5 s after its greeting without a subscribe', () => {
    const { connection, socket, frame } = connectionWith()
    connection.tick(60_000)
    expect(socket.ended).toBeUndefined()
    connection.admit('free', 100_000)
    frame({ action: 'ping' }, 104_000)
    connection.tick(104_999)
    expect(socket.ended).toBeUndefined()
    connection.tick(105_000)
    expect(socket.ended).toBe('4408 subscribe_required')
  })

  it('give a heartbeat every 30 s from the subscribe on, with the cursor', () => {
    const { connection, socket, subscribed, types } = connectionWith()
    subscribed()
    for (let now = 1_250; now < 31_000; now += 250) connection.tick(now)
    expect(types()).toEqual(['ready'])
    for (let now = 31_000; now < 91_000; now += 250) connection.tick(now)
    expect(socket.sent.slice(1)).toEqual(
      Array(2).fill({ type: 'heartbeat', as_of: '2026-11-20T12:00:00.000Z', cursor: 'v1.here' }),
    )
  })

  it('give no heartbeat to who is behind: it is being sent to anyway', () => {
    const { connection, socket, stream, subscribed, types } = connectionWith()
    subscribed()
    socket.waiting = 300 * 1024
    expect(stream.outlet?.send(Buffer.from('{"type":"event"}'))).toBe(false)
    for (let now = 30_000; now < 32_000; now += 250) {
      socket.waiting--
      connection.tick(now)
    }
    expect(types()).toEqual(['ready', 'event'])
  })

  it('end it once the stream is unavailable', () => {
    const { connection, socket, stream, subscribed } = connectionWith()
    subscribed()
    stream.isThere = false
    connection.tick(2_000)
    expect(socket.ended).toBe('4503 unavailable')
    expect(socket.sent.at(-1)).toMatchObject({ type: 'error', code: 'unavailable', resume_cursor: 'v1.here' })
    expect(stream.detached).toBe(1)
  })

  it('cut who takes no byte for 5 s while some wait, and not who takes one', () => {
    const { connection, socket, subscribed } = connectionWith()
    subscribed()
    socket.waiting = 1_000
    for (let now = 2_000; now <= 12_000; now += 250) {
      if (now === 6_000) socket.waiting--
      connection.tick(now)
      expect(socket.ended, `at ${now}`).toBe(now < 11_000 ? undefined : '4408 slow_consumer')
      if (socket.ended) return
    }
  })
})

describe('a connection that is behind', () => {
  it('takes no more over 256 KiB, and goes on at 64 KiB', () => {
    const { connection, socket, stream, subscribed } = connectionWith()
    subscribed()
    socket.waiting = 256 * 1024
    expect(stream.outlet?.send(Buffer.from('{"type":"event"}'))).toBe(true)
    socket.waiting++
    expect(stream.outlet?.send(Buffer.from('{"type":"event"}'))).toBe(false)
    expect(stream.outlet?.send(Buffer.from('{"type":"event"}'))).toBe(false)
    expect(socket.sent).toHaveLength(3)
    socket.waiting = 64 * 1024 + 1
    connection.drained()
    expect(stream.resumed).toBe(0)
    socket.waiting--
    connection.drained()
    connection.drained()
    expect(stream.resumed).toBe(1)
    expect(connection.isBehind).toBe(true)
  })

  it('is ended, whoever asks, only once', () => {
    const { connection, stream, socket, subscribed } = connectionWith()
    subscribed()
    stream.outlet?.fail('cursor_expired')
    connection.take({ type: 'going_away' }, 2_000)
    connection.tick(90_000)
    expect(stream.outlet?.send(Buffer.from('{}'))).toBe(false)
    expect(socket.sent.map(({ type }) => type)).toEqual(['ready', 'error'])
    expect(connection.isBehind).toBe(false)
  })
})
