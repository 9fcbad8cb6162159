import { DocumentError } from '../../source.ts'
import { isArray, isObject, type Json, printed } from '../json.ts'
import { artefactOf, type Dataset, malformed } from './observation.ts'

/** A dimension, measure or attribute with the codes to which observations refer by index. */
export type Component = {
  readonly id: string
  readonly codes: readonly (string | undefined)[]
  /** Value of an attribute where the data state none. */
  readonly otherwise: string | undefined
}

type Level = 'dataSet' | 'series' | 'observation'

export type Structure = {
  readonly proven: Pick<Dataset, 'dataflow' | 'structure'>
  readonly dimensions: Readonly<Record<Level, readonly Component[]>>
  /** All dimensions in the order of the data structure, in which keys of groups name them; undefined if it is not stated. */
  readonly keyOrder: readonly Component[] | undefined
  readonly attributes: Readonly<Record<Level | 'dimensionGroup', readonly Component[]>>
  /** Number of measures at the beginning of an observation's list. */
  readonly measures: number
  /** The measure that is read, and its place among them. */
  readonly value: { readonly at: number; readonly component: Component }
}

const VALUE = 'OBS_VALUE'

/**
 * Reads the structure of SDMX-JSON 1.0 or 2.0. Throws `DocumentError`: `malformed_document`, or `unknown_measure` if none of the
 * measures is `OBS_VALUE`.
 */
export function readStructure(json: Json, location: string): Structure {
  if (!isObject(json)) throw malformed('The document has no structure.', location)
  const level = (group: Json | undefined, name: Level | 'dimensionGroup'): readonly Component[] =>
    isObject(group) ? componentsOf(group[name], location) : []
  const levels = (group: Json | undefined) => ({
    dataSet: level(group, 'dataSet'),
    series: level(group, 'series'),
    observation: level(group, 'observation'),
  })
  const dimensions = levels(json.dimensions)
  return {
    proven: provenBy(json.links),
    dimensions,
    keyOrder: keyOrderOf(json.dimensions, dimensions),
    attributes: { ...levels(json.attributes), dimensionGroup: level(json.attributes, 'dimensionGroup') },
    ...measuresOf(json.measures, location),
  }
}

/**
 * A structure that does not speak of measures has the one that all data structures before SDMX 3.0 have. An empty list says
 * that there is none.
 */
function measuresOf(json: Json | undefined, location: string): Pick<Structure, 'measures' | 'value'> {
  const all = isObject(json)
    ? componentsOf(json.observation, location)
    : [{ id: VALUE, codes: [], otherwise: undefined }]
  const at = all.findIndex(({ id }) => id === VALUE)
  const component = all[at]
  if (component) return { measures: all.length, value: { at, component } }
  const names = all.map(({ id }) => id).join(', ') || 'none'
  throw new DocumentError('unknown_measure', `The measures are ${names}; ${VALUE} is read.`, location)
}

/**
 * Orders dimensions by their `keyPosition`. One that has none, as time may have, is the last. Where more have none, the
 * order is that of the structure, if all stand at one level.
 */
function keyOrderOf(json: Json | undefined, levels: Structure['dimensions']): Structure['keyOrder'] {
  const positions = new Map<string, number>()
  for (const described of isObject(json) ? Object.values(json) : [])
    for (const dimension of isArray(described) ? described : []) {
      const position = isObject(dimension) ? printed(dimension.keyPosition) : undefined
      if (isObject(dimension) && position !== undefined) positions.set(printed(dimension.id) ?? '', Number(position))
    }
  const all = Object.values(levels).flat()
  const isStated = new Set(positions.values()).size === positions.size && positions.size >= all.length - 1
  if (!isStated) return Object.values(levels).some((level) => level.length === all.length) ? all : undefined
  const positionOf = ({ id }: Component): number => positions.get(id) ?? Number.POSITIVE_INFINITY
  return all.toSorted((a, b) => positionOf(a) - positionOf(b))
}

function componentsOf(json: Json | undefined, location: string): readonly Component[] {
  if (json === undefined) return []
  if (!isArray(json)) throw malformed('Components are no list.', location)
  const components = json.map((component): Component => {
    const id = isObject(component) ? printed(component.id) : undefined
    if (!isObject(component) || id === undefined) throw malformed('A component has no id.', location)
    const values = isArray(component.values) ? component.values : []
    return { id, codes: values.map(codeOf), otherwise: printed(component.default) }
  })
  const twice = components.find(({ id }, i) => components.findIndex((other) => other.id === id) !== i)
  if (twice) throw malformed(`The component ${twice.id} is stated twice.`, location)
  return components
}

/** A code; or, for an attribute without codes, its value or name. */
function codeOf(value: Json): string | undefined {
  if (!isObject(value)) return printed(value)
  return printed(value.id) ?? printed(value.value) ?? printed(value.name)
}

/**
 * What the links of a structure or a data set prove: a URN, or an address that ends `/dataflow/AGENCY/ID/VERSION` or, of the OECD's
 * former portal, `/dataflow/ID/all`.
 */
export function provenBy(links: Json | undefined): Structure['proven'] {
  if (!isArray(links)) return {}
  const artefactBy = (relation: string) => {
    const link = links.find((candidate) => isObject(candidate) && printed(candidate.rel)?.toLowerCase() === relation)
    if (!isObject(link)) return undefined
    const urn = printed(link.urn)
    if (urn !== undefined) return artefactOf(urn)
    const path = (printed(link.href) ?? '').replace(/^.*?\/(?:dataflow|datastructure)\//i, '').split('/')
    const [first = '', second = '', version = ''] = path.map((part) => part.replace(/\?.*$/, ''))
    if (first === '') return undefined
    return second === 'all' || second === '' ? { agency: '', id: first } : { agency: first, id: second, version }
  }
  const dataflow = artefactBy('dataflow')
  const structure = artefactBy('datastructure')
  return { ...(dataflow ? { dataflow } : {}), ...(structure ? { structure } : {}) }
}
