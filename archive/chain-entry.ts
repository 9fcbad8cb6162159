import type { Topic } from '../contracts/topics.ts'
import { ArchiveError } from './errors.ts'
import { openSealedJson, sealJson } from './sealed-json.ts'

/** An entry of a partition's chain: it describes one segment and joins it to its neighbours. */
export type ChainEntry = {
  readonly topic: Topic
  readonly partition: number
  /** Offsets that the segment covers, `to` exclusive. Offsets have holes. */
  readonly from: number
  readonly to: number
  /** Id of the generation of the journal that `to` is a place of (`Lineage.generationOf`). Absent for the first one. */
  readonly generation?: string
  /** Number of records. */
  readonly count: number
  /** Least and greatest time of the records, ISO 8601; null without records. Times may go backwards in a partition. */
  readonly min_time: string | null
  readonly max_time: string | null
  /** Sum of the sizes of the Avro bodies. */
  readonly value_bytes: number
  /** Digests of the partition's records before and after the segment (`digest.ts`), hexadecimal. */
  readonly before: string
  readonly after: string
  /** True if the journal had deleted the records before they were archived. Then there are none, and `after` says so. */
  readonly gap: boolean
  /** SHA-256 of the data file, hexadecimal, which is its name; null without records. */
  readonly file: string | null
  /** Size of the data file. */
  readonly bytes: number
  readonly sealed_at: string
}

export type OffsetRange = Pick<ChainEntry, 'from' | 'to'>

const digits = (offset: number): string => String(offset).padStart(15, '0')
/** Names what covers a range of offsets. Names are in the order of the offsets. */
export const rangeName = ({ from, to }: OffsetRange): string => `${digits(from)}-${digits(to)}`

export const dataFolder = (topic: Topic): string => `data/${topic}/`
export const dataName = (topic: Topic, sha256: string): string => `${dataFolder(topic)}${sha256}.parquet`
/** SHA-256 in the name of a topic's data file. Undefined for another file. */
export const dataHash = (topic: Topic, name: string): string | undefined => {
  const [, sha256 = ''] = /([0-9a-f]{64})\.parquet$/.exec(name) ?? []
  return name === dataName(topic, sha256) ? sha256 : undefined
}
export const chainFolder = (topic: Topic, partition: number): string => `chain/${topic}/${partition}/`
export const entryName = (topic: Topic, partition: number, range: OffsetRange): string =>
  `${chainFolder(topic, partition)}${rangeName(range)}.json`

/** Reads the range from the name of an entry. Undefined for another file. */
export function rangeOfEntry(name: string): OffsetRange | undefined {
  const [, from, to] = /(?:^|\/)(\d{15})-(\d{15})\.json$/.exec(name) ?? []
  if (from === undefined || to === undefined || from >= to) return undefined
  return { from: Number(from), to: Number(to) }
}

export const encodeEntry = (entry: ChainEntry): Buffer => sealJson(entry)

/** Reads the entry with this name. Throws `damaged`. */
export function decodeEntry(name: string, bytes: Uint8Array): ChainEntry {
  // Cast: the hash shows that the members are what `encodeEntry` wrote.
  const entry = openSealedJson(name, bytes) as ChainEntry
  if (entryName(entry.topic, entry.partition, entry) !== name)
    throw new ArchiveError(
      'damaged',
      `describes offsets ${entry.from} to ${entry.to} of ${entry.topic}/${entry.partition}`,
      {
        file: name,
      },
    )
  return entry
}
