import { nearest } from '../base/nearest.ts'
import { countryByAlpha3 } from '../contracts/countries.ts'
import { type Indicator, indicatorCodes, indicators } from '../contracts/indicators.ts'
import { ProblemError } from '../contracts/problems.ts'
import { spanOfInstant } from '../domain/instant.ts'
import { suggestedCountry } from './known-codes.ts'
import { shown } from './refusals.ts'
import { indicatorCalled } from './synonyms.ts'

/** Query parameters whose form is right, but which may name nothing that exists. */

/** Refuses an unknown country, because a client would wait for it in vain. */
export function refuseUnknownCountry(
  countries: readonly string[] | undefined,
  where = 'query parameter country',
): void {
  const unknown = countries?.find((code) => !countryByAlpha3.has(code))
  if (unknown !== undefined) {
    const detail = `${where}: "${unknown}" is not a country code of ISO 3166-1.${suggestedCountry(unknown)}`
    throw new ProblemError('invalid_query', detail)
  }
}

export function refuseUnknownIndicator(
  asked: readonly string[] | undefined,
  known: readonly Indicator[] = indicatorCodes,
): void {
  const unknown = asked?.find((code) => !known.some((one) => one === code))
  if (unknown !== undefined) throw unknownIndicator(unknown, known)
}

/** The problem of a text that is not an indicator among `known`, with the nearest one. */
export function unknownIndicator(text: string, known: readonly Indicator[]): ProblemError {
  const named = known.map((code) => ({ code, name: indicators[code].summary }))
  const meant = nearest(text, named) ?? named.find(({ code }) => code === indicatorCalled(text))
  const question = meant ? ` Did you mean ${meant.code} (${meant.name})?` : ''
  const detail = `query parameter indicator: ${shown(text)} is not an indicator here.${question} Known: ${known.join(', ')}.`
  return new ProblemError('invalid_query', detail)
}

/** First and last millisecond of an instant or date. Throws `invalid_query` for a day or time that does not exist. */
export function askedSpan(name: 'start' | 'end', text: string) {
  const span = spanOfInstant(text)
  if (span) return span
  throw notInCalendar(name, text)
}

/** The problem of a day or time that does not exist. */
export const notInCalendar = (name: 'start' | 'end', text: string) =>
  new ProblemError('invalid_query', `query parameter ${name}: ${shown(text)} does not exist in the calendar`)
