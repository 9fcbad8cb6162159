import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { EventRecord } from '../../contracts/records.ts'
import { events } from '../../projections/views/events/project.ts'
import { type EventQueries, eventQueries } from '../../projections/views/events/query.ts'
import { eventNumber } from '../support/journal-records.ts'
import { append, project, useWorlds, type World } from './support/world.ts'

const world = useWorlds()
const COUNT = 1_200
const AT = Date.UTC(2026, 5, 1, 12, 0, 0, 7)

const options = {
  families: ['inflation', 'labour', 'output', 'trade', 'none'],
  countries: ['ABW', 'AFG', 'AGO', 'ALB', 'ZWE'],
  types: ['economics.release.published', 'economics.release.revised', "'; DROP TABLE events; --"],
}
const subset = (values: readonly string[]) => fc.option(fc.subarray([...values]), { nil: undefined })
const filters = fc.record({
  families: subset(options.families),
  countries: subset(options.countries),
  types: subset(options.types),
})

describe('events', () => {
  let filled: World
  let queries: EventQueries
  let journal: EventRecord[] = []

  beforeAll(async () => {
    filled = await world()
    queries = eventQueries(filled.client, { span: 300 })
    const all = Array.from({ length: COUNT }, (_, n) => eventNumber(n))
    // A few of a country that nothing else is from, far apart.
    const rare = all.map((event) => (event.sequence % 397 === 5 ? { ...event, country: 'ZZZ' } : event))
    await append(filled.journal, 'events', rare, AT)
    await project(events, filled)
    journal = (await Array.fromAsync(filled.journal.readToEnd('events', 0))).flatMap(({ records }) =>
      records.map(({ value }) => value),
    )
  })

  test('pages are what the same filter over the journal gives', async () => {
    const cases = fc.record({
      filters,
      from: fc.integer({ min: 1, max: COUNT + 10 }),
      limit: fc.integer({ min: 40, max: 400 }),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ filters, from, limit }) => {
        const read: EventRecord[] = []
        let next = from
        let pages = 0
        do {
          const page = await queries.page({ from: next, ...filters, limit })
          expect(page.events.length).toBeLessThanOrEqual(limit)
          expect(page.scannedTo).toBeGreaterThanOrEqual(next - 1)
          read.push(...page.events)
          next = page.scannedTo + 1
          if (++pages > COUNT) throw new Error('the pages never end')
        } while (next <= COUNT)
        const passes = (list: readonly string[] | undefined, value: string | null) =>
          list === undefined || (value !== null && list.includes(value))
        const expected = journal.filter(
          (event) =>
            event.sequence >= from &&
            passes(filters.families, event.family) &&
            passes(filters.countries, event.country) &&
            passes(filters.types, event.type),
        )
        expect(read).toEqual(expected)
      }),
      { numRuns: 30 },
    )
  })

  test('a narrow filter moves on by as much as it has looked through', async () => {
    const page = await queries.page({ from: 10, countries: ['QQQ'], limit: 5 })
    expect(page).toMatchObject({ events: [], scannedTo: 10 + 300 - 1, bounds: { last: { sequence: COUNT } } })
    const last = await queries.page({ from: COUNT - 3, countries: ['QQQ'], limit: 5 })
    expect(last).toMatchObject({ events: [], scannedTo: COUNT })
  })

  test('beyond the end there is nothing, and the place stays', async () => {
    expect(await queries.page({ from: COUNT + 1, limit: 5 })).toMatchObject({ events: [], scannedTo: COUNT })
    expect(await queries.page({ from: COUNT + 9, limit: 5 })).toMatchObject({ events: [], scannedTo: COUNT + 8 })
  })

  test('one is found by its id, exactly as recorded', async () => {
    for (const event of [journal[0], journal[777], journal[COUNT - 1]]) {
      expect(await queries.byId(event?.id ?? '')).toEqual(event)
    }
    expect(await queries.byId('evt_none')).toBeUndefined()
  })

  test('bounds are the first and last with the times they were recorded', async () => {
    const recordedAt = new Date(AT).toISOString()
    expect(await queries.bounds()).toEqual({
      first: { sequence: 1, recordedAt },
      last: { sequence: COUNT, recordedAt },
    })
  })

  test('a time finds the first event recorded at or after it, also where the clock was set back', async () => {
    const timed = await world()
    const minute = 60_000
    // Recorded at minutes 0, 10, 2 and 12: the clock was set back by ten minutes after the second.
    for (const [n, minutes] of [0, 10, 2, 12].entries()) {
      await append(timed.journal, 'events', [eventNumber(n)], AT + minutes * minute)
    }
    await project(events, timed)
    const { recordedFrom } = eventQueries(timed.client)
    const found = async (minutes: number, ms = 0) => recordedFrom(AT + minutes * minute + ms)
    expect(await found(-1e6)).toBe(1)
    expect([await found(0), await found(0, 1), await found(10)]).toEqual([1, 2, 2])
    expect([await found(10, 1), await found(12), await found(12, 1)]).toEqual([4, 4, 5])
    for (const at of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'].map(Date.parse)) {
      expect(await recordedFrom(at)).toBe(at < AT ? 1 : 5)
    }
  })

  test('as of a day has what a release of that day or before caused, and what was recorded by then', async () => {
    const dated = await world()
    const release = (released_on: string, previous?: string) => ({
      type: 'economics.release.revised',
      data: JSON.stringify({ released_on, ...(previous ? { previous: { released_on: previous } } : {}) }),
    })
    const of = (type: string, time: string, country: string | null = null) => ({
      type,
      family: type.split('.')[0] ?? '',
      country,
      time,
    })
    const score = (...at: readonly [string, string?]) => of('predictions.prediction.scored', ...at)
    const late = (...at: readonly [string, string?]) => of('calendar.release.late', ...at)
    const cases: readonly (readonly [Partial<EventRecord>, string | undefined, string])[] = [
      // What causes it, the day of that, and the first day that has the event.
      [release('2026-03-05'), '2026-03-05', '2026-03-05'],
      [release('2026-02-20', '2026-01-10'), '2026-03-05', '2026-03-05'],
      [release('2026-03-06', '2026-01-10'), '2026-03-05', '2026-03-06'],
      [release('2026-03-04', '2026-03-06'), '2026-03-05', '2026-03-06'],
      [release('2026-03-05', '2026-03-04'), undefined, '2026-03-05'],
      [score('2026-03-05T23:31:00.000Z'), '2026-03-06', '2026-03-06'],
      [score('2026-03-06T08:00:00.000Z'), '2026-03-05', '2026-03-06'],
      [score('2026-03-05T23:31:00.000Z', 'DEU'), undefined, '2026-03-06'],
      [late('2026-03-05T23:59:00.000Z'), undefined, '2026-03-05'],
      [late('2026-03-05T14:59:59.999Z', 'JPN'), undefined, '2026-03-05'],
      [late('2026-03-05T15:00:00.000Z', 'JPN'), undefined, '2026-03-06'],
      [late('2026-03-05T23:59:00.000Z', 'USA'), undefined, '2026-03-05'],
      [late('2026-03-06T00:00:00.000Z', 'USA'), undefined, '2026-03-06'],
    ]
    const drafts = cases.map(([of, releasedOn], n) => {
      const value = { ...eventNumber(n), ...of }
      return { value, id: value.id, at: AT, releasedOn }
    })
    await dated.journal.append('events', 0, drafts)
    await project(events, dated)
    for (const day of ['2026-03-04', '2026-03-05', '2026-03-06']) {
      const { events: found } = await eventQueries(dated.client, { until: day }).page({ from: 1, limit: 100 })
      const expected = cases.flatMap(([, , first], n) => (first <= day ? n + 1 : []))
      expect(
        found.map(({ sequence }) => sequence),
        day,
      ).toEqual(expected)
    }
  })

  test('an empty journal has no bounds and an empty page', async () => {
    const empty = await world()
    await project(events, empty)
    const nothing = eventQueries(empty.client)
    expect(await nothing.bounds()).toBeUndefined()
    expect(await nothing.page({ from: 1, limit: 10 })).toEqual({ events: [], scannedTo: 0, bounds: undefined })
    expect(await nothing.byId('evt_none')).toBeUndefined()
    expect(await nothing.recordedFrom(0)).toBe(1)
  })

  test('a page from before the oldest event begins at that one', async () => {
    const kept = await world()
    await append(kept.journal, 'events', [eventNumber(0), eventNumber(1)])
    await append(
      kept.journal,
      'events',
      [998, 999].map((n) => eventNumber(n)),
    )
    await project(events, kept)
    await kept.client.command({ query: 'DELETE FROM events WHERE sequence < 100 AND NOT _marker' })
    const page = await eventQueries(kept.client, { span: 300 }).page({ from: 1, limit: 10 })
    expect(page.events.map(({ sequence }) => sequence)).toEqual([999, 1_000])
    expect(page.scannedTo).toBe(1_000)
  })

  test('one that two projectors wrote is read once', async () => {
    const twice = await world()
    await append(twice.journal, 'events', [eventNumber(0), eventNumber(1), eventNumber(2)])
    await project(events, twice)
    await twice.client.command({ query: 'SYSTEM STOP MERGES events' })
    await twice.client.command({ query: 'INSERT INTO events SELECT * FROM events WHERE sequence = 2' })
    const page = await eventQueries(twice.client).page({ from: 1, limit: 10 })
    expect(page.events.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
  })

  test('text of any kind comes back as it went in', async () => {
    const odd = await world()
    const text = `"'\\ \\N \0 \n\t {x:String} 💶 \u2028`
    const event = { ...eventNumber(0), subject: text, data: JSON.stringify({ text }), id: text, country: null }
    await append(odd.journal, 'events', [event])
    await project(events, odd)
    expect(await eventQueries(odd.client).byId(text)).toEqual(event)
  })
})
