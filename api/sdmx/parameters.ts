/** Query parameters of SDMX-REST. */

import type { OperationInput } from '../execute.ts'
import { Fields, refusalOf } from '../fields.ts'

const words = { parameter: 'query parameter', value: 'value of' }

export const badParameter = refusalOf(words)

/** Reads a query. Filters `c[…]` are read by `withFilters`. */
export const parametersOf = (
  query: OperationInput['query'],
  known: readonly string[],
  unserved: readonly string[] = [],
): Fields => new Fields(query, { known, unserved, words })

/** True or false, in any case, because Python writes `True`. */
export function isTrue(parameters: Fields, name: string): boolean {
  const value = parameters.get(name)?.toLowerCase() ?? 'false'
  if (value === 'true' || value === 'false') return value === 'true'
  throw badParameter(name, value, 'Use true, false.')
}

/** A positive number; undefined if it is not given. */
export function countParameter(parameters: Fields, name: string): number | undefined {
  const value = parameters.get(name)
  if (value === undefined) return undefined
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw badParameter(name, value, 'Use a whole number from 1 to 999999999.')
}
