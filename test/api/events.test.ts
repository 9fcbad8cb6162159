import { describe, expect, it } from 'vitest'
import type { Event, EventPage } from '../../contracts/events.ts'
import { releaseIdIn } from '../../contracts/release-detail.ts'
import { decodeEventCursor, encodeEventCursor } from '../../domain/cursor.ts'
import { Lineage } from '../../domain/lineage.ts'
import { cursorAt } from '../../domain/served-event.ts'
import { firstGeneration } from '../support/lineage.ts'
import { testSeries } from '../support/releases.ts'
import { ask, bearer, JOURNAL, listen, type World, world } from './support.ts'

const page = async ({ app }: World, query: string, plan: 'free' | 'pro' = 'pro'): Promise<EventPage> => {
  const response = await ask(app, { url: `/v1/events${query}`, headers: bearer(plan) })
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}
const sequences = ({ events }: EventPage): number[] => events.map(({ sequence }) => Number(sequence))
const cursor = (sequence: number) => encodeEventCursor({ journal: JOURNAL, sequence, hint: 0 })

async function follow(served: World, query: string, from = ''): Promise<{ read: number[]; end: string }> {
  const read: number[] = []
  for (let next = from; ; ) {
    const slice = await page(served, `?${query}${next && `&cursor=${next}`}`)
    read.push(...sequences(slice))
    next = slice.next_cursor
    if (!slice.has_more) return { read, end: next }
  }
}

describe('events', () => {
  it('are CloudEvents with the body that REST serves', async () => {
    const served = await world()
    const [first] = (await page(served, '?limit=1')).events
    expect(first).toMatchObject({
      specversion: '1.0',
      type: 'economics.release.published',
      source: '/almanac/inflation',
      family: 'inflation',
      subject: 'USA/cpi/2025-10',
      country: 'USA',
      sequence: '00000000000000000001',
    })
    const body = (await ask(served.app, '/v1/economics/USA/cpi?period=2025-10')).json()
    expect(first?.data).toEqual(body)
    expect(decodeEventCursor(first?.cursor ?? '')).toMatchObject({ journal: JOURNAL, sequence: 2 })
    const one = await ask(served.app, `/v1/events/${first?.id}`)
    expect(one.json()).toEqual(first)
    const id = releaseIdIn(String(one.headers.link)) ?? ''
    expect((await ask(served.app, `/v1/releases/${id}`)).json()).toMatchObject({ event: { id: first?.id } })
  })

  it('carry what a revision replaces', async () => {
    const served = await world()
    served.releases.accept(testSeries(), '2025-11', { value: '325.5' })
    const { events } = await page(served, '?type=economics.release.revised')
    expect(events).toMatchObject([{ data: { value: '325.5', previous: { value: '325.4' } } }])
  })

  it('are read once each and in order, at any page size, and a poll finds what is new', async () => {
    const served = await world()
    const all = served.releases.events.map(({ sequence }) => sequence)
    expect(all.length).toBeGreaterThan(20)
    for (const limit of [1, 7, all.length, 1000]) {
      expect((await follow(served, `limit=${limit}`)).read).toEqual(all)
    }
    const { end } = await follow(served, 'limit=10')
    expect(await page(served, `?cursor=${end}`)).toMatchObject({ events: [], has_more: false, next_cursor: end })
    served.releases.accept(testSeries(), '2025-12', { value: '326' })
    expect((await follow(served, 'limit=10', end)).read).toEqual([all.length + 1])
  })

  it('pass filters: any of one parameter, all of several', async () => {
    const served = await world()
    const expected = served.releases.events
      .filter(({ family, country }) => (family === 'output' || family === 'labour') && country === 'USA')
      .map(({ sequence }) => sequence)
    expect((await follow(served, 'family=output&family=labour&country=USA&limit=2')).read).toEqual(expected)
    expect((await page(served, '?family=output&country=MYS')).events).toEqual([])
  })

  it('move the cursor of a narrow filter past all that was looked at', async () => {
    const served = await world()
    const slice = await page(served, '?country=FRA')
    expect(slice).toMatchObject({ events: [], has_more: false })
    expect(decodeEventCursor(slice.next_cursor)?.sequence).toBe(served.releases.events.length + 1)
  })

  it('go on where a read model looks through the journal only so far at a time', async () => {
    const { deps, releases } = await world()
    const span = 4
    const served = await world({
      events: {
        ...deps.events,
        page: async (query) => {
          const slice = await deps.events.page(query)
          const to = Math.min(query.from + span - 1, slice.bounds?.last.sequence ?? 0)
          const events = slice.events.filter(({ sequence }) => sequence <= to)
          return { events, scannedTo: to, bounds: slice.bounds }
        },
      },
    })
    const output = releases.events.filter(({ family }) => family === 'output').map(({ sequence }) => sequence)
    expect((await follow(served, 'family=output&limit=1')).read).toEqual(output)
  })

  it('begin at the earliest, or with the next to come', async () => {
    const served = await world()
    expect(await page(served, '?cursor=earliest')).toEqual(await page(served, ''))
    const latest = await page(served, '?cursor=latest')
    expect(latest).toMatchObject({ events: [], has_more: false })
    served.releases.accept(testSeries(), '2025-12', { value: '326' })
    expect((await page(served, `?cursor=${latest.next_cursor}`)).events).toHaveLength(1)
  })

  it('begin at a sequence, as digits or as an event writes it', async () => {
    const served = await world()
    const last = served.releases.events.length
    for (const start of ['7', '00000000000000000007']) {
      expect(sequences(await page(served, `?start=${start}&limit=3`))).toEqual([7, 8, 9])
    }
    served.releases.firstKept = 5
    for (const start of ['0', '1', '4']) expect(sequences(await page(served, `?start=${start}&limit=1`))).toEqual([5])
    const { read } = await follow(served, 'limit=4', (await page(served, '?start=6&limit=2')).next_cursor)
    expect(read).toEqual(Array.from({ length: last - 7 }, (_, n) => n + 8))
  })

  it('begin at an instant in any offset, or at a day', async () => {
    const served = await world()
    const before = served.releases.events.length
    served.releases.accept(testSeries(), '2025-12', { value: '326' }, '2026-02-01T00:00:00.000Z')
    for (const start of [
      '2026-02-01',
      '2026-02-01T00:00:00Z',
      '2026-01-31t18:00:00.000-06:00',
      '2026-02-01T02:00:00%2B02:00',
      '2026-01-31T23:59:59.9995Z',
      '2026-01-16',
    ]) {
      expect(sequences(await page(served, `?start=${start}`)), start).toEqual([before + 1])
    }
    expect(sequences(await page(served, '?start=1600-01-01&limit=2'))).toEqual([1, 2])
    expect((await page(served, '?start=2026-01-16&family=labour')).events).toEqual([])
  })

  it('begin after the newest with an empty page, whose cursor the next event follows', async () => {
    const served = await world()
    const next = served.releases.events.length + 1
    for (const start of [String(next), '2999-12-31', '2026-02-01T00:00:00.001Z']) {
      const slice = await page(served, `?start=${start}`)
      expect(slice, start).toMatchObject({ events: [], has_more: false })
      expect(decodeEventCursor(slice.next_cursor)?.sequence, start).toBe(next)
      expect(await page(served, `?cursor=${slice.next_cursor}`)).toMatchObject({ events: [], has_more: false })
    }
    served.releases.projected = next - 3
    const lagging = await page(served, `?start=${next - 1}`)
    expect(decodeEventCursor(lagging.next_cursor)?.sequence).toBe(next - 1)
  })

  it('refuse a sequence beyond the next event as a cursor there, once the journal has no such event either', async () => {
    const served = await world()
    const next = served.releases.events.length + 1
    const { statusCode, headers, problem } = await ask(served.app, `/v1/events?start=${next + 1}&family=trade&limit=3`)
    expect([statusCode, problem.code]).toEqual([400, 'cursor_ahead'])
    expect(problem.detail).toBe(`start: ${next + 1} is beyond the next event, ${next}.`)
    expect(headers.link).toBe(
      `</v1/events?family=trade&limit=3&cursor=${cursorAt(firstGeneration(JOURNAL), next)}>; rel="latest"`,
    )
    served.releases.projected = 3
    expect((await page(served, `?start=${next}`)).events).toEqual([])
  })

  it.each([
    ['1764154800', 'Unix seconds: write 2025-11-26T11:00:00Z'],
    ['1764154800123', 'Unix milliseconds: write 2025-11-26T11:00:00.123Z'],
    ['1764154800123456', 'Unix microseconds: write 2025-11-26T11:00:00.123Z'],
    ['20261126', 'a date without hyphens: write 2026-11-26'],
  ])('name the unit of a time that is taken for a sequence: %s', async (start, advice) => {
    const served = await world()
    const detail = `query parameter start: ${start} is beyond the next event, ${served.releases.events.length + 1}; it looks like ${advice}.`
    const port = await listen(served.app)
    for (const path of ['/v1/events', '/v1/events/export']) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}?start=${start}`, { headers: bearer() })
      expect(await answer.json()).toMatchObject({ status: 400, code: 'invalid_query', detail })
      expect(answer.headers.get('link')).toBeNull()
    }
  })

  it.each([
    ['start=7&cursor=earliest', 'Send either start or cursor'],
    ['start=2026-02-30', 'does not exist in the calendar'],
    ['start=2026-02-01T00:00:00+02:00', 'write + as %2B'],
    ['start=2026-13-01', 'is not a sequence, an instant (RFC 3339) or a date'],
    ['start=-1', 'is not a sequence'],
    ['start=1.5', 'is not a sequence'],
    ['start=', 'is not a sequence'],
    ['start=7&start=8', 'is given more than once'],
  ])('refuse %s', async (query, detail) => {
    const { problem } = await ask((await world()).app, `/v1/events?${query}`)
    expect(problem).toMatchObject({ code: 'invalid_query', detail: expect.stringContaining(detail) })
  })

  it('answer an empty journal with an empty page', async () => {
    const served = await world()
    served.releases.projected = 0
    const slice = await page(served, '?cursor=latest')
    expect(slice).toMatchObject({ events: [], has_more: false, as_of: '1970-01-01T00:00:00.000Z' })
    expect(decodeEventCursor(slice.next_cursor)?.sequence).toBe(1)
  })

  it('are those of the plan: a barred family is absent, refused by name, and not found by id', async () => {
    const served = await world()
    const stale: (typeof served.releases.events)[number] = {
      sequence: served.releases.events.length + 1,
      id: `evt_${'1'.repeat(26)}`,
      source: '/almanac/commodities',
      type: 'prices.instrument.stale',
      family: 'commodities',
      country: null,
      subject: 'XAU-USD',
      time: '2026-01-16T00:00:00.000Z',
      dataschema: 'urn:almanac:schema:SpotPrice',
      data: '{}',
    }
    served.releases.events.push(stale)
    const pro = await page(served, '?limit=1000')
    expect(pro.events.at(-1)).toMatchObject({ id: stale.id, data: {} })
    expect(pro.events.at(-1)).not.toHaveProperty('country')
    const free = await page(served, '?limit=1000', 'free')
    expect(free.events).toEqual(pro.events.slice(0, -1))
    expect(free.next_cursor).toBe(pro.next_cursor)
    expect((await ask(served.app, { url: `/v1/events/${stale.id}`, headers: bearer('free') })).statusCode).toBe(404)
    const one = await ask(served.app, `/v1/events/${stale.id}`)
    expect([one.statusCode, one.headers.link]).toEqual([200, undefined])
  })

  it('never go past what the projector has taken in, and honour a cursor that a stream handed out beyond it', async () => {
    const served = await world()
    const last = served.releases.events.length
    served.releases.projected = 10
    expect((await follow(served, 'limit=3')).read).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    const ahead = await page(served, `?cursor=${cursor(last)}`)
    expect(ahead).toMatchObject({ events: [], has_more: false })
    expect(decodeEventCursor(ahead.next_cursor)?.sequence).toBe(last)
    expect((await ask(served.app, `/v1/events?cursor=${cursor(last + 2)}`)).problem.code).toBe('cursor_ahead')
    served.releases.projected = last
    expect((await page(served, `?cursor=${ahead.next_cursor}`)).events).toHaveLength(1)
  })

  it('refuse a cursor with an address to go on from, which keeps the filters', async () => {
    const served = await world()
    served.releases.firstKept = 5
    const query = 'family=trade&family=output&country=USA&limit=3'
    const going: Readonly<Record<string, string>> = {
      [cursor(3)]: 'earliest',
      [cursor(999)]: 'latest',
      garbled: 'earliest',
      [encodeEventCursor({ journal: 'another', sequence: 7, hint: 0 })]: 'earliest',
    }
    for (const [refused, rel] of Object.entries(going)) {
      const { headers, statusCode } = await ask(served.app, `/v1/events?${query}&cursor=${refused}`)
      expect([400, 410]).toContain(statusCode)
      const link = /^<(\/v1\/events\?[^>]*)>; rel="(\w+)"$/.exec(String(headers.link))
      expect(link?.[2]).toBe(rel)
      const resumed = new URLSearchParams(link?.[1]?.split('?')[1])
      expect(resumed.getAll('family')).toEqual(['trade', 'output'])
      expect(decodeEventCursor(resumed.get('cursor') ?? '')?.sequence).toBe(
        rel === 'latest' ? served.releases.events.length + 1 : 5,
      )
      expect((await ask(served.app, link?.[1] ?? '')).statusCode).toBe(200)
    }
  })

  it('of a restored journal refuse a cursor beyond the backup, and lead back to where it was restored', async () => {
    const generations = [{ id: 'b', branch: { event: 8, ends: {} } }]
    const served = await world({ lineage: new Lineage({ id: JOURNAL, generations }) })
    const { read } = await follow(served, 'limit=3', cursor(7))
    expect(read).toEqual([7, ...(await follow(served, '', cursor(8))).read])
    const { headers, problem, statusCode } = await ask(served.app, `/v1/events?family=trade&cursor=${cursor(9)}`)
    expect([statusCode, problem.code]).toEqual([410, 'cursor_superseded'])
    expect(problem.detail).toContain('restored from a backup')
    const [, link = '', rel] = /^<(.*)>; rel="(\w+)"$/.exec(String(headers.link)) ?? []
    expect(rel).toBe('branch')
    expect(decodeEventCursor(new URLSearchParams(link.split('?')[1]).get('cursor') ?? '')?.sequence).toBe(8)
    expect((await ask(served.app, link)).statusCode).toBe(200)
  })

  it('may be kept for ever one by one, and are asked for again page by page', async () => {
    const { app } = await world()
    const list = await ask(app, '/v1/events?limit=1')
    expect(list.headers['cache-control']).toBe('private, no-cache')
    const [event] = list.json<{ events: Event[] }>().events
    const one = await ask(app, `/v1/events/${event?.id}`)
    expect(one.headers['cache-control']).toContain('immutable')
  })
})
