import { median } from '../median.ts'
import { rounded, type SeriesView, type ValueKind, type Verdict } from './view.ts'

/** Fewest revised values whose median ratio is judged. */
const FEWEST = 12
/**
 * Largest median ratio to the record. The benchmark revisions of GDP on record move a whole history by at most 1.2 times, and
 * no edition of a price history on record by more than 1.01.
 */
const TO_RECORD: Readonly<Partial<Record<ValueKind, number>>> = { index: 1.25, amount: 1.25, price: 1.1 }

/**
 * Median ratio to the record: levels of a whole history are not revised by more.
 *
 * Example: real GDP in the place of nominal GDP, or coffee by the pound where the record has it by the kilogram (0.45 times).
 */
export function ratioToRecord({ kind, revised, unchanged }: SeriesView): Verdict | undefined {
  const bound = TO_RECORD[kind]
  if (bound === undefined || revised.length < FEWEST || revised.length < unchanged) return undefined
  const ratio = median(revised.map(({ from, to }) => to / from))
  if (Math.abs(Math.log(ratio)) <= Math.log(bound)) return undefined
  const detail = `${revised.length} values are about ${rounded(ratio)} times those on record.`
  return { reason: 'held_scale', detail, periods: 'all' }
}
