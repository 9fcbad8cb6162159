import type { Reject } from '../../source.ts'
import { type Fault, rejectOf } from '../items.ts'
import { type MessageObservation, valueOrMissing } from './observation.ts'

/**
 * What the action of an SDMX data set or row says of an observation without a value. `states`: it has none. `adds`: the
 * message only adds to what was sent before, so that a value which is left out is not stated. `deletes`: the observation is
 * deleted, whatever value is printed.
 * Source: https://github.com/sdmx-twg/sdmx-csv (data-message/docs/sdmx-csv-field-guide.md, Further details for data actions)
 */
type Effect = 'states' | 'adds' | 'deletes'

/** By the names of the actions, and by their letters in SDMX-CSV. A message without an action is an answer to a query. */
const effects: ReadonlyMap<string, Effect> = new Map([
  ['', 'states'],
  ['information', 'states'],
  ['i', 'states'],
  ['replace', 'states'],
  ['r', 'states'],
  ['append', 'adds'],
  ['a', 'adds'],
  ['merge', 'adds'],
  ['m', 'adds'],
  ['delete', 'deletes'],
  ['d', 'deletes'],
])

/** Why an action makes an observation none that is read. */
export function faultOfAction(action: string): Fault | undefined {
  const effect = effects.get(action.toLowerCase())
  if (effect === undefined)
    return { reason: 'unknown_action', detail: `The action is ${JSON.stringify(action)}, and none of SDMX.` }
  if (effect === 'deletes')
    return { reason: 'deletion_not_read', detail: 'The message deletes the observation; deletions are not read.' }
  return undefined
}

/**
 * Returns what an SDMX message states by an observation, whose value is printed or `''`: the observation, a reject, or nothing.
 * `NaN` states in every action that there is no value.
 */
export function statedBy(action: string, found: PrintedObservation): MessageObservation | Reject | undefined {
  const fault = faultOfAction(action)
  if (fault) return rejectOf(fault.reason, fault.detail, found.location, found.text ?? JSON.stringify(found))
  if (found.value === '' && effects.get(action.toLowerCase()) === 'adds') return undefined
  // `#N/A` is the `NaN` of values that are declared as texts.
  const isMissing = found.value === '#N/A' || valueOrMissing(found.value) === null
  return isMissing ? { ...found, value: null } : found
}

/** An observation whose value is as the message prints it, `''` if it is left out. */
export type PrintedObservation = Omit<MessageObservation, 'value'> & { readonly value: string }
