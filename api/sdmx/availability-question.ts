/** What a request for the availability of a flow asks for: a question for data, and what is told of its answer. */

import { type DataQuestion, dataQuestion } from './data-question.ts'
import { notImplemented } from './faults.ts'
import { meansEvery } from './flow-reference.ts'
import { chosenParameter, parametersOf } from './parameters.ts'
import { structureTypes } from './resources.ts'
import type { SdmxInput } from './sdmx-plugin.ts'

export type AvailabilityQuestion = DataQuestion & {
  readonly references: (typeof references)[number]
  /** Undefined for all. */
  readonly components: readonly string[] | undefined
}

const references = ['none', 'all', ...structureTypes] as const

const known = {
  '2.1': ['references', 'mode', 'startPeriod', 'endPeriod', 'updatedAfter'],
  '3.0': ['references', 'mode', 'updatedAfter', 'c'],
} as const

/** How many parts of an address stand before the component, in each version of the interface. */
const partsBefore = { '2.1': 3, '3.0': 5 } as const

export function availabilityQuestion({ params, query }: SdmxInput, now: Date): AvailabilityQuestion {
  const parameters = parametersOf(query, known[params.interface])
  if (chosenParameter(parameters, 'mode', ['exact', 'available'], 'exact') === 'available') {
    throw notImplemented('mode=available is not served. Use exact.')
  }
  const before = partsBefore[params.interface]
  const [component = 'all'] = params.path.slice(before)
  const path = params.path.slice(0, before)
  const { references: _, mode, ...ofData } = query
  return {
    ...dataQuestion({ params: { ...params, path, accept: undefined }, query: ofData }, now),
    references: chosenParameter(parameters, 'references', references, 'none'),
    components: meansEvery(component) ? undefined : component.split(/[+,]/),
  }
}
