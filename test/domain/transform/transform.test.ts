import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Frequency } from '../../../contracts/records.ts'
import { type UnitCode, unitCodes } from '../../../contracts/transformations.ts'
import { add } from '../../../domain/decimal.ts'
import { periodsAYear, shiftPeriod } from '../../../domain/period.ts'
import { changeOf } from '../../../domain/transform/change.ts'
import type { HistoryFigure } from '../../../domain/transform/figure.ts'
import { transformer } from '../../../domain/transform/transform.ts'

const figure = (period: string, value: string | null, over: Partial<HistoryFigure> = {}): HistoryFigure => ({
  period,
  value,
  number: 1,
  place: 1,
  released_on: '2026-01-15',
  released_on_basis: 'publisher',
  ...over,
})
const first: Readonly<Record<Frequency, string>> = { A: '1990', Q: '1990-Q1', M: '1990-01' }
const history = (frequency: Frequency, values: readonly string[]): HistoryFigure[] =>
  values.map((value, i) => figure(shiftPeriod(first[frequency], i), value))
const transformed = (figures: readonly HistoryFigure[], units: UnitCode, frequency: Frequency) =>
  figures.map(transformer({ answered: figures, own: figures }, units, frequency))
const shown = ({ period, value, missing }: HistoryFigure): string => `${period} ${value ?? missing}`

/** The formulas of FRED in doubles: an independent computation. */
const inDoubles: Readonly<Record<UnitCode, (x: number, before: number, n: number) => number>> = {
  lin: (x) => x,
  chg: (x, before) => x - before,
  ch1: (x, before) => x - before,
  pch: (x, before) => (x / before - 1) * 100,
  pc1: (x, before) => (x / before - 1) * 100,
  pca: (x, before, n) => ((x / before) ** n - 1) * 100,
  cch: (x, before) => (Math.log(x) - Math.log(before)) * 100,
  cca: (x, before, n) => (Math.log(x) - Math.log(before)) * 100 * n,
  log: (x) => Math.log(x),
}

const decimal = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 0, max: 5 }))
  .map(([units, places]) => {
    const digits = String(units).padStart(places + 1, '0')
    return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  })
const frequency = fc.constantFrom<Frequency>('A', 'Q', 'M')

describe('a transformation', () => {
  it('is dated by an estimate if one of its figures is, and else by that of the latest day', () => {
    const basisOf = (before: Partial<HistoryFigure>, now: Partial<HistoryFigure>) => {
      const [, result] = transformed([figure('2024', '1', before), figure('2025', '2', now)], 'pch', 'A')
      return [result?.released_on, result?.released_on_basis]
    }
    const [early, late] = [{ released_on: '2025-02-13' }, { released_on: '2026-02-13' }]
    const estimated = { released_on_basis: 'estimated' } as const
    expect(basisOf({ ...early, ...estimated }, late)).toEqual(['2026-02-13', 'estimated'])
    expect(basisOf(early, { ...late, ...estimated })).toEqual(['2026-02-13', 'estimated'])
    expect(basisOf({ ...early, released_on_basis: 'dataset' }, late)).toEqual(['2026-02-13', 'publisher'])
    expect(basisOf({ ...late, released_on_basis: 'dataset' }, early)).toEqual(['2026-02-13', 'dataset'])
  })

  it('is the formula of FRED, to 1e-9 of a computation in doubles', () => {
    const changing = fc.constantFrom(...unitCodes.filter((units) => units !== 'lin'))
    fc.assert(
      fc.property(changing, fc.array(decimal, { minLength: 13, maxLength: 30 }), frequency, (units, values, of) => {
        const n = periodsAYear[of]
        const back = units === 'log' ? 0 : units === 'ch1' || units === 'pc1' ? n : 1
        const results = transformed(history(of, values), units, of)
        const none = { value: null, missing: 'no_predecessor' }
        for (const result of results.slice(0, back)) expect(result).toMatchObject(none)
        for (const [i, { value, missing }] of results.entries()) {
          if (i < back) continue
          const [x, before] = [Number(values[i]), Number(values[i - back])]
          const expected = inDoubles[units](x, before, n)
          // Doubles lose what two nearly equal terms have in common.
          const lost = units === 'chg' || units === 'ch1' ? x : units === 'log' ? 1 : 100 * n
          if (value === null) expect([missing, expected > 1e60]).toEqual(['out_of_range', true])
          else expect(Math.abs(Number(value) - expected)).toBeLessThanOrEqual(1e-9 * Math.max(Math.abs(expected), lost))
        }
      }),
    )
  })

  it('is exact for differences: added to the figure before, they give the figure', () => {
    fc.assert(
      fc.property(fc.array(decimal, { minLength: 2, maxLength: 20 }), frequency, (values, of) => {
        const figures = history(of, values)
        transformed(figures, 'chg', of).forEach(({ value }, i) => {
          if (i > 0) expect(add(values[i - 1] ?? '', value ?? '')).toBe(add(values[i] ?? ''))
        })
      }),
    )
  })

  it('has at most 12 significant digits where it is not exact', () => {
    fc.assert(
      fc.property(decimal, decimal, fc.constantFrom('pch', 'pca', 'cch', 'cca', 'log'), (now, before, units) => {
        const result = changeOf(units, now, before, 4)
        const digits = (result.value ?? '').replace('-', '').replace('.', '').replace(/^0+/, '')
        expect(digits.replace(/0+$/, '').length).toBeLessThanOrEqual(12)
      }),
    )
  })

  it.each<[UnitCode, string, string, number, string]>([
    // 110 / 100, and its powers 1.1^4 = 1.4641 and 1.1^12 = 3.138428376721.
    ['chg', '110', '100', 12, '10'],
    ['pch', '110', '100', 12, '10'],
    ['pca', '110', '100', 4, '46.41'],
    ['pca', '110', '100', 12, '213.842837672'],
    ['pca', '110', '100', 1, '10'],
    // ln 1.1 = 0.0953101798043248600439521232807…
    ['cch', '110', '100', 12, '9.53101798043'],
    ['cca', '110', '100', 4, '38.1240719217'],
    ['cca', '110', '100', 12, '114.372215765'],
    ['cch', '100', '110', 12, '-9.53101798043'],
    // ln 2 = 0.693147180559945309…, ln 10 = 2.302585092994045684…, ln (1 + 1e-20) = 1e-20 − 5e-41 + …
    ['log', '2', '', 12, '0.69314718056'],
    ['log', '10', '', 12, '2.30258509299'],
    ['log', '0.001', '', 12, '-6.90775527898'],
    ['log', '1', '', 12, '0'],
    ['log', '1.00000000000000000001', '', 12, '0.00000000000000000001'],
    ['log', '32475210000000', '', 4, '31.111498145'],
    ['pch', '2.9', '3', 12, '-3.33333333333'],
    ['pch', '0', '3', 12, '-100'],
    ['pca', '0', '3', 12, '-100'],
    ['chg', '3.30', '3.3', 12, '0'],
    ['chg', '0.1', '0.3', 12, '-0.2'],
    // Half even at the 12th digit: 100.0000000005 and 100.0000000015 percent.
    ['pch', '2000000000005', '1000000000000', 1, '100'],
    ['pch', '2000000000015', '1000000000000', 1, '100.000000002'],
  ])('%s of %s after %s, with %i periods a year', (units, now, before, n, expected) => {
    expect(changeOf(units as 'chg', now, before, n)).toEqual({ value: expected })
  })

  it('has no value where the period before is missing, of another series, or no base of a rate', () => {
    const figures = [
      figure('2025-01', '100'),
      figure('2025-02', '101'),
      figure('2025-04', '103'),
      figure('2025-05', '104', { place: 2 }),
      figure('2025-06', '0', { place: 2 }),
      figure('2025-07', '105', { place: 2 }),
      figure('2025-08', '-5', { place: 2 }),
      figure('2025-09', null, { place: 2, missing: 'incomplete' }),
      figure('2025-10', '106', { place: 2 }),
    ]
    const none = ['2025-01 no_predecessor', '2025-02 1', '2025-04 no_predecessor', '2025-05 other_series']
    const end = ['2025-09 incomplete', '2025-10 no_predecessor']
    expect(transformed(figures, 'chg', 'M').map(shown)).toEqual([
      ...none,
      ...['2025-06 -104', '2025-07 105', '2025-08 -110'],
      ...end,
    ])
    expect(transformed(figures, 'pch', 'M').map(shown)).toEqual([
      ...none,
      ...['2025-06 -100', '2025-07 not_positive', '2025-08 -104.761904762'],
      ...end,
    ])
    expect(transformed(figures, 'cch', 'M').map(shown).slice(4, 7)).toEqual(
      ['2025-06', '2025-07', '2025-08'].map((period) => `${period} not_positive`),
    )
    expect(transformed(figures, 'log', 'M').map(shown)).toContain('2025-06 not_positive')
  })

  it('compares within one series, also where another one answers the period before', () => {
    const answered = [figure('2025-01', '100'), figure('2025-02', '101'), figure('2025-03', '52', { place: 2 })]
    const own = [...answered, figure('2025-02', '50', { place: 2 })]
    const transform = transformer({ answered, own }, 'pch', 'M')
    expect(answered.map(transform).map(shown)).toEqual(['2025-01 no_predecessor', '2025-02 1', '2025-03 4'])
  })

  it('compares each figure of a period with its own, and is dated by the later of the two', () => {
    const figures = [
      figure('2025-Q1', '100', { released_on: '2025-09-01', released_on_basis: 'copy' }),
      figure('2025-Q1', '7', { number: 2 }),
      figure('2025-Q2', '110', { released_on: '2025-07-30' }),
      figure('2025-Q2', '8', { number: 2 }),
    ]
    expect(transformed(figures, 'pch', 'Q').slice(2)).toMatchObject([
      { number: 1, value: '10', released_on: '2025-09-01', released_on_basis: 'copy' },
      { number: 2, value: '14.2857142857', released_on: '2026-01-15' },
    ])
  })

  it('refuses a result that is longer than a decimal', () => {
    expect(changeOf('pca', '9'.repeat(60), '0.1', 12)).toEqual({ value: null, missing: 'out_of_range' })
  })
})
