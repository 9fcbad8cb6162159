import { pathToFileURL } from 'node:url'
import type { ObjectStore } from '../objects.ts'
import type { UnnamedFiles } from '../upkeep.ts'
import { fileOf } from './metadata.ts'
import { fileNames, metadataFolder } from './snapshot.ts'
import type { TableSnapshots } from './table-snapshots.ts'
import { type TableTopic, tableTopics } from './tables.ts'

/** Name of a table's newest metadata in the archive, for readers that have access to it. */
export const publishedMetadata = (topic: TableTopic): string => `${metadataFolder(topic)}newest.metadata.json`

/** Address of an archive's root for readers that have access to it. */
export const rootOf = ({ address }: Pick<ObjectStore, 'address'>): string =>
  address.includes('://') ? address.replace(/\/+$/, '') : pathToFileURL(address).href

/**
 * Writes the newest snapshot of each table into the archive, where engines read it without the service. The metadata comes
 * last, so a reader finds whole snapshots only. Files of earlier snapshots are left to `sweepSnapshots`.
 */
export async function publishTables(snapshots: TableSnapshots): Promise<void> {
  const { store } = snapshots.archive
  const root = rootOf(store)
  for (const topic of tableTopics) {
    const snapshot = await snapshots.current(topic)
    const metadata = fileOf(snapshot, 'metadata', root)
    const name = publishedMetadata(topic)
    const names = fileNames(snapshot)
    const published = await store.get(name)
    const isPublished = published !== undefined && metadata.equals(published)
    // One that somebody has deleted is made again.
    for (const kind of ['manifest', 'manifestList'] as const)
      if (!isPublished || (await store.size(names[kind])) === undefined)
        await store.put(names[kind], fileOf(snapshot, kind, root))
    if (!isPublished) await store.put(name, metadata)
  }
}

/**
 * Deletes files of earlier snapshots that have been replaced for long: readers that have loaded one go on meanwhile.
 *
 * @param clock monotonic time, ms
 */
export async function sweepSnapshots(snapshots: TableSnapshots, unnamed: UnnamedFiles, clock: number): Promise<void> {
  for (const topic of tableTopics) {
    const named = async () => {
      const names = fileNames(await snapshots.current(topic))
      return [publishedMetadata(topic), ...Object.values(names)]
    }
    await unnamed.sweepFolder(snapshots.archive.store, metadataFolder(topic), named, clock)
  }
}
