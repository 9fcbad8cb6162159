import { describe, expect, it, onTestFinished } from 'vitest'
import type { EventPage } from '../../contracts/events.ts'
import type { EventRecord } from '../../contracts/records.ts'
import { Lineage } from '../../domain/lineage.ts'
import { cursorAt } from '../../domain/served-event.ts'
import { loadConfig } from '../../infra/config.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { rebuild } from '../../projections/rebuild.ts'
import { events as eventsView } from '../../projections/views/events/project.ts'
import { eventQueries } from '../../projections/views/events/query.ts'
import { type EventsStreamOptions, eventsStream } from '../../streams/events/index.ts'
import { ask, world as servedWorld } from '../api/support.ts'
import { project, useWorlds } from '../projections/support/world.ts'
import { until } from '../support/journal.ts'
import { eventNumber } from '../support/journal-records.ts'
import { type Client, startStreams } from './support.ts'

const DAY = 86_400_000
const newWorld = useWorlds()

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => eventNumber(from + i))
const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i + 1)
const sequencesOf = (client: Client) =>
  client.of('event').map(({ event }) => Number((event as { sequence: string }).sequence))

/** A journal whose events are kept for a day, and a read model of it that is filled when `project` is called. */
async function world() {
  const { retention } = loadConfig({ ALMANAC_EVENTS_RETENTION_DAYS: '1' })
  const { journal, client } = await newWorld(undefined, retention)
  const append = async (records: readonly EventRecord[], at: number) => {
    const drafts = records.map((value) => ({ value, id: value.id, at }))
    const last = drafts.splice(-1)
    for (let i = 0; i < drafts.length; i += 200) await journal.append('events', 0, drafts.slice(i, i + 200))
    // As the processor writes: a transaction leaves a hole behind it.
    const claim = await journal.claim('TEST')
    await journal.transact(claim, [journal.writeOf('events', 0, last)])
    await claim.release()
  }
  return {
    journal,
    append,
    project: () => project(eventsView, { journal, client }),
    /** Makes the read model anew from nothing but what the journal still holds. */
    renew: async () => {
      await client.command({ query: 'DROP TABLE IF EXISTS events SYNC' })
      await rebuild(eventsView, { journal, client, signal: new AbortController().signal })
    },
    rest: async () => {
      const newestEvent = async () => (await journal.newest('events', 0))?.value.sequence ?? 0
      return servedWorld({ events: eventQueries(client), newestEvent, lineage: new Lineage(journal) })
    },
  }
}

async function streamOver(journal: TypedJournal, options: Partial<EventsStreamOptions> = {}) {
  const stop = new AbortController()
  const events = eventsStream({ journal, signal: stop.signal, ...options })
  onTestFinished(async () => {
    stop.abort()
    await events.done
  })
  await events.caughtUp
  const { connect } = await startStreams([events])
  return async (cursor: string) => {
    const client = connect('events')
    await client.seen('ready')
    client.send({ action: 'subscribe', cursor })
    return client
  }
}

describe('where the journal has let go of its first events', () => {
  it('a cursor of theirs is refused on REST and on the stream, each with one that works on both', async () => {
    const { journal, append, renew, rest } = await world()
    await append(range(0, 300), Date.now() - 3 * DAY)
    await append(range(300, 400), Date.now())
    await journal.retain(Date.now())
    await renew()
    const { app } = await rest()
    const join = await streamOver(journal)
    for (const expired of [1, 150, 300]) {
      const asked = `/v1/events?family=trade&family=output&limit=30&cursor=${cursorAt(new Lineage(journal), expired)}`
      const { statusCode, headers, problem } = await ask(app, asked)
      expect([statusCode, problem.code]).toEqual([410, 'cursor_expired'])
      const link = /^<(\/v1\/events\?family=trade&family=output&limit=30&cursor=([\w.-]+))>; rel="earliest"$/.exec(
        String(headers.link),
      )
      const page = (await ask(app, link?.[1] ?? '')).json<EventPage>()
      expect(page.events.map(({ sequence }) => Number(sequence))).toEqual(
        range(300, 400)
          .filter(({ family }) => family === 'trade' || family === 'output')
          .slice(0, 30)
          .map(({ sequence }) => sequence),
      )

      const refused = await join(cursorAt(new Lineage(journal), expired))
      const { error, code, reason } = await refused.end()
      expect(error).toMatchObject({ code: 'cursor_expired', detail: expect.stringContaining('GET /v1/events may') })
      expect([code, reason]).toEqual([4410, 'cursor_expired'])
      expect(refused.of('subscribed')).toEqual([])
      for (const cursor of [String(error?.resume_cursor), link?.[2] ?? '']) {
        const again = await join(cursor)
        await again.seen('caught_up')
        expect(sequencesOf(again)).toEqual(upTo(300, 400))
      }
      const resumed = await ask(app, `/v1/events?limit=1&cursor=${error?.resume_cursor}`)
      expect(resumed.json<EventPage>().events.map(({ sequence }) => Number(sequence))).toEqual([301])
    }
    // The first that is kept is honoured.
    const first = cursorAt(new Lineage(journal), 301)
    expect((await ask(app, `/v1/events?limit=1&cursor=${first}`)).statusCode).toBe(200)
    const client = await join(first)
    await client.seen('caught_up')
    expect(sequencesOf(client)).toEqual(upTo(300, 400))
  })

  it('REST goes on serving them from a read model that has them, and refuses once it has not', async () => {
    const { journal, append, project, renew, rest } = await world()
    await append(range(0, 300), Date.now() - 3 * DAY)
    await append(range(300, 310), Date.now())
    await project()
    await journal.retain(Date.now())
    const { app } = await rest()
    const page = (await ask(app, `/v1/events?limit=200&cursor=${cursorAt(new Lineage(journal), 1)}`)).json<EventPage>()
    expect(page.events.map(({ sequence }) => Number(sequence))).toEqual(upTo(0, 200))
    await renew()
    const { statusCode, headers } = await ask(app, `/v1/events?limit=200&cursor=${page.next_cursor}`)
    expect(statusCode).toBe(410)
    const link = /^<([^>]+)>; rel="earliest"$/.exec(String(headers.link))?.[1] ?? ''
    const resumed = (await ask(app, link)).json<EventPage>()
    expect(resumed.events.map(({ sequence }) => Number(sequence))).toEqual(upTo(300, 310))
  })

  it('the read model goes on where all events have expired that it had, and refuses a gap', async () => {
    const { journal, append, project, rest } = await world()
    await append(range(0, 300), Date.now() - 3 * DAY)
    await project()
    await journal.retain(Date.now())
    expect(await journal.bounds('events', 0), 'only the hole is left').toEqual({ start: 300, end: 301 })
    await append(range(300, 301), Date.now())
    await project()
    const { app } = await rest()
    const page = (await ask(app, `/v1/events?limit=10&cursor=${cursorAt(new Lineage(journal), 299)}`)).json<EventPage>()
    expect(page.events.map(({ sequence }) => Number(sequence))).toEqual([299, 300, 301])
    // These expire before anyone has read them.
    await append(range(301, 310), Date.now())
    await journal.retain(Date.now() + 2 * DAY)
    await expect(project()).rejects.toThrow('journal_gap')
  })

  it('a new read model begins where the journal does', async () => {
    const { journal, append, project, rest } = await world()
    await append(range(0, 300), Date.now() - 3 * DAY)
    await append(range(300, 310), Date.now())
    await journal.retain(Date.now())
    await project()
    const { app } = await rest()
    const page = (await ask(app, '/v1/events?limit=100')).json<EventPage>()
    expect(page.events.map(({ sequence }) => Number(sequence))).toEqual(upTo(300, 310))
  })

  it('where all have expired, a stream that starts is unavailable until the next comes, and goes on from it', async () => {
    const { journal, append } = await world()
    await append(range(0, 300), Date.now() - 3 * DAY)
    await journal.retain(Date.now())
    const stop = new AbortController()
    const events = eventsStream({ journal, signal: stop.signal })
    onTestFinished(async () => {
      stop.abort()
      await events.done
    })
    await events.caughtUp
    const { connect } = await startStreams([events])
    expect((await connect('events').end()).error?.code).toBe('unavailable')
    await append(range(300, 301), Date.now())
    await until('it is available', () => events.isAvailable())
    const client = connect('events')
    await client.seen('ready')
    client.send({ action: 'subscribe', cursor: cursorAt(new Lineage(journal), 200) })
    const { error } = await client.end()
    expect(error?.code).toBe('cursor_expired')
    const again = connect('events')
    await again.seen('ready')
    again.send({ action: 'subscribe', cursor: error?.resume_cursor })
    await again.seen('caught_up')
    expect(sequencesOf(again)).toEqual([301])
  })

  it('a stream that retention passes by ends with it said, and goes on from the first that is kept', async () => {
    const { journal, append } = await world()
    const large = range(0, 2_000).map((event) => ({ ...event, data: JSON.stringify({ text: 'x'.repeat(10_000) }) }))
    await append(large, Date.now() - 3 * DAY)
    await append(range(2_000, 2_020), Date.now())
    // Little is kept in memory, so that the journal itself is read.
    const join = await streamOver(journal, { ringBytes: 1, blockBytes: 1, warmOffsets: 0 })
    const reading = await join('earliest')
    reading.pauseOn = 'event'
    await reading.seen('event')
    await journal.retain(Date.now())
    expect((await journal.bounds('events', 0)).start).toBe(2_001)
    reading.resume()
    const { error, code } = await reading.end()
    expect([error?.code, code]).toEqual(['cursor_expired', 4410])
    const received = sequencesOf(reading)
    expect(received).toEqual(upTo(0, received.length))
    expect(received.length).toBeLessThan(2_000)
    // Retention lets go piece by piece: where the first kept was as it was said may have gone since, and then that is said.
    const goOn = async (cursor: unknown): Promise<typeof reading> => {
      const client = await join(String(cursor))
      await client.seen('caught_up')
      return client.closed ? goOn((await client.end()).error?.resume_cursor) : client
    }
    const again = await goOn(error?.resume_cursor)
    await append(range(2_020, 2_022), Date.now())
    await until('the newest come', () => again.of('event').length >= 22)
    expect(sequencesOf(again)).toEqual(upTo(2_000, 2_022))
  })
})
