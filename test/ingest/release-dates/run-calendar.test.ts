import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { USER_AGENT } from '../../../ingest/fetch/http.ts'
import type { CalendarDates } from '../../../ingest/release-dates/calendar-dates.ts'
import { type CalendarRelease, RELEASE_DATES } from '../../../ingest/release-dates/calendars.ts'
import { recordReleaseDates } from '../../../ingest/release-dates/record-dates.ts'
import { calendarRunText, runCalendar } from '../../../ingest/release-dates/run-calendar.ts'
import { datasetRunner } from '../../../ingest/schedule/run-dataset.ts'
import { PermanentFailure } from '../../../ingest/schedule/schedule.ts'
import type { DocumentError } from '../../../ingest/source.ts'
import { serve } from '../../support/http-server.ts'
import { openTestJournal, recordsOf, temporaryDirectory, valuesOf } from '../../support/journal.ts'
import { newMemory } from '../support/memory.ts'
import { beaDates, blsCalendar, CPI, eastern, fredDates, GDP, JOBS } from './documents.ts'

/** Calendars over real sockets, from the publisher to the journal. */

const at = (time: string) => () => new Date(time)
const october = at('2026-10-01T10:00:00.000Z')
const months = [
  ['10', 14],
  ['11', 10],
  ['12', 10],
] as const
const cpi = months.map(([month, day]) => [CPI, eastern(`2026${month}${day}T083000`)] as const)
const jobs = [JOBS, eastern('20261106T083000')] as const

async function publisher(body: () => string, tag: () => string = () => '') {
  const tags: unknown[] = []
  const { address, requests } = await serve((request, response) => {
    tags.push(request.headers['if-none-match'])
    if (tag() !== '' && request.headers['if-none-match'] === tag()) response.writeHead(304).end()
    else response.writeHead(200, tag() === '' ? {} : { ETag: tag() }).end(body())
  })
  return { options: { address }, requests, tags, address }
}

describe('the reading of a calendar', () => {
  it('records each release once, with its origin, and then only what has changed', async () => {
    const { journal } = await openTestJournal()
    let text = blsCalendar(...cpi, jobs)
    const { options, requests, address } = await publisher(() => text)
    const run = (now = october) => calendarRunText('bls', { journal, options, now })
    expect(await run()).toBe('2 new')
    expect(requests).toEqual(['/schedule/news_release/bls.ics'])
    const records = await recordsOf(journal, 'release_dates')
    expect(records.map(({ key }) => key)).toEqual([`bls/${CPI}`, `bls/${JOBS}`])
    expect(records[0]?.value).toEqual({
      calendar: 'bls',
      release: CPI,
      covers: ['USA/cpi'],
      dates: ['2026-10-14', '2026-11-10', '2026-12-10'],
      times: ['2026-10-14T12:30:00.000Z', '2026-11-10T13:30:00.000Z', '2026-12-10T13:30:00.000Z'],
      url: `${address}/schedule/news_release/bls.ics`,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      retrieved_at: '2026-10-01T10:00:00.000Z',
      recorded_at: '2026-10-01T10:00:00.000Z',
    })

    expect(await run(at('2026-10-02T10:00:00.000Z'))).toBe('2 unchanged')
    // The journal keeps the newest record of each release, so each change is looked at when it stands.
    const newest = async () => (await recordsOf(journal, 'release_dates')).at(-1)
    text = blsCalendar(...cpi.slice(0, 2), [CPI, eastern('20261211T083000')], jobs)
    expect(await run(at('2026-10-03T10:00:00.000Z'))).toBe('1 changed, 1 unchanged')
    expect((await newest())?.value).toMatchObject({ dates: ['2026-10-14', '2026-11-10', '2026-12-11'] })
    text = blsCalendar(...cpi, jobs)
    expect(await run(at('2026-10-04T10:00:00.000Z'))).toBe('1 changed, 1 unchanged')
    const last = await newest()
    expect(last?.value.dates).toEqual(records[0]?.value.dates)
    expect(last?.headers['record-id']).not.toBe(records[0]?.headers['record-id'])
  })

  it('keeps the dates before the first one of a calendar that begins later', async () => {
    const { journal } = await openTestJournal()
    let text = blsCalendar(...cpi)
    const { options } = await publisher(() => text)
    await runCalendar('bls', { journal, options, now: october })
    text = blsCalendar([CPI, eastern('20261211T083000')], [CPI, eastern('20270113T083000')])
    const november = at('2026-11-11T10:00:00.000Z')
    expect(await calendarRunText('bls', { journal, options, now: november })).toBe('1 changed')
    const kept = (await valuesOf(journal, 'release_dates')).at(-1)
    expect(kept?.dates).toEqual(['2026-10-14', '2026-11-10', '2026-12-10', '2026-12-11', '2027-01-13'])
    expect(kept?.times.map((time) => time.slice(0, 10))).toEqual(kept?.dates)
    expect(await calendarRunText('bls', { journal, options, now: november })).toBe('1 unchanged')
  })

  it('refuses a calendar that has lost most of the dates to come, unless a person allows it', async () => {
    const { journal } = await openTestJournal()
    let text = blsCalendar(...cpi, jobs)
    const { options } = await publisher(() => text)
    await runCalendar('bls', { journal, options, now: october })
    const refused: DocumentError[] = []
    const run = (allowsFewer = false) =>
      runCalendar('bls', { journal, options, now: october, allowsFewer, onRefused: (error) => refused.push(error) })
    for (const [dates, left] of [
      [blsCalendar(...cpi.slice(0, 1), jobs), `${CPI} has 1 date to come in the calendar, and 3 on record`],
      [blsCalendar(...cpi), `${JOBS} has 0 dates to come in the calendar, and 1 on record`],
      [blsCalendar([CPI, eastern('20200114T083000')], jobs), `${CPI} has 0 dates to come`],
    ] as const) {
      text = dates
      await expect(run()).rejects.toMatchObject({ reason: 'fewer_dates', message: expect.stringContaining(left) })
    }
    expect(refused).toHaveLength(3)
    const counts = async () =>
      Object.fromEntries(
        (await valuesOf(journal, 'release_dates')).map(({ release, dates }) => [release, dates.length]),
      )
    expect(await counts()).toEqual({ [CPI]: 3, [JOBS]: 1 })
    text = blsCalendar(...cpi.slice(0, 2), jobs)
    await run()
    expect(await counts()).toEqual({ [CPI]: 2, [JOBS]: 1 })
    text = blsCalendar([CPI, eastern('20200114T083000')])
    await run(true)
    expect(await counts()).toEqual({ [CPI]: 1, [JOBS]: 0 })
    await run()
  })

  it('leaves the releases of other calendars alone', async () => {
    const { journal } = await openTestJournal()
    const [bls, bea] = [
      await publisher(() => blsCalendar(...cpi)),
      await publisher(() => beaDates({ [GDP]: ['2026-10-29T12:30:00+00:00'] })),
    ]
    expect(await calendarRunText('bls', { journal, options: bls.options, now: october })).toBe('1 new')
    expect(await calendarRunText('bea', { journal, options: bea.options, now: october })).toBe('1 new')
    expect(await calendarRunText('bls', { journal, options: bls.options, now: october })).toBe('1 unchanged')
  })

  it('records changed times and changed figures of the same days, and ends releases that the table has no longer', async () => {
    const { journal } = await openTestJournal()
    const row = { release: CPI, covers: ['USA/cpi'] }
    const dates = { release: CPI, covers: ['USA/cpi'], dates: ['2026-10-14'], times: ['2026-10-14T12:30:00.000Z'] }
    const document = { url: 'https://example.org/', sha256: '', retrievedAt: october().toISOString() }
    const record = async (stated: CalendarDates, releases: readonly CalendarRelease[] = [row]) =>
      (
        await recordReleaseDates(journal, {
          calendar: 'TEST',
          releases,
          document,
          stated: [stated],
          isWhole: false,
          now: october(),
        })
      ).map(({ release, change }) => `${release} ${change}`)
    expect(await record(dates)).toEqual([`${CPI} new`])
    expect(await record(dates)).toEqual([`${CPI} unchanged`])
    expect(await record({ ...dates, times: [] })).toEqual([`${CPI} changed`])
    expect(await record({ ...dates, times: [], covers: ['USA/cpi', 'USA/gdp'] })).toEqual([`${CPI} changed`])
    expect(await record({ ...dates, release: JOBS }, [{ ...row, release: JOBS }])).toEqual([
      `${JOBS} new`,
      `${CPI} changed`,
    ])
    expect((await valuesOf(journal, 'release_dates')).map(({ release, dates: days }) => [release, days])).toEqual([
      [JOBS, ['2026-10-14']],
      [CPI, []],
    ])
  })

  it('records nothing of a document that is refused, and asks for it again whole', async () => {
    const { journal } = await openTestJournal()
    let [text, tag] = ['<html><head><title>Access Denied</title></head></html>', '"1"']
    const { options, tags } = await publisher(
      () => text,
      () => tag,
    )
    const run = () => calendarRunText('bea', { journal, options, now: october, remembered })
    const remembered = newMemory()
    await expect(run()).rejects.toMatchObject({ reason: 'html_page' })
    expect(await valuesOf(journal, 'release_dates')).toEqual([])
    text = beaDates({ [GDP]: ['2026-10-29T12:30:00+00:00'] })
    tag = '"2"'
    expect(await run()).toBe('1 new')
    expect(await run()).toBe('1 not modified')
    expect(tags).toEqual([undefined, undefined, '"2"'])
  })

  it('believes the publisher for a week, and no other journal’s or release’s memory', async () => {
    const { journal } = await openTestJournal()
    const { options, tags } = await publisher(
      () => beaDates({ [GDP]: ['2026-12-29T12:30:00+00:00'] }),
      () => '"1"',
    )
    const remembered = newMemory()
    const run = (now: () => Date, readBy = remembered.readBy) =>
      calendarRunText('bea', { journal, options, now, remembered: { ...remembered, readBy } })
    expect(await run(october)).toBe('1 new')
    expect(await run(at('2026-10-09T10:00:00.000Z'))).toBe('1 unchanged')
    expect(await run(at('2026-10-09T10:00:00.000Z'), 'another')).toBe('1 unchanged')
    expect(tags).toEqual([undefined, undefined, undefined])
  })

  it('does not believe that nothing has changed once somebody else has recorded other dates', async () => {
    const { journal } = await openTestJournal()
    const { options, tags } = await publisher(
      () => blsCalendar(...cpi),
      () => '"1"',
    )
    const remembered = newMemory()
    const run = (day: number) =>
      calendarRunText('bls', { journal, options, now: at(`2026-10-0${day}T10:00:00.000Z`), remembered })
    expect(await run(1)).toBe('1 new')
    expect(await run(2)).toBe('1 not modified')
    const path = join(await temporaryDirectory(), 'bls.ics')
    await writeFile(path, blsCalendar(...cpi.slice(0, 2)))
    await runCalendar('bls', { journal, options: {}, now: at('2026-10-03T10:00:00.000Z'), files: [path] })
    expect(await run(4)).toBe('1 changed')
    expect(await run(5)).toBe('1 not modified')
    expect(tags).toEqual([undefined, '"1"', undefined, '"1"'])
  })

  it('keeps earlier dates as days if the calendar that begins later states days, or the one before did', async () => {
    const { journal } = await openTestJournal()
    let text = blsCalendar(...cpi)
    const { options } = await publisher(() => text)
    await runCalendar('bls', { journal, options, now: october })
    text = blsCalendar([CPI, ';VALUE=DATE:20261211'], [CPI, ';VALUE=DATE:20270113'])
    await runCalendar('bls', { journal, options, now: october })
    const newest = async () => (await valuesOf(journal, 'release_dates')).at(-1)
    const days = ['2026-10-14', '2026-11-10', '2026-12-10', '2026-12-11', '2027-01-13']
    expect(await newest()).toMatchObject({ dates: days, times: [] })
    text = blsCalendar([CPI, eastern('20270113T083000')], [CPI, eastern('20270210T083000')])
    await runCalendar('bls', { journal, options, now: at('2026-12-11T10:00:00.000Z') })
    expect(await newest()).toMatchObject({ dates: ['2026-12-11', '2027-01-13', '2027-02-10'], times: [] })
    await runCalendar('bls', { journal, options, now: at('2026-12-12T10:00:00.000Z') })
    expect(await newest()).toMatchObject({
      dates: ['2027-01-13', '2027-02-10'],
      times: ['2027-01-13T13:30:00.000Z', '2027-02-10T13:30:00.000Z'],
    })
  })

  it('names the contact to the publisher, if there is one', async () => {
    const { journal } = await openTestJournal()
    const agents: unknown[] = []
    const { address } = await serve((request, response) => {
      agents.push(request.headers['user-agent'])
      response.writeHead(200).end(blsCalendar(...cpi))
    })
    await runCalendar('bls', { journal, options: { address, contact: 'data@example.org' }, now: october })
    await runCalendar('bls', { journal, options: { address, contact: '' }, now: october })
    expect(agents).toEqual([`${USER_AGENT} data@example.org`, USER_AGENT])
  })

  it('reads a local file, which has no address and no time', async () => {
    const { journal } = await openTestJournal()
    const path = join(await temporaryDirectory(), 'bls.ics')
    await writeFile(path, blsCalendar(jobs))
    await runCalendar('bls', { journal, options: {}, now: october, files: [path] })
    expect(await valuesOf(journal, 'release_dates')).toMatchObject([{ url: null, retrieved_at: null, release: JOBS }])
  })
})

describe('a calendar on the schedule', () => {
  const context = { attempt: 1, signal: new AbortController().signal }
  const runner = async (options: { readonly address: string }) => {
    const { journal } = await openTestJournal()
    const read = (name: string, signal: AbortSignal) =>
      calendarRunText(name, { journal, options, now: october, signal, remembered: newMemory() })
    const acceptor = () => expect.fail('it takes no figures')
    const parts = { sources: {}, journal, acceptor, remembered: newMemory(), pauseMs: 0 }
    return { journal, run: datasetRunner({ ...parts, others: { [RELEASE_DATES]: read } }) }
  }

  it('is read by its job, and by one process at a time', async () => {
    const { options } = await publisher(() => blsCalendar(...cpi))
    const { journal, run } = await runner(options)
    expect(await run('release-dates/bls', context)).toBe('1 new')
    expect(await valuesOf(journal, 'release_dates')).toHaveLength(1)
    const claim = await journal.claim('ingest/release-dates/bls', context.signal)
    const stop = new AbortController()
    const waiting = run('release-dates/bls', { attempt: 1, signal: stop.signal })
    stop.abort(new Error('stopped while it waits'))
    await expect(waiting).rejects.toThrow('stopped while it waits')
    await claim.release()
    await expect(run('release-dates-2/bls', context)).rejects.toThrow('There is no source')
  })

  it('is asked again soon if the publisher is away, and the next day if it refuses or is another document', async () => {
    let status = 503
    const { address } = await serve((_, response) => response.writeHead(status).end('<html><body>no</body></html>'))
    const { run } = await runner({ address })
    await expect(run('release-dates/bls', context)).rejects.toMatchObject({ reason: 'http_503' })
    for (const [answer, message] of [
      [403, 'http_403'],
      [200, 'html_page'],
    ] as const) {
      status = answer
      await expect(run('release-dates/bls', context)).rejects.toThrow(PermanentFailure)
      await expect(run('release-dates/bls', context)).rejects.toThrow(message)
    }
  })
})

describe('FRED’s calendar', () => {
  it('is asked for each release, with the key, which stays secret', async () => {
    const { journal } = await openTestJournal()
    const { address, requests } = await serve((request, response) => {
      const id = Number(/release_id=(\d+)/.exec(request.url ?? '')?.[1])
      response.writeHead(200).end(fredDates(id, ['2026-10-14', `2026-12-${id === 53 ? 23 : 10}`]))
    })
    const options = { address, fredApiKey: 'sesame' }
    expect(await calendarRunText('fred', { journal, options, now: october })).toBe('3 new')
    expect(requests[0]).toBe(
      '/fred/release/dates?release_id=10&file_type=json&include_release_dates_with_no_data=true&sort_order=asc&limit=10000&api_key=sesame',
    )
    const recorded = await valuesOf(journal, 'release_dates')
    expect(recorded.map(({ release, dates, times }) => [release, dates.at(-1), times])).toEqual([
      ['10', '2026-12-10', []],
      ['50', '2026-12-10', []],
      ['53', '2026-12-23', []],
    ])
    expect(JSON.stringify(recorded)).not.toContain('sesame')
  })

  it('is read for the other releases if one answer is refused, and says which', async () => {
    const { journal } = await openTestJournal()
    const broken = new Map([
      ['10', [200, '{"release_dates":[]}']],
      ['53', [400, 'Bad Request.']],
    ] as const)
    const { address, requests } = await serve((request, response) => {
      const id = /release_id=(\d+)/.exec(request.url ?? '')?.[1] ?? ''
      const [status, body] = broken.get(id as '10' | '53') ?? [200, fredDates(Number(id), ['2026-10-14'])]
      response.writeHead(status).end(body)
    })
    const options = { address, fredApiKey: 'sesame' }
    const run = () => calendarRunText('fred', { journal, options, now: october })
    await expect(run()).rejects.toMatchObject({
      reason: 'truncated',
      message: expect.stringMatching(
        /^Release 10: The document states no count .* Release 53: .* 400: Bad Request\.\.$/,
      ),
    })
    expect((await valuesOf(journal, 'release_dates')).map(({ release }) => release)).toEqual(['50'])
    broken.delete('53')
    await expect(run()).rejects.toMatchObject({ reason: 'truncated', message: expect.stringMatching(/^Release 10: /) })
    expect((await valuesOf(journal, 'release_dates')).map(({ release }) => release)).toEqual(['50', '53'])
    expect(requests).toHaveLength(6)
  })

  it('is not asked for further releases by a publisher that is away', async () => {
    const { journal } = await openTestJournal()
    const { address, requests } = await serve((_, response) => response.writeHead(503).end())
    const options = { address, fredApiKey: 'sesame' }
    await expect(runCalendar('fred', { journal, options, now: october })).rejects.toMatchObject({ reason: 'http_503' })
    expect(requests).toHaveLength(1)
  })

  it('is not asked without a key, and says so', async () => {
    const { journal } = await openTestJournal()
    const { options, requests } = await publisher(() => fredDates(10, []))
    expect(await calendarRunText('fred', { journal, options, now: october })).toBe(
      'not asked: FRED gives release dates only with a key: set ALMANAC_FRED_API_KEY.',
    )
    expect(requests).toEqual([])
  })
})
