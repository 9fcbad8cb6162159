import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CalendarEvent, calendarText } from '../../api/icalendar.ts'
import type { CalendarEntry } from '../../contracts/calendar.ts'
import { countries } from '../../contracts/countries.ts'
import type { Series } from '../../contracts/records.ts'
import { encodeCalendarCursor } from '../../domain/calendar-cursor.ts'
import { encodeCursor } from '../../domain/cursor.ts'
import { unknownDay } from '../../domain/release-calendar.ts'
import { flowSeries, testSeries } from '../support/releases.ts'
import { ask, JOURNAL, NOW, type World, world } from './support.ts'

type Calendar = { readonly entries: CalendarEntry[]; readonly next_cursor: string | null; readonly as_of: string }

const unemployment = { indicator: 'unemployment', unit: 'percent', base_period: '', base_value: '' } as const
const rate = testSeries({ ...unemployment, country: 'JPN' })
const publish = (
  { releases }: World,
  series: Series,
  period: string,
  on: string,
  figures = { rate: '2.5' } as object,
) => releases.accept(series, period, { ...figures }, `${on}T08:00:00.000Z`, { released: { on, basis: 'publisher' } })
/** First prints with lags of 28, 29 and 30 days. The next figures are expected 29 days after their month. */
function publishThree(served: World): void {
  publish(served, rate, '2026-07', '2026-08-28')
  publish(served, rate, '2026-08', '2026-09-29')
  publish(served, rate, '2026-09', '2026-10-30')
}
/** Says that releases of the Japanese rate are cancelled or restored. */
const sayer =
  ({ releases: { statements } }: World) =>
  (change: 'cancelled' | 'restored', period: string, recorded_at = NOW) =>
    statements.apply({
      change,
      country: 'JPN',
      indicator: 'unemployment',
      period,
      series: rate.id,
      ...unknownDay,
      reason: 'no survey',
      recorded_at,
    })
const calendar = async ({ app }: World, query: string) => (await ask(app, `/v1/calendar?${query}`)).json<Calendar>()
const shown = ({ entries }: Calendar) =>
  entries.map(({ period, status, expected_on, published_on, days_late }) => [
    period,
    status,
    expected_on,
    published_on,
    days_late,
  ])

describe('the calendar', () => {
  it('has what is published, what is late, and the next release', async () => {
    const served = await world()
    publishThree(served)
    served.now = '2026-12-31T12:00:00.000Z'
    expect(shown(await calendar(served, 'country=JPN'))).toEqual([
      ['2026-07', 'published', null, '2026-08-28', null],
      ['2026-08', 'published', null, '2026-09-29', null],
      ['2026-09', 'published', null, '2026-10-30', null],
      ['2026-10', 'late', '2026-11-29', null, 32],
      ['2026-11', 'late', '2026-12-29', null, 2],
      ['2026-12', 'expected', '2027-01-29', null, 0],
    ])
    const print = publish(served, rate, '2026-10', '2026-12-31')
    const { entries } = await calendar(served, 'country=JPN&status=published')
    expect(entries.at(-1)).toEqual({
      title: 'Unemployment rate, Japan, October 2026',
      country: 'JPN',
      indicator: 'unemployment',
      publisher: '',
      series: rate.id,
      period: '2026-10',
      status: 'published',
      expected_on: '2026-11-29',
      expected_on_basis: 'lag',
      expected_at: null,
      published_on: '2026-12-31',
      published_on_basis: 'publisher',
      release_id: print.release_id,
      stated_at: null,
      reason: null,
      days_late: 32,
      unit: 'percent',
      figure: 'rate',
      actual: '2.5',
      previous: '2.5',
      previous_revised: null,
    })
  })

  it('has as published what another series answers, by its release, and the next one on the day of the best series', async () => {
    const served = await world()
    publishThree(served)
    served.now = '2026-12-31T12:00:00.000Z'
    const other = testSeries({ ...unemployment, country: 'JPN', dataset: 'T2' })
    for (const period of ['2026-08', '2026-10']) publish(served, other, period, '2026-12-20')
    publish(served, other, '2026-11', '2026-12-30')
    const { entries } = await calendar(served, 'country=JPN')
    const lines = entries
      .slice(2)
      .map(({ period, status, series, expected_on, days_late }) => [period, status, series, expected_on, days_late])
    expect(lines).toEqual([
      ['2026-09', 'published', rate.id, null, null],
      ['2026-10', 'published', other.id, '2026-11-29', 21],
      ['2026-11', 'published', other.id, '2026-12-29', 1],
      ['2026-12', 'expected', rate.id, '2027-01-29', 0],
    ])
    // The best series goes on, and the entry is its release.
    const print = publish(served, rate, '2026-10', '2026-12-30')
    const after = (await calendar(served, 'country=JPN')).entries
    expect(after.find(({ period }) => period === '2026-10')).toMatchObject({
      series: rate.id,
      release_id: print.release_id,
      published_on: '2026-12-30',
    })
    expect(after.map(({ period }) => period)).toEqual([...new Set(after.map(({ period }) => period))])
  })

  it('has the release of the series that answers once the best one has withdrawn its own', async () => {
    const served = await world()
    publishThree(served)
    served.now = '2026-12-31T12:00:00.000Z'
    const other = testSeries({ ...unemployment, country: 'JPN', dataset: 'T2' })
    const print = publish(served, other, '2026-08', '2026-10-20')
    publish(served, other, '2026-08', '2026-11-20', { rate: '2.6' })
    const august = async () =>
      (await calendar(served, 'country=JPN')).entries.filter(({ period }) => period === '2026-08')
    expect(await august()).toMatchObject([{ series: rate.id, published_on: '2026-09-29' }])
    served.releases.accept(rate, '2026-08', {}, '2026-12-01T08:00:00.000Z', { printed: null })
    expect(await august()).toMatchObject([
      { status: 'published', series: other.id, release_id: print.release_id, published_on: '2026-10-20', reason: null },
    ])
  })

  it('says of a figure that was published when it was withdrawn, until it comes back', async () => {
    const served = await world()
    publishThree(served)
    served.now = '2026-12-31T12:00:00.000Z'
    const august = async () =>
      (await calendar(served, 'country=JPN')).entries.filter(({ period }) => period === '2026-08')
    const recordedAt = '2026-12-01T08:00:00.000Z'
    served.releases.accept(rate, '2026-08', {}, recordedAt, { printed: null })
    expect(await august()).toMatchObject([
      { status: 'published', published_on: '2026-09-29', stated_at: recordedAt, reason: 'withdrawn on 2026-12-01' },
    ])
    served.releases.accept(rate, '2026-08', { rate: '2.7' }, '2026-12-02T08:00:00.000Z')
    expect(await august()).toMatchObject([{ status: 'published', stated_at: null, reason: null }])
  })

  it('takes the day of the standard where the series’ own lag is unknown, and keeps the day of a first print when it is revised', async () => {
    const served = await world()
    publish(served, rate, '2026-07', '2026-08-28')
    publish(served, rate, '2026-07', '2026-10-28', { rate: '2.6' })
    expect(shown(await calendar(served, 'country=JPN'))).toEqual([
      ['2026-07', 'published', null, '2026-08-28', null],
      ['2026-08', 'expected', '2026-12-01', null, 0],
    ])
    const { entries } = await calendar(served, 'country=JPN&status=expected')
    expect(entries).toMatchObject([{ expected_on_basis: 'standard', expected_at: null }])
  })

  it('gives no date where none is known', async () => {
    const served = await world()
    publish(served, testSeries({ ...unemployment, country: 'BRA' }), '2026-09', '2026-10-28')
    expect(shown(await calendar(served, 'country=BRA'))).toEqual([
      ['2026-09', 'published', null, '2026-10-28', null],
      ['2026-10', 'expected', null, null, null],
    ])
    expect(shown(await calendar(served, 'country=BRA&end=2027-12-31'))).toHaveLength(1)
  })

  it('shows what is cancelled with its reason, until it is restored or published', async () => {
    const served = await world()
    publishThree(served)
    served.now = '2026-12-01T12:00:00.000Z'
    const stated_at = '2026-11-30T09:00:00.000Z'
    const say = sayer(served)
    say('cancelled', '2026-10', stated_at)
    const pending = async () => shown(await calendar(served, 'country=JPN&start=2026-11-01'))
    expect(await pending()).toEqual([
      ['2026-10', 'cancelled', '2026-11-29', null, null],
      ['2026-11', 'expected', '2026-12-29', null, 0],
    ])
    const { entries, as_of } = await calendar(served, 'status=cancelled')
    expect(entries).toMatchObject([{ period: '2026-10', stated_at, reason: 'no survey', release_id: null }])
    expect(as_of).toBe(stated_at)
    expect((await calendar(served, 'country=JPN&status=late')).entries).toEqual([])
    // A later figure leaves the gap, and the gap stays in the calendar.
    publish(served, rate, '2026-11', '2026-12-30')
    expect(await pending()).toContainEqual(['2026-10', 'cancelled', '2026-11-29', null, null])
    say('restored', '2026-10')
    expect((await calendar(served, 'country=JPN')).entries.map(({ period }) => period)).not.toContain('2026-10')
    say('cancelled', '2026-10')
    const print = publish(served, rate, '2026-10', '2027-01-05')
    const published = (await calendar(served, 'country=JPN&start=2027-01-01')).entries
    expect(published).toMatchObject([
      { period: '2026-10', status: 'published', release_id: print.release_id, days_late: 37, stated_at: null },
      { period: '2026-12', status: 'expected' },
    ])
  })

  it('shows a cancelled release without an expected day on the day of its cancellation, in the feed too', async () => {
    const served = await world()
    publish(served, rate, '2026-09', '2026-10-30')
    sayer(served)('cancelled', '2026-10', '2026-11-21T23:59:00.000Z')
    const { entries } = await calendar(served, 'country=JPN&start=2026-11-22&end=2026-11-22')
    // By then it was morning in Tokyo.
    expect(entries).toMatchObject([{ period: '2026-10', status: 'cancelled', expected_on: null }])
    const { body } = await ask(served.app, '/v1/calendar.ics?country=JPN&status=cancelled')
    expect(body).toContain('DTSTART;VALUE=DATE:20261122\r\n')
  })

  it('leaves out what a series that has ended lacks, with a usual lag or without', async () => {
    const served = await world()
    const yearly = { ...unemployment, frequency: 'A' } as const
    publish(served, testSeries({ ...yearly, country: 'KOR' }), '2018', '2019-02-28')
    publish(served, testSeries({ ...yearly, country: 'NZL' }), '2023', '2024-12-28')
    publishThree(served)
    expect(shown(await calendar(served, 'country=KOR&country=NZL'))).toEqual([
      ['2018', 'published', null, '2019-02-28', null],
      ['2023', 'published', null, '2024-12-28', null],
      ['2024', 'expected', null, null, null],
    ])
    const pendingOf = async (now: string) => {
      served.now = now
      return (await calendar(served, 'country=JPN&status=late&status=expected')).entries.length
    }
    expect(await pendingOf('2028-11-29T12:00:00.000Z')).toBe(25)
    expect(await pendingOf('2028-11-30T12:00:00.000Z')).toBe(0)
  })

  it('has of the periods of a served series only its own releases, and nothing that is not public', async () => {
    const served = await world()
    publish(served, testSeries({ source: 'OTHER', base_period: '2010' }), '2025-11', '2026-02-10', { value: '1' })
    publish(served, flowSeries('trade-exports', { country: 'CHN' }), '2026-01', '2026-02-10', { value: '1' })
    publish(served, flowSeries('trade-imports', { country: 'CHN' }), '2026-01', '2026-02-10', { value: '1' })
    const { entries } = await calendar(served, 'country=CHN&country=USA&limit=1000')
    expect(new Set(entries.map(({ series }) => series)).size).toBeGreaterThan(5)
    expect(entries.filter(({ series }) => /OTHER|CHN\.trade-exports/.test(series))).toEqual([])
    expect(entries.filter(({ country }) => country === 'CHN').map(({ indicator }) => indicator)).toEqual([
      'trade-imports',
    ])
    const { body } = await ask(served.app, '/v1/calendar.ics?country=CHN&start=2000-01-01')
    expect(body.match(/BEGIN:VEVENT/g)).toHaveLength(1)
  })

  it('is paged by filters that its cursor carries, and the same as CSV', async () => {
    const served = await world()
    publishThree(served)
    const whole = await calendar(served, 'limit=1000')
    const paged: CalendarEntry[] = []
    let query = 'limit=2'
    for (;;) {
      const { entries, next_cursor } = await calendar(served, query)
      paged.push(...entries)
      if (next_cursor === null) break
      query = `limit=2&cursor=${next_cursor}`
    }
    expect(paged).toEqual(whole.entries)
    const first = await calendar(served, 'country=JPN&status=published&limit=1')
    const next = await calendar(served, `cursor=${first.next_cursor}`)
    expect(shown(next).map(([period]) => period)).toEqual(['2026-08', '2026-09'])
    const { body } = await ask(served.app, '/v1/calendar?format=csv')
    expect(parse(body, { columns: true })).toEqual(
      whole.entries.map((entry) =>
        Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, String(value ?? '')])),
      ),
    )
    const page = await ask(served.app, '/v1/calendar?format=csv&limit=3')
    expect(page.headers.link).toMatch(/^<\/v1\/calendar\?format=csv&limit=3&cursor=v1\.[\w-]+>; rel="next"$/)
  })

  it('takes a cursor of every filter at once', async () => {
    const served = await world()
    publishThree(served)
    const codes = ['JPN', ...countries.map(({ alpha3 }) => alpha3)]
    const filters = codes.slice(0, 64).map((code) => `country=${code}`)
    const { next_cursor } = await calendar(served, [...filters, 'start=2000-01-01', 'limit=1'].join('&'))
    expect((await calendar(served, `cursor=${next_cursor}`)).entries).toHaveLength(3)
  })

  const cursor = (over: Partial<Parameters<typeof encodeCalendarCursor>[0]> = {}) =>
    encodeCalendarCursor({ journal: JOURNAL, filters: {}, after: '', issuedAt: Date.parse(NOW), ...over })
  const forged = (filters: string) => encodeCursor('d', [JOURNAL, filters, '', Date.parse(NOW)])
  it.each([
    ['invalid_query', 'start=2026-02-30', 'query parameter start: "2026-02-30" is not a calendar date (YYYY-MM-DD)'],
    ['invalid_query', 'end=2026', 'query parameter end: "2026" is not a calendar date (YYYY-MM-DD)'],
    ['invalid_query', 'start=2026-02-03&end=2026-02-02', 'is after end'],
    ['invalid_query', 'country=GER', 'Did you mean DEU'],
    ['invalid_query', 'indicator=gpd', 'Did you mean gdp'],
    ['invalid_query', 'status=annulled', 'is not one of expected, late, published, cancelled'],
    [
      'invalid_query',
      'indicator=gdp-volume',
      'is not an indicator here. Known: cpi, inflation, unemployment, labour-force-participation, gdp, gdp-growth, trade, trade-exports, trade-imports.',
    ],
    ['cursor_invalid', 'cursor=v1.AAAA', 'not a cursor'],
    ['cursor_invalid', `cursor=${forged('[')}`, 'not a cursor'],
    ['cursor_invalid', `cursor=${forged('null')}`, 'not a cursor'],
    ['cursor_invalid', `cursor=${forged('{"country":"USA"}')}`, 'not a cursor'],
    ['cursor_invalid', `cursor=${cursor({ issuedAt: Date.parse(NOW) + 9_000_000 })}`, 'not a cursor'],
    ['cursor_foreign', `cursor=${cursor({ journal: 'another' })}`, 'another journal'],
    ['cursor_expired', `cursor=${cursor({ issuedAt: Date.parse(NOW) - 90_000_001 })}`, 'more than 24 hours ago'],
    ['cursor_mismatch', `country=USA&cursor=${cursor()}`, 'other filters'],
  ])('refuses with %s: %s', async (code, query, detail) => {
    const { app } = await world()
    expect((await ask(app, `/v1/calendar?${query}`)).problem).toMatchObject({
      code,
      detail: expect.stringContaining(detail),
    })
  })
})

/** The content lines of an iCalendar text, unfolded (RFC 5545, 3.1). Throws where the form is broken. */
function linesOf(text: string): string[] {
  expect(text.endsWith('\r\n')).toBe(true)
  for (const line of text.slice(0, -2).split('\r\n')) {
    expect(line).not.toMatch(/[\r\n]/)
    expect(Buffer.byteLength(line), line).toBeLessThanOrEqual(75)
    expect(line.isWellFormed(), line).toBe(true)
  }
  return text.slice(0, -2).replaceAll('\r\n ', '').split('\r\n')
}
const unescaped = (text: string) => text.replace(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character))
const valuesOf = (lines: readonly string[], name: string) =>
  lines.filter((line) => line.startsWith(name)).map((line) => unescaped(line.slice(name.length)))

describe('iCalendar', () => {
  it('keeps its form and gives back its texts, whatever they are', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('a\\,;b', 'x\ny', 'é'.repeat(80), '💶'.repeat(40)),
    )
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), (summaries) => {
        const events = summaries.map(
          (summary, i): CalendarEvent => ({
            uid: `${i}@test`,
            sequence: i,
            changedAt: '2026-11-23T02:04:27.000Z',
            day: '2026-10-28',
            at: null,
            summary,
            description: `${summary}\n${summary}`,
            categories: [summary, 'x'],
            status: 'TENTATIVE',
            url: 'http://127.0.0.1/?a=b,c;d',
          }),
        )
        const lines = linesOf(calendarText('Test', events))
        const seen = (given: string) => given.replace(/\r\n|\r/g, '\n').replace(/[^\P{Cc}\n]/gu, '')
        expect(valuesOf(lines, 'SUMMARY:')).toEqual(summaries.map(seen))
        for (const url of lines.filter((line) => line.startsWith('URL:'))) {
          expect(url).toBe('URL:http://127.0.0.1/?a=b,c;d')
        }
        expect(valuesOf(lines, 'UID:')).toEqual(summaries.map((_, i) => `${i}@test`))
        expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(events.length)
      }),
    )
  })

  it('has a component also without events, which the RFC demands', () => {
    const lines = linesOf(calendarText('Test', []))
    expect(lines.filter((line) => line.startsWith('BEGIN:'))).toEqual([
      'BEGIN:VCALENDAR',
      'BEGIN:VTIMEZONE',
      'BEGIN:STANDARD',
    ])
  })

  const feed = async ({ app }: World, query = '') => {
    const response = await ask(app, { url: `/v1/calendar.ics${query}`, headers: {} })
    expect(response.headers['content-type']).toBe('text/calendar; charset=utf-8')
    return { lines: linesOf(response.body), body: response.body, headers: response.headers }
  }

  it('is served without a key, for 92 days back and all that is to come', async () => {
    const served = await world()
    publishThree(served)
    // 92 days before is 2026-08-28.
    served.now = '2026-11-28T12:00:00.000Z'
    const { lines, headers } = await feed(served, '?country=JPN')
    expect(headers['cache-control']).toBe('public, max-age=3600')
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(valuesOf(lines, 'SUMMARY:')).toEqual([
      'Unemployment rate, Japan, July 2026',
      'Unemployment rate, Japan, August 2026',
      'Unemployment rate, Japan, September 2026',
      'Unemployment rate, Japan, October 2026 (day estimated)',
    ])
    expect(valuesOf(lines, 'DTSTART;VALUE=DATE:')).toEqual(['20260828', '20260929', '20261030', '20261129'])
    expect(valuesOf(lines, 'STATUS:')).toEqual(['CONFIRMED', 'CONFIRMED', 'CONFIRMED', 'TENTATIVE'])
    served.now = '2026-11-29T12:00:00.000Z'
    expect(valuesOf((await feed(served, '?country=JPN')).lines, 'SUMMARY:')).toHaveLength(3)
  })

  it('calls the last day that the standard allows what it is, and no estimate', async () => {
    const served = await world()
    publish(served, rate, '2026-07', '2026-08-28')
    const { lines } = await feed(served, '?country=JPN')
    expect(valuesOf(lines, 'SUMMARY:').at(-1)).toBe(
      'Unemployment rate, Japan, August 2026 (at the latest, by the IMF’s standard)',
    )
  })

  it('changes only with its content: an event keeps its UID, and its stamp moves with its state', async () => {
    const served = await world()
    publishThree(served)
    const query = '?country=JPN&start=2026-11-01'
    const before = await feed(served, query)
    served.now = '2026-11-29T14:59:59.000Z'
    expect((await feed(served, query)).body).toBe(before.body)
    served.now = '2026-12-02T12:00:00.000Z'
    const late = await feed(served, query)
    served.now = '2026-12-05T12:00:00.000Z'
    expect((await feed(served, query)).body).toBe(late.body)
    const print = publish(served, rate, '2026-10', '2026-12-04')
    const published = await feed(served, query)
    const first = (name: string) => [before, late, published].map(({ lines }) => valuesOf(lines, name)[0])
    expect(new Set(first('UID:')).size).toBe(1)
    expect(first('SEQUENCE:')).toEqual(['215510400', '218127600', '218534400'])
    expect(first('DTSTAMP:')).toEqual(['20261030T080000Z', '20261129T150000Z', '20261204T080000Z'])
    expect(first('DTSTART;VALUE=DATE:')).toEqual(['20261129', '20261129', '20261204'])
    expect(first('DESCRIPTION:')[2]).toContain(`/v1/releases/${print.release_id}`)
  })

  it('rises through cancellations, and links to the console', async () => {
    const served = await world()
    publishThree(served)
    const say = sayer(served)
    const event = async () => {
      const { lines } = await feed(served, '?country=JPN&start=2026-11-01')
      const first = (name: string) => valuesOf(lines, name)[0] ?? ''
      return {
        sequence: Number(first('SEQUENCE:')),
        status: first('STATUS:'),
        url: first('URL:'),
        text: lines.join('\n'),
      }
    }
    const expected = await event()
    say('cancelled', '2026-10', '2026-11-22T09:00:00.000Z')
    const cancelled = await event()
    say('restored', '2026-10', '2026-11-23T09:00:00.000Z')
    const restored = await event()
    served.now = '2026-12-02T12:00:00.000Z'
    const late = await event()
    say('cancelled', '2026-10', '2026-12-03T09:00:00.000Z')
    const again = await event()
    const print = publish(served, rate, '2026-10', '2026-12-04')
    const published = await event()
    const all = [expected, cancelled, restored, late, again, published]
    const sequences = all.map(({ sequence }) => sequence)
    expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b))
    const statuses = ['TENTATIVE', 'CANCELLED', 'TENTATIVE', 'TENTATIVE', 'CANCELLED', 'CONFIRMED']
    expect(all.map(({ status }) => status)).toEqual(statuses)
    expect(cancelled.text).toContain('DTSTAMP:20261122T090000Z')
    expect(restored.text).toContain('DTSTAMP:20261123T090000Z')
    expect(cancelled.text).toContain('Cancelled: no survey')
    const calendarPage = 'http://rest.test:8080/?view=calendar&country=JPN&indicator=unemployment'
    expect([expected.url, cancelled.url]).toEqual([calendarPage, calendarPage])
    expect(published.url).toBe(`http://rest.test:8080/?view=why&release=${print.release_id}`)
    for (const { text, url } of all)
      expect(text).toMatch(new RegExp(`^DESCRIPTION:.*\\\\n${url.replace(/[?.]/g, '\\$&')}$`, 'm'))
  })

  it('is refused before the figures are in memory, and to who accepts no calendar', async () => {
    const served = await world()
    const { statusCode } = await ask(served.app, { url: '/v1/calendar.ics', headers: { accept: 'application/json' } })
    expect(statusCode).toBe(406)
    served.ready = 'reading the journal'
    const { problem } = await ask(served.app, { url: '/v1/calendar.ics', headers: { accept: 'text/calendar' } })
    expect(problem.code).toBe('unavailable')
  })
})
