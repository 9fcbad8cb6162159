import { describe, expect, it } from 'vitest'
import { editDistance, nearest, nearestText } from '../../base/nearest.ts'
import { countries } from '../../contracts/countries.ts'
import { commodities } from '../../contracts/instruments.ts'

const countryCodes = countries.map(({ alpha3, name }) => ({ code: alpha3, name }))
const commodityCodes = Object.entries(commodities).map(([code, { name }]) => ({ code, name }))
const companies = [
  { code: 'ABC', name: 'Alpha Brothers', others: ['Alphabet', 'ABX'] },
  { code: 'XBC', name: 'Xenon Brothers' },
  { code: 'XBD', name: 'Xenon' },
  { code: 'PQR', name: 'Royal Dutch Airlines' },
  { code: 'PST', name: 'Royal Mail' },
]

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
    ['maize', 'CORN'],
    // Natural gas has that word; gasoline only begins with it.
    ['GAS', 'NATGAS'],
    // Brent and WTI are both crude oil.
    ['OIL', undefined],
    ['COPER', 'COPPER'],
    ['BRETN', 'BRENT'],
    ['BUTTER', undefined],
  ])('of the commodity %s is %s', (text, code) => expect(nearest(text, commodityCodes)?.code).toBe(code))

  it.each([
    ['abx', 'ABC', 'another code of it'],
    ['Xenon', 'XBD', 'its whole name, and a word of another one’s'],
    ['alphab', 'ABC', 'the beginning of another name'],
    ['brothers', undefined, 'a word of several names'],
    ['roy', undefined, 'what several names begin with'],
    ['PSR', 'PST', 'of two codes equally near the one that begins alike'],
    ['PQT', 'PQR', 'the other one'],
    ['ZBC', undefined, 'one letter away, but the first one'],
  ])('of %s is %s: %s', (text, code, _) => expect(nearest(text, companies)?.code).toBe(code))

  it('is the first of several that are equally near', () => {
    expect(nearestText('ab', ['ac', 'ad'])).toBe('ac')
    expect(nearestText('ab', ['ad', 'ac'])).toBe('ad')
  })
})
