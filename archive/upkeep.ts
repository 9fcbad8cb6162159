import type { Topic } from '../contracts/topics.ts'
import type { Archive } from './archive.ts'
import { besides, chainOf } from './chain.ts'
import { dataFolder, dataName, type Entry, entryName } from './entry.ts'

/**
 * Time for which files stay that nothing needs any more, ms: readers that have listed replaced entries, or hold an earlier
 * table snapshot, go on meanwhile. An unnamed data file may belong to an entry that is about to be written.
 */
export const GRACE_MS = 3_600_000

/** Deletes the entries of a partition that a compaction has replaced. Their data files are left to `sweepData`. */
export async function sweepPartition(archive: Archive, topic: Topic, partition: number, now: number): Promise<void> {
  const ranges = await archive.ranges(topic, partition)
  const links = chainOf(ranges)
  const { replaced } = besides(links, ranges)
  if (replaced.length === 0) return
  const chain = await archive.chain(topic, partition)
  for (const range of replaced) {
    const over = chain.filter(({ from, to }) => from < range.to && to > range.from)
    const isOld = over.every(({ sealed_at }) => Date.parse(sealed_at) < now - GRACE_MS)
    if (over.length > 0 && isOld) await archive.store.delete(entryName(topic, partition, range))
  }
}

/**
 * Deletes the oldest entries of a partition whose records are all older than `before` (UTC ms). The last entry stays,
 * because it holds the position. Data files are left to `sweepData`.
 */
export async function expire(archive: Archive, topic: Topic, partition: number, before: number): Promise<void> {
  const chain = await archive.chain(topic, partition)
  const isOld = ({ max_time }: Entry) => max_time === null || Date.parse(max_time) < before
  for (const entry of chain.slice(0, -1)) {
    if (!isOld(entry)) return
    await archive.store.delete(entryName(topic, partition, entry))
  }
}

/** Deletes the data files of a topic that no entry names, unless they are young. */
export async function sweepData(archive: Archive, topic: Topic, partitions: number, now: number): Promise<void> {
  const old: string[] = []
  // Listed before the entries: a file whose entry is written meanwhile is young.
  for await (const { name, modified } of archive.store.list(dataFolder(topic)))
    if (modified < now - GRACE_MS) old.push(name)
  if (old.length === 0) return
  const named = new Set<string>()
  for (let partition = 0; partition < partitions; partition++) {
    for (const range of await archive.ranges(topic, partition)) {
      const entry = await archive.entry(topic, partition, range)
      if (entry?.file) named.add(dataName(topic, entry.file))
    }
  }
  for (const name of old) if (!named.has(name)) await archive.store.delete(name)
}
