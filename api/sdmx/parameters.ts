/** Query parameters of SDMX-REST, and the messages of those that are refused. */

import { nearestText } from '../../base/nearest.ts'
import { listText } from '../../domain/list-text.ts'
import { invalidQuery } from '../history-question.ts'
import { shown } from '../invalid.ts'
import { notImplemented } from './faults.ts'
import { componentOf } from './key.ts'

/** The parameters of a request that were given, each once, without the filters of components. */
export type Parameters = Readonly<Record<string, string>>

/**
 * Reads a query. Refuses a parameter that is unknown, not served, or given twice. Filters `c[…]` are read by `withFilters`.
 *
 * @throws ProblemError `invalid_query`, `not_implemented`
 */
export function parametersOf(
  query: Readonly<Record<string, unknown>>,
  known: readonly string[],
  unserved: readonly string[] = [],
): Parameters {
  const parameters: Record<string, string> = {}
  for (const [name, value] of Object.entries(query)) {
    if (unserved.includes(name))
      throw notImplemented(`The parameter ${name} is not served. Known: ${known.join(', ')}.`)
    const isFilter = componentOf(name) !== undefined && known.includes('c')
    if (!isFilter && !known.includes(name)) {
      const meant = nearestText(name, known)
      const hint = meant ? ` Did you mean ${meant}?` : ''
      throw invalidQuery(`Unknown query parameter ${shown(name)}.${hint} Known: ${known.join(', ')}.`)
    }
    if (typeof value !== 'string') throw invalidQuery(`The query parameter ${name} is given twice. Give it once.`)
    if (!isFilter) parameters[name] = value
  }
  return parameters
}

/** One of several values. */
export function chosenParameter<C extends string>(
  parameters: Parameters,
  name: string,
  choices: readonly C[],
  initial: NoInfer<C>,
): C {
  const value = parameters[name]
  if (value === undefined) return initial
  const chosen = choices.find((each) => each === value)
  if (chosen !== undefined) return chosen
  throw badParameter(name, value, `Use ${listText(choices, choices.length)}.`)
}

/** True or false, in any case, because Python writes `True`. */
export const booleanParameter = (parameters: Parameters, name: string): boolean => {
  const value = parameters[name]?.toLowerCase()
  return chosenParameter(value === undefined ? {} : { [name]: value }, name, ['true', 'false'], 'false') === 'true'
}

/** A positive number; undefined if it is not given. */
export function countParameter(parameters: Parameters, name: string): number | undefined {
  const value = parameters[name]
  if (value === undefined) return undefined
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw badParameter(name, value, 'Use a whole number from 1 to 999999999.')
}

export const badParameter = (name: string, value: string, advice: string): Error =>
  invalidQuery(`The value of ${name} is not valid: ${shown(value)}. ${advice}`)
