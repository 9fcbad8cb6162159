import { expect, it } from 'vitest'
import { calendarOf } from '../../api/release-calendar.ts'
import { measureCalendar, newRegistry } from '../../cli/processes/metrics.ts'
import { Releases } from '../api/releases-in-memory.ts'
import { releaseDates } from '../support/release-dates.ts'
import { testSeries } from '../support/releases.ts'

it('late releases are counted by the basis of their day, and not before the figures are in memory', async () => {
  const releases = new Releases()
  const rate = (country: string) => testSeries({ indicator: 'unemployment', unit: 'percent', country })
  const publish = (country: string, period: string, on: string) =>
    releases.accept(rate(country), period, { rate: '3.1' }, `${on}T08:00:00.000Z`, {
      released: { on, basis: 'publisher' },
    })
  for (const country of ['ISL', 'NOR']) {
    publish(country, '2026-05', '2026-06-10')
    publish(country, '2026-06', '2026-07-10')
    publish(country, '2026-07', '2026-08-10')
  }
  releases.dates.apply(releaseDates(['2026-09-15', '2026-10-20'], { covers: ['ISL/unemployment'] }))

  let now = new Date('2026-09-01T00:00:00.000Z')
  const { board: figures, releaseIndex, statements, dates } = releases
  const { pending } = calendarOf({ figures, releaseIndex, statements, releaseDates: dates, clock: () => now })
  let isLoaded = false
  const registry = newRegistry()
  measureCalendar(() => (isLoaded ? pending() : undefined), registry)
  const samples = async () =>
    (await registry.getSingleMetricAsString('almanac_late_releases')).split('\n').filter((line) => line.includes('{'))

  expect(await samples()).toEqual([])
  isLoaded = true
  const late = (lag: number, publisher: number) => [
    `almanac_late_releases{basis="lag"} ${lag}`,
    `almanac_late_releases{basis="publisher"} ${publisher}`,
    'almanac_late_releases{basis="standard"} 0',
  ]
  expect(await samples()).toEqual(late(0, 0))
  now = new Date('2026-09-12T00:00:00.000Z')
  expect(await samples()).toEqual(late(1, 0))
  now = new Date('2026-10-14T00:00:00.000Z')
  expect(await samples()).toEqual(late(2, 1))
  publish('ISL', '2026-08', '2026-10-14')
  expect(await samples()).toEqual(late(2, 0))
})
