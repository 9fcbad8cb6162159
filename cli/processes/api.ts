import type { ClickHouseClient } from '@clickhouse/client'
import type { Registry } from 'prom-client'
import { Gate } from '../../access/gate.ts'
import type { KeyTable } from '../../access/key-table.ts'
import type { Quota } from '../../access/quota.ts'
import { buildApi } from '../../api/build-api.ts'
import { HeldSpans } from '../../api/held-spans.ts'
import { calendarOf } from '../../api/release-calendar.ts'
import { systemTime } from '../../base/time.ts'
import { plans } from '../../contracts/plans.ts'
import { ProblemError } from '../../contracts/problems.ts'
import { Lineage } from '../../domain/lineage.ts'
import type { Config } from '../../infra/config.ts'
import type { Lifecycle } from '../../infra/lifecycle.ts'
import type { Log } from '../../infra/log.ts'
import { urlOf } from '../../infra/urls.ts'
import { readPublishersIds } from '../../ingest/publishers-ids.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import type { CheckpointStore } from '../../processors/checkpoint.ts'
import { candleQueries } from '../../projections/views/candles/query.ts'
import { eventQueries } from '../../projections/views/events/query.ts'
import { quarantineQueries } from '../../projections/views/quarantine/query.ts'
import { tickQueries } from '../../projections/views/ticks/query.ts'
import { vintageQueries } from '../../projections/views/vintages/query.ts'
import { openAccess, partDirectories } from '../parts.ts'
import { version } from '../version.ts'
import { openConnectionTable } from './connections.ts'
import { datedReads } from './dated-reads.ts'
import { withDisks } from './disks.ts'
import { HealthWatch } from './health.ts'
import { inTime } from './in-time.ts'
import { type Memory, startMemory } from './memory.ts'
import { measureCalendar, measureHealth, measureRequests } from './metrics.ts'
import { type Projections, watchProgress } from './projections.ts'
import { faultOfReadModels, watchReadModels } from './read-models.ts'
import type { Readiness } from './readiness.ts'

/**
 * Number of completed connections that the kernel keeps until they are accepted (net.core.somaxconn bounds it). If there
 * is no room for a connection, its client retries after a second.
 */
const LISTEN_BACKLOG = 4_096

type ApiParts = {
  readonly config: Config
  readonly journal: TypedJournal
  readonly lifecycle: Lifecycle
  readonly log: Log
  readonly registry: Registry
  readonly readiness: Readiness
  readonly checkpoints: CheckpointStore
  readonly keys: KeyTable
  /** Resolves once all keys are in `keys`. */
  readonly keysLoaded: Promise<void>
  readonly projections: Projections
  /** A client for what the read models answer. */
  readonly clickhouse: ClickHouseClient
  /** Resolves once the tables are those of this release, if they are made anew while the api starts. */
  readonly lateTables: Promise<void> | undefined
  /** Fault of the archiver of this process, if it has one. */
  readonly archiveFault: () => string | null | undefined
}

/**
 * Starts the api. It listens at once, and answers 503 until keys, figures and prices in memory have caught up with the journal.
 */
export async function startApi(parts: ApiParts): Promise<{ memory: Memory; quota: Quota }> {
  const {
    config,
    journal,
    lifecycle,
    log,
    registry,
    readiness,
    checkpoints,
    keys,
    keysLoaded,
    projections,
    clickhouse,
    lateTables,
  } = parts
  const watch = () => watchReadModels(clickhouse, journal, lifecycle.signal)
  // Until they are made anew, the tables may be of another history.
  const watching = lateTables ? lateTables.then(watch).then(({ done }) => done) : (await watch()).done
  lifecycle.run('read models', watching)
  const memory = startMemory({ config, journal, lifecycle, checkpoints, log })
  const { figures, releaseIndex, newestRecords, recentReleases, statements, releaseDates, fetches, prices, newest } =
    memory
  let ready = false
  const access = await openAccess(config, (message) => log.warn({}, message))
  lifecycle.onClose('access', () => access.close())
  const progressFault = watchProgress(projections)
  const probes = {
    journal: async () => {
      await journal.bounds('releases', 0)
      const fault = parts.archiveFault()
      return fault && `archive: ${fault}`
    },
    read_models: async () => (await faultOfReadModels(clickhouse)) ?? progressFault(),
    access: () => access.revocations.isRevoked({ keyId: '', account: '' }),
  }
  const health = new HealthWatch(withDisks(probes, partDirectories(config), log))
  lifecycle.run('health', health.run(lifecycle.signal))
  const report = () => health.report(version, ready ? figures.recordedAt : '', readiness.complete())
  // Until all keys are loaded, an unknown key may be valid, so it must not be refused.
  const loaded = () => {
    if (ready) return keys
    throw new ProblemError('unavailable', 'The service is starting.', { headers: { 'retry-after': '2' } })
  }
  const gate = new Gate({
    ...access,
    keys: {
      find: (presented, now) => loaded().find(presented, now),
      findInAddress: (presented, now) => loaded().findInAddress(presented, now),
      standing: (keyId, now) => loaded().standing(keyId, now),
    },
    plans,
    streamsOpen: (who) => access.leases.count(who, Date.now()),
    time: systemTime,
  })
  const clock = () => new Date()
  const vintages = vintageQueries(clickhouse)
  const { table: connections, proxies } = openConnectionTable('http', config, registry, log)
  // Loaded only where there is an archive, with what reads Parquet.
  const tables = config.archive && (await (await import('./tables.ts')).openTables(config, journal.id, lifecycle))
  const app = await buildApi({
    figures,
    releaseIndex,
    statements,
    releaseDates,
    fetches,
    publishersIds: await readPublishersIds(),
    prices,
    quotes: prices,
    history: vintages,
    vintages,
    events: eventQueries(clickhouse),
    held: new HeldSpans(quarantineQueries(clickhouse).heldLocations),
    journal,
    candles: candleQueries(clickhouse),
    ticks: tickQueries(clickhouse),
    asOf: (day, isEstimated) => datedReads(clickhouse, day, isEstimated),
    newestRelease: () => newest.releases,
    newestRecords,
    recentReleases,
    newestEvent: async () => (await journal.newest('events', 0))?.value.sequence ?? 0,
    // A cursor may come from a node that has read further than this one. The journal itself then decides.
    journalReaches: (offset) => offset <= newest.releases || endsBeyond(journal, offset),
    gate,
    tickets: access.tickets,
    apiBase: urlOf('http', config.host, config.httpPort),
    streamBase: config.streamUrl,
    lineage: new Lineage(journal),
    clock,
    pricesUntil: clock,
    version,
    health: report,
    logger: log,
    connections,
    answering: () => readiness.answering(),
    ready: () => readiness.complete(),
    ...(tables ? { tables } : {}),
    ...(config.embed.figures.length > 0 ? { embed: { ...config.embed, proxies } } : {}),
  })
  lifecycle.onClose('api', () => app.close())
  measureRequests(app, registry)
  measureHealth(report, registry)
  const calendar = calendarOf({ figures, releaseIndex, statements, releaseDates, clock })
  measureCalendar(() => (ready ? calendar.pending() : undefined), registry)
  await app.listen({ host: config.host, port: config.httpPort, backlog: LISTEN_BACKLOG })
  await Promise.all([keysLoaded, memory.loaded])
  ready = true
  readiness.reach('memory')
  log.info({ figures: figures.size, data_as_of: figures.recordedAt }, 'figures are in memory')
  return { memory, quota: access.quota }
}

const endsBeyond = (journal: TypedJournal, offset: number): Promise<boolean> =>
  inTime(() => journal.bounds('releases', 0)).then(
    ({ end }) => offset < end,
    () => true,
  )
