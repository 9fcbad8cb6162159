/**
 * The cut of a backup: a consistent moment of the journal inside its archive. It names the bounds of each partition and the
 * digest at its end, so it proves everything before it, however the archive's segments are cut later.
 */
import { hash } from 'node:crypto'
import type { Generation } from '../contracts/generations.ts'
import { type Topic, topics } from '../contracts/topics.ts'
import { type ClaimState, partitionKey } from '../journal/journal.ts'
import type { Archive } from './archive.ts'
import { boundsOf } from './chain.ts'
import { type ChainEntry, chainFolder, entryName } from './chain-entry.ts'
import { digestAfter, HASH } from './digest.ts'
import { ArchiveError } from './errors.ts'
import { countBefore } from './packed-records.ts'
import { provenRecords } from './proven-records.ts'
import { segmentBytes } from './read.ts'
import { openSealedJson, sealJson } from './sealed-json.ts'

const CUT = 'cut.json'

/** What is needed of a partition: its records from `start` on, and the digest of all records before `end`. */
export type CutPartition = { readonly start: number; readonly end: number; readonly digest: string }

export type ArchivedCut = {
  readonly journal: string
  /** See `Journal.generations`. Absent in the first generation. */
  readonly generations?: readonly Generation[]
  readonly taken_at: string
  /** By `topic/partition`. */
  readonly partitions: Readonly<Record<string, CutPartition>>
  readonly claims: readonly ClaimState[]
}

export const writeCut = ({ store }: Archive, cut: ArchivedCut): Promise<void> => store.put(CUT, sealJson(cut))

/** Reads the cut, with an id that is that of its content. Throws `damaged`, `no_archive` without a cut, `other_journal`. */
export async function readCut({ store, journal }: Archive): Promise<ArchivedCut & { readonly id: string }> {
  const bytes = await store.get(CUT)
  if (!bytes)
    throw new ArchiveError('no_archive', `${store.address} has no ${CUT}: no backup into it was ever finished`)
  // Cast: the hash shows that the members are what `writeCut` wrote.
  const cut = openSealedJson(CUT, bytes) as ArchivedCut
  if (cut.journal !== journal)
    throw new ArchiveError('other_journal', `${CUT} is of journal ${cut.journal}, and the archive of ${journal}`)
  const unknown = Object.keys(cut.partitions).find((key) => !parseKey(key))
  if (unknown !== undefined)
    throw new ArchiveError('newer_format', `${CUT} has ${unknown}, which this release does not know`)
  return { ...cut, id: hash(HASH, bytes) }
}

/**
 * Proves from the entries that the archive holds what the cut names, and nothing else before its ends. The records
 * themselves are proven when they are read. Throws `damaged`.
 */
export async function proveCut(archive: Archive, cut: ArchivedCut): Promise<void> {
  for (const [key, { start, end, digest }] of Object.entries(cut.partitions)) {
    // Cast: `readCut` has refused other keys.
    const { topic, partition } = parseKey(key) as TopicPartition
    if (start === end) continue
    const chain = await archive.chain(topic, partition)
    const bounds = boundsOf(chain)
    if (!bounds || bounds.start > start || bounds.end < end) {
      const covered = bounds ? `offsets ${bounds.start} to ${bounds.end}` : 'nothing'
      const detail = `an entry is missing: the chain of ${key} has ${covered}, and the backup needs ${start} to ${end}`
      throw new ArchiveError('damaged', detail, { file: chainFolder(topic, partition) })
    }
    const found = await digestAt(archive, joined(chain), end)
    if (found === digest) continue
    const detail = `${key} has the digest ${found} at offset ${end}, and ${CUT} has ${digest}`
    throw new ArchiveError('damaged', detail, { file: chainFolder(topic, partition) })
  }
}

type TopicPartition = { readonly topic: Topic; readonly partition: number }

function parseKey(key: string): TopicPartition | undefined {
  const [topic = '', partition = ''] = key.split('/')
  if (!Object.hasOwn(topics, topic)) return undefined
  // Cast: it is a topic's name.
  const found = { topic: topic as Topic, partition: Number(partition) }
  return found.partition < topics[found.topic].partitions && partitionKey(found) === key ? found : undefined
}

/** Throws `damaged` unless each entry begins with the digest that the one before ends with. */
function joined(chain: readonly ChainEntry[]): readonly ChainEntry[] {
  for (const [i, entry] of chain.entries()) {
    const last = chain[i - 1]
    if (!last || last.after === entry.before) continue
    const other = entryName(last.topic, last.partition, last)
    const detail = `begins with the digest ${entry.before}, and ${other} ends with ${last.after}`
    throw new ArchiveError('damaged', detail, { file: entryName(entry.topic, entry.partition, entry) })
  }
  return chain
}

/** Digest at an offset of a chain. A cut lies within an entry if segments were merged or written past it since. */
async function digestAt(archive: Archive, chain: readonly ChainEntry[], offset: number): Promise<string | undefined> {
  const entry = chain.find(({ to }) => to >= offset)
  if (!entry || entry.to === offset) return entry?.after
  const bytes = await segmentBytes(archive, entry)
  if (bytes === 'replaced') {
    const { topic, partition } = entry
    return digestAt(archive, joined(await archive.chain(topic, partition)), offset)
  }
  let digest: Uint8Array = Buffer.from(entry.before, 'hex')
  if (bytes)
    for await (const records of provenRecords(entry, bytes))
      digest = digestAfter(digest, records, countBefore(records, offset))
  return Buffer.from(digest).toString('hex')
}
