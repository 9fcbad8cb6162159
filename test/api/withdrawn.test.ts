import { describe, expect, it } from 'vitest'
import type { VintageList } from '../../contracts/histories.ts'
import { unknownDay } from '../../domain/release-calendar.ts'
import { testSeries } from '../support/releases.ts'
import { AT_LATER, ask, bearer, type World, world } from './support.ts'

const cpi = '/v1/economics/CAN/cpi'
const TAKEN_BACK = { on: '2026-01-20', basis: 'publisher' } as const

/** Canada has one figure, which its publisher takes back. */
async function withdrawn(): Promise<World> {
  const served = await world()
  const series = testSeries({ country: 'CAN' })
  served.releases.accept(series, '2025-11', { value: '165.0' })
  served.releases.accept(series, '2025-11', {}, AT_LATER, { printed: null, released: TAKEN_BACK })
  return served
}

/** Inflation of Canada was derived from a figure that was not true, and is voided. */
async function voided(): Promise<World> {
  const served = await world()
  const { releases } = served
  const series = testSeries({
    country: 'CAN',
    indicator: 'inflation',
    unit: 'percent',
    derivation: 'inflation_from_cpi',
  })
  const print = releases.accept(series, '2025-11', {
    year_over_year: '2.2',
    month_over_month: '0.1',
    year_to_date: '2.4',
  })
  const { release_id } = print
  releases.record({ ...print, release_id: 'rel_void', figures: {}, published: {}, voids: release_id })
  return served
}

const detailOf = async ({ app }: World, url: string): Promise<string> => {
  const { statusCode, problem } = await ask(app, url)
  expect([statusCode, problem.code], url).toEqual([404, 'no_complete_publication'])
  return problem.detail
}

describe('a history whose figures were all withdrawn', () => {
  it.each(['', '?frequency=M', '?period=2025-11', '?start=2025'])('has its prints: vintages%s', async (query) => {
    const { app } = await withdrawn()
    const response = await ask(app, `${cpi}/vintages${query}`)
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json<VintageList>().vintages).toMatchObject([
      { period: '2025-11', value: '165.0' },
      { period: '2025-11', value: null, released_on: '2026-01-20' },
    ])
  })

  it('has no observation now, and those of an earlier day', async () => {
    const { app } = await withdrawn()
    const valuesOf = async (query: string) =>
      (await ask(app, `${cpi}/observations${query}`)).json().observations.map(({ value }: { value: string }) => value)
    expect(await valuesOf('')).toEqual([])
    expect(await valuesOf('?as_of=2026-01-19')).toEqual(['165.0'])
    const day = await ask(app, { url: `/asof/2026-01-20${cpi}/vintages`, headers: bearer() })
    expect(day.json<VintageList>().vintages.map(({ value }) => value)).toEqual(['165.0', null])
  })
})

describe('the detail of a missing figure', () => {
  it('does not count a country whose figures were all withdrawn among those with figures', async () => {
    const served = await withdrawn()
    expect(await detailOf(served, cpi)).toMatch(
      /^All figures of cpi of CAN \(Canada\) were withdrawn\. Its vintages have them\. cpi is published for USA\. Search/,
    )
    expect(await detailOf(served, `${cpi}?period=2025-11`)).toMatch(
      /^cpi of CAN \(Canada\) was withdrawn for 2025-11 on 2026-01-20\. cpi is published for USA\. Search/,
    )
    expect(await detailOf(served, `/asof/2026-01-20${cpi}`)).toMatch(/^All figures .* cpi is published for USA\. /)
    expect(await detailOf(served, '/v1/economics/CAN/gdp')).not.toContain('Published for CAN')
  })

  it('does not name nothing as published beside a period that was never published', async () => {
    const served = await withdrawn()
    served.releases.statements.apply({
      change: 'cancelled',
      country: 'CAN',
      indicator: 'cpi',
      period: '2025-12',
      series: testSeries({ country: 'CAN' }).id,
      ...unknownDay,
      reason: 'There was no survey.',
      recorded_at: AT_LATER,
    })
    expect(await detailOf(served, `${cpi}?period=2025-12`)).toBe(
      'cpi of CAN (Canada) was cancelled for 2025-12: There was no survey.',
    )
  })

  it('is no problem of a figure that memory has and the read models do not have yet', async () => {
    const served = await world()
    const { releases, deps } = served
    releases.accept(testSeries(), '2025-12', { value: '326.0' })
    const isOld = ({ period }: { period: string }) => period < '2025-12'
    const behind = await world({
      figures: releases.board,
      history: {
        ...deps.history,
        vintages: async (range) => (await deps.history.vintages(range))?.filter(isOld),
        prints: async (range) => (await deps.history.prints(range)).filter(isOld),
      },
    })
    for (const path of [
      'economics/USA/cpi/vintages?period=2025-12',
      'verify?country=USA&indicator=cpi&period=2025-12&value=326',
    ])
      expect((await ask(behind.app, `/v1/${path}`)).problem, path).toMatchObject({ code: 'unavailable' })
  })
})

describe('a derived series whose prints were all voided', () => {
  it.each([
    '',
    '/observations',
    '/vintages',
    '/vintages?frequency=M',
    '/observations?frequency=M',
    '/vintages?period=2025-11',
  ])('is not published: inflation%s', async (path) => {
    const served = await voided()
    expect(await detailOf(served, `/v1/economics/CAN/inflation${path}`)).toMatch(
      /^inflation is not published for CAN \(Canada\)\. inflation is published for USA\./,
    )
  })

  it('is not aggregated either', async () => {
    const served = await voided()
    const url = '/v1/economics/CAN/inflation/observations?frequency=A&aggregation_method=avg'
    expect(await detailOf(served, url)).toContain('inflation is not published for CAN')
  })

  it('is published once it has a print again', async () => {
    const served = await voided()
    const series = testSeries({
      country: 'CAN',
      indicator: 'inflation',
      unit: 'percent',
      derivation: 'inflation_from_cpi',
    })
    const figures = { year_over_year: '2.1', month_over_month: '0.1', year_to_date: '2.4' }
    served.releases.accept(series, '2025-11', figures)
    expect((await ask(served.app, '/v1/economics/CAN/inflation/vintages')).statusCode).toBe(200)
  })
})
