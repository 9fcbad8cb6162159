import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isClaimed, readClaim } from '../../domain/claim.ts'
import { canonicalDecimal } from '../../domain/decimal.ts'

describe('a claim', () => {
  it.each([
    ['3.2 %', { value: '3.2', tolerance: '0.05', kind: 'percent', currency: '' }],
    ['-0.4 percent', { value: '-0.4', tolerance: '0.05', kind: 'percent', currency: '' }],
    ['\u22120.4%', { value: '-0.4', tolerance: '0.05', kind: 'percent', currency: '' }],
    ['32.5 trillion', { value: '32500000000000', tolerance: '50000000000', kind: 'amount', currency: '' }],
    ['$32.5tn', { value: '32500000000000', tolerance: '50000000000', kind: 'amount', currency: '' }],
    ['USD 32,475 bn', { value: '32475000000000', tolerance: '500000000', kind: 'amount', currency: 'USD' }],
    ['1.5 million eur', { value: '1500000', tolerance: '50000', kind: 'amount', currency: 'EUR' }],
    ['330.213', { value: '330.213', tolerance: '0.0005', kind: null, currency: '' }],
    ['3.2 pct', { value: '3.2', tolerance: '0.05', kind: 'percent', currency: '' }],
    ['28.28 trn', { value: '28280000000000', tolerance: '5000000000', kind: 'amount', currency: '' }],
    ['28.3 bil USD', { value: '28300000000', tolerance: '50000000', kind: 'amount', currency: 'USD' }],
    ['+4', { value: '4', tolerance: '0.5', kind: null, currency: '' }],
  ])('is read: %s', (text, claim) => expect(readClaim(text)).toEqual(claim))

  it.each([
    '',
    'three',
    '32,5',
    '1,23,456',
    '3.2 % million',
    '3..2',
    'USD 3 EUR',
    '3 %%',
    '4 tons',
    '2.4 pts',
    '0,125 %',
    '1e5',
    '٣',
  ])('is not guessed: %s', (text) => expect(readClaim(text)).toBeUndefined())

  it('is met by what is rounded to it, and by nothing else', () => {
    const meets = (text: string, figure: string, unit: string) =>
      isClaimed(readClaim(text) ?? expect.fail(text), figure, unit)
    expect(meets('32.5 trillion', '32475210000000', 'USD')).toBe(true)
    expect(meets('32.5 trillion', '32449999999999', 'USD')).toBe(false)
    expect(meets('32.47 trillion USD', '32475210000000', 'USD')).toBe(false)
    expect(meets('32.48 trillion EUR', '32475210000000', 'USD')).toBe(false)
    expect(meets('3.2 %', '3.15', 'percent')).toBe(true)
    expect(meets('3.1 %', '3.15', 'percent')).toBe(true)
    expect(meets('3.2 %', '3.2', 'index')).toBe(false)
    expect(meets('3.2', '3.2', 'index')).toBe(true)
    expect(meets('3.2', '3.2', 'percent')).toBe(true)
    expect(meets('3 million', '3000000', 'percent')).toBe(false)
  })

  it('is met by every figure that is rounded to its digits', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }), (n, places, fewer) => {
        const figure = canonicalDecimal(`${n}e-${places}`)
        const decimals = Math.max(0, places - fewer)
        const claim = readClaim(canonicalDecimal(figure, { decimals })) ?? expect.fail(figure)
        const short = canonicalDecimal(figure, { decimals })
        // Zeros at the end may be lost, so that fewer digits are claimed than were kept.
        expect(isClaimed(claim, figure, 'index'), `${figure} as ${short}`).toBe(true)
      }),
    )
  })
})
