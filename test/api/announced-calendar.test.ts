import { expect, it } from 'vitest'
import type { CalendarEntry } from '../../contracts/calendar.ts'
import type { CatalogEntry } from '../../contracts/catalog.ts'
import type { CalendarChange } from '../../contracts/records.ts'
import { releaseDates } from '../support/release-dates.ts'
import { testSeries } from '../support/releases.ts'
import { ask, type World, world } from './support.ts'

/** The calendar of the api with publishers’ own calendars. */

const rate = testSeries({ indicator: 'unemployment', unit: 'percent', base_period: '', base_value: '', country: 'JPN' })
const covers = ['JPN/unemployment']
const publish = ({ releases }: World, period: string, on: string) =>
  releases.accept(rate, period, { rate: '2.5' }, `${on}T08:00:00.000Z`, { released: { on, basis: 'publisher' } })

/** First prints with a usual lag of 29 days, and a calendar with the next two. */
async function announcedWorld(): Promise<World> {
  const served = await world()
  served.now = '2026-11-23T12:00:00.000Z'
  publish(served, '2026-07', '2026-08-28')
  publish(served, '2026-08', '2026-09-29')
  publish(served, '2026-09', '2026-10-30')
  announce(served, '2026-11-27', '2026-11-20T10:00:00.000Z')
  return served
}
function announce({ releases }: World, next: string, recorded_at: string): void {
  const dates = ['2026-10-30', next, '2026-12-25']
  const times = dates.map((day) => new Date(`${day}T08:30:00+09:00`).toISOString())
  releases.dates.apply(releaseDates(dates, { covers, times, recorded_at }))
}
/** What a timer of the processor records. */
function notice({ releases }: World, over: Partial<CalendarChange>): void {
  const day = {
    expected_on: '2026-11-27',
    expected_on_basis: 'publisher',
    expected_at: '2026-11-26T23:30:00.000Z',
  } as const
  releases.statements.apply({
    change: 'expected',
    country: 'JPN',
    indicator: 'unemployment',
    period: '2026-10',
    series: rate.id,
    ...day,
    reason: null,
    recorded_at: '2026-11-20T10:00:30.000Z',
    ...over,
  })
}
const calendar = async ({ app }: World, query = 'country=JPN&start=2026-11-01') =>
  (await ask(app, `/v1/calendar?${query}`)).json<{ entries: CalendarEntry[]; as_of: string }>()
const event = async ({ app }: World) => {
  const { body } = await ask(app, { url: '/v1/calendar.ics?country=JPN&start=2026-11-01', headers: {} })
  const lines = body.replaceAll('\r\n ', '').split('\r\n')
  const first = (name: string) => lines.find((line) => line.startsWith(name))
  return {
    sequence: Number(first('SEQUENCE:')?.slice(9)),
    start: first('DTSTART'),
    stamp: first('DTSTAMP:'),
    body: lines.join('\n'),
  }
}

it('shows the publisher’s local day and the instant, and what is late after it', async () => {
  const served = await announcedWorld()
  const { entries, as_of } = await calendar(served)
  expect(entries).toMatchObject([
    {
      period: '2026-10',
      status: 'expected',
      expected_on: '2026-11-27',
      expected_on_basis: 'publisher',
      expected_at: '2026-11-26T23:30:00.000Z',
      days_late: 0,
    },
  ])
  expect(as_of).toBe('2026-11-20T10:00:00.000Z')
  const catalog = await ask(served.app, '/v1/catalog?country=JPN&indicator=unemployment')
  const listed = catalog.json<{ series: CatalogEntry[] }>().series
  expect(listed).toMatchObject([{ next_period: '2026-10', next_expected_on: '2026-11-27' }])
  // The 27th is over in Japan at 15:00 UTC.
  served.now = '2026-11-27T14:59:59.000Z'
  expect((await calendar(served)).entries).toMatchObject([{ period: '2026-10', status: 'expected' }])
  served.now = '2026-11-27T15:00:00.000Z'
  expect((await calendar(served)).entries[0]).toMatchObject({ period: '2026-10', status: 'late', days_late: 1 })
  served.now = '2026-12-20T12:00:00.000Z'
  expect((await calendar(served)).entries).toMatchObject([
    { period: '2026-10', status: 'late', days_late: 23 },
    { period: '2026-11', status: 'expected', expected_on: '2026-12-25' },
  ])
})

it('keeps the announced day when the figure has come, also after the calendar has forgotten it', async () => {
  const served = await announcedWorld()
  notice(served, {})
  publish(served, '2026-10', '2026-11-27')
  served.releases.dates.apply(releaseDates(['2026-12-25'], { covers, recorded_at: '2026-12-01T00:00:00.000Z' }))
  expect((await calendar(served)).entries).toMatchObject([
    { period: '2026-10', status: 'published', expected_on: '2026-11-27', expected_on_basis: 'publisher', days_late: 0 },
    { period: '2026-11', status: 'expected', expected_on: '2026-12-25', expected_at: null },
  ])
  expect((await event(served)).start).toBe('DTSTART:20261126T233000Z')
})

it('is a timed event, whose SEQUENCE and stamp rise when its day moves, also before that is announced', async () => {
  const served = await announcedWorld()
  notice(served, { expected_on: '2026-11-29', expected_on_basis: 'lag', expected_at: null })
  const seen = [await event(served)]
  notice(served, { recorded_at: '2026-11-20T10:00:30.000Z' })
  seen.push(await event(served))
  served.now = '2026-11-28T12:00:00.000Z'
  seen.push(await event(served))
  notice(served, { change: 'late', recorded_at: '2026-11-28T00:00:00.000Z' })
  expect(await event(served)).toEqual(seen.at(-1))
  announce(served, '2026-12-04', '2026-11-28T12:00:00.000Z')
  seen.push(await event(served))
  const expected_at = '2026-12-03T23:30:00.000Z'
  notice(served, { expected_on: '2026-12-04', expected_at, recorded_at: '2026-11-28T12:00:30.000Z' })
  seen.push(await event(served))
  // A former owner of the processor repeats what it has found.
  notice(served, { change: 'late', recorded_at: '2026-11-28T12:01:00.000Z' })
  expect(await event(served)).toEqual(seen.at(-1))
  publish(served, '2026-10', '2026-12-04')
  seen.push(await event(served))
  // Timers only say what has changed before.
  expect(seen[1]).toEqual(seen[0])
  expect(seen[4]).toEqual(seen[3])
  const sequences = [seen[0], seen[2], seen[3], seen[5]].map((each) => each?.sequence)
  expect(sequences).toEqual([217_332_000, 217_954_800, 218_030_400, 218_534_400])
  expect(seen.map(({ start }) => start?.split(':')[1])).toEqual([
    '20261126T233000Z',
    '20261126T233000Z',
    '20261126T233000Z',
    '20261203T233000Z',
    '20261203T233000Z',
    '20261203T233000Z',
  ])
  const stamps = [...new Set(seen.map(({ stamp }) => stamp ?? ''))]
  expect(stamps).toHaveLength(4)
  expect(stamps).toEqual(stamps.toSorted())
  expect(seen[0]?.body).toContain('DESCRIPTION:The day that its publisher’s calendar announces.')
})
