import { DocumentError } from '../../source.ts'
import { statedValidity } from '../validity.ts'
import { type Artefact, artefactOf, type Dataset } from './observation.ts'
import type { XmlCursor, XmlTag } from './xml-cursor.ts'

/** Structure that a header declares, to which data sets refer by its id. */
type Declared = {
  readonly dimensionAtObservation: string | undefined
  readonly dataflow?: Artefact
  readonly structure?: Artefact
}

type SdmxMlHeader = {
  /** Structures that the header declares, by their ids. */
  readonly structures: ReadonlyMap<string, Declared>
  /** Action of the data sets that name none; `''` if the header names none, either. */
  readonly action: string
}

export const noHeader: SdmxMlHeader = { structures: new Map(), action: '' }

/** Data set that is read: what it proves, and the dimension that its observations have. */
export type SdmxMlDataset = { readonly dataset: Dataset; readonly dimensionAtObservation: string }

/** Key of the structure that a header of SDMX-ML 2.0 names, which has no ids. */
const KEY_FAMILY = ''

/** Reads the header; the cursor stands on it. */
export function readHeader(cursor: XmlCursor): SdmxMlHeader {
  let family = { agency: '', id: '' }
  let action = ''
  const structures = new Map<string, Declared>()
  for (const { name, attributes } of cursor.children()) {
    if (name === 'KeyFamilyRef') family = { ...family, id: cursor.content() }
    else if (name === 'KeyFamilyAgency') family = { ...family, agency: cursor.content() }
    else if (name === 'DataSetAction') action = cursor.content().trim()
    else if (name === 'Structure') structures.set(attributes.structureID ?? '', readDeclared(cursor, attributes))
  }
  if (family.id !== '') structures.set(KEY_FAMILY, { dimensionAtObservation: undefined, structure: family })
  return { structures, action }
}

function readDeclared(cursor: XmlCursor, { dimensionAtObservation }: XmlTag['attributes']): Declared {
  let found: { readonly kind: string; readonly artefact: Artefact } | undefined
  for (const { name } of cursor.children()) {
    const reference = readReference(cursor)
    if (reference) found ??= { kind: reference.isDataflow ? 'StructureUsage' : name, artefact: reference.artefact }
  }
  if (!found) return { dimensionAtObservation }
  if (found.kind === 'StructureUsage') return { dimensionAtObservation, dataflow: found.artefact }
  return found.kind === 'Structure' ? { dimensionAtObservation, structure: found.artefact } : { dimensionAtObservation }
}

/** Reads `<Ref agencyID id version/>`, `<URN>…</URN>` or, in SDMX-ML 3.0, a URN as text. */
function readReference(cursor: XmlCursor): { readonly artefact: Artefact; readonly isDataflow: boolean } | undefined {
  let ref: XmlTag['attributes'] | undefined
  let urn = ''
  const text = cursor.content(({ name, attributes }) => {
    if (name === 'Ref') ref = attributes
    else if (name === 'URN') urn = cursor.content()
  })
  if (ref?.id !== undefined) {
    const { agencyID: agency = '', id, version = '' } = ref
    return { artefact: { agency, id, version }, isDataflow: ref.class === 'Dataflow' }
  }
  const named = urn === '' ? text : urn
  const artefact = artefactOf(named)
  return artefact && { artefact, isDataflow: /\.Dataflow=/.test(named) }
}

/**
 * Returns what a data set proves. Throws `DocumentError` `bad_date`, or `malformed_document` if it refers to a structure that
 * the header does not declare.
 */
export function describedDataSet(
  { structures }: SdmxMlHeader,
  { attributes, prefixed }: XmlTag,
  format: string,
): SdmxMlDataset {
  const reference = attributes.structureRef ?? prefixed.structureRef
  const only = structures.size === 1 ? [...structures.values()][0] : undefined
  const declared = reference === undefined ? only : structures.get(reference)
  if (reference !== undefined && !declared)
    throw new DocumentError('malformed_document', `The header declares no structure ${JSON.stringify(reference)}.`)
  const { dimensionAtObservation = TIME, dataflow, structure } = declared ?? {}
  const dated = (name: string) => attributes[name] ?? prefixed[name]
  const valid = statedValidity(dated('validFromDate'), dated('validToDate'), '')
  const dataset: Dataset = {
    format,
    valid,
    dataflow,
    structure,
  }
  return { dataset, dimensionAtObservation }
}

export const TIME = 'TIME_PERIOD'
