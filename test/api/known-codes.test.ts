import { describe, expect, it } from 'vitest'
import { commodityCodes, countryCodes, currencyCodes, suggestedCountry, suggestion } from '../../api/known-codes.ts'
import {
  codesOfNoCountry,
  otherNamesOfCommodities,
  otherNamesOfCountries,
  otherNamesOfCurrencies,
} from '../../api/other-names.ts'
import type { Named } from '../../base/nearest.ts'

const meant = (question: string): string | undefined => /^ Did you mean (\w+) \(/.exec(question)?.[1]
/** As in the demo, whose countries come first. */
const sample = ['AUS', 'CAN', 'DEU', 'FRA', 'GBR', 'JPN', 'MYS', 'NLD', 'SGP', 'USA']

describe('the country that was meant', () => {
  it.each([
    ['usa', 'USA'],
    ['DE', 'DEU'],
    ['uk', 'GBR'],
    ['GER', 'DEU'],
    ['NED', 'NLD'],
    ['SUI', 'CHE'],
    ['IRI', 'IRN'],
    ['RSA', 'ZAF'],
    ['ROM', 'ROU'],
    ['ENG', 'GBR'],
    ['Holland', 'NLD'],
    ['united kingdom', 'GBR'],
    ['South Korea', 'KOR'],
    ['JAP', 'JPN'],
    ['DUE', 'DEU'],
    // A currency that is gone, taken for a country.
    ['ITL', 'ITA'],
    // Several countries begin so.
    ['UNITED', undefined],
    ['SOU', undefined],
    ['GUINE', undefined],
    // No one country goes by these, though SDN, COK, AND, BGR and ECU are spelt much alike.
    ['SUN', undefined],
    ['CSK', undefined],
    ['ANT', undefined],
    ['BUR', undefined],
    ['EMU', undefined],
    ['EUR', undefined],
    ['YUG', undefined],
    ['ZZZ', undefined],
  ])('by %s is %s', (text, code) => {
    expect(meant(suggestedCountry(text))).toBe(code)
    expect(meant(suggestedCountry(text, sample))).toBe(code)
  })
})

describe('the currency that was meant', () => {
  it.each([
    ['eur', 'EUR'],
    ['ITL', 'EUR'],
    ['SKK', 'EUR'],
    ['EEK', 'EUR'],
    ['RMB', 'CNY'],
    ['ROL', 'RON'],
    ['Dollar', 'USD'],
    ['pound', 'GBP'],
    ['yen', 'JPY'],
    ['UDS', 'USD'],
    ['KRONE', undefined],
    ['ZZZ', undefined],
  ])('by %s is %s', (text, code) => expect(meant(suggestion(text, currencyCodes))).toBe(code))
})

it('the commodity that was meant by oil is Brent', () => {
  expect(meant(suggestion('OIL', commodityCodes))).toBe('BRENT')
})

it.each([
  ['countries', countryCodes, otherNamesOfCountries],
  ['currencies', currencyCodes, otherNamesOfCurrencies],
  ['commodities', commodityCodes, otherNamesOfCommodities],
] as const)('other names of %s are of known codes, and mean one each', (_, known: readonly Named[], others) => {
  const codes = new Set(known.map(({ code }) => code))
  expect(Object.keys(others).filter((code) => !codes.has(code))).toEqual([])
  const all = known.flatMap(({ code, name, others = [] }) => [
    ...new Set([code, name, ...others].map((text) => text.toUpperCase())),
  ])
  expect(all.filter((text, i) => all.indexOf(text) !== i)).toEqual([])
})

it('codes of no country are no codes of one', () => {
  const all = countryCodes.flatMap(({ code, others = [] }) => [code, ...others])
  expect(all.filter((code) => codesOfNoCountry.has(code))).toEqual([])
})
