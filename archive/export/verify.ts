import { hash } from 'node:crypto'
import { HASH } from '../digest.ts'
import { ArchiveError } from '../errors.ts'
import type { ObjectStore } from '../objects.ts'
import type { ExportManifest } from './manifest.ts'

/**
 * Compares every file of an export with the manifest, and each partition's files with its range. Calls `onFault` for each
 * fault. The journal is not read.
 */
export async function verifyExport(
  store: ObjectStore,
  { partitions, complete }: ExportManifest,
  onFault: (fault: ArchiveError) => void,
): Promise<void> {
  const damaged = (file: string, detail: string) => onFault(new ArchiveError('damaged', detail, { file }))
  const named = new Set<string>()
  for (const { topic, partition, from, to, next, files } of partitions) {
    let end = from
    for (const file of files) {
      named.add(file.name)
      if (file.from !== end) damaged(file.name, `begins at offset ${file.from}, and the file before it ends at ${end}`)
      end = file.to
      const bytes = await store.get(file.name)
      if (!bytes) damaged(file.name, 'is missing, and the manifest names it')
      else if (hash(HASH, bytes) !== file.sha256) damaged(file.name, 'does not have the hash that the manifest names')
    }
    if (end > next || next > to || (complete && next < to))
      damaged(`${topic}/${partition}`, `its files end at offset ${end}, and the manifest says ${next} of ${to}`)
  }
  // A killed export may have written a file just before it could name it.
  for (const topic of new Set(partitions.map((partition) => partition.topic)))
    for await (const { name } of store.list(`${topic}/`))
      if (complete && !named.has(name)) damaged(name, 'is not in the manifest')
}
