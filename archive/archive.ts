import { ConcurrencyLimit } from '../base/async/concurrency-limit.ts'
import type { Topic } from '../contracts/topics.ts'
import { historyName, Lineage } from '../domain/lineage.ts'
import { partitionKey } from '../journal/journal.ts'
import { chainOf } from './chain.ts'
import { type ChainEntry, chainFolder, decodeEntry, entryName, type OffsetRange, rangeOfEntry } from './chain-entry.ts'
import { ArchiveError } from './errors.ts'
import type { ObjectStore } from './objects.ts'
import { openSealedJson, sealJson } from './sealed-json.ts'

const MANIFEST = 'archive.json'
/** Version of the layout that this release writes, and the newest that it reads. */
const FORMAT = 1

/** Entries that are read at a time. */
const ENTRIES_AT_A_TIME = 16

/** Readings of a chain in which an entry that was listed is gone. An entry is replaced so seldom that two suffice. */
export const CHAIN_READINGS = 10

/** The archive of one journal in an object store. */
export class Archive {
  readonly store: ObjectStore
  /** Id of the journal. */
  readonly journal: string
  /** The line of the journal that is archived here; undefined if the archive was opened without one, to be read. */
  readonly lineage: Lineage | undefined
  readonly #reads = new ConcurrencyLimit(ENTRIES_AT_A_TIME)

  private constructor(store: ObjectStore, journal: string, lineage?: Lineage) {
    this.store = store
    this.journal = journal
    this.lineage = lineage
  }

  /** Opens the archive that is there. Throws `no_archive`, `newer_format` or `damaged`. */
  static async open(store: ObjectStore): Promise<Archive> {
    const bytes = await store.get(MANIFEST)
    if (!bytes) throw new ArchiveError('no_archive', `${store.address} has no ${MANIFEST}`)
    const { format, journal } = openSealedJson(MANIFEST, bytes)
    if (typeof format !== 'number' || typeof journal !== 'string')
      throw new ArchiveError('damaged', 'it must name a format and a journal', { file: MANIFEST })
    if (format > FORMAT)
      throw new ArchiveError(
        'newer_format',
        `this release reads formats up to ${FORMAT}, and the archive has ${format}`,
      )
    return new Archive(store, journal)
  }

  /** Opens the archive of this journal, and creates it if there is none. Throws `other_journal` too. */
  static async openFor(
    store: ObjectStore,
    journal: ConstructorParameters<typeof Lineage>[0],
    now: number,
  ): Promise<Archive> {
    const created_at = new Date(now).toISOString()
    await store.putIfAbsent(MANIFEST, sealJson({ format: FORMAT, journal: journal.id, created_at }))
    const archive = await Archive.open(store)
    archive.assertOf(journal.id)
    return new Archive(store, journal.id, new Lineage(journal))
  }

  /** Throws `other_journal`. */
  assertOf(journal: string): void {
    if (this.journal === journal) return
    throw new ArchiveError(
      'other_journal',
      `${this.store.address} is the archive of journal ${this.journal}, not ${journal}`,
    )
  }

  /** Ranges of all entries of a partition, also of those that a compaction has replaced. */
  async ranges(topic: Topic, partition: number): Promise<readonly OffsetRange[]> {
    const ranges: OffsetRange[] = []
    for await (const { name } of this.store.list(chainFolder(topic, partition))) {
      const range = rangeOfEntry(name)
      if (range) ranges.push(range)
    }
    return ranges
  }

  /** The chain of a partition as it stands now. Throws `damaged`. */
  async chain(topic: Topic, partition: number): Promise<readonly ChainEntry[]> {
    for (let reading = 1; ; reading++) {
      const links = chainOf(await this.ranges(topic, partition))
      const entries = await Promise.all(links.map((range) => this.entry(topic, partition, range)))
      if (entries.every((entry) => entry !== undefined)) return entries
      // An entry that is gone was replaced after it was listed.
      const gone = links.find((_, at) => entries[at] === undefined)
      if (gone && reading === CHAIN_READINGS) throw unreadableEntry(entryName(topic, partition, gone))
    }
  }

  /**
   * Throws `other_history` if a partition's chain ends in records that the journal does not have: another copy of it
   * wrote them, which had gone on from the place where this one was restored.
   */
  assertInLine(chain: readonly ChainEntry[], lineage: Lineage): void {
    const last = chain.at(-1)
    if (!last) return
    const partition = partitionKey(last)
    const name = historyName(this.journal, last.generation)
    if (!lineage.faultOf(name, { partition, offset: last.to })) return
    const detail = `${partition} is archived up to offset ${last.to} with records of another history of this journal, before or after a restore from a backup`
    throw new ArchiveError('other_history', `${detail}: set another place for the archive`)
  }

  /** Reads an entry; undefined if there is none for the range. Throws `damaged`. */
  async entry(topic: Topic, partition: number, range: OffsetRange): Promise<ChainEntry | undefined> {
    const name = entryName(topic, partition, range)
    const bytes = await this.#reads.run(() => this.store.get(name))
    return bytes && decodeEntry(name, bytes)
  }
}

export const unreadableEntry = (file: string): ArchiveError =>
  new ArchiveError('damaged', 'is listed, but cannot be read', { file })
