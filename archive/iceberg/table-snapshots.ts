import { type AsyncBuffer, parquetMetadataAsync } from 'hyparquet'
import { errorMessage } from '../../base/errors.ts'
import { partitionsOf } from '../../contracts/topics.ts'
import type { Archive } from '../archive.ts'
import { chainOf } from '../chain.ts'
import { type ChainEntry, dataName, entryName } from '../chain-entry.ts'
import { ArchiveError } from '../errors.ts'
import { ObjectStoreError } from '../objects.ts'
import { type Snapshot, type SnapshotName, snapshotId } from './snapshot.ts'
import type { TableTopic } from './tables.ts'

/** Finds the snapshots of an archive's tables. Keeps the entries that it has read, which never change. */
export class TableSnapshots {
  readonly archive: Archive
  readonly #entries = new Map<string, Map<string, ChainEntry>>()
  /** The last event of the newest data file. */
  #newest: { readonly file: string; readonly sequence: number } | undefined

  constructor(archive: Archive) {
    this.archive = archive
  }

  /** The newest snapshot of a table. */
  current(topic: TableTopic): Promise<Snapshot> {
    return this.#snapshot(topic, () => true)
  }

  /** An earlier snapshot. Undefined if the archive no longer holds its entries: compaction and retention delete some. */
  async named(topic: TableTopic, name: SnapshotName): Promise<Snapshot | undefined> {
    const snapshot = await this.#snapshot(
      topic,
      ({ partition, to, sealed_at }) => to <= (name.ends[partition] ?? 0) && Date.parse(sealed_at) <= name.sealedAt,
    )
    return snapshotId(snapshot) === name.id ? snapshot : undefined
  }

  async #snapshot(topic: TableTopic, holds: (entry: ChainEntry) => boolean): Promise<Snapshot> {
    const entries = await Promise.all(partitionsOf(topic).map((partition) => this.#read(topic, partition)))
    const chains = entries.map((own) => chainOf(own.filter(holds)))
    const lastSequence = topic === 'events' ? await this.#lastSequence(chains.flat()) : null
    return { journal: this.archive.journal, topic, chains, lastSequence }
  }

  /** All entries of a partition, also those that a compaction has replaced. */
  async #read(topic: TableTopic, partition: number): Promise<readonly ChainEntry[]> {
    const folder = `${topic}/${partition}`
    const known = this.#entries.get(folder)
    const ranges = await this.archive.ranges(topic, partition)
    const found = new Map<string, ChainEntry>()
    const read = async (range: (typeof ranges)[number]) => {
      const name = entryName(topic, partition, range)
      const entry = known?.get(name) ?? (await this.archive.entry(topic, partition, range))
      // An entry that is gone was replaced after it was listed, by one that was listed too.
      if (entry) found.set(name, entry)
    }
    await Promise.all(ranges.map(read))
    this.#entries.set(folder, found)
    return [...found.values()]
  }

  /** Sequence of the last event: the greatest in the statistics of the newest data file. */
  async #lastSequence(chain: readonly ChainEntry[]): Promise<number> {
    const last = chain.findLast(({ file }) => file !== null)
    if (!last?.file) return 0
    if (this.#newest?.file === last.file) return this.#newest.sequence
    const name = dataName(last.topic, last.file)
    const { store } = this.archive
    const file: AsyncBuffer = {
      byteLength: last.bytes,
      slice: async (start, end = last.bytes) => {
        const bytes = await store.get(name, { start, end })
        if (!bytes) throw new ArchiveError('damaged', 'is missing', { file: name })
        return new Uint8Array(bytes).buffer
      },
    }
    const { row_groups } = await parquetMetadataAsync(file).catch((cause) => {
      if (cause instanceof ArchiveError || cause instanceof ObjectStoreError) throw cause
      throw new ArchiveError('damaged', `cannot be read (${errorMessage(cause)})`, { file: name, cause })
    })
    const column = row_groups
      .at(-1)
      ?.columns.find(({ meta_data }) => meta_data?.path_in_schema.join('.') === 'sequence')
    const greatest = column?.meta_data?.statistics?.max_value ?? column?.meta_data?.statistics?.max
    if (greatest === undefined) throw new ArchiveError('damaged', 'says nothing of its sequences', { file: name })
    this.#newest = { file: last.file, sequence: Number(greatest) }
    return this.#newest.sequence
  }
}
