import { describe, expect, it } from 'vitest'
import type { CheckedClaim } from '../../contracts/claims.ts'
import { testSeries } from '../support/releases.ts'
import { ask, type World, world } from './support.ts'

const rate = testSeries({ indicator: 'unemployment', unit: 'percent', country: 'DEU' })
const other = testSeries({ indicator: 'unemployment', unit: 'percent', country: 'DEU', dataset: 'T2' })
const at = (day: string) => `${day}T09:00:00.000Z`

/** Two series of one period: the better one revised, the other one as first printed. */
async function revised(): Promise<World> {
  const served = await world()
  served.releases.accept(other, '2025-10', { rate: '3.7' }, at('2025-11-20'))
  served.releases.accept(rate, '2025-10', { rate: '3.94' }, at('2025-11-28'))
  served.releases.accept(rate, '2025-10', { rate: '4.06' }, at('2025-12-30'))
  return served
}
const path = (value: string, over: Readonly<Record<string, string>> = {}) =>
  `/v1/verify?${new URLSearchParams({ country: 'DEU', indicator: 'unemployment', period: '2025-10', value, ...over })}`
const check = async ({ app }: World, value: string) => (await ask(app, path(value))).json<CheckedClaim>()

describe('a claim', () => {
  it('is current if the period is answered with it, also where an earlier print says it too', async () => {
    const { verdict, prints, served, claim } = await check(await revised(), '4 %')
    expect(verdict).toBe('current')
    expect(claim).toEqual({ text: '4 %', value: '4', tolerance: '0.5', unit: 'percent' })
    expect(prints).toMatchObject([
      // The other series is rounded to it, too.
      { value: '3.7', series: other.id, is_current: true, is_served: false, replaced_on: null },
      { value: '3.94', series: rate.id, is_current: false, is_served: false, replaced_on: '2025-12-30' },
      { value: '4.06', series: rate.id, is_current: true, is_served: true, replaced_by: null },
    ])
    expect(served).toMatchObject([{ measure: 'unemployment', value: '4.06', unit: 'percent', series: rate.id }])
    expect(prints[2]?.link).toBe(`/v1/releases/${prints[2]?.release_id}`)
  })

  it('is former, with what replaced it', async () => {
    const { verdict, prints } = await check(await revised(), '3.9')
    expect(verdict).toBe('former')
    expect(prints).toMatchObject([
      { value: '3.94', released_on: '2025-11-28', replaced_on: '2025-12-30', replacing_value: '4.06' },
    ])
  })

  it('is that of another series, or of none', async () => {
    const served = await revised()
    expect(await check(served, '3.7')).toMatchObject({ verdict: 'current_elsewhere', served: [{ value: '4.06' }] })
    expect(await check(served, '4.2')).toMatchObject({
      verdict: 'not_on_record',
      prints: [],
      served: [{ value: '4.06' }],
    })
    // A currency is none of a rate.
    expect(await check(served, 'EUR 4')).toMatchObject({ verdict: 'not_on_record' })
  })

  it('is former once its figure was withdrawn, and nothing is served then', async () => {
    const served = await world()
    served.releases.accept(rate, '2025-10', { rate: '3.94' }, at('2025-11-28'))
    served.releases.accept(rate, '2025-10', {}, at('2025-12-01'), { printed: null })
    expect(await check(served, '3.9')).toMatchObject({
      verdict: 'former',
      prints: [{ replaced_on: '2025-12-01', replacing_value: null, is_served: false }],
      served: [],
    })
  })

  it('may be of any figure of its indicator', async () => {
    const { app } = await world()
    const over = { country: 'USA', indicator: 'inflation', period: '2025-10' }
    const answer = (await ask(app, path('2.7 percent', over))).json<CheckedClaim>()
    expect(answer.verdict).toBe('current')
    expect(answer.prints.map(({ transformation }) => transformation)).toContain('year_over_year')
    expect(answer.served.map(({ transformation }) => transformation)).toEqual([
      ...['year_over_year', 'month_over_month', 'year_to_date'],
    ])
  })

  it.each([
    ['3,9', {}, 'invalid_query', 'query parameter value: "3,9" is no figure. Write a number such as 330.213'],
    ['3.9', { indicator: 'unemploymet' }, 'invalid_query', 'Did you mean unemployment'],
    ['3.9', { country: 'XXX' }, 'invalid_query', '"XXX" is not a country code'],
    [
      '3.9',
      { period: '2025-11' },
      'no_complete_publication',
      'unemployment of DEU (Germany) is not published for 2025-11',
    ],
    ['3.9', { country: 'FRA' }, 'no_complete_publication', 'unemployment is not published for FRA (France)'],
  ])('that cannot be checked is refused: %s %o', async (value, over, code, detail) => {
    const { problem } = await ask((await revised()).app, path(value, over as Record<string, string>))
    expect(problem).toMatchObject({ code, detail: expect.stringContaining(detail) })
  })
})
