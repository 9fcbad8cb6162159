import { countryByAlpha3 } from '../contracts/countries.ts'
import { indicatorCodes, indicators } from '../contracts/indicators.ts'
import { ProblemError } from '../contracts/problems.ts'
import { nearest } from '../domain/nearest.ts'
import { shown } from './invalid.ts'
import { suggestedCountry } from './known-codes.ts'

/** Filters that name countries and indicators. An unknown code is refused, because a client would wait for it in vain. */

export function refuseUnknownCountry(countries: readonly string[] | undefined): void {
  const unknown = countries?.find((code) => !countryByAlpha3.has(code))
  if (unknown) {
    const detail = `query parameter country: "${unknown}" is not a country code of ISO 3166-1.${suggestedCountry(unknown)}`
    throw new ProblemError('invalid_query', detail)
  }
}

const named = indicatorCodes.map((code) => ({ code, name: indicators[code].summary }))

export function refuseUnknownIndicator(asked: readonly string[] | undefined): void {
  const unknown = asked?.find((code) => !Object.hasOwn(indicators, code))
  if (unknown === undefined) return
  const meant = nearest(unknown, named)
  const question = meant ? ` Did you mean ${meant.code} (${meant.name})?` : ''
  const detail = `query parameter indicator: ${shown(unknown)} is not an indicator.${question} Known: ${indicatorCodes.join(', ')}.`
  throw new ProblemError('invalid_query', detail)
}
