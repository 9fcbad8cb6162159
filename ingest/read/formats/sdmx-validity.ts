import { DocumentError } from '../../source.ts'
import type { Json } from '../json.ts'
import { statedDay } from '../printed-days.ts'
import { NO_END, type Validity } from '../validity.ts'

/**
 * Validity of a data set as its message states it, both ends included; undefined if it states none. `from` is `''` if only the
 * end is stated. Throws `DocumentError` `bad_date`.
 */
export function statedValidity(
  validFrom: Json | undefined,
  validTo: Json | undefined,
  location: string,
): Validity | undefined {
  const from = statedDay(validFrom, { name: 'validFrom', location })
  const to = statedDay(validTo, { name: 'validTo', location })
  if (from === undefined && to === undefined) return undefined
  if (from !== undefined && to !== undefined && to < from)
    throw new DocumentError('bad_date', `validTo is ${to}, before validFrom, ${from}.`, location)
  return { from: from ?? '', to: to ?? NO_END }
}
