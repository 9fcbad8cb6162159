import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  axisNumber,
  changeInPercent,
  decimalDifference,
  groupedDecimal,
  signedDecimal,
} from '../../console/browser/decimal-text.js'

describe('decimals in the console', () => {
  it.each([
    ['9707000000000', '9697600000000', '9400000000'],
    ['0.1', '0.3', '-0.2'],
    ['-1.05', '2', '-3.05'],
    ['3.10', '3.1', '0.00'],
    // More digits than a binary number holds.
    ['9007199254740993.1', '9007199254740992.0', '1.1'],
  ])('%s less %s is %s', (a, b, difference) => expect(decimalDifference(a, b)).toBe(difference))

  it('what is added is taken away again, exactly', () => {
    const decimal = fc.tuple(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.bigInt(0n, 999n)).map(([whole, part]) => {
      return `${whole}.${String(part).padStart(3, '0')}`
    })
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const there = decimalDifference(a, b)
        const back = decimalDifference(b, a)
        expect(there.replace('-', '')).toBe(back.replace('-', ''))
      }),
    )
  })

  it('keep every digit when they are set for reading', () => {
    expect(groupedDecimal('-46900000000.25')).toBe('−46\u202f900\u202f000\u202f000.25')
    expect(groupedDecimal('0.0002')).toBe('0.0002')
    expect(signedDecimal('9400000000')).toBe('+9\u202f400\u202f000\u202f000')
    expect(signedDecimal('-0.2')).toBe('−0.2')
    expect(signedDecimal('0.00')).toBe('0.00')
  })

  it('change by a percentage that says its sign', () => {
    expect(changeInPercent('101', '100')).toBe('+1.00 %')
    expect(changeInPercent('99.999', '100')).toBe('0.00 %')
    expect(changeInPercent('-2', '-1')).toBe('−100.00 %')
    expect(changeInPercent('1', '0')).toBeUndefined()
  })

  it('are short on an axis', () => {
    expect([32e12, 325.4, -0.5, 12_345].map(axisNumber)).toEqual(['32T', '325.4', '−0.5', '12.35K'])
  })
})
