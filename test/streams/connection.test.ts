import { describe, expect, it } from 'vitest'
import { Connection, type Socket } from '../../streams/connection.ts'
import type { Outlet, Stream } from '../../streams/stream.ts'

/** A connection on a socket whose waiting bytes are the test's to say: deadlines and thresholds, not transport. */
function connectionWith({ sendsNewestOnly = false, name = 'events' } = {}) {
  const time = { now: 0 }
  const socket = { sent: [] as { type: string }[], ended: undefined as string | undefined, waiting: 0 }
  const pings: string[] = []
  const stream = { isThere: true, resumed: 0, detached: 0, outlet: undefined as Outlet | undefined }
  const connection = new Connection<unknown>(
    {
      name,
      sendsNewestOnly,
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
      ping: (payload) => pings.push(payload),
      cork: (write) => write(),
      end: (code, reason) => {
        socket.ended = `${code} ${reason}`
      },
      getBufferedAmount: () => socket.waiting,
    } satisfies Socket,
    () => time.now,
  )
  const at = (now: number) => {
    time.now = now
    return connection
  }
  const frame = (message: object, now: number) =>
    at(now).take({ type: 'frame', bytes: Buffer.from(JSON.stringify(message)), isBinary: false })
  const subscribed = () => {
    at(0).admit('pro')
    frame({ action: 'subscribe' }, 1_000)
  }
  const answerAll = () => {
    for (const payload of pings.splice(0)) connection.answered(payload)
  }
  const types = () => socket.sent.map(({ type }) => type)
  return { connection, at, socket, stream, pings, answerAll, frame, subscribed, types }
}

/** A frame of so many bytes. */
const eventOf = (bytes: number) =>
  Buffer.from(JSON.stringify({ type: 'event', text: 'x'.repeat(Math.max(0, bytes - 28)) }))

/** What a message of each stream has besides its code. */
describe('an error', () => {
  it.each([
    ['prices', { type: 'error', code: 'invalid_frame' }],
    ['events', { type: 'error', code: 'invalid_frame', detail: expect.any(String), resume_cursor: 'v1.here' }],
    ['predictions', { type: 'error', code: 'invalid_frame', detail: expect.any(String), resume_cursor: 'v1.here' }],
  ])('of %s has the members that its stream describes, and the words in the close reason', (name, message) => {
    const { at, socket, subscribed } = connectionWith({ name })
    subscribed()
    at(2_000).take({ type: 'frame', bytes: Buffer.from('{'), isBinary: false })
    expect(socket.sent.at(-1)).toEqual(message)
    expect(socket.ended).toMatch(/^4400 invalid_frame: The frame is not JSON: /)
  })

  it('for a frame above 64 KiB closes with 1009', () => {
    const { at, socket, subscribed } = connectionWith()
    subscribed()
    at(2_000).take({ type: 'frame', bytes: Buffer.alloc(65_537, ' '), isBinary: false })
    expect(socket.sent.at(-1)).toMatchObject({ code: 'invalid_frame' })
    expect(socket.ended).toBe('1009 invalid_frame: The frame has 65537 bytes; 65536 are allowed.')
  })
})

describe('the deadlines of a connection', () => {
  it('end it 5 s after its greeting without a subscribe', () => {
    const { at, socket, frame } = connectionWith()
    at(60_000).tick()
    expect(socket.ended).toBeUndefined()
    at(100_000).admit('free')
    frame({ action: 'ping' }, 104_000)
    at(104_999).tick()
    expect(socket.ended).toBeUndefined()
    at(105_000).tick()
    expect(socket.ended).toBe('4408 subscribe_required')
  })

  it('give a heartbeat every 30 s from the subscribe on, with the cursor', () => {
    const { at, socket, answerAll, subscribed, types } = connectionWith()
    subscribed()
    const tickUntil = (from: number, to: number) => {
      for (let now = from; now < to; now += 250) {
        at(now).tick()
        answerAll()
      }
    }
    tickUntil(1_250, 31_000)
    expect(types()).toEqual(['ready'])
    tickUntil(31_000, 91_000)
    expect(socket.sent.slice(1)).toEqual(
      Array(2).fill({ type: 'heartbeat', as_of: '2026-11-20T12:00:00.000Z', cursor: 'v1.here' }),
    )
  })

  it('give no heartbeat to who is behind: it is being sent to anyway', () => {
    const { at, socket, stream, answerAll, subscribed, types } = connectionWith()
    subscribed()
    socket.waiting = 300 * 1024
    expect(stream.outlet?.send(eventOf(300 * 1024))).toBe(false)
    for (let now = 30_000; now < 32_000; now += 250) {
      at(now).tick()
      answerAll()
    }
    expect(types()).toEqual(['ready', 'event'])
  })

  it('end it once the stream is unavailable', () => {
    const { at, socket, stream, subscribed } = connectionWith()
    subscribed()
    stream.isThere = false
    at(2_000).tick()
    expect(socket.ended).toBe('4503 unavailable')
    expect(socket.sent.at(-1)).toMatchObject({ type: 'error', code: 'unavailable', resume_cursor: 'v1.here' })
    expect(stream.detached).toBe(1)
  })

  it('cut a client that answers no ping for 5 s, though the socket takes all that it is sent', () => {
    const { at, socket, stream, answerAll, subscribed } = connectionWith()
    subscribed()
    at(1_250).tick()
    answerAll()
    for (let now = 2_000; now <= 7_000; now += 250) {
      expect(socket.ended, `at ${now}`).toBeUndefined()
      at(now).cork(() => stream.outlet?.send(eventOf(300)))
      at(now).tick()
    }
    expect(socket.ended).toMatch(/^4408 slow_consumer: A WebSocket ping was not answered/)
    expect(socket.sent.at(-1)).toMatchObject({ type: 'error', code: 'slow_consumer', resume_cursor: 'v1.here' })
  })

  it('do not cut a client that is sent nothing, nor one that answers late', () => {
    const { at, socket, stream, pings, subscribed } = connectionWith()
    subscribed()
    for (let now = 1_250; now <= 60_000; now += 250) {
      if (now < 20_000) at(now).cork(() => stream.outlet?.send(eventOf(300)))
      // One answer each 4 s: far behind, but reading.
      const answered = now % 4_000 === 0 ? pings.shift() : undefined
      if (answered !== undefined) at(now).answered(answered)
      at(now).tick()
      if (now > 25_000 && pings.length === 0) break
      if (now > 25_000) at(now).answered(pings.pop() ?? '')
    }
    expect(pings).toEqual([])
    at(90_000).tick()
    expect(socket.ended).toBeUndefined()
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

  it('counts what the client has not read where only the newest is sent, whatever the socket takes', () => {
    const { at, connection, socket, stream, pings, subscribed } = connectionWith({ sendsNewestOnly: true })
    subscribed()
    let sent = 0
    while (stream.outlet?.send(eventOf(1_000))) sent += 1_000
    expect(socket.waiting).toBe(0)
    expect(sent).toBeGreaterThan(250 * 1024)
    expect(sent).toBeLessThan(260 * 1024)
    const halfway = pings[Math.floor(pings.length / 2)] ?? ''
    at(2_000).answered(halfway)
    expect(stream.resumed).toBe(0)
    connection.answered(pings.at(-1) ?? '')
    expect(stream.resumed).toBe(1)
  })

  it('is ended outside of the cork in which it was to end, because uWebSockets.js would leave TCP open', () => {
    const { connection, socket, stream, subscribed } = connectionWith()
    subscribed()
    connection.cork(() => {
      stream.outlet?.fail('cursor_expired')
      expect(socket.sent.at(-1)).toMatchObject({ type: 'error' })
      expect(socket.ended).toBeUndefined()
    })
    expect(socket.ended).toMatch(/cursor_expired/)
  })

  it('is ended, whoever asks, only once', () => {
    const { connection, at, stream, socket, subscribed } = connectionWith()
    subscribed()
    stream.outlet?.fail('cursor_expired')
    at(2_000).take({ type: 'going_away' })
    at(90_000).tick()
    expect(stream.outlet?.send(Buffer.from('{}'))).toBe(false)
    expect(socket.sent.map(({ type }) => type)).toEqual(['ready', 'error'])
    expect(connection.isBehind).toBe(false)
  })
})
