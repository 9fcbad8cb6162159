import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { EventPage } from '../../contracts/events.ts'
import { SIMULATOR } from '../../contracts/instruments.ts'
import { startDemo } from '../support/demo.ts'
import { until } from '../support/journal.ts'
import type { Service } from '../support/service.ts'

const SECOND = 1_000
const families = ['commodities', 'fx', 'prices'].map((family) => `family=${family}`).join('&')

it('a service that was stopped for a while tells one event, and none of its instruments', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'almanac-outage-'))
  const services: Service[] = []
  onTestFinished(async () => {
    for (const service of services) await service.destroy()
    await rm(dataDir, { recursive: true, force: true })
  })
  const start = async () => {
    const service = await startDemo(dataDir, [], { ALMANAC_SCHEDULE: '0' })
    services.push(service)
    const headers = { authorization: `Bearer ${(await service.keys()).pro}` }
    const get = async <T>(path: string): Promise<T> => {
      const answer = await fetch(service.base + path, { headers })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as T
    }
    const isCurrent = () =>
      get<{ stale: boolean }>('/v1/commodities/spot/XAU/USD').then(
        ({ stale }) => !stale,
        () => false,
      )
    await until('gold has a current price', isCurrent, SECOND)
    /** Events of prices, but for the openings and closings of markets, which may fall into the test. */
    const events = async (cursor: string) => {
      const page = await get<EventPage>(`/v1/events?limit=1000&cursor=${cursor}&${families}`)
      return { ...page, events: page.events.filter(({ type }) => !type.startsWith('prices.session.')) }
    }
    return { service, get, events }
  }

  const first = await start()
  const begun = await first.events('earliest')
  expect(begun.events).toEqual([])
  expect(await first.service.stop()).toBe(0)
  const stopped = Date.now()
  await new Promise((resolve) => setTimeout(resolve, 31 * SECOND))

  const started = Date.now()
  const second = await start()
  const after = () => second.events(begun.next_cursor)
  await until('the outage is told', async () => (await after()).events.length > 0, 2 * SECOND)
  const catalog = await second.get<{ instruments: unknown[] }>('/v1/catalog/instruments')
  const { events } = await after()
  expect(events.map(({ type, subject }) => [type, subject])).toEqual([['prices.source.interrupted', SIMULATOR]])
  const [outage] = events
  const { since, until: back, ...data } = outage?.data ?? {}
  expect(data).toEqual({ source: SIMULATOR, instruments: catalog.instruments.length - 1 })
  expect(Date.parse(String(since))).toBeLessThanOrEqual(stopped)
  expect(Date.parse(String(since))).toBeGreaterThan(stopped - 30 * SECOND)
  expect(Date.parse(String(back))).toBeGreaterThanOrEqual(started)
})
