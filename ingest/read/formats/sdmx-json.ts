import { DocumentError, type Reject } from '../../source.ts'
import { isArray, isObject, type Json, type JsonObject, printed, readJson } from '../json.ts'
import { sdmxJsonMessage } from '../json-kinds.ts'
import { statedValidity } from '../validity.ts'
import { Groups } from './groups.ts'
import { type Dataset, type FormatReader, type MessageObservation, malformed } from './observation.ts'
import { type PrintedObservation, statedBy } from './sdmx-action.ts'
import { type Component, provenBy, readStructure, type Structure } from './sdmx-json-structure.ts'

/**
 * SDMX-JSON 1.0 (`dataSets` at the top) and 2.0 (`data.dataSets`), in series, cross-section and flat.
 * Source: https://github.com/sdmx-twg/sdmx-json (data-message/docs/1-sdmx-json-field-guide.md)
 */
export const sdmxJson: FormatReader = { ...sdmxJsonMessage, read: readSdmxJson }

function* readSdmxJson(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const root = readJson(text)
  if (!isObject(root)) throw malformed('The document is no object.')
  refuseErrors(root.errors)
  const version = isObject(root.data) ? '2' : '1'
  const body = isObject(root.data) ? root.data : root
  // Version 1.0 has one `structure`; 2.0 and drafts of 1.0 have `structures`, to which data sets refer by index.
  const stated = isArray(body.structures) ? body.structures : [body.structure ?? null]
  const structures = stated.map((structure, i) => readStructure(structure, `structure ${i}`))
  if (!isArray(body.dataSets))
    throw new DocumentError('no_data_message', `The document is SDMX-JSON ${version} without data sets.`)
  for (const [index, dataSet] of body.dataSets.entries()) {
    const locationPrefix = body.dataSets.length === 1 ? '' : `data set ${index + 1}, `
    if (!isObject(dataSet)) throw malformed('A data set is no object.', locationPrefix)
    const structure = structures[Number(printed(dataSet.structure) ?? 0)]
    if (!structure) throw malformed('A data set refers to no structure of the document.', locationPrefix)
    const valid = statedValidity(dataSet.validFrom, dataSet.validTo, locationPrefix.replace(/, $/, ''))
    const dataset: Dataset = {
      format: `SDMX-JSON ${version}`,
      valid,
      // The data API of the ABS names the data structure beside the data.
      ...provenBy(dataSet.links),
      ...structure.proven,
    }
    const action = printed(dataSet.action) ?? ''
    for (const found of readDataSet(dataSet, structure, dataset, locationPrefix)) {
      const stated = statedBy(action, found)
      if (stated) yield stated
    }
  }
}

/** Throws `DocumentError` `publisher_error` for a list of errors that is not empty. */
function refuseErrors(errors: Json | undefined): void {
  if (!isArray(errors) || errors.length === 0) return
  const texts = errors.map((error) =>
    isObject(error)
      ? `${printed(error.code) ?? ''} ${printed(error.title) ?? printed(error.detail) ?? ''}`
      : JSON.stringify(error),
  )
  throw new DocumentError('publisher_error', `The publisher answered: ${texts.join('; ')}`)
}

function* readDataSet(
  dataSet: JsonObject,
  structure: Structure,
  dataset: Dataset,
  locationPrefix: string,
): Generator<PrintedObservation> {
  const { dimensions, attributes } = structure
  const firstOfEach = dimensions.dataSet.map(() => '0')
  const ofDataSet = codesOf(dimensions.dataSet, firstOfEach, locationPrefix)
  const shared = {
    ...defaultsOf(structure),
    ...attributesOf(attributes.dataSet, dataSet.attributes, 0, locationPrefix),
  }
  const groups = groupsOf(dataSet.dimensionGroupAttributes, structure, locationPrefix)
  const readObservations = function* (
    observations: Json | undefined,
    codes: Record<string, string>,
    own: Record<string, string>,
    where: string,
  ): Generator<PrintedObservation> {
    if (!isObject(observations)) throw malformed('Observations are no object.', where)
    for (const [key, cells] of Object.entries(observations)) {
      const location = `${where}observation ${key}`
      if (!isArray(cells)) throw malformed('An observation is no list.', location)
      const all = { ...codes, ...codesOf(dimensions.observation, key.split(':'), location) }
      const { TIME_PERIOD: period = '', ...others } = all
      yield {
        kind: 'observation',
        dataset,
        codes: others,
        period,
        value: readValue(structure, cells, location),
        attributes: {
          ...shared,
          ...groups.attributesOf(all),
          ...own,
          ...attributesOf(attributes.observation, cells, structure.measures, location),
        },
        location,
      }
    }
  }
  if (dataSet.observations !== undefined) yield* readObservations(dataSet.observations, ofDataSet, {}, locationPrefix)
  if (dataSet.series === undefined) return
  if (!isObject(dataSet.series)) throw malformed('The series are no object.', locationPrefix)
  for (const [key, series] of Object.entries(dataSet.series)) {
    const where = `${locationPrefix}series ${key}, `
    if (!isObject(series)) throw malformed('A series is no object.', where)
    if (series.observations === undefined) continue
    const codes = { ...ofDataSet, ...codesOf(dimensions.series, key.split(':'), where) }
    const own = attributesOf(attributes.series, series.attributes, 0, where)
    yield* readObservations(series.observations, codes, own, where)
  }
}

/**
 * Reads attributes of groups of observations. A key such as `0::1:` has a position for each dimension, in the order of the data
 * structure; the group has those whose position is filled. Drafts of version 1 have groups, too.
 */
function groupsOf(json: Json | undefined, { keyOrder, attributes }: Structure, locationPrefix: string): Groups {
  const groups = new Groups()
  for (const [key, indexes] of Object.entries(isObject(json) ? json : {})) {
    const location = `${locationPrefix}group ${key}`
    if (!keyOrder) throw malformed('The structure does not say which dimension a part of the key belongs to.', location)
    const parts = key.split(':')
    if (parts.length !== keyOrder.length)
      throw malformed(`A key has ${parts.length} parts for ${keyOrder.length} dimensions.`, location)
    const filled = keyOrder.filter((_, i) => parts[i] !== '')
    const codes = codesOf(
      filled,
      parts.filter((part) => part !== ''),
      location,
    )
    groups.add(codes, attributesOf(attributes.dimensionGroup, indexes, 0, location))
  }
  return groups
}

/** Codes of a key `0:3:1`, whose parts are indexes into the values of the dimensions, in their order. */
function codesOf(
  components: readonly Component[],
  indexes: readonly string[],
  location: string,
): Record<string, string> {
  // A data set whose dimensions all stand at another level has the empty key.
  const parts = components.length === 0 && indexes.length <= 1 ? [] : indexes
  if (parts.length !== components.length)
    throw malformed(`A key has ${parts.length} parts for ${components.length} dimensions.`, location)
  const codes: Record<string, string> = {}
  for (const [i, { id, codes: values }] of components.entries()) {
    const index = parts[i] ?? ''
    const code = /^\d+$/.test(index) ? values[Number(index)] : undefined
    if (code === undefined) throw malformed(`${id} has no value with the index ${JSON.stringify(index)}.`, location)
    codes[id] = code
  }
  return codes
}

/** Values of attributes where no part of the data states another one. */
const defaultsOf = ({ attributes }: Structure): Record<string, string> =>
  Object.fromEntries(
    Object.values(attributes)
      .flat()
      .flatMap(({ id, otherwise }) => (otherwise === undefined ? [] : [[id, otherwise]])),
  )

/** Attributes, stated as indexes from the position `from` of a list on; null or a missing one is not stated. */
function attributesOf(
  components: readonly Component[],
  indexes: Json | undefined,
  from: number,
  location: string,
): Record<string, string> {
  const stated: Record<string, string> = {}
  if (!isArray(indexes)) return stated
  for (const [i, component] of components.entries()) {
    const index = indexes[from + i] ?? null
    if (index !== null) stated[component.id] = valueAt(component, index, location)
  }
  return stated
}

/** Value of a component with a list of values, by its index; SDMX-JSON 2.0 states it itself for one without. Several are joined. */
function valueAt(component: Component, index: Json, location: string): string {
  if (isArray(index)) return index.map((one) => valueAt(component, one, location)).join(';')
  const { id, codes } = component
  if (codes.length === 0) return printed(index) ?? JSON.stringify(index)
  const value = codes[Number(printed(index) ?? Number.NaN)]
  if (value === undefined) throw malformed(`${id} has no value with the index ${JSON.stringify(index)}.`, location)
  return value
}

function readValue({ value: { at, component } }: Structure, cells: readonly Json[], location: string): string {
  const cell = cells[at] ?? null
  if (cell === null) return ''
  if (printed(cell) === undefined) throw malformed('A value is neither a number nor a text.', location)
  return valueAt(component, cell, location)
}
