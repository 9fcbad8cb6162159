import { type Named, nearest, nearestText } from '../base/nearest.ts'
import { countries, countryByAlpha3 } from '../contracts/countries.ts'
import { commodities, currencies } from '../contracts/instruments.ts'
import { searchAddress } from '../contracts/search.ts'
import { listText } from '../domain/list-text.ts'
import {
  codesOfNoCountry,
  otherNamesOfCommodities,
  otherNamesOfCountries,
  otherNamesOfCurrencies,
} from './other-names.ts'

/** The codes that parameters take, with their names, for error details and tool descriptions. */

/** The texts of a table of names, which are comma separated. */
export const listOf = (names: string | undefined): string[] => names?.split(', ') ?? []

export const commodityCodes: readonly Named[] = Object.entries(commodities).map(([code, { name }]) => ({
  code,
  name,
  others: listOf(otherNamesOfCommodities[code]),
}))

const currencyNames = new Intl.DisplayNames('en', { type: 'currency' })
export const currencyCodes: readonly Named[] = currencies.map((code) => ({
  code,
  name: currencyNames.of(code) ?? '',
  others: listOf(otherNamesOfCurrencies[code]),
}))

export const countryCodes: readonly Named[] = countries.map(({ alpha3, alpha2, name }) => ({
  code: alpha3,
  name,
  others: [alpha2, ...listOf(otherNamesOfCountries[alpha3])],
}))

/** `DEU (Germany)`, or the code alone if ISO 3166-1 doesn't have it. */
export function countryText(code: string): string {
  const country = countryByAlpha3.get(code)
  return country ? `${code} (${country.name})` : code
}

/** ` Did you mean XAU (Gold)?`, or an empty text if no known code resembles the given one. */
export const suggestion = (text: string, known: readonly Named[]): string => question(nearest(text, known))

/** `suggestion` for a country code. Countries in `likely` are preferred. */
export function suggestedCountry(text: string, likely: readonly string[] = []): string {
  if (codesOfNoCountry.has(text.toUpperCase())) return ''
  return suggestion(text, [...countryCodes.filter(({ code }) => likely.includes(code)), ...countryCodes])
}

const question = (meant: Named | undefined): string => (meant ? ` Did you mean ${meant.code} (${meant.name})?` : '')

/** The same for texts that have no names. */
export function hintOfText(text: string, known: readonly string[]): string {
  const meant = nearestText(text, known)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

/** Longest list of codes in a message. */
const MAX_LISTED = 50

/** A list as `AUS, CAN, DEU`, shortened after the first 50 codes. */
export const listed = (codes: readonly string[]): string => listText(codes.slice(0, MAX_LISTED), codes.length)

/** Says that a code is not served, which one was probably meant, which ones there are, and where to search. */
export const notServed = (
  kind: string,
  code: string,
  served: readonly Named[],
  hint = suggestion(code, served),
): string =>
  `${code} is not a ${kind} that is served.${hint} Served: ${listed(served.map((each) => each.code))}. Search: ${searchAddress(code)}.`
