import { DocumentError } from '../../source.ts'
import { type Codes, Groups } from './groups.ts'
import type { PrintedObservation } from './sdmx-action.ts'
import { type SdmxMlDataset, TIME } from './sdmx-ml-header.ts'
import type { XmlCursor } from './xml-cursor.ts'

/** Reads a data set of a generic message; the cursor stands on it. */
export function* readGenericDataSet(cursor: XmlCursor, declared: SdmxMlDataset): Generator<PrintedObservation> {
  let described = declared
  let ofDataset: Codes = {}
  let series = 0
  let flat = 0
  const groups = new Groups()
  for (const { name } of cursor.children()) {
    // SDMX-ML 2.0 names the structure here.
    if (name === 'KeyFamilyRef') {
      const structure = { agency: '', ...described.dataset.structure, id: cursor.content() }
      described = { ...described, dataset: { ...described.dataset, structure } }
    } else if (name === 'Attributes') ofDataset = readValues(cursor, 'the data set')
    else if (name === 'Group') readGroup(cursor, groups)
    else if (name === 'Series') {
      series++
      let key: Codes = {}
      let attributes: Codes = {}
      let shared: Codes | undefined
      let count = 0
      for (const child of cursor.children()) {
        const location = `series ${series}`
        if (child.name === 'SeriesKey') key = readValues(cursor, location)
        else if (child.name === 'Attributes') attributes = readValues(cursor, location)
        else if (child.name === 'Obs') {
          shared ??= { ...ofDataset, ...groups.attributesOf(key), ...attributes }
          yield readObs(cursor, described, key, shared, `${location}, observation ${++count}`)
        }
      }
    } else if (name === 'Obs') {
      const found = readObs(cursor, described, {}, ofDataset, `observation ${++flat}`)
      yield { ...found, attributes: { ...groups.attributesOf(found.codes), ...found.attributes } }
    }
  }
}

function readGroup(cursor: XmlCursor, groups: Groups): void {
  let key: Codes = {}
  let attributes: Codes = {}
  for (const { name } of cursor.children()) {
    if (name === 'GroupKey') key = readValues(cursor, 'a group')
    else if (name === 'Attributes') attributes = readValues(cursor, 'a group')
  }
  groups.add(key, attributes)
}

/**
 * Reads `<Value id="FREQ" value="M"/>…`; SDMX-ML 2.0 has `concept` instead of `id`. Throws `DocumentError`
 * `malformed_document` for one that names nothing, or the same as another.
 */
function readValues(cursor: XmlCursor, location: string): Codes {
  const values: Record<string, string> = {}
  for (const { name, attributes } of cursor.children()) {
    if (name !== 'Value') continue
    const id = attributes.id ?? attributes.concept ?? ''
    if (id === '') throw new DocumentError('malformed_document', 'A value names no component.', location)
    if (Object.hasOwn(values, id)) throw new DocumentError('malformed_document', `${id} is stated twice.`, location)
    values[id] = attributes.value ?? ''
  }
  return values
}

function readObs(
  cursor: XmlCursor,
  { dataset, dimensionAtObservation }: SdmxMlDataset,
  key: Codes,
  shared: Codes,
  location: string,
): PrintedObservation {
  let codes: Record<string, string> | undefined
  let period = key[TIME] ?? ''
  let printed = ''
  let attributes = shared
  const add = (more: Codes) => {
    codes = { ...(codes ?? key), ...more }
  }
  for (const { name, attributes: stated } of cursor.children()) {
    if (name === 'ObsDimension') {
      const id = stated.id ?? dimensionAtObservation
      if (id === TIME) period = stated.value ?? ''
      else add({ [id]: stated.value ?? '' })
    } else if (name === 'Time') period = cursor.content()
    else if (name === 'ObsKey') {
      const { [TIME]: time = '', ...others } = readValues(cursor, location)
      period = time
      add(others)
    } else if (name === 'ObsValue') printed = stated.value ?? ''
    else if (name === 'Attributes') attributes = { ...shared, ...readValues(cursor, location) }
  }
  if (Object.hasOwn(codes ?? key, TIME)) {
    const { [TIME]: _period, ...others } = codes ?? key
    codes = others
  }
  return { kind: 'observation', dataset, codes: codes ?? key, period, value: printed.trim(), attributes, location }
}
