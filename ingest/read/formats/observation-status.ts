import { type MessageObservation, stated } from './observation.ts'

/** Why the value of an observation is no published figure: a reason and a detail for people, as in `Reject`. */
type StatusFault = { readonly reason: 'forecast' | 'marked_missing'; readonly detail: string }

/**
 * Codes of statuses that say what else the value is than a figure, by the code list CL_OBS_STATUS of SDMX. Other codes say
 * how good a figure is, such as `P` (provisional), `E` (estimated) and `B` (break): they are no fault.
 * Source: https://sdmx.org/?page_id=3215
 */
const missingCodes: ReadonlyMap<string, string> = new Map([
  ['H', 'missing because of a holiday or weekend'],
  ['K', 'included in another category'],
  ['L', 'missing, because it was not collected'],
  ['M', 'missing, because it cannot exist'],
  ['O', 'missing'],
  ['Q', 'missing, because it was suppressed'],
])
const FORECAST = 'F'

/** Components in which messages state it. Eurostat's `OBS_FLAG` has the same codes in lower case. */
const components = ['OBS_STATUS', 'OBS_FLAG'] as const

/** Fault of an observation that has a value, by the status that the message states of it; undefined if there is none. */
export function faultOfStatus(observation: MessageObservation): StatusFault | undefined {
  if (observation.value === null) return undefined
  for (const name of components) {
    const fault = faultOfStated(name, stated(observation, name) ?? '', observation.value)
    if (fault !== undefined) return fault
  }
  return undefined
}

/**
 * Fault of a printed value by its status, for readers that make no observations. `name` is what the document calls the
 * status, `''` is a status that is not stated.
 */
export function faultOfStated(name: string, status: string, value: string): StatusFault | undefined {
  if (status === '') return undefined
  const codes = codesOf(status)
  const missing = codes.find((code) => missingCodes.has(code))
  const shown = `${name} of the value ${value} is ${JSON.stringify(status)}`
  if (missing !== undefined)
    return { reason: 'marked_missing', detail: `${shown}: the figure is ${missingCodes.get(missing)}.` }
  if (codes.includes(FORECAST)) return { reason: 'forecast', detail: `${shown}: a forecast, no published figure.` }
  return undefined
}

/** Letters that Eurostat joins into flags such as `bf`. Words, such as `none`, have others. */
const joinedFlags = /^[bcdefiklmnprsuz]{2,4}$/

/** Codes of a status: `F`, `F: Forecast value`, `E;F` or Eurostat's `ef`. A word or an unknown notation is one code. */
function codesOf(status: string): readonly string[] {
  const codes = status.replace(/^([A-Za-z]+): .*$/s, '$1').split(/[;,\s]+/)
  return codes.flatMap((code) => (joinedFlags.test(code) ? [...code] : code)).map((code) => code.toUpperCase())
}
