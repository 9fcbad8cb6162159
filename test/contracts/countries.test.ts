import { expect, it } from 'vitest'
import {
  countries,
  countryByAlpha2,
  countryByAlpha3,
  countryByName,
  countryByNumeric,
} from '../../contracts/countries.ts'

it('the countries of ISO 3166-1 are found by each of their codes and their name', () => {
  const germany = { alpha3: 'DEU', alpha2: 'DE', numeric: '276', name: 'Germany' }
  expect(countryByAlpha3.get('DEU')).toEqual(germany)
  expect(countryByAlpha2.get('DE')).toEqual(germany)
  expect(countryByNumeric.get('276')).toEqual(germany)
  expect(countryByName.get('Germany')).toEqual(germany)
  expect(countryByName.get('Antigua & Barbuda')?.alpha3).toBe('ATG')
})

it('the table is whole: 249 countries, sorted, each code and name once', () => {
  expect(countries).toHaveLength(249)
  const codes = countries.map(({ alpha3 }) => alpha3)
  expect(codes).toEqual(codes.toSorted())
  for (const index of [countryByAlpha3, countryByAlpha2, countryByNumeric, countryByName]) expect(index.size).toBe(249)
  for (const { alpha3, alpha2, numeric, name } of countries)
    expect(`${alpha3} ${alpha2} ${numeric} ${name}`).toMatch(/^[A-Z]{3} [A-Z]{2} \d{3} \S/)
})
