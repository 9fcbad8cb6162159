import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { apiClient } from '../../console/browser/api-client.js'
import { serviceWatch } from '../../console/browser/service-watch.js'
import { openStream, type StreamState } from '../../console/browser/stream-connection.js'

class FakeSocket {
  onmessage?: (event: { data: string }) => void
  onclose?: (event: { reason: string }) => void
  constructor() {
    sockets.push(this)
  }
  send() {}
  close() {}
}
let isThere: boolean
let sockets: FakeSocket[]
let leaving: AbortController

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  isThere = true
  sockets = []
  leaving = new AbortController()
  vi.stubGlobal('fetch', async (path: string) => {
    if (!isThere) throw new TypeError('Failed to fetch')
    return new Response(path === '/ready' ? '{}' : '{"url":"ws://test"}')
  })
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
})
afterEach(() => {
  leaving.abort()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('connects as soon as the service is back, however long it was away', async () => {
  const watch = serviceWatch({
    ask: async () => ((await fetch('/ready')).ok ? '' : 'starting'),
    onChange: () => undefined,
    isHidden: () => false,
  })
  const states: StreamState[] = []
  openStream({
    client: apiClient({ key: () => undefined, origin: 'http://test', watch }),
    stream: 'prices',
    subscription: () => ({}),
    onMessage: () => undefined,
    onState: (state) => states.push(state),
    signal: leaving.signal,
  })
  const subscribed = () => sockets.at(-1)?.onmessage?.({ data: '{"type":"subscribed"}' })
  await vi.advanceTimersByTimeAsync(0)
  subscribed()
  expect(states.map(({ phase }) => phase)).toEqual(['connecting', 'live'])

  isThere = false
  sockets[0]?.onclose?.({ reason: '' })
  await vi.advanceTimersByTimeAsync(120_000)
  // By now its own pauses are half a minute and longer.
  const last = states.at(-1)
  expect(last?.phase === 'waiting' && last.until - Date.now()).toBeGreaterThan(5000)
  expect(watch.isAway()).toBe(true)
  isThere = true
  await vi.advanceTimersByTimeAsync(1000)
  expect(sockets).toHaveLength(2)
  subscribed()
  expect(states.at(-1)).toEqual({ phase: 'live', isSimulated: false })

  // What was in vain is forgotten: the next pause is the shortest.
  sockets[1]?.onclose?.({ reason: '' })
  const next = states.at(-1)
  expect(next?.phase === 'waiting' && next.until - Date.now()).toBeLessThanOrEqual(2000)
  leaving.abort()
  expect(states.at(-1)).toEqual({ phase: 'ended' })
})
