import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { exportLimits } from '../../contracts/events.ts'
import { cursorAt } from '../../domain/served-event.ts'
import { eventNumber } from '../support/journal-records.ts'
import { firstGeneration } from '../support/lineage.ts'
import { ask, bearer, JOURNAL, linesOf, type World, world } from './support.ts'

const LINEAGE = firstGeneration(JOURNAL)

const PATH = '/v1/events/export'

async function worldWith(count: number): Promise<World> {
  const served = await world()
  const events = Array.from({ length: count }, (_, n) => eventNumber(n))
  served.releases.events.splice(0, Number.POSITIVE_INFINITY, ...events)
  return served
}

async function exported({ app }: World, query = '', plan: 'free' | 'pro' = 'pro') {
  const response = await ask(app, { url: `${PATH}${query}`, headers: bearer(plan) })
  expect(response.statusCode, response.body).toBe(200)
  const lines = linesOf(response.body)
  return { events: lines.slice(0, -1), end: lines.at(-1), sequences: lines.slice(0, -1).map((e) => Number(e.sequence)) }
}

async function paged({ app }: World, query = '', plan: 'free' | 'pro' = 'pro') {
  const { events, next_cursor } = (
    await ask(app, { url: `/v1/events?limit=1000${query}`, headers: bearer(plan) })
  ).json()
  return { events, next_cursor }
}

describe('an export of events', () => {
  it.each(['', 'family=output', 'country=USA&country=DEU&type=economics.release.revised', 'start=7', 'cursor=latest'])(
    'has what the pages have, and their cursor: %s',
    async (query) => {
      const served = await worldWith(300)
      for (const plan of ['pro', 'free'] as const) {
        const { events, end } = await exported(served, `?${query}`, plan)
        const pages = await paged(served, `&${query}`, plan)
        expect(events).toEqual(pages.events)
        expect(end).toEqual({ cursor: pages.next_cursor, count: events.length, complete: true })
      }
    },
  )

  it('begins and ends at sequences, times and cursors', async () => {
    const served = await worldWith(300)
    const { time } = served.releases.events[200] ?? { time: '' }
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)
    expect((await exported(served, '?start=10&end=20')).sequences).toEqual(range(10, 20))
    expect((await exported(served, '?start=290&end=2000')).sequences).toEqual(range(290, 300))
    expect((await exported(served, `?start=${time}`)).sequences).toEqual(range(201, 300))
    expect((await exported(served, `?start=195&end=${time}`)).sequences).toEqual(range(195, 201))
    expect((await exported(served, `?cursor=${cursorAt(LINEAGE, 298)}`)).sequences).toEqual(range(298, 300))
    const empty = { cursor: cursorAt(LINEAGE, 20), count: 0, complete: true }
    expect((await exported(served, '?start=20&end=10')).end).toEqual(empty)
    const none = { cursor: cursorAt(LINEAGE, 1), count: 0, complete: true }
    expect((await exported(served, '?end=0')).end).toEqual(none)
    expect((await exported(served, '?end=1')).sequences).toEqual([1])
    const beyond = { cursor: cursorAt(LINEAGE, 301), count: 0, complete: true }
    expect((await exported(served, '?start=301')).end).toEqual(beyond)
    expect((await exported(served, '?start=2100-01-01')).end).toEqual(beyond)
  })

  it('refuses what it cannot serve, and says where to continue', async () => {
    const served = await worldWith(100)
    served.releases.firstKept = 41
    const refusals: [string, number, string, string?][] = [
      [`?cursor=${cursorAt(LINEAGE, 40)}&family=output`, 410, 'cursor_expired', cursorAt(LINEAGE, 41)],
      [`?cursor=${cursorAt(LINEAGE, 102)}&family=output`, 400, 'cursor_ahead', cursorAt(LINEAGE, 101)],
      [`?cursor=${cursorAt(firstGeneration('other'), 50)}&family=output`, 400, 'cursor_foreign', cursorAt(LINEAGE, 41)],
      ['?cursor=v1.x&family=output', 400, 'cursor_invalid', cursorAt(LINEAGE, 41)],
      ['?start=102&family=output', 400, 'cursor_ahead', cursorAt(LINEAGE, 101)],
      ['?cursor=earliest&start=5', 400, 'invalid_query'],
      ['?end=1764154800', 400, 'invalid_query'],
      ['?end=2026-02-30', 400, 'invalid_query'],
      ['?limit=5', 400, 'invalid_query'],
      ['?country=XXX', 400, 'invalid_query'],
    ]
    for (const [query, status, code, cursor] of refusals) {
      const { statusCode, problem, headers } = await ask(served.app, { url: PATH + query, headers: bearer() })
      expect([statusCode, problem.code], query).toEqual([status, code])
      if (cursor) expect(headers.link, query).toContain(`<${PATH}?family=output&cursor=${cursor}>; rel=`)
    }
    const barred = await ask(served.app, { url: `${PATH}?family=fx`, headers: bearer('free') })
    expect(barred.problem.code).toBe('plan_upgrade_required')
    expect(served.quota.used).toBe(0)
    expect((await exported(served)).sequences[0]).toBe(41)
  })

  it('costs a call for each 1,000 events begun, and ends with its reason when the calls are used up', async () => {
    const served = await worldWith(3_500)
    expect((await exported(served, '?start=1&end=1000')).end).toMatchObject({ count: 1_000, complete: true })
    expect(served.quota.used).toBe(1)
    expect((await exported(served, '?start=1&end=1001')).end).toMatchObject({ count: 1_001, complete: true })
    expect(served.quota.used).toBe(3)
    served.quota.limit = 5
    const { end, sequences } = await exported(served)
    expect(end).toEqual({
      cursor: cursorAt(LINEAGE, 2_001),
      count: 2 * exportLimits.eventsPerCall,
      complete: false,
      code: 'quota_exhausted',
    })
    served.quota.limit = 100
    const rest = await exported(served, `?cursor=${String(end?.cursor)}`)
    expect([...sequences, ...rest.sequences]).toEqual(served.releases.events.map(({ sequence }) => sequence))
  })

  it('is compressed as the client prefers', async () => {
    const { app } = await worldWith(300)
    const plain = await ask(app, PATH)
    expect(plain.headers['content-encoding']).toBeUndefined()
    for (const [accepted, coding, decode] of [
      ['gzip', 'gzip', gunzipSync],
      ['gzip, zstd', 'zstd', zstdDecompressSync],
      ['zstd;q=0.5, gzip', 'gzip', gunzipSync],
    ] as const) {
      const coded = await ask(app, { url: PATH, headers: { ...bearer(), 'accept-encoding': accepted } })
      expect(coded.headers).toMatchObject({ 'content-encoding': coding, vary: 'accept-encoding' })
      expect(decode(coded.rawPayload).toString()).toBe(plain.body)
    }
    const other = await ask(app, { url: PATH, headers: { ...bearer(), 'accept-encoding': 'br, identity;q=0.1' } })
    expect(other.body).toBe(plain.body)
  })

  it('answers HEAD without reading, and is no JSON', async () => {
    const { app } = await worldWith(300)
    const head = await ask(app, { method: 'HEAD', url: PATH, headers: bearer() })
    expect([head.statusCode, head.headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8'])
    const json = await ask(app, { url: PATH, headers: { ...bearer(), accept: 'application/json' } })
    expect(json.problem.code).toBe('not_acceptable')
  })
})
