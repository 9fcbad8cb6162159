import {
  type ExportBound,
  type ExportFilters,
  type ExportQuestion,
  exportFormats,
  type FilterName,
  filterNames,
  filtersFor,
} from '../archive/export/question.ts'
import { type Named, nearest, nearestText } from '../base/nearest.ts'
import { countries } from '../contracts/countries.ts'
import { indicatorCodes, indicators } from '../contracts/indicators.ts'
import { type Topic, topicNames, topics } from '../contracts/topics.ts'
import { otherUnitHint } from '../domain/other-unit.ts'
import { UsageError } from './command.ts'
import { offsetOrTime } from './offset-or-time.ts'

/** Values of the options of `almanac export`, as typed. */
type Typed = {
  readonly partition?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly format?: string | undefined
} & { readonly [Name in FilterName]?: string[] | undefined }

/** Reads the question of an export. Throws UsageError, which names what is wrong and what is allowed. */
export function exportQuestion(names: readonly string[], typed: Typed): ExportQuestion {
  const wanted = names.map(topicNamed)
  if (wanted.length === 0) throw new UsageError(`name one topic or more of ${topicNames.join(', ')}`)
  const twice = wanted.find((topic, at) => wanted.indexOf(topic) !== at)
  if (twice) throw new UsageError(`topic ${twice} is named twice`)
  const partition = partitionOf(typed.partition, wanted)
  const from = boundOf(typed.from, '--from', wanted, partition)
  const to = boundOf(typed.to, '--to', wanted, partition)
  return { topics: wanted, partition, from, to, filters: filtersOf(typed, wanted), format: formatOf(typed.format) }
}

function topicNamed(name: string): Topic {
  const topic = topicNames.find((known) => known === name)
  if (topic) return topic
  throw new UsageError(
    `unknown topic ${JSON.stringify(name)}${didYouMean(nearestText(name, topicNames))}; the topics are ${topicNames.join(', ')}`,
  )
}

function formatOf(text: string | undefined): ExportQuestion['format'] {
  const format = exportFormats.find((known) => known === text)
  if (format) return format
  const given = text === undefined ? 'is missing' : `${JSON.stringify(text)} is unknown`
  throw new UsageError(
    `--format ${given}${didYouMean(nearestText(text ?? '', exportFormats))}: use ${exportFormats.join(', ')}`,
  )
}

function partitionOf(text: string | undefined, wanted: readonly Topic[]): number | null {
  if (text === undefined) return null
  const partition = /^\d{1,5}$/.test(text) ? Number(text) : -1
  for (const topic of wanted) {
    const last = topics[topic].partitions - 1
    if (partition < 0 || partition > last)
      throw new UsageError(
        `--partition ${text}: topic ${topic} has ${last === 0 ? 'only partition 0' : `partitions 0 to ${last}`}`,
      )
  }
  return partition
}

function boundOf(
  text: string | undefined,
  option: string,
  wanted: readonly Topic[],
  partition: number | null,
): ExportBound | null {
  if (text === undefined) return null
  if (text.startsWith('v1.')) {
    if (wanted.length > 1 || wanted[0] !== 'events')
      throw new UsageError(
        `${option} ${text}: a cursor is a place among the events, so it needs the topic events alone`,
      )
    return { cursor: text }
  }
  const bound = offsetOrTime(text, option, ', or the cursor of an event')
  if ('offset' in bound) {
    const [topic] = wanted
    if (topic === undefined || wanted.length > 1)
      throw new UsageError(
        `${option} ${text}: each topic has offsets of its own; export one topic, or use a time${otherUnitHint(text)}`,
      )
    const count = topics[topic].partitions
    if (partition === null && count > 1)
      throw new UsageError(
        `${option} ${text}: ${topic} has ${count} partitions with offsets of their own; add --partition 0 to ${count - 1}, or use a time${otherUnitHint(text)}`,
      )
    return bound
  }
  return { time: new Date(bound.time).toISOString() }
}

function filtersOf(typed: Typed, wanted: readonly Topic[]): ExportFilters {
  const given = filterNames.flatMap((name) => {
    const values = typed[name]
    return values ? [[name, [...new Set(values)].sort()] as const] : []
  })
  for (const [name, values] of given) {
    const without = wanted.find((topic) => !filtersFor(topic).includes(name))
    if (without) {
      const possible = filtersFor(without).map((filter) => `--${filter}`)
      const known = possible.length > 0 ? `it can be filtered by ${possible.join(', ')}` : 'it has no filters'
      throw new UsageError(`--${name}: records of the topic ${without} have no ${name}; ${known}`)
    }
    for (const value of values) assertKnown(name, value)
  }
  return Object.fromEntries(given)
}

const knownCodes: { readonly [Name in FilterName]?: readonly Named[] } = {
  country: countries.map(({ alpha3, alpha2, name }) => ({ code: alpha3, name, others: [alpha2] })),
  indicator: indicatorCodes.map((code) => ({ code, name: indicators[code].summary })),
}

/** Refuses a code that no record can have, because the export would be empty. */
function assertKnown(name: FilterName, value: string): void {
  const known = knownCodes[name]
  if (!known || known.some(({ code }) => code === value)) return
  const meant = nearest(value, known)
  throw new UsageError(
    `--${name} ${JSON.stringify(value)} is unknown${didYouMean(meant && `${meant.code} (${meant.name})`)}`,
  )
}

const didYouMean = (meant: string | undefined): string => (meant === undefined ? '' : `; did you mean ${meant}?`)
