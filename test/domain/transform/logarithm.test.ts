import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logarithmOfQuotient } from '../../../domain/transform/logarithm.ts'

const power = (n: number) => 10n ** BigInt(n)

describe('the logarithm of a quotient', () => {
  // Computed by Python's `decimal` with 400 digits, rounded half even.
  it.each([
    [2n, 1n, 1n, 50, '0.69314718055994530941723212145817656807550013436026'],
    [1n, 2n, 1n, 50, '-0.69314718055994530941723212145817656807550013436026'],
    [10n, 1n, 1n, 50, '2.3025850929940456840179914546843642076011014886288'],
    // The bounds between which the series is summed.
    [4n, 3n, 1n, 40, '0.2876820724517809274392190059938274315035'],
    [2n, 3n, 1n, 40, '-0.405465108108164381978013115464349136572'],
    [3n, 2n, 1n, 40, '0.405465108108164381978013115464349136572'],
    [5n, 7n, 100n, 30, '-33.6472236621212930504593410217'],
    // The quotients that are furthest from 1 and nearest to it.
    [power(63), 1n, 1n, 12, '145.062860859'],
    [1n, power(63), 1200n, 12, '-174075.43303'],
    [power(40) + 1n, power(40), 1n, 12, `0.${'0'.repeat(39)}1`],
    [power(40) - 1n, power(40), 1n, 12, `-0.${'0'.repeat(39)}1`],
    [999n, 1000n, 1n, 12, '-0.00100050033358'],
    [7n, 7n, 1200n, 12, '0'],
  ])('of %s / %s, %s times, to %s digits', (top, bottom, factor, digits, expected) => {
    expect(logarithmOfQuotient(top, bottom, factor, digits)).toBe(expected)
  })

  // Decimals just below e^1.235, whose logarithm is just below the tie between 1.23 and 1.24; the next decimal is above it.
  it.each([
    [3438378520705n, 12],
    [34383785207051245899388576644124838784154n, 40],
  ])('is rounded to the right side next to a tie: %s / 10^%s', (below, places) => {
    expect(logarithmOfQuotient(below, power(places), 1n, 3)).toBe('1.23')
    expect(logarithmOfQuotient(below + 1n, power(places), 1n, 3)).toBe('1.24')
    expect(logarithmOfQuotient(power(places), below, 1n, 3)).toBe('-1.23')
    expect(logarithmOfQuotient(power(places), below + 1n, 1n, 3)).toBe('-1.24')
  })

  const whole = fc.bigInt({ min: 1n, max: power(30) })
  it('depends on the quotient alone, and of its reciprocal is the negative', () => {
    fc.assert(
      fc.property(whole, whole, fc.bigInt({ min: 2n, max: power(20) }), (top, bottom, by) => {
        const log = logarithmOfQuotient(top, bottom, 100n, 12)
        expect(logarithmOfQuotient(by * top, by * bottom, 100n, 12)).toBe(log)
        const negative = log === '0' ? '0' : log.startsWith('-') ? log.slice(1) : `-${log}`
        expect(logarithmOfQuotient(bottom, top, 100n, 12)).toBe(negative)
      }),
    )
  })
})
