/** Query parameters of the FRED-style surface. FRED calls them variables. */

import { sortOrders } from '../../contracts/transformations.ts'
import { isDate } from '../../domain/day.ts'
import type { OperationInput } from '../execute.ts'
import { Fields, refusalOf } from '../fields.ts'

const words = { parameter: 'variable', value: 'value of variable' }

export const refused = refusalOf(words)

/** Reads the parameters of an address besides those that every one takes: the key and the form of the answer. */
export const fieldsOf = ({ query }: OperationInput, own: readonly string[]): Fields =>
  new Fields(query, { known: [...own, 'api_key', 'file_type'], words })

function integer(
  fields: Fields,
  name: string,
  { least, most, initial }: { readonly least: number; readonly most: number; readonly initial: number },
): number {
  const value = fields.get(name)
  if (value === undefined) return initial
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (number >= least && number <= most) return number
  throw refused(name, value, `Use an integer from ${least} to ${most}.`)
}

/** The part of a list that is asked for: `most` entries without `limit`, and at most. */
export const listPartOf = (fields: Fields, most: number, initialOrder: (typeof sortOrders)[number] = 'asc') => ({
  limit: integer(fields, 'limit', { least: 1, most, initial: most }),
  offset: integer(fields, 'offset', { least: 0, most: 999_999_999, initial: 0 }),
  order: fields.chosen('sort_order', sortOrders, initialOrder),
})

export function day(fields: Fields, name: string, initial: string): string {
  const value = fields.get(name)
  return value === undefined ? initial : validDay(name, value)
}

/** Days separated by commas; undefined if there are none. */
export const days = (fields: Fields, name: string): string[] | undefined =>
  fields
    .get(name)
    ?.split(',')
    .map((each) => validDay(name, each))

function validDay(name: string, value: string): string {
  if (isDate(value)) return value
  throw refused(name, value, 'Use a day of the calendar as YYYY-MM-DD.')
}
