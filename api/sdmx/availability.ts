/**
 * Which codes the keys of a flow have. They are read from the data itself, so that each of them has a value. A request for
 * them is a question for data, and says what is told of its answer.
 */

import { ProblemError } from '../../contracts/problems.ts'
import { endOfPeriod, startOfPeriod } from '../../domain/period.ts'
import type { ApiDeps } from '../deps.ts'
import { invalidQuery, notImplemented, shown } from '../refusals.ts'
import { artefacts, codelistOf, type SdmxArtefact, TIME_DIMENSION } from './artefacts.ts'
import { structureTypes } from './calls.ts'
import { dataQuestion, flowAndKeyOf } from './data-question.ts'
import { dimensionsOf, type Flow, flowNamed, meansEvery } from './flows.ts'
import { namedCodes, selectionOf, withFilters } from './key.ts'
import { parametersOf } from './parameters.ts'
import { type FlowObservation, readData } from './read-data.ts'
import { referenced } from './references.ts'
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

/** Codes by dimension, the days that the periods cover, and how many series and observations there are. */
export type Availability = {
  readonly flow: Flow
  readonly codes: ReadonlyMap<string, readonly string[]>
  readonly time: { readonly first: string; readonly last: string } | undefined
  readonly series: number
  readonly observations: number
}

export async function readAvailability(
  deps: Pick<ApiDeps, 'history'>,
  question: AvailabilityQuestion,
): Promise<Availability> {
  const { flow, components } = question
  const found = (await readData(deps, question)).filter(({ value }) => flow.hasVintages || value !== null)
  if (found.length === 0) throw new ProblemError('no_complete_publication', `${flow.id} has no data for this question.`)
  const isAsked = (component: string) => components === undefined || components.includes(component)
  const keys = [...new Map(found.map(({ key }) => [key.join('.'), key])).values()]
  const codes = dimensionsOf(flow).map(
    (dimension, i) => [dimension, distinct(keys.flatMap((key) => key[i] ?? []))] as const,
  )
  return {
    flow,
    codes: new Map(codes.filter(([dimension]) => isAsked(dimension))),
    time: isAsked(TIME_DIMENSION) ? timeOf(found) : undefined,
    series: keys.length,
    observations: found.length,
  }
}

const distinct = (codes: readonly string[]): string[] => [...new Set(codes)].sort()

function timeOf(found: readonly FlowObservation[]): Availability['time'] {
  const periods = distinct(found.map(({ period }) => period))
  const first = distinct(periods.map(startOfPeriod))[0] ?? ''
  return { first, last: distinct(periods.map(endOfPeriod)).at(-1) ?? '' }
}

/** The flow with the structures that belong to it, or those of one type, with the codes that have data alone. */
export function availableArtefacts(
  deps: Pick<ApiDeps, 'releaseIndex'>,
  { flow, codes }: Availability,
  references: AvailabilityQuestion['references'],
): SdmxArtefact[] {
  if (references === 'none') return []
  const all = artefacts(deps)
  const own = all.filter(({ type, id }) => type === 'dataflow' && id === flow.id)
  const codesOfList = new Map(
    dimensionsOf(flow).map((dimension) => [codelistOf(dimension, flow), codes.get(dimension)]),
  )
  return [...own, ...referenced(own, 'all', all)]
    .filter(({ type }) => references === 'all' || type === references)
    .map((artefact) => {
      const available = codesOfList.get(artefact.id)
      if (artefact.type !== 'codelist' || !available) return artefact
      return { ...artefact, isPartial: true, items: artefact.items.filter(({ id }) => available.includes(id)) }
    })
}
