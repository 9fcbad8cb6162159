import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import type { CalendarEntry } from '../../contracts/calendar.ts'
import { testSeries } from '../support/releases.ts'
import { ask, type World, world } from './support.ts'

const rate = testSeries({ indicator: 'unemployment', unit: 'percent', base_period: '', base_value: '', country: 'JPN' })
const publish = ({ releases }: World, period: string, on: string, value: string) =>
  releases.accept(rate, period, { rate: value }, `${on}T08:00:00.000Z`, { released: { on, basis: 'publisher' } })
const calendar = async ({ app }: World, query: string) =>
  (await ask(app, `/v1/calendar?${query}`)).json<{ entries: CalendarEntry[] }>()

describe('a published entry', () => {
  it('has the figure as first published, and that of the period before as it was known then', async () => {
    const served = await world()
    publish(served, '2026-08', '2026-09-29', '2.5')
    publish(served, '2026-09', '2026-10-30', '2.6')
    // With the figure of September came a revision of August, and both were revised later.
    publish(served, '2026-08', '2026-10-30', '2.4')
    publish(served, '2026-08', '2026-11-15', '2.3')
    publish(served, '2026-09', '2026-11-15', '2.7')
    const { entries } = await calendar(served, 'country=JPN&end=2026-11-20')
    expect(entries).toMatchObject([
      { period: '2026-08', actual: '2.5', previous: null, previous_revised: null },
      { period: '2026-09', actual: '2.6', previous: '2.5', previous_revised: '2.4' },
    ])
    const { body } = await ask(served.app, '/v1/calendar?country=JPN&status=published&format=csv')
    const rows: Record<string, string>[] = parse(body, { columns: true })
    expect(rows[1]).toMatchObject({ unit: 'percent', figure: 'rate', actual: '2.6', previous: '2.5' })
    expect(rows[1]).toMatchObject({ title: 'Unemployment rate, Japan, September 2026', previous_revised: '2.4' })
  })

  it('has as previous what came with the first document, which holds the whole past', async () => {
    const served = await world()
    publish(served, '2026-08', '2026-10-30', '2.5')
    publish(served, '2026-09', '2026-10-30', '2.6')
    const { entries } = await calendar(served, 'country=JPN&status=published')
    expect(entries).toMatchObject([{ period: '2026-09', actual: '2.6', previous: '2.5', previous_revised: null }])
  })
})
