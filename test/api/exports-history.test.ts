import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ObservationList } from '../../contracts/histories.ts'
import { decodeHistoryCursor, encodeHistoryCursor, type HistoryCursor } from '../../domain/history-cursor.ts'
import { flowSeries } from '../support/releases.ts'
import { ask, bearer, NOW, type World, world } from './support.ts'

const history = (country = 'USA') => `/v1/economics/${country}/trade/exports/observations`
const page = async ({ app }: World, url: string): Promise<ObservationList> => {
  const response = await ask(app, url)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}
const periods = ({ observations }: ObservationList): string[] => observations.map(({ period }) => period)

/** All pages from the first to the last; every further one is asked for with the cursor alone. */
async function read(served: World, query: string, between: () => void = () => {}): Promise<ObservationList[]> {
  const pages = [await page(served, `${history()}?${query}`)]
  const limit = new URLSearchParams(query).get('limit') ?? '100'
  for (let cursor = pages[0]?.next_cursor; cursor; cursor = pages.at(-1)?.next_cursor) {
    between()
    pages.push(await page(served, `${history()}?cursor=${cursor}&limit=${limit}`))
  }
  return pages
}

describe('exports history', () => {
  it('gives months in order, with what they measure', async () => {
    const list = await page(await world(), history())
    expect(list.observations[0]).toEqual({
      country: 'USA',
      measure: 'merchandise_exports',
      value: '301000000000',
      unit: 'USD',
      transformation: '',
      period: '2025-01',
    })
    expect(periods(list)).toHaveLength(12)
    expect(periods(list)).toEqual(periods(list).toSorted())
    expect(list.next_cursor).toBeNull()
  })

  it('reads one snapshot from the first page to the last, whatever is revised and added meanwhile', async () => {
    const served = await world()
    const before = await page(served, history())
    let month = 0
    const pages = await read(served, 'limit=5', () => {
      month++
      // A revision of a month that is still to come, of one already read, and a new month; each later than the snapshot.
      const at = `2026-02-0${month}T00:00:00.000Z`
      served.releases.accept(flowSeries('trade-exports'), '2025-12', { value: `${month}` }, at)
      served.releases.accept(flowSeries('trade-exports'), '2025-01', { value: `${month}` }, at)
      served.releases.accept(flowSeries('trade-exports'), `2024-0${month}`, { value: '7' }, at)
    })
    expect(pages.map(({ observations }) => observations.length)).toEqual([5, 5, 2])
    expect(pages.flatMap(({ observations }) => observations)).toEqual(before.observations)
    expect(new Set(pages.map(({ as_of }) => as_of))).toEqual(new Set([before.as_of]))
    const after = await page(served, history())
    expect(after.as_of).toBe('2026-02-02T00:00:00.000Z')
    expect(after.observations).toHaveLength(14)
    expect(after.observations.at(-1)?.value).toBe('2')
  })

  it('delivers what a range and a limit name, each once and in order, for any of them', async () => {
    const served = await world()
    const all = periods(await page(served, history()))
    const month = fc.integer({ min: 1, max: 14 }).map((i) => (i > 12 ? '2025' : `2025-${String(i).padStart(2, '0')}`))
    const bound = fc.option(month, { nil: undefined })
    await fc.assert(
      fc.asyncProperty(bound, bound, fc.integer({ min: 1, max: 13 }), async (start, end, limit) => {
        const from = start === '2025' ? '2025-01' : start
        const to = end === '2025' ? '2025-12' : end
        fc.pre(!(from && to && from > to))
        const query = new URLSearchParams({ ...(start && { start }), ...(end && { end }), limit: String(limit) })
        const delivered = (await read(served, query.toString())).flatMap(periods)
        expect(delivered).toEqual(all.filter((period) => (!from || period >= from) && (!to || period <= to)))
      }),
      { numRuns: 25 },
    )
  })

  it('takes a year as its January and its December', async () => {
    const served = await world()
    expect(periods(await page(served, `${history()}?start=2025&end=2025-02`))).toEqual(['2025-01', '2025-02'])
    expect(periods(await page(served, `${history()}?start=2025-11&end=2025`))).toEqual(['2025-11', '2025-12'])
  })

  it('answers an empty range with an empty list', async () => {
    const list = await page(await world(), `${history()}?start=2030`)
    expect(list).toMatchObject({ observations: [], next_cursor: null })
  })

  it('takes a cursor alone, or with the filters it was made for, and any limit', async () => {
    const served = await world()
    const { next_cursor } = await page(served, `${history()}?start=2025&end=2025-10&limit=2`)
    const rest = Array.from({ length: 8 }, (_, i) => `2025-${String(i + 3).padStart(2, '0')}`)
    expect(periods(await page(served, `${history()}?cursor=${next_cursor}`))).toEqual(rest)
    const whole = `${history()}?cursor=${next_cursor}&start=2025-01&end=2025-10&limit=3`
    expect(periods(await page(served, whole))).toHaveLength(3)
  })

  it('refuses a cursor with other filters, and with a part of its own', async () => {
    const served = await world()
    const cursorOf = async (query: string) => (await page(served, `${history()}?limit=2&${query}`)).next_cursor
    const refused = async (cursor: string | null, query: string) => {
      const { problem } = await ask(served.app, `${history()}?cursor=${cursor}&${query}`)
      expect(problem.code, query).toBe('cursor_mismatch')
      return problem.detail
    }
    const both = await cursorOf('start=2025&end=2025-10')
    const parts = ['start=2025-01', 'end=2025-10', 'start=2025&end=2025-11', 'start=2025-02&end=2025-10']
    for (const part of parts) {
      const detail = 'The cursor was made for start 2025-01 and end 2025-10: send it with exactly these, or alone.'
      expect(await refused(both, part)).toBe(detail)
    }
    const startOnly = await cursorOf('start=2025-02')
    await refused(startOnly, 'start=2025-02&end=2025-12')
    await page(served, `${history()}?cursor=${startOnly}&start=2025-02`)
    await refused(await cursorOf(''), 'end=2025')
    expect(served.quota.used).toBe(4)
  })

  it('refuses a cursor that no node can have handed out, by MCP too', async () => {
    const served = await world()
    const { next_cursor } = await page(served, `${history()}?limit=2`)
    const cursor = decodeHistoryCursor(next_cursor ?? '')
    if (!cursor) throw new Error('the page goes on')
    const now = Date.parse(NOW)
    const forgeries: Partial<HistoryCursor>[] = [
      ...[cursor.snapshot + 1_000, Number.MAX_SAFE_INTEGER].map((snapshot) => ({ snapshot })),
      ...[now + 7_200_001, Number.MAX_SAFE_INTEGER].map((issuedAt) => ({ issuedAt })),
      ...['9', '2025', '2025-13', 'x'.repeat(300)].flatMap((month) => [{ start: month }, { end: month }]),
    ]
    const { used } = served.quota
    for (const forged of forgeries) {
      const text = encodeHistoryCursor({ ...cursor, ...forged })
      const { problem } = await ask(served.app, `${history()}?cursor=${text}`)
      expect(problem.code, JSON.stringify(forged)).toMatch(/^(cursor_invalid|invalid_query)$/)
      const { body } = await served.app.inject({
        method: 'POST',
        url: '/mcp',
        headers: { ...bearer(), 'content-type': 'application/json' },
        payload: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'economics_get_trade_exports_history', arguments: { country: 'USA', cursor: text } },
        },
      })
      expect(body, JSON.stringify(forged)).toMatch(/cursor_invalid|invalid_query/)
    }
    expect(served.quota.used).toBe(used)
    // The clock of the node that handed it out may be an hour ahead.
    served.now = new Date(now - 3_600_000).toISOString()
    await page(served, `${history()}?cursor=${next_cursor}`)
  })

  it('gives years for a country that has only those, and only whole ones', async () => {
    const served = await world()
    expect(periods(await page(served, history('MYS')))).toEqual(['2022', '2023', '2024'])
    expect(periods(await page(served, `${history('MYS')}?start=2022-02&end=2024-11`))).toEqual(['2023'])
    expect(periods(await page(served, `${history('MYS')}?start=2023&end=2023`))).toEqual(['2023'])
    const { next_cursor } = await page(served, `${history('MYS')}?start=2022-02&limit=1`)
    expect(periods(await page(served, `${history('MYS')}?cursor=${next_cursor}`))).toEqual(['2024'])
  })

  it('honours a cursor for 24 hours', async () => {
    const served = await world()
    const { next_cursor } = await page(served, `${history()}?limit=5`)
    const later = (ms: number) => new Date(Date.parse(NOW) + ms).toISOString()
    served.now = later(86_400_000)
    await page(served, `${history()}?cursor=${next_cursor}`)
    served.now = later(86_400_001)
    const refused = await ask(served.app, `${history()}?cursor=${next_cursor}`)
    expect(refused.statusCode).toBe(410)
  })

  it('has one tag for a first page that goes on, as long as nothing changes and its cursor lives 24 hours', async () => {
    const served = await world()
    const first = `${history()}?limit=2`
    served.now = '2026-11-21T12:00:00.001Z'
    const { headers, body } = await ask(served.app, first)
    served.now = '2026-11-21T13:00:00.000Z'
    expect((await ask(served.app, first)).body).toBe(body)
    const again = { ...bearer(), 'if-none-match': String(headers.etag) }
    const unchanged = await ask(served.app, { url: first, headers: again })
    expect([unchanged.statusCode, unchanged.headers.etag]).toEqual([304, headers.etag])
    // Counted from the last time that it was handed out.
    const { next_cursor }: ObservationList = JSON.parse(body)
    served.now = '2026-11-22T13:00:00.000Z'
    await page(served, `${history()}?cursor=${next_cursor}`)
    served.now = '2026-11-22T13:00:00.001Z'
    expect((await ask(served.app, `${history()}?cursor=${next_cursor}`)).statusCode).toBe(410)
    served.now = '2026-11-21T13:00:00.001Z'
    expect((await ask(served.app, { url: first, headers: again })).statusCode).toBe(200)
  })

  it('is unavailable on a replica that has not come as far as the snapshot, on the first page and later', async () => {
    const served = await world()
    const { next_cursor } = await page(served, `${history()}?limit=5`)
    const { releases, deps } = served
    const behind = await world({
      figures: releases.board,
      history: { ...deps.history, watermark: async () => 20, series: async () => [] },
    })
    for (const url of [`${history()}?cursor=${next_cursor}`, history()]) {
      const { problem } = await ask(behind.app, url)
      expect(problem).toMatchObject({
        code: 'unavailable',
        detail: expect.stringContaining('has not reached the snapshot'),
      })
    }
    const empty = await world({ history: { ...deps.history, watermark: async () => undefined } })
    expect((await ask(empty.app, `${history()}?cursor=${next_cursor}`)).statusCode).toBe(503)
    expect(behind.quota.used).toBe(0)
  })

  it('goes on with the series it began with when another is served', async () => {
    const served = await world()
    const { next_cursor } = await page(served, `${history()}?limit=11`)
    const better = flowSeries('trade-exports', { source: 'BEA', unit: 'CAD' })
    const comparable = flowSeries('trade-exports', { source: 'BEA' })
    for (const series of [better, comparable]) served.releases.accept(series, '2025-12', { value: '1' })
    const next = await page(served, `${history()}?cursor=${next_cursor}`)
    expect(next.observations).toMatchObject([{ period: '2025-12', value: '312000000000', unit: 'USD' }])
    const last = (await page(served, history())).observations.at(-1)
    expect(last).toMatchObject({ period: '2025-12', value: '1', unit: 'CAD' })
  })

  it('lets a page be kept, and says not modified to who has it', async () => {
    const { app } = await world()
    const first = await ask(app, history())
    expect(first.headers['cache-control']).toBe('private, max-age=60')
    const again = { ...bearer(), 'if-none-match': String(first.headers.etag) }
    expect((await ask(app, { url: history(), headers: again })).statusCode).toBe(304)
  })
})
