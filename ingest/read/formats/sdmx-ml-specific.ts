import { type Codes, Groups } from './groups.ts'
import { dimensionsAmong, type MessageObservation } from './observation.ts'
import type { PrintedObservation } from './sdmx-action.ts'
import { type SdmxMlDataset, TIME } from './sdmx-ml-header.ts'
import type { XmlCursor, XmlTag } from './xml-cursor.ts'

const VALUE = 'OBS_VALUE'

/** Attributes of a data set itself. SDMX-ML 2.0 states them without a prefix, as it does components. */
const ofDataSet: ReadonlySet<string> = new Set(
  'action structureRef dataScope setID datasetID validFromDate validToDate publicationYear publicationPeriod'
    .split(' ')
    .concat('reportingBeginDate reportingEndDate keyFamilyURI dataflowAgencyID dataflowID'.split(' '))
    .concat('REPORTING_YEAR_START_DAY'),
)

/**
 * Reads a data set of a structure-specific or compact message; the cursor stands on it. An element that is neither a
 * series nor an observation is a group, because SDMX-ML 2.0 names groups by their structure.
 */
export function* readSpecificDataSet(
  cursor: XmlCursor,
  { dataset, dimensionAtObservation }: SdmxMlDataset,
  tag: XmlTag,
): Generator<PrintedObservation> {
  const shared = Object.fromEntries(Object.entries(tag.attributes).filter(([name]) => !ofDataSet.has(name)))
  const groups = new Groups()
  let series = 0
  let flat = 0
  for (const child of cursor.children()) {
    if (child.name === 'Series') {
      const { codes: key, attributes: ofSeries } = dimensionsAmong(child.attributes)
      series++
      let own: Codes | undefined
      let more: Codes = {}
      let count = 0
      for (const inner of cursor.children()) {
        if (inner.name === 'Comp') more = { ...more, ...readComp(cursor, inner) }
        if (inner.name !== 'Obs') continue
        own ??= { ...shared, ...groups.attributesOf(key), ...ofSeries, ...more }
        const location = `series ${series}, observation ${++count}`
        yield observationOf(cursor, dataset, inner, key, own, dimensionAtObservation, location)
      }
    } else if (child.name === 'Obs') {
      const location = `observation ${++flat}`
      const found = observationOf(cursor, dataset, child, {}, shared, undefined, location)
      yield { ...found, attributes: { ...groups.attributesOf(found.codes), ...found.attributes } }
    } else if (child.name !== 'Annotations') groups.addMixed(child.attributes)
  }
}

/**
 * Makes the observation of an `Obs`. Outside a series (`dimension` is undefined) all dimensions stand at it. In a series
 * only one does, and the other components are attributes; explicit measures state its code as the element's type.
 */
function observationOf(
  cursor: XmlCursor,
  dataset: MessageObservation['dataset'],
  tag: XmlTag,
  key: Codes,
  shared: Codes,
  dimension: string | undefined,
  location: string,
): PrintedObservation {
  const { [TIME]: time, [VALUE]: printed = '', ...own } = tag.attributes
  const { [TIME]: timeOfKey = '', ...codesOfKey } = key
  let codes: Codes = codesOfKey
  let attributes: Codes = { ...shared, ...own }
  if (dimension === undefined) {
    const all = dimensionsAmong(own)
    codes = all.codes
    attributes = { ...shared, ...all.attributes }
  } else if (dimension !== TIME) {
    const { [dimension]: code = tag.prefixed.type?.replace(/^.*:/, '') ?? '', ...others } = own
    codes = { ...codesOfKey, [dimension]: code }
    attributes = { ...shared, ...others }
  }
  for (const inner of cursor.children())
    if (inner.name === 'Comp') attributes = { ...attributes, ...readComp(cursor, inner) }
  const period = time ?? timeOfKey
  return { kind: 'observation', dataset, codes, period, value: printed.trim(), attributes, location }
}

/** Reads a component with several values, of SDMX-ML 3.0: `<Comp id="X"><Value>1</Value>…</Comp>`. */
function readComp(cursor: XmlCursor, { attributes }: XmlTag): Codes {
  const values: string[] = []
  cursor.content(() => values.push(cursor.content()))
  return attributes.id === undefined ? {} : { [attributes.id]: values.join(';') }
}
