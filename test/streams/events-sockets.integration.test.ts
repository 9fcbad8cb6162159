import { describe, expect, it } from 'vitest'
import type { EventRecord } from '../../contracts/records.ts'
import { decodeEventCursor } from '../../domain/cursor.ts'
import { Lineage } from '../../domain/lineage.ts'
import { cursorAt } from '../../domain/served-event.ts'
import { type Journal, JournalError } from '../../journal/journal.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { eventsStream } from '../../streams/events/index.ts'
import { backUpTo, embeddedTarget, restoreFrom } from '../archive/support/backed-up.ts'
import { distinguishTests, onTestFinished } from '../support/concurrent.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { faultyJournal } from '../support/faulty-journal.ts'
import { temporaryDirectory, until, valuesOf } from '../support/journal.ts'
import { eventNumber } from '../support/journal-records.ts'
import { firstGeneration } from '../support/lineage.ts'
import { randomFrom } from '../support/random.ts'
import { type Client, startStreams } from './support.ts'

const RECONNECTS = Number(process.env.ALMANAC_TEST_RECONNECTS ?? 100)
const reconnecting = `loses, repeats and reorders nothing over ${RECONNECTS} reconnects under live appends`
const seed = Number(process.env.ALMANAC_TEST_SEED ?? 20_261_121)

const append = (journal: TypedJournal, records: readonly EventRecord[]) =>
  journal.append(
    'events',
    0,
    records.map((value) => ({ value, id: value.id, at: Date.parse(value.time) })),
  )

async function streamOver(journal: TypedJournal) {
  const stop = new AbortController()
  const events = eventsStream({ journal, signal: stop.signal })
  onTestFinished(async () => {
    stop.abort()
    await events.done.catch(() => undefined)
  })
  await events.caughtUp
  return { events, ...(await startStreams([events])) }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => eventNumber(from + i))
const sequencesOf = (client: Client) =>
  client.of('event').map(({ event }) => Number((event as { sequence: string }).sequence))

// At once, because one of them waits 7 s for a client that does not read.
describe.concurrent('the events stream over real sockets', () => {
  distinguishTests()

  it('replays from a cursor, says that it caught up, and goes on live', async () => {
    const { journal } = await openEmbeddedTestJournal()
    await append(journal, range(0, 50))
    const { connect } = await streamOver(journal)
    const client = connect('events')
    await client.seen('ready')
    client.send({
      action: 'subscribe',
      cursor: cursorAt(new Lineage(journal), 41),
      families: ['inflation', 'labour', 'output', 'trade'],
    })
    await client.seen('caught_up')
    await append(journal, range(50, 53))
    await client.seen('event', 13)
    expect(sequencesOf(client)).toEqual(range(40, 53).map(({ sequence }) => sequence))
    expect(client.messages.slice(0, 2).map(({ type }) => type)).toEqual(['ready', 'subscribed'])
    client.send({ action: 'subscribe' })
    const end = await client.end()
    expect(end).toMatchObject({ error: { code: 'resubscribe_required' }, code: 4400 })
    expect(end.error?.resume_cursor).toBe(cursorsOf(client.messages).at(-1))
  })

  it('refuses a start beyond the next event as it refuses a cursor, and begins at the next event', async () => {
    const { journal } = await openEmbeddedTestJournal()
    await append(journal, range(0, 5))
    const { connect } = await streamOver(journal)
    const [refused, next] = [connect('events'), connect('events')]
    await Promise.all([refused.seen('ready'), next.seen('ready')])
    refused.send({ action: 'subscribe', start: '7' })
    next.send({ action: 'subscribe', start: '6' })
    const detail = '/start: 7 is beyond the next event, 6.'
    expect(await refused.end()).toMatchObject({
      error: { code: 'cursor_ahead', detail },
      code: 4400,
      reason: 'cursor_ahead',
      words: detail,
    })
    expect(decodeEventCursor(String(refused.messages.at(-1)?.resume_cursor))?.sequence).toBe(6)
    await next.seen('caught_up')
    await append(journal, range(5, 6))
    await next.seen('event')
    expect(sequencesOf(next)).toEqual([6])
  })

  it.each([
    ['1764154800', 'Unix seconds: write 2025-11-26T11:00:00Z'],
    ['1764154800123', 'Unix milliseconds: write 2025-11-26T11:00:00.123Z'],
    ['1764154800123456', 'Unix microseconds: write 2025-11-26T11:00:00.123Z'],
    ['20261126', 'a date without hyphens: write 2026-11-26'],
  ])('names the unit of a time that is taken for a sequence, to the WebSocket of Node: %s', async (start, advice) => {
    const { journal } = await openEmbeddedTestJournal()
    await append(journal, range(0, 5))
    const { url, newKey } = await streamOver(journal)
    // A cast: the types are those of browsers, whose WebSocket takes no headers.
    const headers = { headers: { authorization: `Bearer ${newKey('pro').key}` } } as unknown as string[]
    const socket = new WebSocket(url('events'), headers)
    const messages: unknown[] = []
    socket.onmessage = ({ data }) => {
      messages.push(JSON.parse(data))
      if (messages.length === 1) socket.send(JSON.stringify({ action: 'subscribe', start }))
    }
    const { code, reason } = await new Promise<{ readonly code: number; readonly reason: string }>(
      (resolve) => (socket.onclose = resolve),
    )
    const detail = `/start: ${start} is beyond the next event, 6; it looks like ${advice}.`
    expect(messages).toEqual([{ type: 'ready' }, { type: 'error', code: 'invalid_frame', detail }])
    expect([code, reason.slice(0, 40)]).toEqual([4400, `invalid_frame: ${detail}`.slice(0, 40)])
  })

  it.each([
    ['malformed', 'cursor_invalid', 4400, () => 'v1.nonsense'],
    ['ahead', 'cursor_ahead', 4400, (journal: TypedJournal) => cursorAt(new Lineage(journal), 1_000)],
    ['of another journal', 'cursor_foreign', 4400, () => cursorAt(firstGeneration('elsewhere'), 1)],
  ])('refuses a cursor that is %s, with one that works', async (_, code, close, cursor) => {
    const { journal } = await openEmbeddedTestJournal()
    await append(journal, range(0, 5))
    const { connect } = await streamOver(journal)
    const refused = connect('events')
    await refused.seen('ready')
    refused.send({ action: 'subscribe', cursor: cursor(journal) })
    const end = await refused.end()
    expect(end).toMatchObject({ error: { code }, code: close })
    const again = connect('events')
    await again.seen('ready')
    again.send({ action: 'subscribe', cursor: end.error?.resume_cursor })
    await again.seen('caught_up')
    expect(sequencesOf(again)).toEqual(code === 'cursor_ahead' ? [] : [1, 2, 3, 4, 5])
  })

  it('refuses a cursor of events that a restored journal does not have, with one that misses none', async () => {
    const [{ journal }, backup, directory] = [
      await openEmbeddedTestJournal(),
      await temporaryDirectory(),
      await temporaryDirectory(),
    ]
    await append(journal, range(0, 5))
    await backUpTo(backup, journal)
    await append(journal, range(5, 10))
    const before = await streamOver(journal)
    const reader = before.connect('events')
    await reader.seen('ready')
    reader.send({ action: 'subscribe', cursor: 'earliest' })
    await reader.seen('event', 10)
    const cursors = reader.of('event').map(({ event }) => (event as { cursor: string }).cursor)

    await restoreFrom(backup, embeddedTarget(directory))
    const restored = await openEmbeddedTestJournal(undefined, directory)
    await append(restored.journal, range(5, 17))
    const { connect } = await streamOver(restored.journal)
    const read = async (cursor: unknown) => {
      const client = connect('events')
      await client.seen('ready')
      client.send({ action: 'subscribe', cursor })
      return client
    }
    for (const honoured of [3, 5]) {
      const client = await read(cursors[honoured - 1])
      await client.seen('caught_up')
      expect(sequencesOf(client)).toEqual(Array.from({ length: 17 - honoured }, (_, i) => honoured + 1 + i))
    }
    for (const superseded of [6, 10]) {
      const end = await (await read(cursors[superseded - 1])).end()
      const detail = expect.stringContaining('restored from a backup')
      expect(end).toMatchObject({ error: { code: 'cursor_superseded', detail }, code: 4410 })
      const client = await read(end.error?.resume_cursor)
      await client.seen('caught_up')
      expect(sequencesOf(client)).toEqual(Array.from({ length: 12 }, (_, i) => 6 + i))
    }
  })

  it.each([
    ['a country that is none', { countries: ['usa'] }, 'filter_not_supported', 4400],
    ['a family that is none', { families: ['weather'] }, 'filter_not_supported', 4400],
    ['a type that is none', { types: ['constructor'] }, 'filter_not_supported', 4400],
    ['a family that its plan does not have', { families: ['fx'] }, 'plan_upgrade_required', 4403],
  ])('refuses a subscribe message with %s', async (_, filter, code, close) => {
    const { journal } = await openEmbeddedTestJournal()
    const { connect, newKey } = await streamOver(journal)
    const client = connect('events', newKey('free').key)
    await client.seen('ready')
    client.send({ action: 'subscribe', ...filter })
    const end = await client.end()
    expect(end).toMatchObject({ error: { type: 'error', code, detail: expect.any(String) }, code: close, reason: code })
  })

  it('tells who is connected that the journal is away, with where to go on', async () => {
    const isAway = { now: false }
    const { journal } = await openEmbeddedTestJournal((real) => {
      const awayIf = () => {
        if (isAway.now) throw new JournalError('unavailable', 'injected')
      }
      return Object.assign(
        faultyJournal(real, () => 'ok'),
        {
          async *follow(...asked: Parameters<Journal['follow']>) {
            awayIf()
            for await (const batch of real.follow(...asked)) {
              awayIf()
              yield batch
            }
          },
        },
      )
    })
    await append(journal, range(0, 5))
    const { connect } = await streamOver(journal)
    const clients = [connect('events'), connect('events')]
    for (const client of clients) await client.seen('ready')
    clients[0]?.send({ action: 'subscribe', cursor: 'earliest' })
    await clients[0]?.seen('caught_up')
    isAway.now = true
    await append(journal, range(5, 6))
    for (const client of clients) {
      expect(await client.end()).toMatchObject({ error: { code: 'unavailable' }, code: 4503, reason: 'unavailable' })
    }
    expect(clients[0]?.messages.at(-1)?.resume_cursor).toBe(cursorsOf(clients[0]?.messages ?? []).at(-1))
    isAway.now = false
    await until('the stream is back', async () => {
      const client = connect('events')
      await client.seen('ready')
      return client.closed === undefined
    })
  })

  it(reconnecting, async () => {
    const random = randomFrom(seed)
    const { journal } = await openEmbeddedTestJournal()
    await append(journal, range(0, 2_000))
    let served = await streamOver(journal)
    const filters = [
      {},
      { families: ['trade'] },
      { countries: ['ABW', 'AFG'] },
      { types: ['economics.release.revised'] },
    ]
    const readers = filters.map((filter) => ({ filter, cursor: 'earliest', received: [] as number[] }))
    let appended = 2_000
    let appending = true
    const appender = (async () => {
      while (appending) {
        const count = 1 + Math.floor(random() * 20)
        await append(journal, range(appended, appended + count))
        appended += count
        await new Promise((resolve) => setTimeout(resolve, random() * 5))
      }
    })()
    const visit = async (reader: (typeof readers)[number], last = false) => {
      const client = served.connect('events')
      await client.seen('ready')
      client.send({ action: 'subscribe', cursor: reader.cursor, ...reader.filter })
      const enough = 1 + Math.floor(random() * 60)
      await client.seen('subscribed')
      // Left at any moment: after some messages, or once everything has come.
      if (last) await until('everything has come', () => lastCursorSequence(client) > appended)
      else await until('some have come', () => client.messages.length >= enough || client.of('caught_up').length > 0)
      client.socket.terminate()
      const seen = [...client.messages]
      reader.received.push(...sequencesOf({ of: (type: string) => seen.filter((m) => m.type === type) } as Client))
      reader.cursor = cursorsOf(seen).at(-1) ?? reader.cursor
    }
    for (let i = 0; i < RECONNECTS; i++) {
      await visit(readers[i % readers.length] as (typeof readers)[number])
      // The stream's process is started anew, with nothing but the journal.
      if (i === Math.floor(RECONNECTS / 2)) served = await streamOver(journal)
    }
    appending = false
    await appender
    for (const reader of readers) await visit(reader, true)
    const all = await valuesOf(journal, 'events')
    expect(all).toHaveLength(appended)
    for (const { filter, received } of readers) {
      const expected = all.filter(
        (event) =>
          (filter.families?.includes(event.family) ?? true) &&
          (filter.countries?.includes(event.country ?? '') ?? true) &&
          (filter.types?.includes(event.type) ?? true),
      )
      expect(received, `seed ${seed}, ${JSON.stringify(filter)}`).toEqual(expected.map(({ sequence }) => sequence))
    }
  })

  it('cuts a client that stops reading, with where to go on; others notice nothing', async () => {
    const { journal } = await openEmbeddedTestJournal()
    const large = range(0, 2_000).map((event) => ({ ...event, data: JSON.stringify({ text: 'x'.repeat(10_000) }) }))
    for (let i = 0; i < large.length; i += 100) await append(journal, large.slice(i, i + 100))
    const { connect } = await streamOver(journal)
    const slow = connect('events')
    await slow.seen('ready')
    slow.pauseOn = 'event'
    slow.send({ action: 'subscribe', cursor: 'earliest' })
    await slow.seen('event')
    const stoppedAt = performance.now()
    const other = connect('events')
    await other.seen('ready')
    other.send({ action: 'subscribe', cursor: 'earliest' })
    await other.seen('event', 2_000)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, stoppedAt + 7_000 - performance.now())))
    slow.resume()
    await slow.end()
    const error = slow.of('error')[0]
    expect(error).toMatchObject({ code: 'slow_consumer' })
    const received = sequencesOf(slow)
    expect(received).toEqual(range(0, received.length).map(({ sequence }) => sequence))
    expect(received.length).toBeLessThan(2_000)
    const again = connect('events')
    await again.seen('ready')
    again.send({ action: 'subscribe', cursor: error?.resume_cursor })
    await again.seen('caught_up')
    expect([...received, ...sequencesOf(again)]).toEqual(range(0, 2_000).map(({ sequence }) => sequence))
  })

  it('lets who is behind when the server leaves read on to the notice', async () => {
    const { journal } = await openEmbeddedTestJournal()
    const large = range(0, 2_500).map((event) => ({ ...event, data: JSON.stringify({ text: 'x'.repeat(10_000) }) }))
    for (let i = 0; i < large.length; i += 100) await append(journal, large.slice(i, i + 100))
    const { connect, drain } = await streamOver(journal)
    const behind = connect('events')
    await behind.seen('ready')
    behind.pauseOn = 'event'
    behind.send({ action: 'subscribe', cursor: 'earliest' })
    await behind.seen('event')
    const other = connect('events')
    await other.seen('ready')
    other.send({ action: 'subscribe', cursor: 'earliest' })
    await other.seen('event', 2_500)
    const drained = drain(0)
    await other.end()
    behind.resume()
    expect(await behind.end()).toMatchObject({ error: { type: 'notice', code: 'going_away' }, code: 1001 })
    const received = sequencesOf(behind)
    expect(received.length).toBeLessThan(2_500)
    expect(lastCursorSequence(behind)).toBe((received.at(-1) ?? 0) + 1)
    await drained
  })
})

const cursorsOf = (messages: Client['messages']): string[] =>
  messages.flatMap(({ type, cursor, event }) => {
    if (type === 'event') return [(event as { cursor: string }).cursor]
    return typeof cursor === 'string' ? [cursor] : []
  })

function lastCursorSequence(client: Client): number {
  const last = cursorsOf(client.messages).at(-1) ?? ''
  const body = Buffer.from(last.slice(3), 'base64url').subarray(4).toString()
  return body === '' ? 0 : (JSON.parse(body)[2] as number)
}
