import { join } from 'node:path'
import type { Tables } from '../../api/iceberg/tables-port.ts'
import { Archive } from '../../archive/archive.ts'
import { ArchiveError } from '../../archive/errors.ts'
import { publishedMetadata, rootOf } from '../../archive/iceberg/publish.ts'
import { TableSnapshots } from '../../archive/iceberg/table-snapshots.ts'
import type { ObjectStore } from '../../archive/objects.ts'
import { ProblemError } from '../../contracts/problems.ts'
import type { Config } from '../../infra/config.ts'
import type { Lifecycle } from '../../infra/lifecycle.ts'
import { drawnSecret } from '../drawn-secret.ts'
import { openObjectStore } from '../parts.ts'

/** Opens the tables of this journal's archive for the api, if ALMANAC_ARCHIVE names one. It may be created later. */
export async function openTables(config: Config, journalId: string, lifecycle: Lifecycle): Promise<Tables | undefined> {
  if (!config.archive) return undefined
  const store = await openObjectStore(config.archive.address)
  lifecycle.onClose('tables', () => store.close())
  const { readers, secret } = config.tables
  let opened: TableSnapshots | undefined
  const snapshots = async () => {
    opened ??= new TableSnapshots(await archiveOf(journalId, store).catch(asUnavailable))
    return opened
  }
  return {
    mayRead: ({ plan, account }) => readers.includes(plan) || readers.includes(account),
    secret: Buffer.from(secret || (await drawnSecret(join(config.dataDir, 'tables-secret')))),
    current: async (topic) => (await snapshots()).current(topic),
    named: async (topic, name) => (await snapshots()).named(topic, name),
    published: async (topic) => {
      // Refuses the archive of another journal.
      await snapshots()
      const name = publishedMetadata(topic)
      const bytes = await store.get(name)
      return bytes && { location: `${rootOf(store)}/${name}`, bytes }
    },
    size: (name) => store.size(name),
    read: (name, range) => store.get(name, range),
  }
}

async function archiveOf(journalId: string, store: ObjectStore): Promise<Archive> {
  const archive = await Archive.open(store)
  archive.assertOf(journalId)
  return archive
}

function asUnavailable(error: unknown): never {
  if (error instanceof ArchiveError && error.code === 'other_journal')
    throw new ProblemError('unavailable', 'ALMANAC_ARCHIVE is the archive of another journal.', { cause: error })
  if (error instanceof ArchiveError && error.code === 'no_archive')
    throw new ProblemError('unavailable', 'Nothing is archived yet. Retry in a minute.', { cause: error })
  throw error
}
