import { DocumentError } from '../../source.ts'
import { isArray, isObject, type Json, type JsonObject, printed, readJson } from '../json.ts'
import { jsonStatMessage } from '../json-kinds.ts'
import { type DayForm, isoDay, statedDay } from '../printed-days.ts'
import { type Dataset, type FormatReader, type MessageObservation, malformed, valueOrMissing } from './observation.ts'

/**
 * JSON-stat 1.x (a bundle of named datasets, `dimension.id`) and 2.0 (`class: dataset`, `id`), Eurostat's included.
 * Sources: https://json-stat.org/full/, https://json-stat.org/format/
 */
export const jsonStat: FormatReader = { ...jsonStatMessage, read: readJsonStat }

type Dimension = { readonly id: string; readonly codes: readonly string[] }

function* readJsonStat(text: Iterable<string>): Generator<MessageObservation> {
  const root = readJson(text)
  if (!isObject(root)) throw malformed('The document is no object.')
  refuseErrors(root)
  if (root.class === 'collection') return yield* readCollection(root)
  if (root.class === 'dimension')
    throw new DocumentError('no_data_message', 'The document is a JSON-stat dimension, without observations.')
  if (isObject(root.dimension)) {
    yield* readDataset(root, undefined, '')
    return
  }
  for (const [name, dataset] of Object.entries(root))
    if (isObject(dataset) && isObject(dataset.dimension)) yield* readDataset(dataset, name, `dataset ${name}, `)
}

/** Reads the datasets that a collection holds. One that only links to them is refused. */
function* readCollection({ link }: JsonObject): Generator<MessageObservation> {
  const items = isObject(link) && isArray(link.item) ? link.item : []
  let hasDataset = false
  for (const [index, item] of items.entries()) {
    if (!isObject(item) || !isObject(item.dimension)) continue
    hasDataset = true
    yield* readDataset(item, undefined, `item ${index}, `)
  }
  if (!hasDataset)
    throw new DocumentError(
      'no_data_message',
      `The document is a JSON-stat collection that only links to ${items.length} others. Take the datasets themselves.`,
    )
}

/** Refuses Eurostat's errors: `error`, and `warning` for an answer that is being prepared. */
function refuseErrors(root: JsonObject): void {
  for (const member of ['error', 'warning']) {
    const found = root[member]
    if (found !== undefined && !isObject(root.dimension))
      throw new DocumentError('publisher_error', `The publisher answered: ${JSON.stringify(found)}`)
  }
}

function* readDataset(
  json: JsonObject,
  name: string | undefined,
  locationPrefix: string,
): Generator<MessageObservation> {
  const dimensions = dimensionsOf(json, locationPrefix)
  const total = dimensions.reduce((product, { codes }) => product * codes.length, 1)
  const cells = new Map(cellsOf(json.value, total, locationPrefix))
  const statuses = statusesOf(json.status, total, locationPrefix)
  // A cell of a cube need not be an observation, so one that is empty is missing only if a status of its own says that it is one.
  for (const index of statuses.own.keys()) if (!cells.has(index)) cells.set(index, null)
  const dataset = describe(json, name)
  const time = timeOf(json, dimensions)
  for (const [index, value] of cells) {
    const codes: Record<string, string> = {}
    let rest = index
    for (const { id, codes: all } of dimensions.toReversed()) {
      codes[id] = all[rest % all.length] ?? ''
      rest = Math.floor(rest / all.length)
    }
    const { [time ?? '']: period = '', ...others } = codes
    const status = statuses.own.get(index) ?? statuses.ofAll
    yield {
      kind: 'observation',
      dataset,
      codes: others,
      period,
      value,
      attributes: status === undefined ? {} : { OBS_STATUS: status },
      location: `${locationPrefix}value ${index}`,
    }
  }
}

function describe(json: JsonObject, name: string | undefined): Dataset {
  const extension = isObject(json.extension) ? json.extension : {}
  // Eurostat's version 2.0 names the dataset in its extension, or by its address.
  const id = printed(extension.id) ?? printed(json.code) ?? name
  const agency = printed(extension.agencyId) ?? ''
  const version = printed(extension.version)
  const updated = updatedOn(json, name === undefined ? '' : `dataset ${name}`)
  return {
    format: `JSON-stat ${printed(json.version) ?? '1'}`,
    dataflow: id === undefined ? undefined : { agency, id, version },
    updated,
  }
}

/** Day of `updated`, or of Eurostat's `lastUpdateDate` in its version 1. Throws `DocumentError` `bad_date`. */
const updatedOn = ({ updated, lastUpdateDate }: JsonObject, location: string): string | undefined =>
  statedDay(updated, { name: 'updated', location }) ??
  statedDay(lastUpdateDate, { name: 'lastUpdateDate', location, forms: [milliseconds] })

const milliseconds: DayForm = {
  example: '1785456000000, milliseconds since 1970',
  dayOf: (text) => {
    const at = new Date(Number(text))
    return Number.isNaN(at.getTime()) ? undefined : isoDay.dayOf(at.toISOString())
  },
}

function dimensionsOf(json: JsonObject, locationPrefix: string): readonly Dimension[] {
  const described = isObject(json.dimension) ? json.dimension : {}
  const ids = listOf(json.id ?? described.id, 'id', locationPrefix).map((id) => printed(id) ?? '')
  const sizes = listOf(json.size ?? described.size, 'size', locationPrefix).map((size) =>
    Number(printed(size) ?? Number.NaN),
  )
  if (ids.length !== sizes.length) throw malformed('There are not as many sizes as dimensions.', locationPrefix)
  if (new Set(ids).size !== ids.length) throw malformed('A dimension is stated twice.', locationPrefix)
  return ids.map((id, i) => {
    const dimension = described[id]
    const category = isObject(dimension) && isObject(dimension.category) ? dimension.category : undefined
    if (!category) throw malformed(`The dimension ${JSON.stringify(id)} is not described.`, locationPrefix)
    const codes = codesOf(category)
    if (codes === undefined) throw malformed(`The index of ${id} does not number its categories.`, locationPrefix)
    if (codes.length !== sizes[i])
      throw malformed(`${id} has ${codes.length} categories, but the size ${sizes[i]}.`, locationPrefix)
    return { id, codes }
  })
}

/** Codes of a category in their order; undefined if the index is faulty. Without an index there is one code, which has a label. */
function codesOf({ index, label }: JsonObject): readonly string[] | undefined {
  if (!isArray(index) && !isObject(index)) return isObject(label) ? Object.keys(label) : []
  const codes = isArray(index)
    ? index.map((code) => printed(code) ?? '')
    : Object.keys(index).toSorted((a, b) => Number(printed(index[a])) - Number(printed(index[b])))
  const isNumbered = isArray(index) || codes.every((code, i) => printed(index[code]) === String(i))
  return isNumbered && new Set(codes).size === codes.length ? codes : undefined
}

function listOf(json: Json | undefined, name: string, locationPrefix: string): readonly Json[] {
  if (!isArray(json)) throw malformed(`${name} is no list.`, locationPrefix)
  return json
}

/** Values by index: a list of all, or an object. An empty cell is null in a list, and left out of an object. */
function* cellsOf(
  json: Json | undefined,
  total: number,
  locationPrefix: string,
): Generator<readonly [number, string | null]> {
  const cell = (value: Json, index: string | number): string | null => {
    const text = printed(value)
    if (text === undefined) throw malformed(`Value ${index} is neither a number nor a text.`, locationPrefix)
    return valueOrMissing(text)
  }
  if (isArray(json)) {
    if (json.length !== total)
      throw new DocumentError(
        'truncated',
        `Of ${total} values ${json.length} are here.`,
        locationPrefix.replace(/, $/, ''),
      )
    for (const [index, value] of json.entries()) if (value !== null) yield [index, cell(value, index)]
    return
  }
  if (!isObject(json)) throw malformed('value is neither a list nor an object.', locationPrefix)
  for (const [index, value] of Object.entries(json)) {
    if (!/^\d+$/.test(index) || Number(index) >= total)
      throw malformed(`value has the index ${JSON.stringify(index)} beyond ${total} values.`, locationPrefix)
    if (value !== null) yield [Number(index), cell(value, index)]
  }
}

type Statuses = { readonly ofAll?: string; readonly own: ReadonlyMap<number, string> }

/** Statuses by index: a text or a list of one for all values, a list, or an object with those that are stated. */
function statusesOf(json: Json | undefined, total: number, locationPrefix: string): Statuses {
  const own = new Map<number, string>()
  if (json === undefined || json === null) return { own }
  // Eurostat's version 1 states statuses one level deeper, beside their labels.
  const stated = isObject(json) && json.value !== undefined ? json.value : json
  const shared = printed(isArray(stated) && stated.length === 1 && total > 1 ? stated[0] : stated)
  if (shared !== undefined) return { ofAll: shared, own }
  const entries = isArray(stated) ? stated.entries() : isObject(stated) ? Object.entries(stated) : undefined
  if (!entries) throw malformed('status is neither a text, a list nor an object.', locationPrefix)
  for (const [index, status] of entries) {
    const text = printed(status)
    if (text !== undefined && /^\d+$/.test(String(index)) && Number(index) < total) own.set(Number(index), text)
  }
  return { own }
}

/** The dimension of time: by its role, by its name, or none. */
function timeOf(json: JsonObject, dimensions: readonly Dimension[]): string | undefined {
  const described = isObject(json.dimension) ? json.dimension : {}
  const role = isObject(json.role) ? json.role : isObject(described.role) ? described.role : {}
  const [stated] = isArray(role.time) ? role.time : []
  return printed(stated) ?? dimensions.find(({ id }) => /^(?:time|TIME_PERIOD)$/i.test(id))?.id
}
