import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { createGunzip } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ApiDeps } from '../../api/deps.ts'
import { exportLimits } from '../../contracts/events.ts'
import { Lineage } from '../../domain/lineage.ts'
import { cursorAt } from '../../domain/served-event.ts'
import { eventsStream } from '../../streams/events/index.ts'
import { isRefusal } from '../../streams/stream.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { until } from '../support/journal.ts'
import { eventNumber } from '../support/journal-records.ts'
import { bearer, linesOf, listen, world } from './support.ts'

const EVENTS = 60_000

/** The api over a real journal, which counts the reads of exports. */
async function served(count: number) {
  const { journal } = await openEmbeddedTestJournal()
  const append = async (from: number, to: number) => {
    for (let n = from; n < to; n += 2_000) {
      const numbers = Array.from({ length: Math.min(2_000, to - n) }, (_, i) => n + i)
      const drafts = numbers.map((number) => ({ value: eventNumber(number), id: `e${number}`, at: number }))
      await journal.append('events', 0, drafts)
    }
  }
  await append(0, count)
  const seen = { reads: 0, failAt: Number.POSITIVE_INFINITY }
  const read: ApiDeps['journal']['read'] = (...args) => {
    if (seen.reads++ > seen.failAt) return Promise.reject(new Error('a bug'))
    return journal.read(...args)
  }
  const counted: ApiDeps['journal'] = {
    bounds: (...args) => journal.bounds(...args),
    newest: (...args) => journal.newest(...args),
    offsetForTime: (...args) => journal.offsetForTime(...args),
    read,
  }
  const logged: string[] = []
  const log = (_: object, message: string) => void logged.push(message)
  const logger = { error: log, warn: log }
  const { app, ...rest } = await world({ journal: counted, lineage: new Lineage(journal), logger })
  const port = await listen(app)
  const ask = (query = '', headers: Record<string, string> = {}, plan: 'pro' | 'basic' = 'pro') => {
    const request: ClientRequest = get({
      port,
      host: '127.0.0.1',
      path: `/v1/events/export${query}`,
      headers: { ...bearer(plan), ...headers },
      agent: false,
    })
    request.on('error', () => undefined)
    onTestFinished(() => void request.destroy())
    return new Promise<IncomingMessage>((resolve) => request.once('response', resolve))
  }
  return { ...rest, app, journal, append, ask, seen, logged }
}

async function textOf(response: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  return Buffer.concat(parts).toString()
}

/** What the last line says, or undefined if the transfer was cut before it. */
function readExport(body: string) {
  const whole = body.slice(0, body.lastIndexOf('\n') + 1)
  const lines = linesOf(whole)
  const events = lines.filter((line) => 'id' in line)
  return { events, end: lines.length > events.length ? lines.at(-1) : undefined }
}

const sequences = (events: readonly Record<string, unknown>[]) => events.map(({ sequence }) => Number(sequence))
const dense = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

describe('an export over a socket', () => {
  it('reads no further than its client, holds nobody else, and ends with its client', async () => {
    const { ask, seen, app } = await served(EVENTS)
    const stalled = await ask()
    // Nothing is read of the body: the server fills the buffers of the sockets, and then waits.
    let before = -1
    await until('the export stands still', async () => {
      const isStill = seen.reads === before
      before = seen.reads
      await new Promise((resolve) => setTimeout(resolve, 200))
      return isStill && seen.reads === before
    })
    expect(seen.reads * 200).toBeLessThan(EVENTS / 2)
    const other = readExport(await textOf(await ask('?start=1000&end=3000')))
    expect(sequences(other.events)).toEqual(dense(1_000, 3_000))
    const health = await app.inject({ url: '/health' })
    expect(health.statusCode).toBe(200)
    // Nothing was read for it meanwhile, and nothing is once it has gone.
    const reads = seen.reads
    stalled.destroy()
    const whole = readExport(await textOf(await ask('?start=59000')))
    expect(sequences(whole.events)).toEqual(dense(59_000, EVENTS))
    expect(seen.reads - reads).toBeLessThan(60)
  })

  it('is whole for a client that reads slowly', async () => {
    const { ask } = await served(EVENTS)
    const response = await ask('', { 'accept-encoding': 'gzip' })
    const decoded = response.pipe(createGunzip())
    const parts: Buffer[] = []
    for await (const part of decoded) {
      parts.push(part)
      if (parts.length % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const body = Buffer.concat(parts)
    const { events, end } = readExport(body.toString())
    expect(end).toMatchObject({ count: EVENTS, complete: true })
    expect(sequences(events)).toEqual(dense(1, EVENTS))
    expect(body.length).toBeGreaterThan(20_000_000)
  })

  it('that is cut shows it, and goes on from the cursor of its last event', async () => {
    const { ask } = await served(20_000)
    let cursor = 'earliest'
    const read: number[] = []
    let cuts = 0
    for (let isWhole = false; !isWhole; ) {
      const response = await ask(`?cursor=${cursor}`)
      let body = ''
      const most = cuts < 5 ? 500_000 + cuts * 333_333 : Number.POSITIVE_INFINITY
      try {
        for await (const part of response) {
          body += part
          if (body.length > most) response.destroy()
        }
      } catch {
        cuts++
      }
      const { events, end } = readExport(body)
      read.push(...sequences(events))
      cursor = String(end?.cursor ?? events.at(-1)?.cursor ?? cursor)
      isWhole = end !== undefined
      if (isWhole) expect(end).toMatchObject({ count: events.length, complete: true })
    }
    expect(cuts).toBe(5)
    expect(read).toEqual(dense(1, 20_000))
  })

  it('logs nothing when its client leaves, and is cut and logged by a fault of the service', async () => {
    const { ask, seen, logged } = await served(20_000)
    for (const coding of ['identity', 'gzip', 'zstd']) {
      const left = await ask('', { 'accept-encoding': coding })
      await new Promise((resolve) => left.once('data', resolve))
      left.destroy()
      await new Promise((resolve) => left.once('close', resolve))
    }
    await until('all are over', async () => {
      const again = await ask('?start=19990')
      again.resume()
      return again.statusCode === 200
    })
    expect(logged).toEqual([])
    for (const coding of ['identity', 'gzip', 'zstd']) {
      seen.failAt = seen.reads + 20
      const response = await ask('', { 'accept-encoding': coding })
      await expect(textOf(response)).rejects.toThrow('aborted')
      seen.failAt = Number.POSITIVE_INFINITY
    }
    expect(logged).toEqual(Array(3).fill('an export was cut'))
  })

  it('may run so many times at once for an account, and not for another one', async () => {
    const { ask } = await served(EVENTS)
    const running = [await ask(), await ask()]
    expect(running).toHaveLength(exportLimits.runningPerAccount)
    const refused = await ask()
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('5')
    expect(JSON.parse(await textOf(refused))).toMatchObject({ code: 'rate_limited' })
    const other = await ask('?start=59990', {}, 'basic')
    expect(readExport(await textOf(other)).end).toMatchObject({ complete: true })
    running[0]?.destroy()
    await until('its place is free', async () => {
      const again = await ask('?start=59990')
      again.resume()
      return again.statusCode === 200
    })
  })

  it('ends in a line that says so when the service stops', async () => {
    const { ask, app, journal } = await served(EVENTS)
    const response = await ask()
    const reading = textOf(response)
    await new Promise((resolve) => response.once('data', resolve))
    await app.close()
    const { events, end } = readExport(await reading)
    expect(end).toEqual({
      cursor: cursorAt(new Lineage(journal), events.length + 1),
      count: events.length,
      complete: false,
      code: 'unavailable',
    })
  })

  it('meets the stream at its cursor, without a gap or a repeat', async () => {
    const { ask, journal, append } = await served(5_000)
    const { events, end } = readExport(await textOf(await ask('?start=4000')))
    await append(5_000, 5_100)
    const stop = new AbortController()
    const stream = eventsStream({ journal, signal: stop.signal })
    onTestFinished(async () => {
      stop.abort()
      await stream.done
    })
    await stream.caughtUp
    const subscription = stream.read({ action: 'subscribe', cursor: String(end?.cursor) }, 'pro')
    if (isRefusal(subscription)) throw new Error(subscription.detail)
    const sent: Record<string, unknown>[] = []
    const outlet = {
      send: (frame: Uint8Array) => sent.push(JSON.parse(Buffer.from(frame).toString())) > 0,
      cork: (write: () => void) => write(),
      fail: (code: string) => {
        throw new Error(code)
      },
    }
    const feed = stream.attach(outlet, subscription)
    await until('the stream has caught up', () => sent.some(({ type }) => type === 'caught_up'))
    feed.detach()
    const streamed = sent.flatMap(({ event }) => (event ? [event as Record<string, unknown>] : []))
    expect(sequences([...events, ...streamed])).toEqual(dense(4_000, 5_100))
  })
})
