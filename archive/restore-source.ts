/**
 * A backup as the source of a copy: the journal that it holds as of its cut. Each restore of it is a generation of its
 * own, because the journal that was backed up may have gone on, and so may another restored one.
 */
import { randomBytes } from 'node:crypto'
import type { Generation } from '../contracts/generations.ts'
import type { Topic } from '../contracts/topics.ts'
import type { CopySource } from '../journal/copy.ts'
import { type Batch, JournalError, type PartitionAddress, partitionKey } from '../journal/journal.ts'
import { type PortableBatch, type PortableRecord, portableDecoder, storedRecords } from '../journal/portable-records.ts'
import type { SchemaRegistry } from '../journal/registry.ts'
import type { Archive } from './archive.ts'
import { type ArchivedCut, proveCut, readCut } from './cut.ts'
import { readArchive } from './read.ts'

/** A partition that is being read: its batches, and the offset that they continue at. */
type Reading = { readonly batches: AsyncGenerator<PortableBatch>; next: number }

/**
 * Opens a backup whose records are to get the schema ids of `registry`. Topics have no prefix. Every record is proven when it
 * is read. Throws `no_archive` and `damaged`.
 */
export async function openRestoreSource(
  archive: Archive,
  registry: SchemaRegistry,
): Promise<{ source: CopySource; cut: ArchivedCut }> {
  const cut = await readCut(archive)
  await proveCut(archive, cut)
  const stored = storedRecords(registry)
  const readings = new Map<string, Reading>()
  const boundsOf = (address: PartitionAddress) => cut.partitions[partitionKey(address)] ?? { start: 0, end: 0 }

  const read = async (address: PartitionAddress, offset: number): Promise<Batch> => {
    const key = partitionKey(address)
    const { start, end } = boundsOf(address)
    if (offset < start || offset > end)
      throw new JournalError('offset_out_of_range', `${key}: ${offset}`, { range: { start, end } })
    if (offset === end) return { records: [], next: end, end }
    // Cast: the copy names only topics of this release.
    const topic = address.topic as Topic
    let reading = readings.get(key)
    if (reading?.next !== offset) {
      await reading?.batches.return(undefined)
      reading = { batches: readArchive(archive, topic, address.partition, offset), next: offset }
      readings.set(key, reading)
    }
    for (;;) {
      const found = await reading.batches.next()
      if (found.done) throw new Error(`the archive of ${key} ended at ${reading.next}, before ${end}`)
      const records = found.value.records.filter((record) => record.offset < end)
      const next = Math.min(found.value.next, end)
      reading.next = found.value.next
      if (next > offset) return { records: await stored(topic, records), next, end }
    }
  }
  return {
    cut,
    source: {
      journal: { bounds: async (address) => boundsOf(address), read },
      side: {
        id: cut.journal,
        generations: [...(cut.generations ?? []), await newGeneration(archive, cut)],
        copy: { id: cut.id, to: '' },
        isMoved: false,
      },
      claims: () => cut.claims,
      // The cut is a moment: nothing is written to it any more.
      isAlone: async () => true,
      markMoved: async () => undefined,
    },
  }
}

async function newGeneration(archive: Archive, { partitions }: ArchivedCut): Promise<Generation> {
  const ends = Object.fromEntries(Object.entries(partitions).map(([key, { end }]) => [key, end]))
  return {
    id: randomBytes(6).toString('base64url'),
    branch: { event: await nextEvent(archive, ends['events/0'] ?? 0), ends },
  }
}

/** Sequence of the event after those before an offset: 1 if there was none yet, 0 if the archive has none any more. */
async function nextEvent(archive: Archive, end: number): Promise<number> {
  if (end === 0) return 1
  const decode = portableDecoder('events')
  for (const { from, file } of (await archive.chain('events', 0)).toReversed()) {
    if (file === null || from >= end) continue
    let newest: PortableRecord | undefined
    for await (const { records, next } of readArchive(archive, 'events', 0, from)) {
      newest = records.findLast(({ offset }) => offset < end) ?? newest
      if (next >= end) break
    }
    if (newest) return decode(newest).sequence + 1
  }
  return 0
}
