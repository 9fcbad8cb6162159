/** What a request for the availability of a flow asks for: a question for data, and what is told of its answer. */

import { invalidQuery, notImplemented, shown } from '../refusals.ts'
import { TIME_DIMENSION } from './artefacts.ts'
import { structureTypes } from './calls.ts'
import { dataQuestion, flowAndKeyOf } from './data-question.ts'
import { dimensionsOf, flowNamed, meansEvery } from './flows.ts'
import { namedCodes, selectionOf, withFilters } from './key.ts'
import { parametersOf } from './parameters.ts'
import type { SdmxInput } from './sdmx-plugin.ts'

export type AvailabilityQuestion = ReturnType<typeof availabilityQuestion>

const references = ['none', 'all', ...structureTypes] as const

const parametersKnown = {
  '2.1': ['references', 'mode', 'startPeriod', 'endPeriod', 'updatedAfter'],
  '3.0': ['references', 'mode', 'updatedAfter', 'c'],
} as const

/** How many parts of an address stand before the component, in each version of the interface. */
const partsBefore = { '2.1': 3, '3.0': 5 } as const

/** What of an address a question for data has. */
const paramsOfData = (params: SdmxInput['params']): SdmxInput['params'] => ({
  ...params,
  path: params.path.slice(0, partsBefore[params.interface]),
})

export function availabilityQuestion({ params, query }: SdmxInput, now: Date) {
  const parameters = parametersOf(query, parametersKnown[params.interface])
  if (parameters.chosen('mode', ['exact', 'available'], 'exact') === 'available') {
    throw notImplemented('mode=available is not served. Use exact.')
  }
  const [component = 'all', ...rest] = params.path.slice(partsBefore[params.interface])
  const { references: _, mode, ...ofData } = query
  const question = dataQuestion({ params: { ...paramsOfData(params), accept: undefined }, query: ofData }, now)
  const components = meansEvery(component) ? undefined : component.split(/[+,]/)
  const known = [...dimensionsOf(question.flow), TIME_DIMENSION]
  const unknown = components?.find((each) => !known.some((one) => one === each)) ?? rest[0]
  if (unknown !== undefined) {
    throw invalidQuery(`${question.flow.id} has no component ${shown(unknown)}. Components: ${known.join(', ')}.`)
  }
  return {
    ...question,
    references: parameters.chosen('references', references, 'none'),
    /** Undefined for all. */
    components,
  }
}

/** The flow's indicator, countries and frequencies that an address of data or availability names; undefined if it names no country or is not valid. */
export function cellOfData({ params, query }: SdmxInput) {
  try {
    const { reference, key } = flowAndKeyOf(paramsOfData(params))
    const flow = flowNamed(reference)
    const selection = withFilters(flow, selectionOf(flow, key), query)
    const countries = namedCodes(selection, 'REF_AREA')
    return countries && { countries, frequencies: namedCodes(selection, 'FREQ'), indicator: flow.indicator }
  } catch {
    // The handler itself refuses such a request, and says why.
    return undefined
  }
}
