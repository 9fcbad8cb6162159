import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { WebSocket } from 'ws'
import { systemTime } from '../../base/time.ts'
import { topics } from '../../contracts/topics.ts'
import { type FeedEvent, type FeedOptions, runFeed } from '../../ingest/feed/run-feed.ts'
import type { Journal } from '../../journal/journal.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { type Fault, faultyJournal } from '../support/faulty-journal.ts'
import { openFeedServer } from '../support/feed-server.ts'
import { until, valuesOf } from '../support/journal.ts'
import { randomFrom } from '../support/random.ts'

type Row = { readonly symbol: string; readonly time: string; readonly price: string }
/** Ticks as they were recorded. */
const recorded: readonly Row[] = readFileSync(
  resolve(import.meta.dirname, '../fixtures/ticks/gold-and-euro.csv'),
  'utf8',
)
  .split('\n')
  .filter((line) => /^[A-Z]{3}-/.test(line))
  .map((line) => line.split(','))
  .map(([symbol = '', time = '', price = '']) => ({ symbol, time, price }))
const pricesOf = (rows: readonly Row[], symbol: string) =>
  rows.filter((row) => row.symbol === symbol).map(({ price }) => price)

async function writtenPrices(journal: TypedJournal, symbol: string): Promise<string[]> {
  const ticks = await valuesOf(journal, 'ticks', journal.partitionFor('ticks', symbol))
  return ticks.filter((tick) => tick.symbol === symbol).map(({ price }) => price)
}
async function countOfTicks(journal: TypedJournal): Promise<number> {
  const all = [...Array(topics.ticks.partitions).keys()].map((partition) => valuesOf(journal, 'ticks', partition))
  return (await Promise.all(all)).flat().length
}

/** Runs the feed until the test ends, or until `stop`. */
function start(journal: TypedJournal, options: Partial<FeedOptions> & Pick<FeedOptions, 'url'>) {
  const events: FeedEvent[] = []
  const stopping = new AbortController()
  const onEvent = (event: FeedEvent) => events.push(event)
  const backoff = { baseMs: 10, capMs: 40 }
  const done = runFeed({ journal, signal: stopping.signal, onEvent, backoff, ...options })
  const stop = () => {
    stopping.abort()
    return done
  }
  onTestFinished(stop)
  const ended = () => events.flatMap((event) => (event.type === 'disconnected' ? [event.reason] : []))
  return { events, ended, done, stop }
}
const send = (socket: WebSocket, rows: readonly unknown[]) => socket.send(JSON.stringify(rows))

describe('runFeed', () => {
  it('writes recorded ticks once and in order, over connections cut at any moment and a journal that fails', async () => {
    const random = randomFrom(11)
    const kinds: readonly Fault[] = ['ok', 'ok', 'unavailable', 'unknown_but_written', 'unknown_and_not_written']
    const { journal } = await openEmbeddedTestJournal((real: Journal) =>
      faultyJournal(real, () => kinds[Math.floor(random() * kinds.length)] ?? 'ok'),
    )
    let next = 0
    // Closes in order, so that what was sent was received; a cut in the midst of a message must give nothing of it.
    const server = await openFeedServer((socket) => {
      const upTo = Math.min(recorded.length, next + 1 + Math.floor(random() * 30))
      while (next < upTo) {
        const end = next + 1 + Math.floor(random() * 3)
        send(socket, recorded.slice(next, end))
        next = end
      }
      if (next >= recorded.length) return
      const { _socket } = socket as unknown as { _socket: Socket }
      // A frame that says 100 bytes and has 20 of them.
      _socket.end(Buffer.concat([Buffer.from([0x81, 100]), Buffer.from('[{"symbol":"XAU-USD"')]))
    })
    const feed = start(journal, { url: server.url, writer: { batchSize: 7, batchMs: 2 } })
    await until('all ticks are written', async () => (await countOfTicks(journal)) >= recorded.length)
    await feed.stop()
    for (const symbol of ['XAU-USD', 'EUR-USD'])
      expect(await writtenPrices(journal, symbol)).toEqual(pricesOf(recorded, symbol))
    expect(server.connections()).toBeGreaterThan(5)
    expect(await valuesOf(journal, 'quarantine')).toEqual([])
  })

  it('says who it is and what it wants', async () => {
    const { journal } = await openEmbeddedTestJournal()
    const heard: unknown[] = []
    const server = await openFeedServer((socket, { headers }) => {
      heard.push(headers.authorization)
      socket.on('message', (text) => {
        heard.push(String(text))
        send(socket, [{ ...recorded[0], symbol: 'EUR-USD' }])
      })
    })
    const feed = start(journal, {
      url: `${server.url}?key=secret`,
      token: 'T0ken',
      subscribe: '{"want":"all"}',
    })
    await until('the tick is written', async () => (await countOfTicks(journal)) === 1)
    expect(await writtenPrices(journal, 'EUR-USD')).toEqual([recorded[0]?.price])
    expect(heard).toEqual(['Bearer T0ken', '{"want":"all"}'])
    expect(JSON.stringify(feed.events)).not.toMatch(/secret|T0ken/)
  })

  it('lets nothing out of its token that the server repeats', async () => {
    const { journal } = await openEmbeddedTestJournal()
    const server = await openFeedServer((socket, { headers }) => {
      socket.send(`hello ${headers.authorization}`)
      send(socket, [{ ...recorded[0], symbol: 'T0ken+1' }])
      socket.close(1008, `no ${headers.authorization}`)
    })
    const feed = start(journal, { url: server.url, token: 'T0ken+1' })
    await until('the connection has ended', () => feed.ended().length > 0)
    await feed.stop()
    const kept = (await valuesOf(journal, 'quarantine')).map(({ bytes }) => Buffer.from(bytes).toString())
    expect(kept).toEqual(['hello Bearer ***'])
    expect(feed.events).toContainEqual(expect.objectContaining({ detail: '1008 no Bearer ***' }))
    expect(JSON.stringify(feed.events)).not.toContain('T0ken+1')
  })

  it.each([
    ['password', 'ws://almanac:s3cret+1%2F@'],
    ['user name without a password', 'ws://s3cret+1%2F@'],
    ['parameter for a key', 'ws://', '?symbols=XAU-USD&api_key=s3cret%2B1%2F'],
  ])('lets nothing out of a %s in its address that the server repeats', async (_, begin, end = '') => {
    const { journal } = await openEmbeddedTestJournal()
    const server = await openFeedServer((socket, { headers, url }) => {
      const login = headers.authorization ?? ''
      const greeting = `${url} ${login} ${Buffer.from(login.slice(6), 'base64')}`
      socket.send(`hello ${greeting}`)
      send(socket, [
        { ...recorded[0], symbol: 's3cret+1/' },
        { ...recorded[0], symbol: 'XAU-USD' },
      ])
      socket.close(1008, `no ${greeting}`)
    })
    const feed = start(journal, { url: server.url.replace('ws://', begin) + end })
    await until('the connection has ended', () => feed.ended().length > 0)
    await feed.stop()
    const kept = (await valuesOf(journal, 'quarantine')).map(({ bytes }) => Buffer.from(bytes).toString())
    expect(kept).toEqual([expect.stringMatching(/^hello .*\*\*\*/)])
    expect(await writtenPrices(journal, 'XAU-USD')).toHaveLength(1)
    expect(kept + JSON.stringify(feed.events)).not.toMatch(/s3cret|czNjcmV0/)
  })

  it('puts malformed, binary and oversized messages into quarantine, each once, and goes on', async () => {
    const { journal } = await openEmbeddedTestJournal()
    const server = await openFeedServer((socket, _request, connection) => {
      for (let i = 0; i < 20; i++) socket.send('{"symbol":')
      socket.send(Buffer.from([0, 255, 1]))
      send(socket, [{ symbol: 'EUR-USD', price: 0, time: recorded[0]?.time }, recorded[connection]])
      socket.send('x'.repeat(2_000))
    })
    const feed = start(journal, { url: server.url, maxMessageBytes: 1_000 })
    await until('three connections gave their tick', async () => (await countOfTicks(journal)) >= 3)
    await feed.stop()
    const rejected = await valuesOf(journal, 'quarantine')
    expect(rejected.map(({ reason }) => reason)).toEqual(['malformed_json', 'not_text', 'not_positive', 'bad_frame'])
    expect(rejected.map(({ bytes }) => Buffer.from(bytes).toString('latin1')).slice(0, 2)).toEqual([
      '{"symbol":',
      '\0\xff\x01',
    ])
    expect(rejected[0]).toMatchObject({ source: 'feed', url: server.url })
    expect(feed.ended().filter((reason) => reason === 'refused').length).toBeGreaterThan(1)
  })

  it('leaves a server that is silent, and tries it ever less often', async () => {
    const { journal } = await openEmbeddedTestJournal()
    const server = await openFeedServer(() => undefined)
    const feed = start(journal, {
      url: server.url,
      silenceMs: 100,
      backoff: { baseMs: 8, capMs: 64 },
      time: { ...systemTime, random: () => 0.5 },
    })
    await until('it has tried five times', () => feed.ended().length === 5)
    const waits = feed.events.flatMap((event) => (event.type === 'disconnected' ? [event.retryInMs] : []))
    expect(waits).toEqual([4, 8, 16, 32, 32])
    // On a busy machine a connect may take longer than the silence.
    expect(feed.ended()).toContain('silent')
    await feed.stop()
  })

  it('waits for a server that is away at the start', async () => {
    const { journal } = await openEmbeddedTestJournal()
    const before = await openFeedServer(() => undefined)
    await before.close()
    const feed = start(journal, { url: before.url })
    await until('it has tried twice', () => feed.ended().length >= 2)
    expect(feed.ended()[0]).toBe('unreachable')
    await openFeedServer((socket) => send(socket, recorded.slice(0, 5)), before.port)
    await until('the ticks are written', async () => (await countOfTicks(journal)) === 5)
  })

  it('stops reading while the journal is away, without taking that for silence, and loses nothing', async () => {
    let isAway = true
    const { journal } = await openEmbeddedTestJournal((real) =>
      faultyJournal(real, () => (isAway ? 'unavailable' : 'ok')),
    )
    const server = await openFeedServer((socket) => {
      for (const row of recorded) send(socket, [row])
    })
    const waits: FeedEvent[] = []
    const feed = start(journal, {
      url: server.url,
      silenceMs: 150,
      writer: { capacity: 20, batchSize: 10 },
      onEvent: (event) => void waits.push(event),
    })
    const begun = Date.now()
    await until('it has waited longer than a silence', () => waits.length > 1 && Date.now() - begun > 400)
    expect(waits.filter(({ type }) => type === 'disconnected')).toEqual([])
    isAway = false
    await until('all is written', async () => (await countOfTicks(journal)) === recorded.length)
    await feed.stop()
    for (const symbol of ['XAU-USD', 'EUR-USD'])
      expect(await writtenPrices(journal, symbol)).toEqual(pricesOf(recorded, symbol))
  })

  it('ends at once when aborted, with what it has received written', async () => {
    const { journal } = await openEmbeddedTestJournal()
    const last = { ...recorded[0], symbol: 'LAST-ONE' }
    const server = await openFeedServer((socket) => send(socket, [...recorded.slice(0, 50), last]))
    const feed = start(journal, { url: server.url, writer: { batchMs: 60_000 } })
    await until('it has received them', () => feed.events.some(({ type }) => type === 'unserved'))
    expect(await countOfTicks(journal)).toBe(0)
    await feed.stop()
    expect(await countOfTicks(journal)).toBe(50)
  })

  it('refuses an address that is none, out loud', async () => {
    const { journal } = await openEmbeddedTestJournal()
    const signal = new AbortController().signal
    await expect(runFeed({ url: 'ftp://127.0.0.1/', journal, signal, onEvent: () => undefined })).rejects.toThrow(
      SyntaxError,
    )
  })

  it('has one connection among several that run it; the next takes over', async () => {
    const { journal } = await openEmbeddedTestJournal()
    const server = await openFeedServer((socket) => send(socket, recorded.slice(0, 3)))
    const feeds = [start(journal, { url: server.url }), start(journal, { url: server.url })]
    await until('one is connected', () => feeds.some(({ events }) => events.length > 0))
    const [first, second] = feeds[0]?.events.length ? feeds : feeds.toReversed()
    expect(second?.events).toEqual([])
    await first?.stop()
    await until('the other is connected', () => second?.events[0]?.type === 'connected')
    expect(server.connections()).toBe(2)
  })
})
