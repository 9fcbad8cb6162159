import type { Registry } from 'prom-client'
import type { Archiver } from '../../archive/archiver.ts'
import type { Config } from '../../infra/config.ts'
import type { Lifecycle } from '../../infra/lifecycle.ts'
import type { Log } from '../../infra/log.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { openObjectStore } from '../parts.ts'
import { countArchiveRetries, measureArchive } from './pipeline-metrics.ts'

type Opened = {
  readonly config: Pick<Config, 'archive'>
  readonly journal: TypedJournal
  readonly lifecycle: Lifecycle
  readonly log: Log
  readonly registry: Registry
}

/** Starts to archive the journal if ALMANAC_ARCHIVE names a place. */
export async function startArchiver({
  config,
  journal,
  lifecycle,
  log,
  registry,
}: Opened): Promise<Archiver | undefined> {
  if (!config.archive) return undefined
  // Loaded only where it is used, with what writes Parquet.
  const { Archiver } = await import('../../archive/archiver.ts')
  const { address, ...options } = config.archive
  const store = await openObjectStore(address)
  lifecycle.onClose('archive', () => store.close())
  const retries = countArchiveRetries(registry)
  const archiver = new Archiver({
    journal,
    store,
    ...options,
    onRetry: (error) => {
      retries.inc()
      log.error({ archive: address, err: error }, 'archiving failed; retrying')
    },
    onGap: ({ topic, partition, from, to }) =>
      log.error({ topic, partition, from, to }, 'the journal deleted records before they were archived'),
  })
  measureArchive(archiver, registry)
  lifecycle.run('archive', archiver.run(lifecycle.signal))
  return archiver
}
