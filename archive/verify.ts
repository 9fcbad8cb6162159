import { type Topic, topicNames, topics } from '../contracts/topics.ts'
import { type Archive, CHAIN_READINGS, unreadableEntry } from './archive.ts'
import { boundsOf, chainOf, rangesOutsideChain } from './chain.ts'
import { type ChainEntry, chainFolder, decodeEntry, entryName, rangeOfEntry } from './chain-entry.ts'
import { ArchiveError } from './errors.ts'
import { provenRecords } from './proven-records.ts'
import { segmentBytes } from './read.ts'

type Checked = {
  readonly topic: Topic
  readonly partition: number
  /** Records that the archive has by this entry. */
  readonly records: number
  readonly bytes: number
}

/**
 * Checks every file of an archive: each entry and its place in the chain, each data file's hash, and that its records are
 * those that its entry counts and chains. Calls `onFault` for each fault, and `onChecked` after each entry. The archive may be
 * in use meanwhile.
 */
export async function verifyArchive(
  archive: Archive,
  onFault: (fault: ArchiveError) => void,
  onChecked: (checked: Checked) => void = () => undefined,
): Promise<void> {
  for (const topic of topicNames)
    for (let partition = 0; partition < topics[topic].partitions; partition++)
      await verifyPartition(archive, topic, partition, onFault, onChecked)
}

async function verifyPartition(
  archive: Archive,
  topic: Topic,
  partition: number,
  onFault: (fault: ArchiveError) => void,
  onChecked: (checked: Checked) => void,
): Promise<void> {
  const entries = await entriesOf(archive, topic, partition, onFault)
  const chain = new Set(chainOf(entries))
  for (const fault of chainFaults(entries)) onFault(fault)
  for (const entry of entries) {
    const bytes = await faultOf(onFault, async () => {
      const data = await segmentBytes(archive, entry)
      if (data === 'replaced' || data === undefined) return 0
      for await (const _ of provenRecords(entry, data));
      return data.length
    })
    // Records of an entry that a compaction has replaced are in the chain once more.
    if (bytes !== undefined) onChecked({ topic, partition, records: chain.has(entry) ? entry.count : 0, bytes })
  }
}

/**
 * Every entry of a partition that can be read. Reads again if an entry has gone since it was listed, or one that does not join the
 * others since it was read: upkeep has then deleted several.
 */
async function entriesOf(archive: Archive, topic: Topic, partition: number, onFault: (fault: ArchiveError) => void) {
  for (let reading = 1; ; reading++) {
    const entries: ChainEntry[] = []
    const faults: ArchiveError[] = []
    const gone: string[] = []
    for await (const { name } of archive.store.list(chainFolder(topic, partition))) {
      const note = (fault: ArchiveError) => faults.push(fault)
      await faultOf(note, async () => {
        if (!rangeOfEntry(name)) throw new ArchiveError('damaged', 'is no entry of a chain', { file: name })
        const bytes = await archive.store.get(name)
        if (bytes) entries.push(decodeEntry(name, bytes))
        else gone.push(name)
      })
    }
    const { apart } = rangesOutsideChain(chainOf(entries), entries)
    for (const entry of apart) {
      const name = entryName(topic, partition, entry)
      if ((await archive.store.size(name)) === undefined) gone.push(name)
    }
    if (gone.length > 0 && reading < CHAIN_READINGS) continue
    for (const fault of [...faults, ...gone.map(unreadableEntry)]) onFault(fault)
    return entries
  }
}

/** Faults of how the entries of a partition join each other. */
function chainFaults(entries: readonly ChainEntry[]): ArchiveError[] {
  const chain = chainOf(entries)
  const bounds = boundsOf(chain)
  const apart = rangesOutsideChain(chain, entries).apart.map((entry) => {
    const detail = `does not join the chain, which covers offsets ${bounds?.start} to ${bounds?.end}: an entry is missing`
    return fault(entry, detail)
  })
  /** Digests at the offsets where entries meet, with the entry that named them first. */
  const digests = new Map<number, { readonly digest: string; readonly entry: ChainEntry }>()
  const contradictions = entries.flatMap((entry) =>
    ([[entry.from, entry.before] as const, [entry.to, entry.after] as const] as const).flatMap(([offset, digest]) => {
      const known = digests.get(offset)
      if (!known) digests.set(offset, { digest, entry })
      if (!known || known.digest === digest) return []
      const other = entryName(known.entry.topic, known.entry.partition, known.entry)
      return [fault(entry, `has the digest ${digest} at offset ${offset}, and ${other} has ${known.digest}`)]
    }),
  )
  return [...apart, ...contradictions]
}

const fault = (entry: ChainEntry, detail: string) =>
  new ArchiveError('damaged', detail, { file: entryName(entry.topic, entry.partition, entry) })

async function faultOf<T>(onFault: (fault: ArchiveError) => void, check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    onFault(error)
    return undefined
  }
}
