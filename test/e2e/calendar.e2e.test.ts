import { expect, it } from 'vitest'
import type { CalendarEntry } from '../../contracts/calendar.ts'
import type { Event, EventPage } from '../../contracts/events.ts'
import { streamPath } from '../../contracts/streams.ts'
import { Client } from '../streams/support.ts'
import { until } from '../support/journal.ts'
import { almanac } from '../support/service.ts'
import { usaGdp, useService } from '../support/use-service.ts'

/** Cancellations and the events of the calendar in whole processes, with the processors killed between the steps. */
const own = useService(usaGdp)

const get = async <T>(path: string): Promise<T> => {
  const answer = await fetch(own.service.base + path, { headers: own.headers })
  const body = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${body}`)
  return JSON.parse(body) as T
}
/** Undefined while a killed process is away. */
const entry = async (): Promise<CalendarEntry | undefined> =>
  get<{ entries: CalendarEntry[] }>('/v1/calendar?country=USA&indicator=gdp&limit=1000').then(
    ({ entries }) => entries.find(({ period }) => period === '2026-Q3'),
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
  // The sample's next GDP was expected on 2026-10-28.
  const streamed = () => stream.of('event').map(({ event }) => typeAndSubject(event as Event))
  const count = (name: string) => streamed().filter((line) => line === `USA/gdp/2026-Q3 ${name}`).length
  await until('the release is announced as late', () => streamed().includes('USA/gdp/2026-Q3 late'), 90_000)
  await killNode()

  const sequence = async (): Promise<number> => {
    let found = Number.NaN
    // The process that answers may have been killed just before.
    const isRead = async () => {
      const answer = await fetch(`${own.service.base}/v1/calendar.ics?country=USA&indicator=gdp`).catch(() => undefined)
      const event = (await answer?.text())?.split('BEGIN:VEVENT').find((text) => text.includes('2026-Q3'))
      found = Number(/SEQUENCE:(\d+)/.exec(event ?? '')?.[1])
      return !Number.isNaN(found)
    }
    await until('the feed has the event', isRead, 60_000)
    return found
  }
  const sequences = [await sequence()]
  for (let round = 0; round < 2; round++) {
    for (const [action, status] of [
      ['cancel', 'cancelled'],
      ['restore', 'late'],
    ] as const) {
      const args = ['calendar', action, 'USA', 'gdp', '2026-Q3', '--reason', `round ${round}`]
      const said = await almanac(args, { ALMANAC_DATA_DIR: own.service.dataDir })
      expect(said, said.stderr).toMatchObject({ code: 0 })
      await killNode()
      await until(`the calendar says ${status}`, async () => (await entry())?.status === status, 60_000)
      sequences.push(await sequence())
    }
    await until('it is announced as late again', () => count('late') === round + 2, 60_000)
  }
  expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b))

  const expected = ['late', ...Array(2).fill(['cancelled', 'restored', 'late']).flat()].map(
    (name) => `USA/gdp/2026-Q3 ${name}`,
  )
  const ofGdp = (all: readonly string[]) =>
    all.filter((line) => line.startsWith('USA/gdp/2026-Q3 ') && !line.endsWith('expected'))
  await until('every event is streamed', () => ofGdp(streamed()).length >= expected.length, 90_000)
  expect(ofGdp(streamed())).toEqual(expected)
  await until(
    'every event is in the read model',
    async () => {
      const all = await events('family=calendar').catch(() => [])
      return ofGdp(all.map(typeAndSubject)).length >= expected.length
    },
    60_000,
  )
  const all = await events('family=calendar')
  expect(ofGdp(all.map(typeAndSubject))).toEqual(expected)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  expect((await events('type=calendar.release.cancelled')).map(({ data }) => data.reason)).toEqual([
    'round 0',
    'round 1',
  ])
}, 400_000)
