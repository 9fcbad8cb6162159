import { neededFigures } from '../../contracts/indicators.ts'
import type { Series } from '../../contracts/records.ts'
import { isPeriodOf } from '../../domain/period.ts'
import {
  artefactText,
  type Dataset,
  faultOfStatus,
  type MessageObservation,
  type ObservedSeries,
  periodOf,
  stated,
} from '../read/formats/observation.ts'
import { type Fault, figureOrReject, inOrderOfRelease, isSameStatement, rejectOf } from '../read/items.ts'
import { NO_END, type Validity } from '../read/validity.ts'
import { removedDataset } from '../removed.ts'
import { DocumentError, type Figure, type Item, type Reject } from '../source.ts'
import { datedByValidity, isHistoryMessage, withdrawalsIn } from './limited-validity.ts'
import {
  type MappedDataset,
  type MappedPublisher,
  type MappingRow,
  type Meaning,
  onlyCountry,
  seriesOfObservation,
} from './mapping.ts'

/** A mapped observation: one member of a figure, whose other members may be other observations. */
type Part = {
  readonly series: Series
  readonly period: string
  readonly member: string
  /** Null if the message states that there is none. */
  readonly value: Figure['figures'][string] | null
  readonly location: string
  readonly text: string
  readonly released?: Figure['released']
  /** Days on which the print stood, if its message states them. */
  readonly valid?: Validity | undefined
  /** The document also states another value, so that none is taken. */
  readonly isContradicted?: true
}

/**
 * Turns a publisher's observations into figures, by its mapping. Pure. Members that are published as several
 * observations make one figure, and one of them may stand alone, because a change on the year before begins later than one on
 * the quarter before. Areas that are no country are skipped, and missing values are, unless they may withdraw a figure. A value whose status says that it is a forecast or missing is rejected.
 *
 * Each observation's message must prove one dataset of the mapping, and `wanted` if that names one. It is the same for
 * the whole document, unless the publisher `skipsOtherDatasets`. Throws `DocumentError`: `dataset_not_supported` or
 * `wrong_dataset`, with what the document really is; `dataset_removed`; `dataset_not_named` if it does not say and `wanted`
 * does not either; `no_mapped_series` if the document has observations and the mapping none of their series; or what reading
 * throws.
 */
export function figuresFrom(
  observations: Iterable<MessageObservation | Reject>,
  publisher: MappedPublisher,
  wanted = '',
): readonly Item[] {
  const items: Item[] = []
  const figures = new Map<string, Map<string, Part>>()
  const names = new Map<Dataset, string | undefined>()
  let expected = Object.hasOwn(publisher.datasets, wanted) ? wanted : undefined
  let unmapped: MessageObservation | undefined
  let foreign: Dataset | undefined
  let isMapped = false
  let last: (ObservedSeries & { readonly name: string; readonly meant: Meant }) | undefined
  for (const observation of observations) {
    if (observation.kind === 'reject') {
      items.push(observation)
      continue
    }
    const { dataset } = observation
    if (!names.has(dataset)) names.set(dataset, nameOf(dataset, publisher, wanted))
    const name = names.get(dataset)
    if (publisher.skipsOtherDatasets) {
      if (name === undefined || (expected !== undefined && name !== expected)) {
        foreign ??= dataset
        continue
      }
    } else if (name === undefined || name !== expected) {
      if (expected === undefined) expected = name ?? refuse(dataset, publisher)
      else if (!isMapped && !unmapped) refuse(dataset, publisher, expected)
      else items.push(rejected(observation, 'wrong_dataset', `The row is of another dataset than ${expected}.`))
      if (name === undefined || name !== expected) continue
    }
    // Observations of a series often share their codes and attributes, which then mean the same.
    const { codes, attributes } = observation
    if (last?.codes !== codes || last.attributes !== attributes || last.name !== name)
      last = { codes, attributes, name, meant: meaningOf(observation, name, publisher) }
    const mapped = partOf(observation, last.meant)
    if (mapped === 'unmapped') {
      unmapped ??= observation
      continue
    }
    isMapped = true
    if (mapped === 'skipped') continue
    if ('kind' in mapped) items.push(mapped)
    else items.push(...collect(mapped, figures))
  }
  if (foreign && !isMapped && !unmapped) refuse(foreign, publisher, expected)
  if (unmapped && !isMapped) {
    const key = Object.entries(unmapped.codes).map(([dimension, code]) => `${dimension}=${code}`)
    const detail = `No series of the document is in the mapping of ${expected ?? publisher.name}. The first one is ${key.join(' ')}.`
    throw new DocumentError('no_mapped_series', detail, unmapped.location)
  }
  const parts = [...figures.values()].map((members) => [...members.values()])
  if (!isHistoryMessage(parts)) return inOrderOfRelease(items.concat(figuresOf(parts)))
  const dated = datedByValidity(parts)
  const made = figuresOf(dated)
  return inOrderOfRelease(items.concat(made, withdrawalsIn(dated, made)))
}

/** Whether a stated agency is the wanted one, or one of its sub-agencies. */
const isOfAgency = (found: string, wanted: string): boolean =>
  found === '' || found === wanted || found.startsWith(`${wanted}.`)

/** Name of the mapped dataset that a message proves, or that it may be and is `wanted`; undefined if there is none. */
function nameOf(
  { dataflow, structure }: Dataset,
  { name: code, agency = code, datasets }: MappedPublisher,
  dataset: string,
): string | undefined {
  return Object.entries(datasets).find(([name, mapped]) => {
    // Eurostat repeats a dataset's code as it was asked for, in either case.
    if (dataflow) return dataflow.id.toUpperCase() === name.toUpperCase() && isOfAgency(dataflow.agency, agency)
    if (!structure || !isOfAgency(structure.agency, agency)) return false
    return mapped.structures?.includes(structure.id) || (name === dataset && mayProve(name, mapped, structure.id))
  })?.[0]
}

/** Whether a data structure may be that of a dataset: it is one that others use, too, or has the name of the dataset. */
const mayProve = (
  name: string,
  { structures = [], sharedStructures = [] }: MappedDataset,
  structure: string,
): boolean => name.toUpperCase() === structure.toUpperCase() || [...structures, ...sharedStructures].includes(structure)

function refuse(dataset: Dataset, { name, agency = name, datasets }: MappedPublisher, expected?: string): never {
  const { dataflow, structure, format } = dataset
  const proven = dataflow
    ? `dataflow ${artefactText(dataflow)}`
    : structure
      ? `data structure ${artefactText(structure)}`
      : 'a dataset that it does not name'
  const found = `The document is ${format} of ${proven}`
  const removal = dataflow && removedDataset(name, dataflow.id)
  if (removal !== undefined) throw new DocumentError('dataset_removed', `${found}. ${removal}`)
  const stated = dataflow ?? structure
  const alike = Object.entries(datasets).filter(([id, mapped]) =>
    dataflow ? dataflow.id.toUpperCase() === id.toUpperCase() : structure && mayProve(id, mapped, structure.id),
  )
  if (alike.length > 0 && !isOfAgency(stated?.agency ?? '', agency)) {
    const detail = `${found}, whose agency is ${stated?.agency}. Of this name that of ${agency} is read.`
    throw new DocumentError(expected === undefined ? 'dataset_not_supported' : 'wrong_dataset', detail)
  }
  if (expected !== undefined) throw new DocumentError('wrong_dataset', `${found}, not of ${expected}.`)
  if (alike.length > 0) {
    const named = alike.map(([dataset]) => dataset).join(', ')
    throw new DocumentError(
      'dataset_not_named',
      `${found}, which does not say which dataset it is. Name it: --dataset and one of: ${named}.`,
    )
  }
  const known = Object.keys(datasets).join(', ')
  throw new DocumentError('dataset_not_supported', `${found}. Of ${name} these are read: ${known}.`)
}

/** What the codes and attributes of an observation mean, whatever its period and value. */
type Meant =
  | 'skipped'
  | 'unmapped'
  /** `ofAll`: also of an observation without a value. Elsewhere there is then nothing that could be wrong. */
  | (Fault & { readonly ofAll?: true })
  | { readonly series: Series; readonly meaning: Meaning }

function partOf(observation: MessageObservation, meant: Meant): Part | Reject | 'skipped' | 'unmapped' {
  if (typeof meant === 'string') return meant
  const { value } = observation
  const reject = ({ reason, detail }: Fault): Reject => rejected(observation, reason, detail)
  if ('reason' in meant && meant.ofAll) return reject(meant)
  // No published figure, whatever is wrong with its series.
  const marked = faultOfStatus(observation)
  if (marked !== undefined) return reject(marked)
  if ('reason' in meant) return value === null ? 'skipped' : reject(meant)
  const { series, meaning } = meant
  const released = releasedOf(observation)
  const { valid } = observation.dataset
  if (value === null && released === undefined && valid === undefined) return 'skipped'
  return {
    series,
    period: periodOf(meaning.frequency, observation.period) ?? observation.period,
    member: meaning.figure,
    value: value === null ? null : { printed: value, ...meaning.reading },
    location: observation.location,
    text: textOfObservation(observation),
    released,
    valid,
  }
}

function meaningOf(observed: ObservedSeries, dataset: string, publisher: MappedPublisher): Meant {
  const described = publisher.datasets[dataset]
  const area = described?.area === undefined ? undefined : (stated(observed, described.area) ?? '')
  const country = area === undefined ? undefined : publisher.countryOf?.(area)
  const rows = (publisher.rows.get(dataset) ?? []).filter(({ key }) => hasKey(observed, key))
  if (rows.length === 0) {
    if (described?.unmapped !== 'reject') return 'unmapped'
    const codes = Object.entries(observed.codes).map(([name, code]) => `${name}=${code}`)
    return { reason: 'unknown_series', detail: `The mapping has no series ${codes.join(' ')}.`, ofAll: true }
  }
  if (country === null || rows.every((row) => row.meaning === undefined)) return 'skipped'
  if (area !== undefined && country === undefined)
    return { reason: 'unknown_country', detail: `Area is ${JSON.stringify(area)}.` }
  const row = rowFor(rows, country)
  if (row === undefined) return 'unmapped'
  if (row.meaning === undefined) return 'skipped'
  const further = furtherDimension(observed, row, described)
  if (further !== undefined)
    return {
      reason: 'unknown_dimension',
      detail: `The mapping has no dimension ${further}=${stated(observed, further)}.`,
    }
  for (const [name, { admits, expected }] of row.states) {
    const found = stated(observed, name)
    if (!admits(found))
      return { reason: 'changed_series', detail: `${name} is ${JSON.stringify(found ?? '')}, not ${expected}.` }
  }
  const series = seriesOfObservation(observed, row.meaning, {
    source: publisher.name,
    dataset: (described?.series && stated(observed, described.series)) ?? dataset,
    country: country ?? onlyCountry(row),
  })
  return 'reason' in series ? series : { series, meaning: row.meaning }
}

function releasedOf({ released, dataset }: MessageObservation): Figure['released'] {
  if (released !== undefined) return { on: released, basis: 'publisher' }
  return dataset.updated === undefined ? undefined : { on: dataset.updated, basis: 'dataset' }
}

const hasKey = (observation: ObservedSeries, key: MappingRow['key']): boolean => {
  for (const dimension in key) if (stated(observation, dimension) !== key[dimension]) return false
  return true
}

/** The first dimension of an observation that neither its row nor its dataset's description names. */
function furtherDimension(
  { codes }: ObservedSeries,
  { names }: MappingRow,
  { area, series, free = {} }: Partial<MappedDataset> = {},
): string | undefined {
  for (const name in codes)
    if (!names.has(name) && name !== area && name !== series && !Object.hasOwn(free, name)) return name
  return undefined
}

/** The row that names the country, else the one for every country. A dataset without areas has one country a row. */
function rowFor(rows: readonly MappingRow[], country: string | undefined): MappingRow | undefined {
  if (country === undefined) return rows[0]
  const named = rows.find(({ countries }) => countries !== '*' && countries.has(country))
  return named ?? rows.find(({ countries }) => countries === '*')
}

const textOfObservation = ({ text, codes, period, value, attributes }: MessageObservation): string =>
  text ?? JSON.stringify({ codes, period, value, attributes })

const rejected = (observation: MessageObservation, reason: string, detail: string): Reject =>
  rejectOf(reason, detail, observation.location, textOfObservation(observation))

/**
 * Adds a part to the figure of its series and period. A part that is stated twice becomes a `Reject`. If the two differ, the
 * first one becomes one, too, and is marked.
 */
function collect(part: Part, figures: Map<string, Map<string, Part>>): readonly Reject[] {
  const key = `${part.series.id} ${part.period}`
  // A history states a period once for each print.
  const { from = '', to = NO_END } = part.valid ?? {}
  const print = to === NO_END ? key : `${key} ${from} ${to}`
  const members = figures.get(print) ?? new Map<string, Part>()
  figures.set(print, members)
  const before = members.get(part.member)
  if (!before) {
    members.set(part.member, part)
    return []
  }
  const twice = (one: Part, other: Pick<Part, 'location'>) =>
    rejectOf('stated_twice', `${part.member} of ${key} stands also at ${other.location}.`, one.location, one.text)
  const repeated = twice(part, before)
  if (before.isContradicted || isSameStatement(statementOf(before), statementOf(part))) return [repeated]
  members.set(part.member, { ...before, isContradicted: true })
  return [twice(before, part), repeated]
}

const statementOf = ({ value }: Part): Figure['figures'] | null => (value === null ? null : { value })

/**
 * Makes the figures of all parts. Each inner array has the parts of one series and period. Of those, one that is contradicted is a
 * `Reject` already, and the others go on without it: whether they may is the acceptor's to say.
 */
const figuresOf = (partsOfAll: readonly (readonly Part[])[]): Item[] =>
  partsOfAll.flatMap((all): Item | [] => {
    const parts = all.filter(({ isContradicted }) => !isContradicted)
    const [first] = parts
    if (!first) return []
    const { series, period, released } = first
    const location = parts.length === 1 ? first.location : locationsOf(parts)
    const statement = { series, period, location, ...(released ? { released } : {}) }
    const stated = parts.flatMap(({ member, value }) => (value === null ? [] : [[member, value] as const]))
    if (stated.length > 0) {
      const text = parts.map(({ text }) => text).join('\n')
      return figureOrReject({ ...statement, figures: Object.fromEntries(stated) }, text)
    }
    // Only a document that says of every figure that there is none can withdraw them.
    const isWhole = parts.length === neededFigures(series.indicator).length
    return isWhole && released !== undefined && isPeriodOf(series.frequency, period)
      ? { kind: 'missing', ...statement }
      : []
  })

/** Places of several parts: `line 13 and 18`, or `series 1, observation 2 and series 2, observation 2`. */
function locationsOf(parts: readonly Part[]): string {
  const locations = parts.map(({ location }) => location)
  return locations.every((location) => location.startsWith('line '))
    ? `line ${locations.map((location) => location.slice('line '.length)).join(' and ')}`
    : locations.join(' and ')
}
