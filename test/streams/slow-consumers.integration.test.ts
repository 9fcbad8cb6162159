import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { streamLimits } from '../../contracts/streams.ts'
import type { StreamEnding } from '../../streams/server.ts'
import type { Outlet } from '../../streams/stream.ts'
import { distinguishTests, onTestFinished } from '../support/concurrent.ts'
import { until } from '../support/journal.ts'
import { handshake, RawSocket, textFrame } from '../support/raw-socket.ts'
import { SlowReader } from '../support/slow-reader.ts'
import { path, startStubServer } from './stub-server.ts'
import { Client } from './support.ts'

// At once, because each waits for deadlines of 5 s. The two that flood delay the others by 30 ms at most (measured), because
// a flooded connection takes hardly anything once the buffers of its sockets are full, 0.1 s after it began.
distinguishTests()

/** A message waits for a ping 750 ms at most, a verdict for the next tick; the rest is leave for a busy machine. */
const MOST_MS = streamLimits.stalledMs + 1_750
const key = { Authorization: 'Bearer TEST' }

/** A server that notes when and how each connection ended from its side. */
async function start(onAttach: (outlet: Outlet) => void, isConflated = false) {
  const endings: { readonly ending: StreamEnding; readonly at: number }[] = []
  const onEnd = (_: unknown, ending: StreamEnding) => endings.push({ ending, at: performance.now() })
  return { endings, ...(await startStubServer({ onEnd }, onAttach, isConflated)) }
}

/** Calls `send` for each client every so often, until the test ends. */
function repeats(ms: number, send: (outlet: Outlet) => void) {
  const timers: NodeJS.Timeout[] = []
  onTestFinished(() => timers.forEach(clearInterval))
  return (outlet: Outlet) => void timers.push(setInterval(() => outlet.cork(() => send(outlet)), ms))
}

/** Sends a price-like message every so often, while the client takes it. */
const sendsEvery = (ms: number) => {
  const frame = Buffer.from(JSON.stringify({ type: 'prediction', text: 'x'.repeat(300) }))
  return repeats(ms, (outlet) => outlet.send(frame))
}

/** Sends as much as the client takes. */
const floods = () => {
  const frame = Buffer.from(JSON.stringify({ type: 'prediction', text: 'x'.repeat(2_000) }))
  return repeats(10, (outlet) => [...Array(200)].every(() => outlet.send(frame)))
}

it.concurrent('a client that never reads is told slow_consumer after 5 s, where it is sent little, often, or the newest only', async () => {
  const tellsAfter5s = async (sends: (outlet: Outlet) => void, isConflated = false) => {
    const { port, endings } = await start(sends, isConflated)
    // It never answers a ping, and the first one may come before this process has noticed `ready`.
    const connectedAt = performance.now()
    const raw = await new RawSocket(port).write(handshake(path, key)).seen('"ready"')
    raw.socket.pause()
    const stoppedAt = performance.now()
    raw.write(textFrame('{"action":"subscribe"}'))
    await until('it is let go', () => endings.length > 0)
    const [end] = endings
    expect(end?.ending).toBe('slow_consumer')
    expect((end?.at ?? 0) - connectedAt).toBeGreaterThanOrEqual(streamLimits.stalledMs)
    expect((end?.at ?? 0) - stoppedAt).toBeLessThan(MOST_MS)
    // All of it was sent, TCP's FIN included: it waits in the kernel for the day that the client reads.
    raw.socket.resume()
    await raw.ended()
    expect(raw.received).toContain('{"type":"error","code":"slow_consumer"')
    expect(raw.received).toContain('slow_consumer: A WebSocket ping was not answered: nothing was read for 5 s.')
  }
  await Promise.all([tellsAfter5s(sendsEvery(1_000)), tellsAfter5s(sendsEvery(20)), tellsAfter5s(sendsEvery(20), true)])
})

it.concurrent('a flooded client that never reads is let go after 5 s, too', async () => {
  const { port, endings } = await start(floods())
  const raw = await new RawSocket(port).write(handshake(path, key)).seen('"ready"')
  raw.socket.pause()
  const stoppedAt = performance.now()
  raw.write(textFrame('{"action":"subscribe"}'))
  await until('it is let go', () => endings.length > 0)
  expect(endings[0]?.ending).toBe('slow_consumer')
  expect((endings[0]?.at ?? 0) - stoppedAt).toBeLessThan(MOST_MS)
})

it.concurrent('clients that read slowly but steadily are not cut, however much waits for them', async () => {
  const { port, endings } = await start(floods())
  const speeds = [10_000, 20_000, 100_000]
  const readers = await Promise.all(speeds.map((speed) => new SlowReader(port, path, speed).subscribe()))
  const from = performance.now()
  await until('they have read for more than twice as long', () => performance.now() - from > 12_000)
  expect(endings).toEqual([])
  for (const [i, reader] of readers.entries()) {
    expect(reader.closed).toBeUndefined()
    expect(reader.pings).toBeGreaterThan(1)
    expect(reader.read).toBeLessThan((speeds[i] as number) * 20)
  }
})

it.concurrent('a client that is behind when the server leaves reads on to the notice', async () => {
  const { url, drain } = await start((outlet) => {
    // Less than kernels take, with many pings.
    const frame = Buffer.from(JSON.stringify({ type: 'prediction', text: 'x'.repeat(10_000) }))
    outlet.cork(() => [...Array(100)].every(() => outlet.send(frame)))
  })
  const reader = new Client(url, { headers: key })
  reader.pauseOn = 'subscribed'
  await reader.seen('ready')
  reader.send({ action: 'subscribe' })
  await reader.seen('subscribed')
  void drain()
  await new Promise((resolve) => setTimeout(resolve, 100))
  reader.resume()
  expect(await reader.end()).toMatchObject({ error: { type: 'notice', code: 'going_away' }, code: 1001 })
  expect(reader.of('prediction')).toHaveLength(100)
})

it.concurrent('a client that is sent nothing owes nothing', async () => {
  const { port, endings } = await start(() => undefined)
  const raw = await new RawSocket(port).write(handshake(path, key)).seen('"ready"')
  const reader = await new SlowReader(port, path, 50_000).subscribe()
  await until('it has subscribed', () => reader.read > 0)
  raw.socket.destroy()
  await until('the other has left', () => endings.length === 1)
  const from = performance.now()
  await until('5 s and more have passed', () => performance.now() - from > MOST_MS)
  expect(endings).toHaveLength(1)
  expect(reader.pings).toBeLessThan(5)
})

const client = `
const socket = new WebSocket(process.argv[1], { headers: { authorization: 'Bearer TEST' } })
const say = (what) => console.log(JSON.stringify(what))
socket.onmessage = ({ data }) => {
  const { type, code } = JSON.parse(data)
  if (type === 'ready') socket.send('{"action":"subscribe"}')
  say({ type, code })
}
socket.onclose = ({ code, reason, wasClean }) => say({ type: 'closed', code, reason, wasClean })
`

/** Node's own WebSocket in a process of its own, and what it said. */
function startClient(url: string) {
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', client, url])
  onTestFinished(() => void child.kill('SIGKILL'))
  const said: { readonly type: string; readonly code?: number | string; readonly reason?: string }[] = []
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => said.push(JSON.parse(line)))
  return { child, said }
}

it.concurrent("Node's own WebSocket goes on while it reads, and is told once its process has stood still", async () => {
  const { url, endings } = await start(sendsEvery(50))
  const { child, said } = startClient(url)
  // Longer than the deadline.
  await until('it has read for 7 s', () => said.length > 140)
  expect(endings).toEqual([])
  child.kill('SIGSTOP')
  const stoppedAt = performance.now()
  await until('it is let go', () => endings.length > 0)
  expect(endings[0]?.ending).toBe('slow_consumer')
  expect((endings[0]?.at ?? 0) - stoppedAt).toBeGreaterThanOrEqual(streamLimits.stalledMs)
  expect((endings[0]?.at ?? 0) - stoppedAt).toBeLessThan(MOST_MS)
  child.kill('SIGCONT')
  const goesOnAt = performance.now()
  await until('it sees the end', () => said.at(-1)?.type === 'closed')
  expect(performance.now() - goesOnAt).toBeLessThan(1_000)
  expect(said.at(-2)).toEqual({ type: 'error', code: 'slow_consumer' })
  expect(said.at(-1)).toMatchObject({ code: 4408, reason: expect.stringMatching(/^slow_consumer: /), wasClean: true })
})

/** Alone, because it blocks the others, too. */
it('a client is not blamed for a blocked event loop of ours', async () => {
  const outlets: Outlet[] = []
  const { url, endings } = await start((outlet) => outlets.push(outlet))
  const { said } = startClient(url)
  await until('it has subscribed', () => said.some(({ type }) => type === 'subscribed'))
  // Long enough for a ping behind it, whose answer comes while nothing is read here. Timers run next after an immediate.
  await new Promise((resolve) => setImmediate(resolve))
  outlets[0]?.send(Buffer.from(JSON.stringify({ type: 'prediction', text: 'x'.repeat(40_000) })))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, streamLimits.stalledMs + 1_000)
  outlets[0]?.send(Buffer.from('{"type":"prediction"}'))
  await until('it reads on', () => said.filter(({ type }) => type === 'prediction').length === 2)
  expect(endings).toEqual([])
})
