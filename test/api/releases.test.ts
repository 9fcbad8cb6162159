import { describe, expect, it } from 'vitest'
import type { CatalogEntry } from '../../contracts/catalog.ts'
import { servedIndicators, servingOf } from '../../contracts/indicators.ts'
import { ProblemError } from '../../contracts/problems.ts'
import type { Release } from '../../contracts/records.ts'
import type { ReleaseDetail } from '../../contracts/release-detail.ts'
import { flowSeries, testProvenance as provenance, testSeries } from '../support/releases.ts'
import { AT_LATER, ask, bearer, type World, world } from './support.ts'

const get = (served: World, id: string) => ask(served.app, `/v1/releases/${id}`)
const detail = async (served: World, { release_id }: Release) => {
  const response = await get(served, release_id)
  expect(response.statusCode, response.body).toBe(200)
  return response.json<ReleaseDetail>()
}
const linkOf = (headers: Readonly<Record<string, unknown>>) =>
  /^<(\/v1\/releases\/rel_\w+)>; rel="describedby"/.exec(String(headers.link))?.[1]

describe('the link of a figure', () => {
  it.each(servedIndicators)('%s leads to the release behind it', async (indicator) => {
    const { app } = await world()
    const url = `/v1/economics/USA/${servingOf(indicator).path}`
    const figure = await ask(app, url)
    const { period } = figure.json<{ period: string }>()
    const exact = await ask(app, `${url}?period=${period}`)
    expect(exact.headers.link).toBe(figure.headers.link)
    const [, series = ''] = /, <([^>]+)>; rel="collection"$/.exec(String(figure.headers.link)) ?? []
    const catalogue = (await ask(app, series)).json<{ series: CatalogEntry[] }>()
    expect(catalogue.series.every((one) => one.country === 'USA' && one.indicator === indicator)).toBe(true)
    expect(catalogue.series.some((one) => one.is_served)).toBe(true)
    const found = (await ask(app, linkOf(figure.headers) ?? '')).json<ReleaseDetail>()
    expect(figure.json()).toMatchObject(found.figures)
    expect(found).toMatchObject({ country: 'USA', indicator, period, is_current: true, is_served: true })
    expect((await ask(app, found.link ?? '')).body).toBe(exact.body)
    const known = { ...bearer(), 'if-none-match': String(figure.headers.etag) }
    const unchanged = await ask(app, { url, headers: known })
    expect([unchanged.statusCode, unchanged.headers.link]).toEqual([304, figure.headers.link])
  })
})

describe('a release', () => {
  it('names its document, its event and what revised it', async () => {
    const served = await world()
    const at = testSeries({ country: 'CAN' })
    const first = served.releases.accept(at, '2025-11', { value: '100.10' }, undefined, { provenance })
    const event = served.releases.events.at(-1)
    expect(await detail(served, first)).toMatchObject({
      figures: { value: '100.10' },
      printed: { value: '100.10' },
      revises: null,
      revised_by: null,
      released_on_basis: 'first_seen',
      recorded_at: first.recorded_at,
      late: false,
      redates: null,
      voids: null,
      is_current: true,
      is_voided: false,
      is_served: true,
      provenance,
      derivation: '',
      inputs: [],
      event: { id: event?.id, sequence: String(event?.sequence).padStart(20, '0'), time: first.recorded_at },
      link: '/v1/economics/CAN/cpi?period=2025-11',
    })
    // What is not known is null, and an old release has no copy.
    const copy = { holder: 'github.com/a/b', url: null, revision: '1a2b', held_on: '2026-01-02', is_transcribed: true }
    const file = { name: 't1.csv', sha256: 'b'.repeat(64) }
    const through = { ...provenance, retrieved_at: '', sha256: '', copy, file }
    const copied = served.releases.accept(at, '2025-10', { value: '1' }, undefined, {
      provenance: through,
      released: { on: '2026-01-02', basis: 'copy' },
    })
    expect(await detail(served, copied)).toMatchObject({
      released_on_basis: 'copy',
      provenance: { ...through, retrieved_at: null, sha256: null },
      approval: null,
    })
    const approval = { held_for: 'held_jump', because: 'the office confirmed it', input_id: 'c'.repeat(64) }
    const approved = served.releases.accept(at, '2025-09', { value: '1000' }, undefined, { provenance, approval })
    expect(await detail(served, approved)).toMatchObject({ approval })

    const second = served.releases.accept(at, '2025-11', { value: '100.2' }, AT_LATER, { provenance })
    expect(await detail(served, first)).toMatchObject({
      figures: { value: '100.10' },
      revised_by: second.release_id,
      is_current: false,
      is_voided: false,
      is_served: false,
      provenance,
      event: { id: event?.id },
    })
    expect(await detail(served, second)).toMatchObject({
      revises: first.release_id,
      revised_by: null,
      is_current: true,
      is_voided: false,
    })
    const latest = await ask(served.app, '/v1/economics/CAN/cpi')
    expect(linkOf(latest.headers)).toBe(`/v1/releases/${second.release_id}`)
  })

  it('that is derived leads through its inputs to their documents, though they have been revised since', async () => {
    const served = await world()
    const volume = testSeries({ indicator: 'gdp-volume', frequency: 'Q', unit: 'USD' })
    const growth = testSeries({ ...volume, indicator: 'gdp-growth', unit: 'percent', derivation: 'growth_from_volume' })
    const inputs = ['2025-Q3', '2025-Q2', '2024-Q3'].map((period) =>
      served.releases.accept(volume, period, { value: '1000.0' }, undefined, { provenance }),
    )
    const figures = { year_over_year: '0.0', quarter_over_quarter: '0.0' }
    const ids = inputs.map(({ release_id }) => release_id)
    const derived = served.releases.accept(growth, '2025-Q3', figures, undefined, {}, { inputs: ids })
    served.releases.accept(volume, '2025-Q2', { value: '1000.1' }, AT_LATER)
    const found = await detail(served, derived)
    expect(found).toMatchObject({ printed: null, provenance: null, derivation: 'growth_from_volume' })
    expect(found.inputs).toEqual(
      inputs.map(({ release_id, period, figures }) => ({
        release_id,
        indicator: 'gdp-volume',
        period,
        figures,
        provenance,
        link: `/v1/releases/${release_id}`,
      })),
    )
    for (const { link } of found.inputs) {
      const input = (await ask(served.app, link)).json<ReleaseDetail>()
      expect(input).toMatchObject({ indicator: 'gdp-volume', provenance, is_served: false, event: null, link: null })
    }
  })

  it('of an alternative series is there, but not served', async () => {
    const served = await world()
    const other = served.releases.accept(testSeries({ source: 'OTHER', base_period: '2010' }), '2025-11', {
      value: '99',
    })
    const url = '/v1/economics/USA/cpi?period=2025-11'
    expect(await detail(served, other)).toMatchObject({ is_current: true, is_served: false, event: null, link: url })
    expect((await ask(served.app, url)).json()).toMatchObject({ value: '325.4' })
  })

  it.each(['current', 'revised'])('that is %s and not public is answered exactly like an unknown id', async (state) => {
    const served = await world()
    const exports = served.releases.accept(flowSeries('trade-exports', { country: 'CHN' }), '2025-11', { value: '1' })
    const money = { country: 'CHN', unit: 'USD' }
    const flows = { exports: '1', imports: '2', balance: '-1' }
    const derived = testSeries({ ...money, indicator: 'trade', derivation: 'of_a_test' })
    const trade = served.releases.accept(derived, '2025-11', flows)
    if (state === 'revised') {
      served.releases.accept(exports.series, '2025-11', { value: '3' }, AT_LATER)
      served.releases.accept(trade.series, '2025-11', { ...flows, exports: '3', balance: '1' }, AT_LATER)
    }
    const unknown = `rel_${'0'.repeat(26)}`
    const answerOf = async (id: string) => {
      const { statusCode, headers, problem } = await get(served, id)
      const { 'request-id': _id, date: _date, ratelimit: _left, 'content-length': _length, ...others } = headers
      return JSON.stringify({ statusCode, others, ...problem, request_id: '' }).replaceAll(id, 'ID')
    }
    const expected = await answerOf(unknown)
    expect(expected).toContain('release_not_found')
    for (const { release_id } of [exports, trade]) expect(await answerOf(release_id)).toBe(expected)
    // Its imports are public.
    const imports = served.releases.accept(flowSeries('trade-imports', { country: 'CHN' }), '2025-11', { value: '2' })
    expect(await detail(served, imports)).toMatchObject({ country: 'CHN', is_served: true })
  })

  it('is not shown as an input where it is not public', async () => {
    const served = await world()
    const exports = served.releases.accept(flowSeries('trade-exports', { country: 'CHN' }), '2025-11', { value: '41' })
    const derived = served.releases.accept(
      flowSeries('trade-imports', { country: 'CHN', derivation: 'of_a_test' }),
      '2025-11',
      { value: '2' },
      undefined,
      {},
      { inputs: [exports.release_id] },
    )
    expect((await detail(served, derived)).inputs).toEqual([])
  })

  it('is not called unknown while the read models are behind', async () => {
    const served = await world()
    const behind = await world({
      vintages: { ...served.deps.vintages, watermark: async () => 0, byIds: async () => [] },
    })
    expect((await get(behind, `rel_${'0'.repeat(26)}`)).problem.code).toBe('unavailable')
    expect(behind.quota.used).toBe(0)
  })

  it('is 503 if the read models are away, not a wrong answer', async () => {
    const away = async (): Promise<never> => {
      throw new ProblemError('unavailable', 'The read models cannot be reached.')
    }
    const { deps } = await world()
    const served = await world({ events: { ...deps.events, byId: away } })
    const { headers } = await ask(served.app, '/v1/economics/USA/cpi')
    expect((await ask(served.app, linkOf(headers) ?? '')).problem.code).toBe('unavailable')
  })
})

describe('the event of a release', () => {
  it('leads to the release by its own id, in a page as in a frame', async () => {
    const served = await world()
    const { events } = (await ask(served.app, '/v1/events?family=inflation&limit=1000')).json()
    expect(events.length).toBeGreaterThan(1)
    for (const { id, subject, data } of events) {
      const found = (await get(served, id)).json<ReleaseDetail>()
      expect(`${found.country}/${found.indicator}/${found.period}`).toBe(subject)
      expect(found.event?.id).toBe(id)
      expect(found.released_on).toBe(data.released_on)
    }
  })

  it('is not found if there is none, or if the event is about something else', async () => {
    const served = await world()
    const id = `evt_${'0'.repeat(26)}`
    expect((await get(served, id)).problem).toMatchObject({ code: 'release_not_found' })
    const [some] = served.releases.events
    if (some) served.releases.events.push({ ...some, id, sequence: 1_000, type: 'calendar.release.late' })
    expect((await get(served, id)).problem).toMatchObject({ code: 'release_not_found' })
  })
})
