import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FigureKind } from '../../contracts/indicators.ts'
import type { Frequency } from '../../contracts/records.ts'
import { canonicalDecimal, compareDecimals } from '../../domain/decimal.ts'
import { divide, roundFixedPoint, toFixedPoint } from '../../domain/fixed-point.ts'
import { forecast } from '../../domain/forecast.ts'
import type { ForecastModel } from '../../domain/forecast-method.ts'
import { placesOf } from '../../domain/forecast-precision.ts'
import { shiftPeriod } from '../../domain/period.ts'

const FIRST: Readonly<Record<Frequency, string>> = { M: '2000-01', Q: '2000-Q1', A: '1950' }
const historyOf = (frequency: Frequency, values: readonly (string | undefined)[]): Map<string, string> =>
  new Map(
    values.flatMap((value, i) =>
      value === undefined ? [] : [[shiftPeriod(FIRST[frequency], i), value] as [string, string]],
    ),
  )
const model = (frequency: Frequency, kind: FigureKind, seasonal: boolean): ForecastModel => ({
  frequency,
  kind,
  seasonal,
})
const times = (n: number, of: (i: number) => string): string[] => Array.from({ length: n }, (_, i) => of(i))

describe('a forecast', () => {
  it('repeats a season exactly, with its drift', () => {
    const season = [0, 5, -3, 8]
    const values = times(24, (i) => String(100 + 2 * i + (season[i % 4] ?? 0)))
    const quarters = historyOf('Q', values)
    expect(forecast(quarters, model('Q', 'balance', true))).toEqual({
      period: '2006-Q1',
      value: '148',
      lower: '148',
      upper: '148',
    })
    expect(forecast(quarters, model('Q', 'balance', true), 2)).toMatchObject({ period: '2006-Q2', value: '155' })
  })

  it('moves a level by a factor, and anything else by an amount', () => {
    const doubling = historyOf(
      'A',
      times(12, (i) => String(2 ** i)),
    )
    expect(forecast(doubling, model('A', 'level', false))).toMatchObject({ value: '4096', lower: '4096' })
    // As amounts the changes of five years are 64 … 1024; the one in the middle is 256.
    expect(forecast(doubling, model('A', 'rate', false))).toMatchObject({ value: '2304' })
  })

  it('takes the median of the past changes: one odd year does not move it', () => {
    const steady = times(60, (i) => String(100 + i))
    const odd = steady.map((value, i) => (i === 48 ? '500' : value))
    const of = (values: string[]) => forecast(historyOf('M', values), model('M', 'balance', true))?.value
    expect(of(odd)).toBe(of(steady))
  })

  it('has bounds at the stated ranks of the errors', () => {
    // Naive with no drift: the errors are the changes, here ±1 … ±n on alternate periods.
    const ofErrors = (errors: readonly number[]) => {
      let at = 1000
      const values = [1000, 1000, ...errors.map((error) => (at += error))].map(String)
      const result = forecast(historyOf('A', values), model('A', 'balance', false))
      return result && [Number(result.lower) - Number(result.value), Number(result.upper) - Number(result.value)]
    }
    // The drift is the median of five changes, 0 throughout, for three of any five are.
    const sparse = (n: number) => Array.from({ length: n }, (_, i) => (i % 3 === 2 ? (i % 2 === 0 ? i : -i) : 0))
    const rankOf = (n: number) => Math.max(1, Math.floor((n + 1) / 10))
    for (const n of [9, 18, 21, 30]) {
      const sorted = sparse(n).sort((a, b) => a - b)
      expect(ofErrors(sparse(n)), String(n)).toEqual([sorted[rankOf(n) - 1], sorted[n - rankOf(n)]])
    }
  })

  it('needs two years of figures and eight errors', () => {
    const months = (n: number, first = 0) =>
      historyOf(
        'M',
        times(n, (i) => String(100 + ((i + first) % 7))),
      )
    expect(forecast(new Map(), model('M', 'level', true))).toBeUndefined()
    expect(forecast(months(31), model('M', 'level', true))).toBeUndefined()
    expect(forecast(months(32), model('M', 'level', true))).toBeDefined()
    expect(forecast(historyOf('Q', times(15, String)), model('Q', 'rate', false))).toBeUndefined()
    expect(forecast(historyOf('Q', times(16, String)), model('Q', 'rate', false))).toBeDefined()
  })

  it('has no value for levels that are not positive, nor bounds beyond 0 and 100 for shares', () => {
    expect(
      forecast(
        historyOf(
          'A',
          times(20, () => '0'),
        ),
        model('A', 'level', false),
      ),
    ).toBeUndefined()
    const falling = historyOf(
      'A',
      times(20, (i) => String(99 - 5 * i)).map((value) => (value.startsWith('-') ? '0' : value)),
    )
    expect(forecast(falling, model('A', 'share', false))).toMatchObject({ lower: '0' })
    expect(
      forecast(
        historyOf(
          'A',
          times(20, (i) => String(1 + 5.2 * i).slice(0, 4)),
        ),
        model('A', 'share', false),
      ),
    ).toMatchObject({
      value: '100.0',
      upper: '100.0',
    })
  })

  it('has the precision of the newest figures: percentages one decimal at most, levels eight digits', () => {
    expect(placesOf(['29511664000000', '29600000000000'], false)).toBe(-6)
    expect(placesOf(['130.111829', '129.1'], false)).toBe(5)
    expect(placesOf(['2.50', '2'], false)).toBe(2)
    expect(placesOf(['0', '0.0'], false)).toBe(0)
    expect(placesOf(['0', '120'], false)).toBe(-1)
    expect(placesOf(['10', '20'], true)).toBe(0)
    expect(placesOf(['4.25', '4.1'], true)).toBe(1)
  })

  it('passes over figures that were never published', () => {
    const values: (string | undefined)[] = times(120, (i) => String(1000 + 10 * i))
    values[70] = undefined
    values[108] = undefined
    expect(forecast(historyOf('M', values), model('M', 'balance', true))).toMatchObject({
      period: '2010-01',
      value: '2200',
    })
  })

  const kinds = fc.constantFrom<FigureKind>('level', 'balance', 'rate', 'share')
  const frequencies = fc.constantFrom<Frequency>('A', 'Q', 'M')
  const figure = fc.option(
    fc
      .tuple(fc.integer({ min: -2000, max: 20_000 }), fc.integer({ min: 0, max: 4 }))
      .map(([n, decimals]) => canonicalDecimal(`${n}e-${decimals}`, { decimals })),
    { nil: undefined, freq: 12 },
  )

  it('always lies within its bounds, is never negative where it can’t be, and is served as a decimal', () => {
    let made = 0
    fc.assert(
      fc.property(
        fc.array(figure, { minLength: 30, maxLength: 90 }),
        frequencies,
        kinds,
        fc.boolean(),
        (values, frequency, kind, seasonal) => {
          const history = historyOf(
            frequency,
            kind === 'level' ? values.map((value) => value?.replace('-', '')) : values,
          )
          const result = forecast(history, model(frequency, kind, seasonal))
          if (!result) return
          made++
          for (const value of [result.value, result.lower, result.upper]) {
            expect(value).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/)
            expect(value).not.toMatch(/^-0(?:\.0*)?$/)
            if (kind === 'level' || kind === 'share') expect(value).not.toMatch(/^-/)
          }
          expect(compareDecimals(result.lower, result.value)).toBeLessThanOrEqual(0)
          expect(compareDecimals(result.value, result.upper)).toBeLessThanOrEqual(0)
        },
      ),
      { numRuns: 300 },
    )
    expect(made).toBeGreaterThan(100)
  })

  it('depends on nothing older than it says, and on no order', () => {
    fc.assert(
      fc.property(fc.array(figure, { minLength: 130, maxLength: 160 }), fc.boolean(), (values, seasonal) => {
        const history = historyOf('M', values)
        const expected = forecast(history, model('M', 'balance', seasonal))
        const newest = [...history.keys()].sort().at(-1) ?? ''
        const recent = [...history].filter(([period]) => period > shiftPeriod(newest, -121))
        expect(forecast(new Map(recent.reverse()), model('M', 'balance', seasonal))).toEqual(expected)
      }),
      { numRuns: 50 },
    )
  })
})

describe('fixed point', () => {
  it('rounds half away from zero, as decimals do', () => {
    expect([divide(5n, 2n), divide(-5n, 2n), divide(4n, 3n), divide(-4n, 3n)]).toEqual([3n, -3n, 1n, -1n])
    const digits = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(20))
    fc.assert(
      fc.property(digits, fc.integer({ min: -12, max: 20 }), ([n, decimals], wanted) => {
        const places = Math.min(wanted, decimals)
        const text = canonicalDecimal(`${n}e-${decimals}`)
        const rounded = roundFixedPoint(toFixedPoint(text, decimals + 3), decimals + 3, places) ?? ''
        expect(compareDecimals(rounded, canonicalDecimal(text, { decimals: places }))).toBe(0)
        expect(rounded.split('.')[1]?.length ?? 0).toBe(Math.max(0, places))
      }),
    )
    expect(roundFixedPoint(-4n, 2, 1)).toBe('0.0')
    expect(roundFixedPoint(10n ** 80n, 2, 0)).toBeUndefined()
  })
})
