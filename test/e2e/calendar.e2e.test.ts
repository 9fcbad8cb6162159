import { expect, it, onTestFinished } from 'vitest'
import { openJournal } from '../../cli/parts.ts'
import type { CalendarEntry } from '../../contracts/calendar.ts'
import type { Event, EventPage } from '../../contracts/events.ts'
import { streamPath } from '../../contracts/streams.ts'
import { addDays } from '../../domain/day.ts'
import { releaseTitle } from '../../domain/release-title.ts'
import { QUIET_MS } from '../../domain/release-watch.ts'
import { loadConfig } from '../../infra/config.ts'
import { Client } from '../streams/support.ts'
import { runCommand } from '../support/command.ts'
import { until } from '../support/journal.ts'
import { releaseDates } from '../support/release-dates.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'
import { serviceEnvironment } from '../support/service.ts'
import { useService } from '../support/use-service.ts'

/**
 * Cancellations, a publisher’s calendar and the events of both in whole processes, with the processors killed between the
 * steps. Each test has a country of its own.
 */
const own = useService([])
/** Cancellations, each with a restoration; ALMANAC_TEST_ROUNDS=10 for the long run. */
const ROUNDS = Number(process.env.ALMANAC_TEST_ROUNDS ?? 1)
/** Between two looks: a key has few calls a minute. */
const POLL_MS = 250

const today = new Date().toISOString().slice(0, 10)
/** The month that begins `by` months after this one. */
const month = (by: number) => {
  const [year, number] = today.split('-').map(Number)
  return new Date(Date.UTC(year ?? 0, (number ?? 1) - 1 + by)).toISOString().slice(0, 7)
}
/** So long ago that nothing waits for more to come; test/processors/announced-calendar.test.ts proves that wait. */
const longAgo = () => Date.now() - QUIET_MS
const unemploymentOf = (country: string) => testSeries({ indicator: 'unemployment', unit: 'percent', country })

/** A client of the service's journal, until the test ends. */
async function openOwnJournal() {
  const journal = await openJournal(loadConfig(serviceEnvironment({ ALMANAC_DATA_DIR: own.service.dataDir })))
  onTestFinished(() => journal.close())
  return journal
}
type OwnJournal = Awaited<ReturnType<typeof openOwnJournal>>

/** Writes a rate of unemployment that its office published on a day, as the ingest does. */
async function publish(journal: OwnJournal, country: string, period: string, on: string): Promise<void> {
  const at = longAgo()
  const print = candidate(unemploymentOf(country), period, { rate: '3.1' }, { released: { on, basis: 'publisher' } })
  const release = accepted(print, undefined, new Date(at).toISOString())
  await journal.append('releases', 0, [{ value: release, id: release.release_id, at }])
}

const get = async <T>(path: string): Promise<T> => {
  const answer = await fetch(own.service.base + path, { headers: own.headers })
  const body = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${body}`)
  return JSON.parse(body) as T
}
/** A month of Norway that was to come out on the 20th of the month after it, and did not. */
const missing = month(-2)
/** Undefined while a killed process is away. */
const entry = async (): Promise<CalendarEntry | undefined> =>
  get<{ entries: CalendarEntry[] }>('/v1/calendar?country=NOR&limit=1000').then(
    ({ entries }) => entries.find(({ period }) => period === missing),
    () => undefined,
  )
const events = async (query: string): Promise<Event[]> =>
  (await get<EventPage>(`/v1/events?limit=1000&${query}`)).events
const typeAndSubject = ({ type, subject }: Event) => `${subject} ${type.split('.')[2]}`

/** Kills the process of the processors and the api; waits for it first, if it was killed just before. */
async function killNode(): Promise<void> {
  const nodes = () => own.service.processes().filter(({ name }) => name === 'node.ts')
  await until('there is a node', () => nodes().length > 0)
  for (const { pid } of nodes()) own.service.kill(pid)
}

it('a release is late, cancelled and restored, each in one event, though the processors are killed at each step', async () => {
  const stream = new Client(own.service.streams + streamPath('events'), { headers: own.headers })
  expect(await stream.seen('ready')).toHaveLength(1)
  stream.send({
    action: 'subscribe',
    types: ['calendar.release.late', 'calendar.release.cancelled', 'calendar.release.restored'],
    cursor: 'earliest',
  })
  const journal = await openOwnJournal()
  for (const by of [-5, -4, -3]) await publish(journal, 'NOR', month(by), `${month(by + 1)}-20`)
  const subject = `NOR/unemployment/${missing}`
  const streamed = () => stream.of('event').map(({ event }) => typeAndSubject(event as Event))
  const count = (name: string) => streamed().filter((line) => line === `${subject} ${name}`).length
  await until('the release is announced as late', () => streamed().includes(`${subject} late`))
  await killNode()

  const sequence = async (): Promise<number> => {
    let found = Number.NaN
    // The process that answers may have been killed just before.
    const isRead = async () => {
      const answer = await fetch(`${own.service.base}/v1/calendar.ics?country=NOR`).catch(() => undefined)
      const event = (await answer?.text())
        ?.split('BEGIN:VEVENT')
        .find((text) => text.includes(releaseTitle('unemployment', 'NOR', missing).replaceAll(',', '\\,')))
      found = Number(/SEQUENCE:(\d+)/.exec(event ?? '')?.[1])
      return !Number.isNaN(found)
    }
    await until('the feed has the event', isRead, POLL_MS)
    return found
  }
  const sequences = [await sequence()]
  for (let round = 0; round < ROUNDS; round++) {
    for (const [action, status] of [
      ['cancel', 'cancelled'],
      ['restore', 'late'],
    ] as const) {
      const args = ['calendar', action, 'NOR', 'unemployment', missing, '--reason', `round ${round}`]
      const said = await runCommand(args, { ALMANAC_DATA_DIR: own.service.dataDir })
      expect(said, said.stderr).toMatchObject({ code: 0 })
      await killNode()
      await until(`the calendar says ${status}`, async () => (await entry())?.status === status, POLL_MS)
      sequences.push(await sequence())
    }
    await until('it is announced as late again', () => count('late') === round + 2)
  }
  expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b))

  const expected = ['late', ...Array(ROUNDS).fill(['cancelled', 'restored', 'late']).flat()].map(
    (name) => `${subject} ${name}`,
  )
  const ofMissing = (all: readonly string[]) =>
    all.filter((line) => line.startsWith(`${subject} `) && !line.endsWith('expected'))
  await until('every event is streamed', () => ofMissing(streamed()).length >= expected.length)
  expect(ofMissing(streamed())).toEqual(expected)
  await until(
    'every event is in the read model',
    async () => {
      const all = await events('family=calendar').catch(() => [])
      return ofMissing(all.map(typeAndSubject)).length >= expected.length
    },
    POLL_MS,
  )
  const all = await events('family=calendar')
  expect(ofMissing(all.map(typeAndSubject))).toEqual(expected)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  expect((await events('type=calendar.release.cancelled')).map(({ data }) => data.reason)).toEqual(
    Array.from({ length: ROUNDS }, (_, round) => `round ${round}`),
  )
})

/** Undefined while a killed process is away. */
const icelandicEntry = () =>
  get<{ entries: CalendarEntry[] }>('/v1/calendar?country=ISL&status=expected').then(
    ({ entries }) => entries[0],
    () => undefined,
  )
const announced = (): Promise<Event[]> =>
  get<EventPage>('/v1/events?limit=1000&family=calendar&country=ISL').then(
    ({ events }) => events,
    () => [],
  )

it('a publisher’s calendar is followed by REST, the feed and one event for each day, though the processors are killed', async () => {
  const journal = await openOwnJournal()
  await publish(journal, 'ISL', month(-1), today)
  /** Writes the calendar with this next day, as the ingest does, and returns the day. */
  const announce = async (days: number) => {
    const on = addDays(`${month(1)}-01`, days)
    const dates = [today, on]
    const times = dates.map((day) => `${day}T12:30:00.000Z`)
    const recorded_at = new Date(longAgo()).toISOString()
    const value = releaseDates(dates, { covers: ['ISL/unemployment'], times, recorded_at })
    await journal.append('release_dates', 0, [{ value, id: `dates-${on}`, at: Date.parse(recorded_at) }])
    await until(`the calendar says ${on}`, async () => (await icelandicEntry())?.expected_on === on, POLL_MS)
    return on
  }
  const feed = async () => (await fetch(`${own.service.base}/v1/calendar.ics?country=ISL&status=expected`)).text()
  const sequenceIn = (text: string) => Number(/SEQUENCE:(\d+)/.exec(text)?.[1])
  const days = [await announce(8)]
  const before = sequenceIn(await feed())
  expect(await icelandicEntry()).toMatchObject({
    expected_on_basis: 'publisher',
    expected_at: `${days[0]}T12:30:00.000Z`,
  })
  await until('the day is announced', async () => (await announced()).length === 1, POLL_MS)
  await killNode()
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
  await until('the moved day is announced', hasMoved, POLL_MS)
  expect(events.map(({ type, data }) => [type, data.expected_on, data.expected_at])).toEqual(
    days.map((on) => ['calendar.release.expected', on, `${on}T12:30:00.000Z`]),
  )
  const moved = await feed()
  expect(moved).toContain(`DTSTART:${days[1]?.replaceAll('-', '')}T123000Z\r\n`)
  expect(sequenceIn(moved)).toBeGreaterThan(before)
})
