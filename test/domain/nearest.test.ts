import { describe, expect, it } from 'vitest'
import { countries } from '../../contracts/countries.ts'
import { commodities } from '../../contracts/instruments.ts'
import { editDistance, nearest, nearestText } from '../../domain/nearest.ts'

const countryCodes = countries.map(({ alpha3, name }) => ({ code: alpha3, name }))
const commodityCodes = Object.entries(commodities).map(([code, { name }]) => ({ code, name }))

describe('typing errors between two texts', () => {
  it.each([
    ['', '', 0],
    ['USA', 'USA', 0],
    ['UAS', 'USA', 1],
    ['USB', 'USA', 1],
    ['US', 'USA', 1],
    ['USSA', 'USA', 1],
    ['', 'USA', 3],
    ['COPER', 'COPPER', 1],
    ['kitten', 'sitting', 3],
  ])('%s and %s are %i apart', (a, b, distance) => {
    expect([editDistance(a, b), editDistance(b, a)]).toEqual([distance, distance])
  })
})

describe('the nearest known code', () => {
  it.each([
    ['usa', 'USA'],
    ['USB', 'USA'],
    ['GER', 'DEU'],
    ['SPA', 'ESP'],
    ['JAP', 'JPN'],
    ['ZZZ', undefined],
    ['', undefined],
  ])('of the country %s is %s', (text, code) => expect(nearest(text, countryCodes)?.code).toBe(code))

  it.each([
    ['GOLD', 'XAU'],
    ['OIL', 'BRENT'],
    ['COPER', 'COPPER'],
    ['BRETN', 'BRENT'],
    ['BUTTER', undefined],
  ])('of the commodity %s is %s', (text, code) => expect(nearest(text, commodityCodes)?.code).toBe(code))

  it('is the first of several that are equally near', () => {
    expect(nearestText('ab', ['ac', 'ad'])).toBe('ac')
    expect(nearestText('ab', ['ad', 'ac'])).toBe('ad')
  })
})
