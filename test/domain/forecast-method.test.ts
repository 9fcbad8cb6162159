import { describe, expect, it } from 'vitest'
import { type ForecastModel, forecaster, reachOf } from '../../domain/forecast-method.ts'
import { randomFrom } from '../support/random.ts'

const yearly: ForecastModel = { frequency: 'A', kind: 'balance', seasonal: false }
const monthly: ForecastModel = { frequency: 'M', kind: 'balance', seasonal: true }
const times = (n: number, of: (i: number) => string | undefined) => Array.from({ length: n }, (_, i) => of(i))
/** The forecast from the newest of some figures. */
const of = (texts: readonly (string | undefined)[], model: ForecastModel, horizon = 1) =>
  forecaster(texts, model, horizon)(texts.length - 1)
const random = randomFrom(7)
const jumping = (n: number) => times(n, () => String(1_000 + Math.floor(random() * 100)))

describe('a forecast', () => {
  it('follows from the figures up to its origin, as far back as it reaches', () => {
    for (const horizon of [1, 2, 3]) {
      const texts = jumping(200)
      const at = forecaster(texts, yearly, horizon)
      const reach = reachOf('A', horizon)
      for (const origin of [120, 150, 199])
        expect(at(origin), `${horizon} after ${origin}`).toEqual(
          of(texts.slice(origin + 1 - reach, origin + 1), yearly, horizon),
        )
    }
  })

  it('needs two of the last five years', () => {
    const without = (missing: number) =>
      of(
        times(180, (i) => (i >= 120 && i < 120 + missing ? undefined : String(100 + (i % 12)))),
        monthly,
      )
    expect(without(36)).toBeDefined()
    expect(without(37)).toBeUndefined()
  })

  it('has bounds by the errors of the last sixty periods', () => {
    const calm = (n: number) => times(n, () => '1001')
    const wild = times(15, (i) => (i % 2 === 0 ? '501' : '1501'))
    expect(of([...wild, ...calm(66)], yearly)).toEqual({ value: '1001', lower: '1001', upper: '1001' })
    expect(of([...calm(20), ...wild, ...calm(20)], yearly)).not.toMatchObject({ lower: '1001' })
  })

  it('of a level knows no factor to or from 0', () => {
    const once = times(20, (i) => (i === 15 ? '0' : '101'))
    expect(of(once, { ...yearly, kind: 'level' })).toEqual({ value: '101', lower: '101', upper: '101' })
  })

  it('has the decimals of the last year, or of the last four periods: of percentages one at most', () => {
    const decimals = (model: ForecastModel, newest: number, printed: string) =>
      of(
        times(100, (i) => (i === 100 - newest ? printed : '11')),
        model,
      )?.value
    expect(decimals(yearly, 4, '11.25')).toBe('11.00')
    expect(decimals(yearly, 5, '11.25')).toBe('11')
    expect(decimals(monthly, 12, '11.25')).toBe('11.00')
    expect(decimals(monthly, 13, '11.25')).toBe('11')
    expect(decimals({ ...yearly, kind: 'rate' }, 4, '11.25')).toBe('11.0')
    expect(decimals({ ...yearly, kind: 'share' }, 4, '11.25')).toBe('11.0')
    expect(decimals({ ...yearly, kind: 'level' }, 4, '11.25')).toBe('11.00')
  })
})
