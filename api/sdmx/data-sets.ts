/** Observations as the data sets of a message. */

import type { Series } from '../../contracts/records.ts'
import { kindOfSeries } from '../../domain/kind-of-series.ts'
import { OPEN_END } from '../../domain/real-time.ts'
import { compareText } from '../../domain/served-series.ts'
import { type DataQuestion, showsAttributes, showsObservations } from './data-question.ts'
import { dimensionsOf } from './flows.ts'
import type { FlowObservation } from './read-data.ts'

/** What a receiver is to do with the observations; `Information` is the answer to a plain question. */
export type Action = 'Information' | 'Replace' | 'Delete'

type SeriesOfData = {
  readonly key: ComponentValues
  readonly attributes: ComponentValues
  readonly observations: readonly FlowObservation[]
}

export type DataSet = {
  readonly action: Action
  /** The attributes of an observation, if it is to have any. */
  readonly attributesOf: (one: FlowObservation) => ComponentValues
  /** First and last day on which the observations answered, if a history was asked for. */
  readonly validity?: { readonly from: string; readonly to: string }
  readonly series: readonly SeriesOfData[]
}

export type ComponentValues = readonly (readonly [id: string, value: string])[]

/** One data set; of a history one for each days of validity; of changes one with the values and one with the deletions. */
export function dataSetsOf(observations: readonly FlowObservation[], question: DataQuestion): DataSet[] {
  const { flow, hasHistory, updatedAfter } = question
  const kept = firstAndLast(observations, question)
  const setOf = (action: Action, own: readonly FlowObservation[]): DataSet => {
    // A deletion names what is deleted; with attributes it would delete those only.
    const hasAttributes = action !== 'Delete' && showsAttributes(question.detail)
    const series = [...byKey(own).values()].flatMap((ofKey): SeriesOfData | [] => {
      const [first] = ofKey
      if (!first) return []
      const key = dimensionsOf(flow).map((dimension, i) => [dimension, first.key[i] ?? ''] as const)
      return { key, attributes: hasAttributes ? seriesValues(first.of) : [], observations: ofKey.sort(byPeriod) }
    })
    return { action, attributesOf: hasAttributes ? observationValues : () => [], series }
  }
  if (!hasHistory && (flow.hasVintages || updatedAfter === '')) return [setOf('Information', kept)]
  // Open ends have a day, because RJSDMX keeps the end of the data set before where there is none.
  const validityOf = ({ validFrom = '', validTo = OPEN_END }: FlowObservation) => ({ from: validFrom, to: validTo })
  const nameOf = (one: FlowObservation) => {
    const { from, to } = validityOf(one)
    return hasHistory ? `${from} ${to} ${actionOn(one)}` : actionOn(one)
  }
  // A deletion without its period would delete the whole series.
  const told = showsObservations(question.detail) ? kept : kept.filter(({ value }) => value !== null)
  return [...Map.groupBy(told, nameOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, own]) => {
      const [first] = own
      if (!first) return []
      const set = setOf(actionOn(first), own)
      return [hasHistory ? { ...set, validity: validityOf(first) } : set]
    })
}

const actionOn = ({ value }: FlowObservation): Action => (value === null ? 'Delete' : 'Replace')

/** The observations of each series, in the order of keys. */
const byKey = (observations: readonly FlowObservation[]): Map<string, FlowObservation[]> =>
  new Map([...Map.groupBy(observations, ({ key }) => key.join('.'))].sort(([a], [b]) => (a < b ? -1 : 1)))

const byPeriod = (a: FlowObservation, b: FlowObservation): number => compareText(a.period, b.period)

/** The observations of the first and of the last periods of each series, as many as were asked for. */
function firstAndLast(
  observations: readonly FlowObservation[],
  { first, last }: DataQuestion,
): readonly FlowObservation[] {
  if (first === undefined && last === undefined) return observations
  return [...byKey(observations).values()].flatMap((own) => {
    const periods = [...new Set(own.map(({ period }) => period))].sort()
    const kept = new Set([...periods.slice(0, first ?? 0), ...(last === undefined ? [] : periods.slice(-last))])
    return own.filter(({ period }) => kept.has(period))
  })
}

/** Attributes of a series; those that do not apply are left out. */
function seriesValues(of: Series): ComponentValues {
  const { unit, base_period, base_value, annualization } = kindOfSeries(of)
  return withoutEmpty([
    ['UNIT', unit],
    ['BASE_PER', base_period],
    ['BASE_VALUE', base_value],
    ['ANNUALIZATION', annualization],
  ])
}

/** Attributes of an observation. `M` is a value that does not exist, here one that was withdrawn or replaced in another series. */
const observationValues = ({ value, series, releasedOn, releasedOnBasis }: FlowObservation): ComponentValues => [
  ['OBS_STATUS', value === null ? 'M' : 'A'],
  ['SERIES', series],
  ['RELEASED_ON', releasedOn],
  ['RELEASED_ON_BASIS', releasedOnBasis],
]

const withoutEmpty = (values: ComponentValues): ComponentValues => values.filter(([, value]) => value !== '')
