import { describe, expect, it } from 'vitest'
import { pairName, priceParts, pricePlaces } from '../../console/browser/price-text.js'
import { facts } from '../../console/facts.ts'

describe('the decimal places of an instrument', () => {
  it.each([
    ['1.0845312', 5],
    ['159.81488', 3],
    ['26276.12', 1],
    ['1234567.5', 0],
    ['0.30682003', 6],
    ['0.000038', 10],
  ])('of a rate of %s are %i, six digits in all', (rate, places) => expect(pricePlaces(rate, true)).toBe(places))
  it.each([
    ['1785.63', 2],
    ['69.9', 2],
    ['4.0515', 3],
    ['0.07', 5],
    ['106000000', 0],
  ])('of a commodity at %s are %i', (price, places) => expect(pricePlaces(price, false)).toBe(places))
})

it('a price is rounded to its places, or filled with zeros, exactly', () => {
  expect(priceParts('1785.6', 2)).toEqual(['1\u202f785', '.60'])
  expect(priceParts('0.8559999', 6)).toEqual(['0', '.856000'])
  expect(priceParts('999.995', 2)).toEqual(['1\u202f000', '.00'])
  expect(priceParts('26276.5', 0)).toEqual(['26\u202f277', ''])
  expect(priceParts('9007199254740993.15', 1)).toEqual(['9\u202f007\u202f199\u202f254\u202f740\u202f993', '.2'])
})

it.each([
  ['XAU-EUR', 'Gold in EUR'],
  ['EUR-JPY', 'Euro in Japanese Yen'],
  ['COPPER2-USD', 'COPPER2 in US Dollar'],
])('%s is %s', (symbol, name) => expect(pairName(symbol, facts)).toBe(name))

describe('the groups of instruments', () => {
  it('have each commodity and each currency once', () => {
    const sorted = (groups: typeof facts.commodityGroups) => groups.flatMap(({ members }) => members).sort()
    expect(sorted(facts.commodityGroups)).toEqual(facts.commodities.map(({ code }) => code).sort())
    expect(sorted(facts.currencyGroups)).toEqual(facts.currencies)
    expect(new Set(facts.currencies).size).toBe(facts.currencies.length)
  })
  it('are small enough for the hours of all their rows, and for one subscription', () => {
    for (const { code, members } of [...facts.commodityGroups, ...facts.currencyGroups])
      expect(members.length, code).toBeLessThanOrEqual(12)
  })
})
