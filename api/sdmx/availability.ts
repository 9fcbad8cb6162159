/** Which codes the keys of a flow have. They are read from the data itself, so that each of them has a value. */

import { ProblemError } from '../../contracts/problems.ts'
import { endOfPeriod, startOfPeriod } from '../../domain/period.ts'
import type { ApiDeps } from '../deps.ts'
import { artefacts, codelistOf, type SdmxArtefact, TIME_DIMENSION } from './artefacts.ts'
import type { AvailabilityQuestion } from './availability-question.ts'
import { dimensionsOf, type Flow } from './flows.ts'
import { type FlowObservation, readData } from './read-data.ts'
import { referenced } from './references.ts'

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
