import { expect, it, onTestFinished } from 'vitest'
import { openJournal } from '../../cli/parts.ts'
import type { CalendarEntry } from '../../contracts/calendar.ts'
import type { Event, EventPage } from '../../contracts/events.ts'
import { addDays } from '../../domain/day.ts'

import { QUIET_MS } from '../../domain/release-watch.ts'
import { loadConfig } from '../../infra/config.ts'
import { until } from '../support/journal.ts'
import { releaseDates } from '../support/release-dates.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'
import { serviceEnvironment } from '../support/service.ts'
import { useService } from '../support/use-service.ts'

/** A publisher’s calendar in whole processes, with the processors killed between its records. */
const own = useService([])

const rate = testSeries({ indicator: 'unemployment', unit: 'percent', country: 'ISL' })
const today = new Date().toISOString().slice(0, 10)
/** The month that begins `by` months after this one. */
const month = (by: number) => {
  const [year, number] = today.split('-').map(Number)
  return new Date(Date.UTC(year ?? 0, (number ?? 1) - 1 + by)).toISOString().slice(0, 7)
}

const get = async <T>(path: string): Promise<T> => {
  const answer = await fetch(own.service.base + path, { headers: own.headers })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}
/** Undefined while a killed process is away. */
const entry = () =>
  get<{ entries: CalendarEntry[] }>('/v1/calendar?country=ISL&status=expected').then(
    ({ entries }) => entries[0],
    () => undefined,
  )
const announced = (): Promise<Event[]> =>
  get<EventPage>('/v1/events?limit=1000&family=calendar&country=ISL').then(
    ({ events }) => events,
    () => [],
  )

it('is followed by REST, the feed and one event for each day, though the processors are killed', async () => {
  const journal = await openJournal(loadConfig(serviceEnvironment({ ALMANAC_DATA_DIR: own.service.dataDir })))
  onTestFinished(() => journal.close())
  // So long ago that nothing waits for more to come.
  const longAgo = () => Date.now() - QUIET_MS
  const at = longAgo()
  const release = accepted(
    candidate(rate, month(-1), { rate: '3.1' }, { released: { on: today, basis: 'publisher' } }),
    undefined,
    new Date(at).toISOString(),
  )
  await journal.append('releases', 0, [{ value: release, id: release.release_id, at }])
  /** Writes the calendar with this next day, as the ingest does, and returns the day. */
  const announce = async (days: number) => {
    const on = addDays(`${month(1)}-01`, days)
    const dates = [today, on]
    const times = dates.map((day) => `${day}T12:30:00.000Z`)
    const recorded_at = new Date(longAgo()).toISOString()
    const value = releaseDates(dates, { covers: ['ISL/unemployment'], times, recorded_at })
    await journal.append('release_dates', 0, [{ value, id: `dates-${on}`, at: Date.parse(recorded_at) }])
    await until(`the calendar says ${on}`, async () => (await entry())?.expected_on === on, 60_000)
    return on
  }
  const feed = async () => (await fetch(`${own.service.base}/v1/calendar.ics?country=ISL&status=expected`)).text()
  const sequenceIn = (text: string) => Number(/SEQUENCE:(\d+)/.exec(text)?.[1])
  const days = [await announce(8)]
  const before = sequenceIn(await feed())
  expect(await entry()).toMatchObject({ expected_on_basis: 'publisher', expected_at: `${days[0]}T12:30:00.000Z` })
  await until('the day is announced', async () => (await announced()).length === 1, 90_000)
  for (const { name, pid } of own.service.processes()) if (name === 'node.ts') own.service.kill(pid)
  // SEQUENCE counts seconds, so the day moves in another one.
  const announcedAt = Date.now()
  await until('a second has passed', async () => Date.now() >= announcedAt + 1_000)
  days.push(await announce(12))
  let events: Event[] = []
  // Kept, because a killed process may still answer with an error once in a while.
  const hasMoved = async () => {
    events = await announced()
    return events.length >= 2
  }
  await until('the moved day is announced', hasMoved, 120_000)
  expect(events.map(({ type, data }) => [type, data.expected_on, data.expected_at])).toEqual(
    days.map((on) => ['calendar.release.expected', on, `${on}T12:30:00.000Z`]),
  )
  const moved = await feed()
  expect(moved).toContain(`DTSTART:${days[1]?.replaceAll('-', '')}T123000Z\r\n`)
  expect(sequenceIn(moved)).toBeGreaterThan(before)
}, 400_000)
