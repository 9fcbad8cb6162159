import { describe, expect, it } from 'vitest'
import { until } from '../support/journal.ts'
import { closeFrame, handshake, maskedFrame, RawSocket, textFrame } from '../support/raw-socket.ts'
import { path, startStubServer } from './stub-server.ts'

type Stub = Awaited<ReturnType<typeof startStubServer>>

/** Every way in which the server ends a connection: whether the client has a key, what it sends, what happens then. */
const endings: readonly {
  name: string
  key: boolean
  send?: string
  cause?: (stub: Stub) => void
  isCorked?: boolean
  code: number
  reason: string
}[] = [
  { name: 'refused', key: false, code: 4401, reason: 'unauthorized: No key.' },
  {
    name: 'an error',
    key: true,
    send: '{"action":"dance"}',
    code: 4400,
    reason: 'invalid_command: Unknown action "dance". Use subscribe or ping.',
  },
  { name: 'revoked', key: true, cause: ({ state }) => (state.isRevoked = true), code: 4401, reason: 'revoked' },
  { name: 'a drain', key: true, cause: ({ drain }) => void drain(), code: 1001, reason: 'going_away' },
  {
    name: 'a stream that fails in the midst of many frames',
    key: true,
    isCorked: true,
    send: '{"action":"subscribe"}',
    code: 4503,
    reason: 'unavailable',
  },
]
const authorization = (key: boolean) => (key ? { Authorization: 'Bearer TEST' } : {})

/** From the last message to the end of the connection, as its client sees it. The library's own deadline is 4 s or more. */
const AT_ONCE_MS = 3_500

describe.each(endings)('the end of a connection: $name', ({ key, send, cause, isCorked, code, reason }) => {
  const start = () =>
    startStubServer({}, (outlet) => {
      if (!isCorked) return
      const failLater = () =>
        outlet.cork(() => {
          outlet.send(Buffer.from('{"type":"prediction"}'))
          outlet.fail('unavailable')
        })
      setImmediate(failLater)
    })

  it('is seen by the WebSocket of Node itself', async () => {
    const stub = await start()
    const socket = new WebSocket(stub.url, { headers: authorization(key) } as never)
    const messages: string[] = []
    socket.onmessage = ({ data }) => {
      messages.push(String(data))
      lastAt = performance.now()
      if (!String(data).includes('"ready"')) return
      if (send) socket.send(send)
      cause?.(stub)
    }
    let closed: { code: number; reason: string; wasClean: boolean } | undefined
    let lastAt = 0
    let closedAt = 0
    socket.onclose = (event) => {
      closed = { code: event.code, reason: event.reason, wasClean: event.wasClean }
      closedAt = performance.now()
    }
    await until('the close event', () => closed !== undefined)
    expect(messages.at(-1)).toMatch(/"type":"(error|notice)"/)
    expect(closedAt - lastAt).toBeLessThan(AT_ONCE_MS)
    expect(closed).toEqual({ code, reason, wasClean: true })
  })

  it.each(['answers the close frame', 'says nothing'])('ends TCP with a client that %s', async (manner) => {
    const stub = await start()
    const raw = new RawSocket(stub.port)
    raw.write(handshake(path, authorization(key)))
    if (key) await raw.seen('"ready"')
    if (send) raw.write(textFrame(send))
    cause?.(stub)
    await raw.seen(reason)
    const lastAt = performance.now()
    if (manner === 'answers the close frame') raw.write(closeFrame)
    await raw.ended()
    expect((raw.finAt ?? lastAt) - lastAt).toBeLessThan(AT_ONCE_MS)
  })
})

describe('a connection that the client ends', () => {
  it('is ended by the server at once, too', async () => {
    const { port } = await startStubServer()
    const raw = new RawSocket(port).write(handshake(path, authorization(true)))
    await raw.seen('"ready"')
    const begun = performance.now()
    raw.write(closeFrame)
    await raw.ended()
    expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS)
  })
})

describe('a client that breaks RFC 6455', () => {
  it.each([
    ['text that is no UTF-8', maskedFrame(0x81, Buffer.from([0x22, 0xc3, 0x28, 0x22]))],
    ['the head of a frame of 5 MiB', Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x50, 0, 0, 1, 2, 3, 4])],
    ['an unknown opcode', maskedFrame(0x83, Buffer.from('x'))],
  ])('with %s is closed at once, and counted as such', async (_, bytes) => {
    const endings: string[] = []
    const { port } = await startStubServer({ onEnd: (_stream, ending) => endings.push(ending) })
    const raw = await new RawSocket(port).write(handshake(path, authorization(true))).seen('"ready"')
    const begun = performance.now()
    raw.write(bytes)
    await raw.ended()
    expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS)
    expect(endings).toEqual(['protocol_error'])
  })
})
