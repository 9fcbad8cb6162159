import { describe, expect, it } from 'vitest'
import type { CalendarEntry } from '../../contracts/calendar.ts'
import type { CalendarChange } from '../../contracts/records.ts'
import type { GapStatus } from '../../domain/calendar-statements.ts'
import { unknownDay } from '../../domain/release-calendar.ts'
import { testSeries } from '../support/releases.ts'
import { ask, NOW, type World, world } from './support.ts'

/** A Japanese index without 2026-08, and the rate that is derived from it. */
const index = testSeries({ country: 'JPN' })
const rate = testSeries({
  country: 'JPN',
  indicator: 'inflation',
  unit: 'percent',
  derivation: 'inflation_from_cpi',
})

async function withoutAugust(status: GapStatus): Promise<World> {
  const served = await world()
  const change = { year_over_year: '2.7', month_over_month: '0.1', year_to_date: '2.6' }
  for (const period of ['2026-06', '2026-07', '2026-09']) served.releases.accept(index, period, { value: '101' }, NOW)
  for (const period of ['2026-06', '2026-07']) served.releases.accept(rate, period, change, NOW)
  served.releases.statements.apply(saidOfAugust(status))
  return served
}

const saidOfAugust = (change: GapStatus): CalendarChange => ({
  change,
  country: 'JPN',
  indicator: 'cpi',
  period: '2026-08',
  series: index.id,
  ...unknownDay,
  reason: 'There was no survey.',
  recorded_at: NOW,
})

const problemOf = async ({ app }: World, path: string) => {
  const { problem, statusCode } = await ask(app, `/v1/economics/JPN/${path}`)
  expect(statusCode).toBe(404)
  return `${problem.code}: ${problem.detail}`
}

describe('a figure that was never published', () => {
  it('is refused with the fact, and so are the rates that need it', async () => {
    const served = await withoutAugust('never_published')
    const own =
      'never_published: cpi of JPN (Japan) was never published for 2026-08: There was no survey. Published: months 2026-06 to 2026-09.'
    expect(await problemOf(served, 'cpi?period=2026-08')).toBe(own)
    expect(await problemOf(served, 'cpi/vintages?period=2026-08')).toBe(own)
    for (const period of ['2026-08', '2026-09', '2027-08']) {
      expect(await problemOf(served, `inflation?period=${period}`)).toBe(
        `never_published: inflation of JPN (Japan) for ${period} needs cpi of 2026-08, which was never published: There was no survey. It is not interpolated. Published: months 2026-06 to 2026-07.`,
      )
    }
    expect(await problemOf(served, 'inflation?period=2026-10')).toMatch(/^no_complete_publication: .* is not published/)
    expect((await ask(served.app, '/v1/economics/JPN/cpi')).json()).toMatchObject({ period: '2026-09' })
  })

  it('is in the calendar and the feed, with what is derived from it, by the last day of its period', async () => {
    const served = await withoutAugust('never_published')
    const listed = await ask(served.app, '/v1/calendar?country=JPN&status=never_published&start=2026-08-31')
    const entries = listed.json<{ entries: CalendarEntry[] }>().entries
    const shown = entries.map(({ indicator, period, reason, stated_at }) => [indicator, period, reason, stated_at])
    const needs = 'needs cpi of 2026-08, which was never published: There was no survey.'
    expect(shown).toEqual([
      ['cpi', '2026-08', 'There was no survey.', NOW],
      ['inflation', '2026-08', needs, NOW],
      ['inflation', '2026-09', needs, NOW],
      ['inflation', '2027-08', needs, NOW],
    ])
    const feed = (await ask(served.app, '/v1/calendar.ics?country=JPN&status=never_published')).body
    expect(feed.match(/STATUS:CANCELLED/g)).toHaveLength(4)
    expect(feed).toContain('DTSTART;VALUE=DATE:20260831')
    expect(feed.replaceAll('\r\n ', '')).toContain('Never published: There was no survey.')
  })

  it('is in the calendar as such also after a figure came and was withdrawn', async () => {
    const served = await withoutAugust('never_published')
    const statusOf = async () => {
      const { entries } = (await ask(served.app, '/v1/calendar?country=JPN&indicator=cpi')).json()
      return entries.flatMap(({ period, status }: CalendarEntry) => (period === '2026-08' ? [status] : []))
    }
    const publisher = (on: string) => ({ released: { on, basis: 'publisher' as const } })
    served.releases.accept(index, '2026-08', { value: '102' }, NOW, publisher('2026-09-20'))
    expect(await statusOf()).toEqual(['published'])
    served.releases.accept(index, '2026-08', {}, NOW, { printed: null })
    expect(await problemOf(served, 'cpi?period=2026-08')).toMatch(/^never_published: /)
    expect(await statusOf()).toEqual(['never_published'])
  })

  const catalogLink = (country: string, indicator: string) =>
    `</v1/catalog?country=${country}&indicator=${indicator}>; rel="collection"`
  const versionsLink = (country: string) => `</v1/economics/${country}/cpi/vintages>; rel="version-history"`

  it('is named by a link of the histories with a gap, in JSON and CSV, and of no other', async () => {
    const { app } = await withoutAugust('never_published')
    const linkOf = async (path: string) => (await ask(app, `/v1/economics/${path}`)).headers.link
    const link = (indicator: string) =>
      `</v1/calendar?country=JPN&indicator=${indicator}&status=never_published>; rel="related", ${catalogLink('JPN', indicator)}`
    expect(await linkOf('JPN/cpi/observations')).toBe(`${link('cpi')}, ${versionsLink('JPN')}`)
    expect(await linkOf('JPN/inflation/vintages')).toBe(link('inflation'))
    expect(await linkOf('JPN/cpi/observations?format=csv&limit=1')).toMatch(
      /; rel="next", <.*; rel="related", <.*; rel="collection", <.*; rel="version-history"$/,
    )
    expect(await linkOf('USA/cpi/observations')).toBe(`${catalogLink('USA', 'cpi')}, ${versionsLink('USA')}`)
  })

  it('is named by the links of a history that was asked for before the statement, and of one before its figure', async () => {
    const served = await withoutAugust('cancelled')
    const linkOf = async () => (await ask(served.app, '/v1/economics/JPN/inflation/observations')).headers.link
    expect(await linkOf()).not.toContain('never_published')
    served.releases.statements.apply(saidOfAugust('never_published'))
    expect(await linkOf()).toContain('never_published')
    // The rates can be computed now, and no answer of theirs has changed yet.
    served.releases.accept(index, '2026-08', { value: '102' }, NOW)
    expect(await linkOf()).not.toContain('never_published')
  })

  it('is told apart from one that was cancelled', async () => {
    const served = await withoutAugust('cancelled')
    expect(await problemOf(served, 'cpi?period=2026-08')).toMatch(/^no_complete_publication: .* was cancelled for/)
    const { entries } = (await ask(served.app, '/v1/calendar?country=JPN&status=cancelled')).json()
    expect(entries.map(({ indicator, period }: CalendarEntry) => `${indicator} ${period}`)).toEqual([
      'cpi 2026-08',
      'inflation 2026-08',
      'inflation 2026-09',
      'inflation 2027-08',
    ])
    expect((await ask(served.app, '/v1/economics/JPN/cpi/observations')).headers.link).toBe(
      `${catalogLink('JPN', 'cpi')}, ${versionsLink('JPN')}`,
    )
  })
})
