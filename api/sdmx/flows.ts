/** The flows of SDMX: one for each indicator that is served, and one for the vintages behind it; and how requests name them. */

import { indicators, type ServedIndicator, servedIndicators } from '../../contracts/indicators.ts'
import { ProblemError } from '../../contracts/problems.ts'
import type { Series } from '../../contracts/records.ts'
import { kindOfSeries } from '../../domain/kind-of-series.ts'
import { hintOfText } from '../known-codes.ts'
import { notImplemented, shown } from '../refusals.ts'

/** Maintainer and version of all structures. */
export const AGENCY = 'ALMANAC'
export const VERSION = '1.0'

export type Flow = {
  /** The code of the indicator in capitals, such as `GDP_GROWTH`, or with `_VINTAGES` behind it. */
  readonly id: string
  readonly name: string
  readonly indicator: ServedIndicator
  readonly hasVintages: boolean
}

export const flows: readonly Flow[] = servedIndicators.flatMap((indicator) => {
  const id = indicator.toUpperCase().replaceAll('-', '_')
  const name = indicators[indicator].summary
  return [
    { id, name, indicator, hasVintages: false },
    {
      id: `${id}_VINTAGES`,
      name: `${name}: each value with the day from which it stood`,
      indicator,
      hasVintages: true,
    },
  ]
})

/**
 * Dimensions of the key in their order; time is behind them. `MEASURE` is there only if an indicator has several figures.
 * Series that differ in adjustment or unit, which includes the base, have keys of their own, so that no series of numbers
 * jumps where a publisher changes its base.
 */
export const dimensionsOf = ({ indicator, hasVintages }: Flow): readonly Dimension[] => [
  'FREQ',
  'REF_AREA',
  ...(indicators[indicator].figures.length > 1 ? (['MEASURE'] as const) : []),
  'ADJUSTMENT',
  'UNIT_MEASURE',
  // The day from which the value was the answer, as `valid_from` at /v1.
  ...(hasVintages ? (['VALID_FROM'] as const) : []),
]
export type Dimension = 'FREQ' | 'REF_AREA' | 'MEASURE' | 'ADJUSTMENT' | 'UNIT_MEASURE' | 'VALID_FROM'

/** Attributes of a series, which follow from its unit. */
export const seriesAttributes = ['UNIT', 'BASE_PER', 'BASE_VALUE', 'ANNUALIZATION'] as const
/** Attributes of an observation. `SERIES` is the id in the catalogue of the series that the value is from. */
export const observationAttributes = ['OBS_STATUS', 'SERIES', 'RELEASED_ON', 'RELEASED_ON_BASIS'] as const

/** The code of a unit with its base: `USD`, `USD_annualized`, `percent`, `index_2015_100`. */
export function unitCodeOf(series: Series): string {
  const { unit, base_period, base_value, annualization } = kindOfSeries(series)
  const parts = [unit, base_period, base_value, annualization === 'annualized' ? annualization : '']
  return parts
    .filter((part) => part !== '')
    .map(codeText)
    .join('_')
}

/** Ids of codes have letters, digits, `_`, `-`, `@` and `$`. */
const codeText = (text: string): string => text.replaceAll(/[^A-Za-z0-9-]/g, '-')

/** How a request names a flow. */
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
