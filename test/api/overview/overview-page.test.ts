import { describe, expect, it } from 'vitest'
import { adminSite } from '../../../api/admin/jobs-page.ts'
import type { OverviewFacts } from '../../../api/admin/overview/facts.ts'
import { overviewJson, overviewOf } from '../../../api/admin/overview/overview.ts'
import { overviewPage } from '../../../api/admin/overview/overview-page.ts'
import { runsOf, smallPlot } from '../../../api/admin/overview/plot.ts'
import { SampleRing } from '../../../api/admin/overview/sample-ring.ts'
import { bytesText, rateText, secondsText, spanText } from '../../../api/admin/overview/texts.ts'
import { busyOverview, facts, HOSTILE, ringOf, START, samplesOf, wellSample } from './support.ts'

const site = adminSite(true, true)
const busy = busyOverview()
/** The texts of a page, without markup. */
const textOf = (body: string) =>
  body
    .slice(body.indexOf('<main'), body.indexOf('</main>'))
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
const pageOf = (more: Partial<OverviewFacts>, sample: Record<string, number> = wellSample, ageMs = 0) =>
  textOf(
    overviewPage(overviewOf(ringOf([sample]), { ...facts, ...more }, START, START + ageMs), 'localhost', site).body,
  )

describe('the overview', () => {
  const { body, contentSecurityPolicy } = overviewPage(busy, 'almanac.example', site)
  const text = textOf(body)

  it('answers what an operator asks', () => {
    // The alert that fires.
    expect(text).toContain('One alert fires')
    expect(text).toContain(
      'warning quotes is 6000 offsets behind its input AlmanacProcessorBehind 13 minutes; fires after 10 min',
    )
    // The projection that lags.
    expect(text).toMatch(
      /Processors .* quotes 6,000 .* events 0 .* Projections .* vintages 12 .* Users’ projections .* user_gdp 90,000/,
    )
    // The account that used its quota up.
    expect(text).toMatch(/key_A key_B &lt;script&gt;.* free 5,000 5,000 used up key_C TEST basic 120 100,000 0\.12 %/)
    // The reason why a source is old.
    expect(text).toMatch(
      /1 of 2 fail\. .* ecb 2026-05-27 13:00 5 days ago failed ecb\/eurofxref-daily , attempt 3 .* 2026-06-01 13:04/,
    )
    // The last backup.
    expect(text).toContain(
      'Last backup 2026-06-01 12:00, 1 hour ago, complete, in /var/backup . A run that began 2026-06-01 12:59',
    )
    expect(text).toContain('last segment 2026-06-01 12:59, 45 seconds ago, 120 offsets behind, in s3://bucket/almanac')
  })

  it('says which process it is of, and where the others are', () => {
    expect(text).toContain('It runs ingest , processors and api , since 2026-06-01 12:00, 1 hour ago.')
    expect(body).toContain('<a href="http://almanac.example:9465/overview">')
    expect(text).toContain('a page of their own : all is well, 54 open.')
    expect(pageOf({})).toContain('Other processes have pages of their own.')
    const streams = { port: 9_465, verdict: 'unavailable', open: 0 } as const
    const away = pageOf({ process: { ...facts.process, streams } })
    expect(away).toMatch(/No alert fires .* Look at the page of the streams\. .* it does not answer/)
  })

  it('tells rates and sums of the hour', () => {
    expect(text).toMatch(/Status A second In 1 h Rate, 1 h 200 2 7,180 .* 404 0 35/)
    expect(text).toMatch(/Open streams 42 prices 12 events/)
    expect(text).toMatch(/ticks 40 14\d,\d{3}/)
    expect(text).toContain('30 % at most 30 % of one core')
    expect(text).toContain('40.4 GB of 100 GB used')
  })

  it('trusts no text, and runs no script but its own', () => {
    expect(body).not.toContain(HOSTILE)
    expect(body.match(/<script/g)).toHaveLength(1)
    expect(contentSecurityPolicy).toMatch(/script-src 'sha256-[^']+'; connect-src 'self'/)
    expect(body).not.toMatch(/ style="| on\w+="/)
  })

  it('says that all is well only if nothing fails', () => {
    expect(pageOf({})).toContain('All is well')
    const failing = busy.sources
    const archive = { place: '/var/archive', sealedAt: null, isOwner: true, fault: 'the disk is full' }
    const silent = 'unavailable' as const
    for (const more of [
      { sources: failing },
      { archive },
      { sources: silent },
      { quota: silent },
      { engine: silent },
    ]) {
      expect(pageOf(more)).toContain('No alert fires')
      expect(pageOf(more)).not.toContain('All is well')
    }
    expect(pageOf({ archive })).toContain('fails : the disk is full')
    expect(pageOf({ sources: silent, quota: silent, engine: silent })).toContain(
      'Look at the sources, which cannot be read , the quota, which cannot be read and the read models, which do not answer .',
    )
    const disk = (free: number) =>
      pageOf({}, { ...wellSample, almanac_data_disk_free_bytes: free, almanac_data_disk_size_bytes: 1_000 })
    expect(disk(49)).toMatch(/No alert fires .* Look at the disk, which is nearly full/)
    expect(disk(50)).toContain('All is well')
  })

  it('says why it cannot tell whether all is well', () => {
    const starting = { ...facts.process, isReady: false }
    expect(pageOf({ process: starting })).toContain('Not ready: still starting')
    const { 'almanac_part_up{part=journal}': _, ...unmeasured } = wellSample
    expect(pageOf({}, unmeasured)).toContain('One alert is not judged yet')
    expect(pageOf({}, unmeasured)).toContain('AlmanacPartAway not judged yet: it is not measured yet')
    expect(pageOf({}, {})).toContain('3 alerts are not judged yet')
    expect(pageOf({}, wellSample, 30_000)).toContain('All is well')
    expect(pageOf({}, wellSample, 40_000)).toMatch(/The newest sample is 40 seconds old .* there is no new sample/)
    const unknown = overviewOf(ringOf([]), facts, START, START)
    expect(unknown).toMatchObject({ verdict: 'unknown', doubt: 'No samples yet' })
    expect(overviewPage(unknown, 'localhost', site).body).toContain('<h1>No samples yet</h1>')
    // An alert that fires comes first, and the doubt is told below.
    const away = ringOf(samplesOf(13, () => ({ ...wellSample, 'almanac_part_up{part=journal}': 0 })))
    const both = overviewOf(away, { ...facts, process: starting }, START, START + 120_000)
    expect(textOf(overviewPage(both, 'localhost', site).body)).toMatch(/One alert fires .* Not ready: still starting\./)
  })

  it('takes a role that another process of the same journal has for well', () => {
    const shared = { ...facts.process, roles: ['processors', 'archive'], isShared: true }
    const archive = { place: '/var/archive', sealedAt: null, isOwner: false, fault: null }
    const ring = new SampleRing()
    ring.add(
      START,
      new Map([
        ['almanac_processor_lag_offsets', []],
        ['almanac_archive_lag_offsets', []],
        ['almanac_processor_retries_total', []],
        ['almanac_archive_retries_total', [{ labels: {}, value: 0 }]],
      ]),
    )
    const verdict = (isShared: boolean, fault: string | null = null) =>
      overviewOf(ring, { ...facts, process: { ...shared, isShared }, archive: { ...archive, fault } }, START, START)
        .doubt
    expect(verdict(true)).toBeNull()
    expect(verdict(true, 'the place does not answer')).toBe('One alert is not judged yet')
    expect(verdict(false)).toBe('2 alerts are not judged yet')
  })

  it('says what cannot be known here, and why', () => {
    expect(pageOf({ quota: 'unavailable' })).toContain('Cannot be read at the moment')
    expect(pageOf({})).toMatch(/none was finished.*none is kept by this process/)
    expect(pageOf({ archive: { place: 'x', sealedAt: null, isOwner: false, fault: null } })).toContain(
      'another process keeps',
    )
    const roles = (...all: string[]) => ({ process: { ...facts.process, roles: all } })
    expect(pageOf(roles('ingest'))).toContain('No schedule runs: ')
    expect(pageOf(roles('processors'))).toContain('None runs here.')
    expect(pageOf({ ...roles('streams'), backup: undefined })).not.toMatch(/Sources|Backup|Processors /)
    expect(pageOf({})).toContain('AlmanacProcessAway not judged here: a process that is away has no page')
  })
})

it('the overview as JSON has names with underscores, times in ISO 8601 and gaps as null', () => {
  const json = JSON.parse(JSON.stringify(overviewJson(busy)))
  expect(json).toMatchObject({
    at: '2026-06-01T13:00:00.000Z',
    verdict: 'alerts',
    concerns: { near: 0, failing_sources: 1, archive: 0, streams: 0, unanswered: 0, disk: 0 },
    disk_size_bytes: 100e9,
    newest_release_at: '2026-06-01T12:00:00.000Z',
    quota: { accounts: 2, most_used: [{ key_ids: ['key_A', 'key_B'], used: 5_000 }, {}] },
    sources: [{ source: 'ecb', failing: [{ next_at: '2026-06-01T13:04:00.000Z' }] }, { failing: [] }],
    backup: { finished: { taken_at: '2026-06-01T12:00:00.000Z' } },
  })
  expect(json.alerts[0]).toMatchObject({
    state: 'fires',
    for_minutes: 10,
    cases: [{ began_at: '2026-06-01T12:46:50.000Z' }],
  })
  expect(json.sampled_at[0]).toBe('2026-06-01T12:00:00.000Z')
  expect(json.topics[0].rates.slice(0, 2)).toEqual([null, 40])
})

describe('a plot', () => {
  const times = samplesOf(12, () => ({})).map((_, i) => START + i * 10_000)

  it('draws the greatest of three samples, and no line through what is missing', () => {
    const values = [1, 9, 2, 3, 3, 3, undefined, undefined, undefined, 4, 4, 5]
    expect(runsOf(times, values).map((run) => run.map(({ value }) => value))).toEqual([[9, 3], [5]])
    expect(smallPlot('Lag', times, [{ name: '', values }], String).text).toContain(
      'aria-label="Lag in the last hour: at most 9"',
    )
  })

  it('draws no line through a time without samples', () => {
    const late = times.map((time, i) => (i < 6 ? time : time + 600_000))
    expect(
      runsOf(
        late,
        times.map(() => 1),
      ),
    ).toHaveLength(2)
  })

  it('says that there are no values yet', () => {
    expect(smallPlot('Lag', [], [], String).text).toContain('no values yet')
  })
})

it('numbers are told in words', () => {
  expect([0, 0.004, 0.1234, 3.456, 12.6, 4_321].map(rateText)).toEqual(['0', '< 0.01', '0.12', '3.5', '13', '4,321'])
  expect([0, 999, 1_500, 38.44e9].map(bytesText)).toEqual(['0 B', '999 B', '1.5 kB', '38.4 GB'])
  expect([0.0021, 0.25, 1.26].map(secondsText)).toEqual(['2.1 ms', '250 ms', '1.3 s'])
  expect([-5, 0, 61_000, 3_600_000, 172_800_000].map(spanText)).toEqual([
    '0 seconds',
    '0 seconds',
    '1 minute',
    '1 hour',
    '2 days',
  ])
})
