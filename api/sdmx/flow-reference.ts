/** How requests name a flow. */

import { ProblemError } from '../../contracts/problems.ts'
import { hintOfText } from '../known-codes.ts'
import { notImplemented, shown } from '../refusals.ts'
import { AGENCY, type Flow, flows, VERSION } from './flows.ts'

export type FlowReference = { readonly agency: string; readonly id: string; readonly version: string }

/** What stands for every one in the two versions of the interface. */
export const meansEvery = (text: string): boolean => text === '*' || text === 'all'

/** The newest version has more names: there is one only. */
export const isServedVersion = (text: string): boolean =>
  text === VERSION || meansEvery(text) || ['latest', '+', '~', `${VERSION}+`].includes(text)

/** A reference of version 2.1: `ID`, `AGENCY,ID` or `AGENCY,ID,VERSION`. */
export function referenceOf(text: string): FlowReference {
  const parts = text.split(',')
  const [agency = '', id = '', version = 'latest'] = parts.length === 1 ? [AGENCY, text] : parts
  return { agency, id, version }
}

/**
 * Finds the flow that a request names.
 *
 * @throws ProblemError `no_complete_publication` if there is none, `not_implemented` if it names several
 */
export function flowNamed({ agency, id, version }: FlowReference): Flow {
  if (meansEvery(id) || /[,+]/.test(id)) throw notImplemented(`Several flows in one request: ${shown(id)}. Name one.`)
  const found = flows.find((flow) => flow.id === id)
  if (found && (agency === AGENCY || meansEvery(agency)) && isServedVersion(version)) return found
  const ids = flows.map((flow) => flow.id)
  const hint = found ? ` Did you mean ${AGENCY}:${id}(${VERSION})?` : hintOfText(id.toUpperCase(), ids)
  throw new ProblemError(
    'no_complete_publication',
    `The flow ${shown(`${agency}:${id}(${version})`)} does not exist.${hint} Flows: ${ids.join(', ')}.`,
  )
}
