import type { Topic } from '../contracts/topics.ts'
import type { Archive } from './archive.ts'
import { chainOf, rangesOutsideChain } from './chain.ts'
import { type ChainEntry, dataFolder, dataName, entryName } from './chain-entry.ts'
import type { ObjectStore } from './objects.ts'

/**
 * Time for which files stay that nothing needs any more, ms: readers that have listed replaced entries, or hold an earlier
 * table snapshot, go on meanwhile.
 */
export const GRACE_MS = 3_600_000

/** Deletes the entries of a partition that a compaction has replaced. Their data files are left to `UnnamedFiles`. */
export async function sweepPartition(
  archive: Archive,
  topic: Topic,
  partition: number,
  now: number,
  graceMs = GRACE_MS,
): Promise<void> {
  const ranges = await archive.ranges(topic, partition)
  const links = chainOf(ranges)
  const { replaced } = rangesOutsideChain(links, ranges)
  if (replaced.length === 0) return
  const chain = await archive.chain(topic, partition)
  for (const range of replaced) {
    const over = chain.filter(({ from, to }) => from < range.to && to > range.from)
    const isOld = over.every(({ sealed_at }) => Date.parse(sealed_at) < now - graceMs)
    if (over.length > 0 && isOld) await archive.store.delete(entryName(topic, partition, range))
  }
}

/**
 * Deletes the oldest entries of a partition whose records are all older than `before` (UTC ms). The last entry stays,
 * because it holds the position. Data files are left to `UnnamedFiles`.
 */
export async function expire(archive: Archive, topic: Topic, partition: number, before: number): Promise<void> {
  const chain = await archive.chain(topic, partition)
  const isOld = ({ max_time }: ChainEntry) => max_time === null || Date.parse(max_time) < before
  for (const entry of chain.slice(0, -1)) {
    if (!isOld(entry)) return
    await archive.store.delete(entryName(topic, partition, entry))
  }
}

/**
 * Deletes files that nothing names. An unnamed file may belong to an entry that another process is about to write, or be read
 * by a client that found its name earlier, so a file is deleted only if it was seen without a name for long. Files' own times
 * are not used: the clock of a store may be another than that of its writers.
 */
export class UnnamedFiles {
  readonly #graceMs: number
  /** When a file was first seen without a name, ms. */
  readonly #since = new Map<string, number>()

  constructor(graceMs = GRACE_MS) {
    this.#graceMs = graceMs
  }

  /**
   * Deletes data files that no entry names.
   *
   * @param clock monotonic time, ms
   */
  async sweep(archive: Archive, topic: Topic, partitions: number, clock: number): Promise<void> {
    const named = async () => {
      const names: string[] = []
      for (let partition = 0; partition < partitions; partition++) {
        for (const range of await archive.ranges(topic, partition)) {
          const entry = await archive.entry(topic, partition, range)
          if (entry?.file) names.push(dataName(topic, entry.file))
        }
      }
      return names
    }
    await this.sweepFolder(archive.store, dataFolder(topic), named, clock)
  }

  /** Deletes files of a folder that `named` does not return. It is asked once the folder has been listed. */
  async sweepFolder(
    store: ObjectStore,
    folder: string,
    named: () => Promise<readonly string[]>,
    clock: number,
  ): Promise<void> {
    const unnamed = new Set<string>()
    for await (const { name } of store.list(folder)) unnamed.add(name)
    for (const name of await named()) unnamed.delete(name)
    for (const name of this.#since.keys()) if (name.startsWith(folder) && !unnamed.has(name)) this.#since.delete(name)
    for (const name of unnamed) {
      const since = this.#since.get(name) ?? clock
      this.#since.set(name, since)
      if (clock - since > this.#graceMs) await store.delete(name)
    }
  }
}
