/** Messages of SDMX-ML 2.1. */

import { XML_HEAD, xmlAttributes } from '../xml.ts'
import { type StructureType, structureClasses } from './calls.ts'
import { AGENCY, VERSION } from './flows.ts'

const schemas = 'http://www.sdmx.org/resources/sdmxml/schemas/v2_1'

/** Namespaces that messages declare, as attributes of their root. */
export const namespaces: string = [
  ['mes', `${schemas}/message`],
  ['str', `${schemas}/structure`],
  ['com', `${schemas}/common`],
  ['gen', `${schemas}/data/generic`],
  ['ss', `${schemas}/data/structurespecific`],
  ['xsi', 'http://www.w3.org/2001/XMLSchema-instance'],
]
  .map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
  .join('')

/**
 * The lines before the content of a message. `Prepared` is the day and not the instant, so that an answer stays the same as
 * long as its content does, and can be revalidated.
 *
 * @param root `Structure`, `GenericData` or `StructureSpecificData`
 * @param structures what a message with data says of its structures
 */
export const messageHead = (root: string, now: Date, structures = ''): string => {
  const day = now.toISOString().slice(0, 'YYYY-MM-DD'.length)
  const header = `<mes:ID>${AGENCY}-${day}</mes:ID><mes:Test>false</mes:Test><mes:Prepared>${day}</mes:Prepared>`
  return `${XML_HEAD}\n<mes:${root}${namespaces}>\n<mes:Header>${header}<mes:Sender id="${AGENCY}"/>${structures}</mes:Header>`
}

/** A reference to an artefact of this service. Some clients read `Ref` only, and not a URN. */
export function reference(type: StructureType, id: string): string {
  const [inPackage, kind] = structureClasses[type]
  return `<Ref${xmlAttributes({ id, version: VERSION, agencyID: AGENCY, package: inPackage, class: kind })}/>`
}
