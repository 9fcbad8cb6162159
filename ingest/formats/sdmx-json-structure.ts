import { DocumentError } from '../source.ts'
import { isArray, isObject, type Json, printed } from '../sources/shared/json.ts'
import { artefactOf, type Dataset } from './observation.ts'

/** A dimension or attribute with the codes to which observations refer by index. */
export type Component = { readonly id: string; readonly codes: readonly (string | undefined)[] }

type Level = 'dataSet' | 'series' | 'observation'

export type Structure = {
  readonly proven: Pick<Dataset, 'dataflow' | 'structure'>
  readonly dimensions: Readonly<Record<Level, readonly Component[]>>
  readonly attributes: Readonly<Record<Level, readonly Component[]>>
  /** Number of measures at the beginning of an observation's list. */
  readonly measures: number
}

/** Reads the structure of SDMX-JSON 1.0 or 2.0. Throws `DocumentError` `malformed_document`. */
export function readStructure(json: Json, location: string): Structure {
  if (!isObject(json)) throw malformed('The document has no structure.', location)
  const level = (group: Json | undefined, name: Level): readonly Component[] =>
    isObject(group) ? componentsOf(group[name], location) : []
  const levels = (group: Json | undefined) => ({
    dataSet: level(group, 'dataSet'),
    series: level(group, 'series'),
    observation: level(group, 'observation'),
  })
  const measures = isObject(json.measures) ? componentsOf(json.measures.observation, location).length : 1
  return {
    proven: provenBy(json.links),
    dimensions: levels(json.dimensions),
    attributes: levels(json.attributes),
    measures: Math.max(1, measures),
  }
}

function componentsOf(json: Json | undefined, location: string): readonly Component[] {
  if (json === undefined) return []
  if (!isArray(json)) throw malformed('Components are no list.', location)
  const components = json.map((component): Component => {
    const id = isObject(component) ? printed(component.id) : undefined
    if (!isObject(component) || id === undefined) throw malformed('A component has no id.', location)
    const values = isArray(component.values) ? component.values : []
    return { id, codes: values.map(codeOf) }
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
 * What the links of a structure prove: a URN, or an address that ends `/dataflow/AGENCY/ID/VERSION` or, of the OECD's
 * former portal, `/dataflow/ID/all`.
 */
function provenBy(links: Json | undefined): Structure['proven'] {
  if (!isArray(links)) return {}
  const artefactBy = (relation: string) => {
    const link = links.find((candidate) => isObject(candidate) && candidate.rel === relation)
    if (!isObject(link)) return undefined
    const urn = printed(link.urn)
    if (urn !== undefined) return artefactOf(urn)
    const path = (printed(link.href) ?? '').replace(/^.*?\/(?:dataflow|datastructure)\//i, '').split('/')
    const [first = '', second = '', version = ''] = path.map((part) => part.replace(/\?.*$/, ''))
    if (first === '') return undefined
    return second === 'all' || second === ''
      ? { agency: '', id: first, version: '' }
      : { agency: first, id: second, version }
  }
  const dataflow = artefactBy('dataflow')
  const structure = artefactBy('datastructure')
  return { ...(dataflow ? { dataflow } : {}), ...(structure ? { structure } : {}) }
}

const malformed = (detail: string, location: string): DocumentError =>
  new DocumentError('malformed_document', detail, location)
