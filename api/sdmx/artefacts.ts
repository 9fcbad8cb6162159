/** Structures of SDMX: what the flows are made of. Only codes of units and days depend on what is on record. */

import { countries } from '../../contracts/countries.ts'
import { indicators, isPublic, servedIndicators } from '../../contracts/indicators.ts'
import { servedBases } from '../../contracts/records.ts'
import type { SeriesRecord } from '../../domain/release-index.ts'
import type { ApiDeps } from '../deps.ts'
import { frequencyNames, unitsOf } from '../fred/series-facts.ts'
import type { StructureType } from './calls.ts'
import {
  type Dimension,
  dimensionsOf,
  type Flow,
  flows,
  observationAttributes,
  seriesAttributes,
  unitCodeOf,
} from './flows.ts'

export type SchemeItem = { readonly id: string; readonly name: string }

type Maintainable<T extends StructureType> = SchemeItem & { readonly type: T }
type Dataflow = Maintainable<'dataflow'> & { readonly structure: string }
export type StructureComponent = { readonly id: string; readonly codelist: string | undefined }
export type DataStructure = Maintainable<'datastructure'> & {
  readonly dimensions: readonly StructureComponent[]
  readonly seriesAttributes: readonly StructureComponent[]
  readonly observationAttributes: readonly StructureComponent[]
}
type ItemScheme = Maintainable<'codelist' | 'conceptscheme'> & {
  readonly items: readonly SchemeItem[]
  /** Whether some of the items are left out. */
  readonly isPartial?: boolean
}
export type SdmxArtefact = Dataflow | DataStructure | ItemScheme

export const CONCEPT_SCHEME = 'CS_ALMANAC'
export const TIME_DIMENSION = 'TIME_PERIOD'
export const VALUE = 'OBS_VALUE'

/** What flows say of their clock, because that of the standard is the time of loading. */
export const CLOCK_NOTE =
  'updatedAfter, asOf, validFrom and VALID_FROM mean the day on which the publisher released a value, not the time at which it was loaded here.'

export const structureIdOf = ({ id }: Flow): string => `DSD_${id}`

const dataflows: readonly Dataflow[] = flows.map((flow) => ({
  type: 'dataflow',
  id: flow.id,
  name: flow.name,
  structure: structureIdOf(flow),
}))

const codedAttributes: ReadonlyMap<string, string> = new Map([
  ['OBS_STATUS', 'CL_OBS_STATUS'],
  ['RELEASED_ON_BASIS', 'CL_RELEASED_ON_BASIS'],
])

const dataStructures: readonly DataStructure[] = flows.map((flow) => ({
  type: 'datastructure',
  id: structureIdOf(flow),
  name: flow.name,
  dimensions: dimensionsOf(flow).map((id) => ({ id, codelist: codelistOf(id, flow) })),
  seriesAttributes: seriesAttributes.map((id) => ({ id, codelist: undefined })),
  observationAttributes: observationAttributes.map((id) => ({ id, codelist: codedAttributes.get(id) })),
}))

const concepts = {
  FREQ: 'Frequency',
  REF_AREA: 'Country',
  MEASURE: 'Figure',
  ADJUSTMENT: 'Seasonal adjustment',
  UNIT_MEASURE: 'Unit, with its base',
  VALID_FROM: 'Day from which the value stood',
  [TIME_DIMENSION]: 'Period',
  [VALUE]: 'Value',
  UNIT: 'Unit',
  BASE_PER: 'Base period',
  BASE_VALUE: 'Value in the base period',
  ANNUALIZATION: 'Annualization',
  OBS_STATUS: 'Status',
  SERIES: 'Series in the catalogue that the value is from',
  RELEASED_ON: 'Day on which the value was released',
  RELEASED_ON_BASIS: 'What the day of release is known from',
}

type Names = Readonly<Record<string, string>>

const itemScheme = (type: ItemScheme['type'], id: string, name: string, names: Names): ItemScheme => ({
  type,
  id,
  name,
  items: Object.entries(names).map(([code, text]) => ({ id: code, name: text })),
})
const codelist = (id: string, name: string, names: Names): ItemScheme => itemScheme('codelist', id, name, names)

/** Names of codes that are words themselves. */
const inWords = (codes: readonly string[]): Names =>
  Object.fromEntries(codes.map((code) => [code, code.replaceAll('_', ' ')]))

const countryNames: Names = Object.fromEntries(countries.map(({ alpha3, name }) => [alpha3, name]))

/** The code list of a dimension. All have one, because some clients fail on a dimension without. */
export function codelistOf(dimension: Dimension, { indicator }: Flow): string {
  return dimension === 'MEASURE' ? `CL_MEASURE_${indicator.toUpperCase().replaceAll('-', '_')}` : `CL_${dimension}`
}

const fixedSchemes: readonly ItemScheme[] = [
  codelist('CL_FREQ', 'Frequencies', frequencyNames),
  codelist('CL_REF_AREA', 'Countries by ISO 3166-1 alpha-3', countryNames),
  codelist('CL_ADJUSTMENT', 'Seasonal adjustment', { NSA: 'Not seasonally adjusted', SA: 'Seasonally adjusted' }),
  codelist('CL_OBS_STATUS', 'Status of a value', { A: 'Normal value', M: 'Withdrawn: no value stands' }),
  codelist('CL_RELEASED_ON_BASIS', 'What a day of release is known from', inWords(servedBases)),
  ...flows
    .filter((flow) => !flow.hasVintages && dimensionsOf(flow).includes('MEASURE'))
    .map((flow) =>
      codelist(codelistOf('MEASURE', flow), `Figures: ${flow.name}`, inWords(indicators[flow.indicator].figures)),
    ),
  itemScheme('conceptscheme', CONCEPT_SCHEME, 'Concepts of Almanac', concepts),
]

/** All structures. */
export function artefacts({ releaseIndex }: Pick<ApiDeps, 'releaseIndex'>): SdmxArtefact[] {
  const own = releaseIndex.series().filter(isInFlow)
  const days = own.flatMap((record) => [...record.days].map((day) => [day, day] as const))
  const units = own.map(({ series }) => [unitCodeOf(series), unitName(series)] as const)
  return [
    ...dataflows,
    ...fixedSchemes,
    codelist('CL_UNIT_MEASURE', 'Units with their bases', sorted(units)),
    codelist('CL_VALID_FROM', 'Days on which values were released', sorted(days)),
    ...dataStructures,
  ]
}

const isInFlow = ({ series: { indicator, country } }: SeriesRecord): boolean =>
  servedIndicators.some((served) => served === indicator && isPublic(served, country))

function unitName(series: SeriesRecord['series']): string {
  const [name] = unitsOf(series)
  return series.annualization === 'annualized' ? `${name}, annual rate` : name
}

const sorted = (names: readonly (readonly [code: string, name: string])[]): Names =>
  Object.fromEntries([...new Map(names)].sort(([a], [b]) => (a < b ? -1 : 1)))
