import { ProblemError } from '../contracts/problems.ts'
import { countryText } from './known-codes.ts'

/**
 * The problem of a day before the first date of any figure: nothing is known of it, and an empty list would say that there was
 * nothing.
 *
 * @param since the earliest day of which something is known
 */
export function noDatedEvidence(indicator: string, country: string, day: string, since: string): ProblemError {
  const what = `No figure of ${indicator} of ${countryText(country)} is dated ${day} or before`
  const why = `The earliest day that can be asked for is ${since}: by then a source or a copy of it had the first figures.`
  return new ProblemError('no_dated_evidence', `${what}. ${why}`)
}
