/** Query parameters of the FRED-style surface, and the messages of those that are refused. */

import { nearestText } from '../../base/nearest.ts'
import { isDate } from '../../domain/day.ts'
import { listText } from '../../domain/list-text.ts'
import { invalidQuery } from '../history-question.ts'
import { shown } from '../invalid.ts'

/** The parameters of a request that were given, each once. */
export type Fields = Readonly<Record<string, string>>

/** What every address takes: the key and the form of the answer. */
const common = ['api_key', 'file_type'] as const

/**
 * Reads a query string as parsed by the router. Refuses a parameter that is unknown or given twice. FRED ignores a misspelt one,
 * so that its clients get other data than they asked for.
 */
export function fieldsOf(query: unknown, own: readonly string[]): Fields {
  const known = [...own, ...common]
  const fields: Record<string, string> = {}
  for (const [name, value] of Object.entries(query as Readonly<Record<string, unknown>>)) {
    if (!known.includes(name)) throw unknownField(name, known)
    if (typeof value !== 'string') throw invalidQuery(`The variable ${name} is given twice. Give it once.`)
    fields[name] = value
  }
  return fields
}

function unknownField(name: string, known: readonly string[]): Error {
  const meant = nearestText(name, known)
  const hint = meant ? ` Did you mean ${meant}?` : ''
  return invalidQuery(`Unknown variable ${shown(name)}.${hint} Known: ${known.join(', ')}.`)
}

export function requiredField(fields: Fields, name: string): string {
  const value = fields[name]
  if (value) return value
  throw invalidQuery(`The variable ${name} is not set. Set it.`)
}

/** One of several values. */
export function chosenField<C extends string>(fields: Fields, name: string, choices: readonly C[], initial: C): C {
  const value = fields[name]
  if (value === undefined) return initial
  const chosen = choices.find((each) => each === value)
  if (chosen === undefined) throw refused(name, value, `Use ${listText(choices, choices.length)}.`)
  return chosen
}

export function integer(
  fields: Fields,
  name: string,
  { least, most, initial }: { readonly least: number; readonly most: number; readonly initial: number },
): number {
  const value = fields[name]
  if (value === undefined) return initial
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (number >= least && number <= most) return number
  throw refused(name, value, `Use an integer from ${least} to ${most}.`)
}

export function day(fields: Fields, name: string, initial: string): string {
  const value = fields[name]
  return value === undefined ? initial : validDay(name, value)
}

/** Days separated by commas; undefined if there are none. */
export const days = (fields: Fields, name: string): string[] | undefined =>
  fields[name]?.split(',').map((each) => validDay(name, each))

function validDay(name: string, value: string): string {
  if (isDate(value)) return value
  throw refused(name, value, 'Use a day of the calendar as YYYY-MM-DD.')
}

export const refused = (name: string, value: string, advice: string): Error =>
  invalidQuery(`The value of variable ${name} is not valid: ${shown(value)}. ${advice}`)
