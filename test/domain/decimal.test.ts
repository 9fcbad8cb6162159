import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  add,
  canonicalDecimal,
  compareDecimals,
  DecimalError,
  equalDecimals,
  multiply,
  percentChange,
  ratio,
  subtract,
} from '../../domain/decimal.ts'

/** An independent model: a decimal as an integer over a power of ten. */
const parse = (text: string): { units: bigint; scale: number } => {
  const [whole = '', fraction = ''] = text.split('.')
  return { units: BigInt(whole + fraction), scale: fraction.length }
}
const decimal = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }))
  .map(([negative, units, scale]) => {
    const digits = units.toString().padStart(scale + 1, '0')
    const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
    return negative && units > 0n ? `-${text}` : text
  })
const positive = decimal.filter((text) => parse(text).units > 0n)

/** Half away from zero, of a/b, to an integer. */
const roundedQuotient = (a: bigint, b: bigint): bigint => {
  const negative = a < 0n !== b < 0n
  const [top, bottom] = [a < 0n ? -a : a, b < 0n ? -b : b]
  const rounded = (2n * top + bottom) / (2n * bottom)
  return negative ? -rounded : rounded
}

describe('canonicalDecimal', () => {
  it.each([
    ['2.50', '2.50'],
    ['007.1', '7.1'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['+3', '3'],
    ['-0', '0'],
    ['-0.00', '0.00'],
    ['1e3', '1000'],
    ['1.5E-3', '0.0015'],
    [' 4.2 ', '4.2'],
    [`4.3${'0'.repeat(39)}`, '4.3'],
    ['4.300000', '4.3'],
    ['-100.000000', '-100'],
    ['0.000000', '0'],
    ['1.08500', '1.08500'],
    ['1.0850001', '1.0850001'],
  ])('reads %s as %s', (printed, canonical) => expect(canonicalDecimal(printed)).toBe(canonical))

  it('applies a multiplier exactly', () => {
    expect(canonicalDecimal('27610.128', { multiplier: '1000000000' })).toBe('27610128000000')
    expect(canonicalDecimal('0.1', { multiplier: '1000' })).toBe('100')
  })
  it.each(['+3', '+.5', '+5.', '+1.5E-3', '-2.', '-.5e+2'])(
    'reads %s with a multiplier as it does without',
    (printed) => expect(canonicalDecimal(printed, { multiplier: '1' })).toBe(canonicalDecimal(printed)),
  )
  it('reads every printed decimal, with each reading, or says that it is too long', () => {
    const reading = fc.record(
      { multiplier: fc.constantFrom('1', '1000000'), decimals: fc.nat(3) },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(
        fc.stringMatching(/^[+-]?(\d{1,9}(\.\d{0,9})?|\.\d{1,9})([eE][+-]?\d{1,3})?$/),
        reading,
        (text, given) => {
          try {
            expect(canonicalDecimal(text, given)).toMatch(/^-?\d+(\.\d+)?$/)
          } catch (error) {
            expect(error).toMatchObject({ code: 'decimal_too_long' })
          }
        },
      ),
    )
  })
  it('removes binary noise only where the series declares its precision', () => {
    expect(canonicalDecimal('267196000000.0000305')).toBe('267196000000.0000305')
    expect(canonicalDecimal('267196000000.0000305', { decimals: 0 })).toBe('267196000000')
  })
  it.each(['', '.', '-', '1,000', '1 000', 'NaN', 'Infinity', '0x10', '1e', '--1', '1e1000', '١'])(
    'refuses %j',
    (text) => expect(() => canonicalDecimal(text)).toThrow(DecimalError),
  )
  it('refuses what is longer than 64 characters', () => {
    expect(() => canonicalDecimal('9'.repeat(65))).toThrow('decimal_too_long')
    expect(() => canonicalDecimal('1e80')).toThrow('decimal_too_long')
  })
  it('changes nothing that is canonical, and never the value', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        const canonical = canonicalDecimal(text)
        expect(canonicalDecimal(canonical)).toBe(canonical)
        expect(parse(canonical).scale <= 5 || !canonical.endsWith('0')).toBe(true)
        if (parse(text).scale <= 5) expect(canonical).toBe(text)
        expect(equalDecimals(canonicalDecimal(`${text.includes('.') ? text : `${text}.`}000`), text)).toBe(true)
      }),
    )
  })
})

describe('arithmetic', () => {
  it('adds, subtracts and multiplies exactly', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const [x, y] = [parse(a), parse(b)]
        const scale = Math.max(x.scale, y.scale)
        const aligned = (d: { units: bigint; scale: number }) => d.units * 10n ** BigInt(scale - d.scale)
        const sum = parse(add(a, b))
        expect(sum.units * 10n ** BigInt(scale - sum.scale)).toBe(aligned(x) + aligned(y))
        expect(equalDecimals(add(subtract(a, b), b), a)).toBe(true)
        const times = parse(multiply(a, b))
        expect(times.units * 10n ** BigInt(x.scale + y.scale - times.scale)).toBe(x.units * y.units)
        expect(compareDecimals(a, b)).toBe(aligned(x) < aligned(y) ? -1 : aligned(x) > aligned(y) ? 1 : 0)
      }),
    )
  })

  it('rounds percentages to one decimal, half away from zero, once', () => {
    expect(percentChange('103.05', '100')).toBe('3.1')
    expect(percentChange('99.95', '100')).toBe('-0.1')
    expect(percentChange('100.04', '100')).toBe('0.0')
    expect(percentChange('99.96', '100')).toBe('0.0')
    expect(percentChange('1', '0')).toBeUndefined()
    fc.assert(
      fc.property(decimal, positive, (now, before) => {
        const [x, y] = [parse(now), parse(before)]
        const scale = BigInt(Math.max(x.scale, y.scale))
        const [a, b] = [x.units * 10n ** (scale - BigInt(x.scale)), y.units * 10n ** (scale - BigInt(y.scale))]
        const tenths = roundedQuotient((a - b) * 1000n, b)
        const got = parse(percentChange(now, before) ?? '')
        expect(got).toEqual({ units: tenths, scale: 1 })
      }),
    )
  })

  it('divides to eight significant digits, half even, rounding once', () => {
    expect(ratio('1', '3')).toBe('0.33333333')
    expect(ratio('2', '3')).toBe('0.66666667')
    expect(ratio('123456785', '10')).toBe('12345678')
    expect(ratio('123456775', '10')).toBe('12345678')
    // Just above a tie, far beyond the digits kept: must not be taken for one.
    expect(ratio('123456785.0000000000000000000000000000000001', '10')).toBe('12345679')
    expect(ratio('1', '8')).toBe('0.125')
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        const [x, y] = [parse(a), parse(b)]
        const got = parse(ratio(a, b))
        // |a/b - got| <= half a unit of the eighth significant digit of a/b, in integers.
        const left = x.units * 10n ** BigInt(y.scale + got.scale)
        const right = got.units * y.units * 10n ** BigInt(x.scale)
        const error = left > right ? left - right : right - left
        expect(error * 2n * 10n ** 7n).toBeLessThanOrEqual(left)
        expect(got.units.toString().replace(/0+$/, '').length).toBeLessThanOrEqual(8)
      }),
    )
  })
})
