/** What a request for structures asks for, in both versions of the interface. */

import { ProblemError } from '../../contracts/problems.ts'
import { notImplemented, shown } from '../refusals.ts'
import { type StructureType, structureTypes, unservedResources } from './calls.ts'
import { AGENCY, isServedVersion, meansEvery } from './flows.ts'
import { parametersOf } from './parameters.ts'
import { referenceChoices } from './references.ts'
import type { SdmxInput } from './sdmx-plugin.ts'

const details = ['full', 'raw', 'allstubs', 'allcompletestubs', 'referencestubs', 'referencecompletestubs'] as const

export type StructureQuestion = ReturnType<typeof structureQuestion>

/** Reads `/{type}/{agency}/{id}/{version}`, of which all but the type may be left out. */
export function structureQuestion({ params, query }: Pick<SdmxInput, 'params' | 'query'>) {
  const isOld = params.interface === '2.1'
  const [type = '*', agency = '*', id = '*', version = '*', ...items] = isOld
    ? [params.resource === 'structure' ? '*' : params.resource, ...params.path]
    : params.path
  if (items.length > 0) throw notImplemented('Single items of a scheme are not served. Ask for the whole scheme.')
  const parameters = parametersOf(query, ['references', 'detail'])
  if (parameters.get('detail') === 'referencepartial') {
    throw notImplemented(
      'detail=referencepartial is not served. Ask for the availability of a flow, with references=all.',
    )
  }
  const isServed = listed(agency).some((one) => meansEvery(one) || one === AGENCY) && isServedVersion(version)
  return {
    types: typesOf(type),
    /** Undefined for all. */
    ids: isServed ? idsOf(id) : [],
    references: parameters.chosen('references', referenceChoices, 'none'),
    detail: parameters.chosen('detail', details, 'full'),
  }
}

function typesOf(type: string): readonly StructureType[] {
  if (meansEvery(type)) return structureTypes
  return listed(type).map((name) => {
    const served = structureTypes.find((one) => one === name)
    if (served) return served
    const advice = `Served are ${structureTypes.join(', ')}.`
    if (unservedResources.has(name)) throw notImplemented(`Structures of type ${name} are not served. ${advice}`)
    throw new ProblemError('invalid_path', `There is no type of structures ${shown(name)}. ${advice}`)
  })
}

const idsOf = (id: string): readonly string[] | undefined => (meansEvery(id) ? undefined : listed(id))

/** Several names: with a plus sign between them in 2.1, with a comma in 3.0. */
const listed = (names: string): string[] => names.split(/[+,]/)
