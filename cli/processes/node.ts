import type { ClickHouseClient } from '@clickhouse/client'
import { Gate } from '../../access/gate.ts'
import { KeyTable } from '../../access/key-table.ts'
import { buildApi } from '../../api/build-api.ts'
import type { Archiver } from '../../archive/archiver.ts'
import { pause } from '../../base/async/pause.ts'
import { plans } from '../../contracts/plans.ts'
import { ProblemError } from '../../contracts/problems.ts'
import type { Quote, Release } from '../../contracts/records.ts'
import { StatementBoard } from '../../domain/calendar-statements.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { PriceBoard } from '../../domain/price-board.ts'
import { ReleaseDatesBoard } from '../../domain/release-dates.ts'
import { ReleaseLedger } from '../../domain/release-ledger.ts'
import { isSimulatorFed, loadConfig, type Role } from '../../infra/config.ts'
import { Lifecycle } from '../../infra/lifecycle.ts'
import { openLog } from '../../infra/log.ts'
import { createPrivateFiles } from '../../infra/private-files.ts'
import { onSupervisorGone, reportReady } from '../../infra/supervisor.ts'
import { urlOf } from '../../infra/urls.ts'
import { newestRejected } from '../../ingest/quarantine.ts'
import { simulatedSymbols } from '../../ingest/simulator/levels.ts'
import { foldTopic } from '../../journal/fold.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { fileCheckpoints } from '../../processors/checkpoint.ts'
import { runProcessors } from '../../processors/main.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { candleQueries } from '../../projections/views/candles/query.ts'
import { eventQueries } from '../../projections/views/events/query.ts'
import { tickQueries } from '../../projections/views/ticks/query.ts'
import { vintageQueries } from '../../projections/views/vintages/query.ts'
import { ensureDemoKeys } from '../demo.ts'
import { explained } from '../journal-faults.ts'
import { checkpointDirectory, demoKeysFile, openAccess, partDirectories } from '../parts.ts'
import { quietLmdb } from '../quiet-lmdb.ts'
import { version } from '../version.ts'
import { startAdmin } from './admin.ts'
import { startArchiver } from './archive.ts'
import { openConnectionTable } from './connections.ts'
import { withDisks } from './disks.ts'
import { HealthWatch } from './health.ts'
import { inTime } from './in-time.ts'
import { ingestSample, startFeeds, startSchedule } from './ingest.ts'
import { openJournalFor } from './journal.ts'
import {
  measureHealth,
  measureIngest,
  measureJobs,
  measureJournal,
  measureProcessors,
  measureProjections,
  measureRequests,
  measureSources,
  newRegistry,
} from './metrics.ts'
import { ProcessorPositions } from './processor-positions.ts'
import { openProjections, type Projection, type Projections, watchProgress } from './projections.ts'
import { faultOfReadModels, forOperators, isEmbedded, remakeTables, watchReadModels } from './read-models.ts'
import { Readiness, stages } from './readiness.ts'
import { openTables } from './tables.ts'

/** Longest wait for processors or projectors that another node may run, ms. */
const SETTLE_MS = 12_000

/**
 * Number of completed connections that the kernel keeps until they are accepted (net.core.somaxconn bounds it). If there
 * is no room for a connection, its client retries after a second.
 */
const LISTEN_BACKLOG = 4_096

/** Process of all roles in ALMANAC_ROLES except `store` and `streams`. */
quietLmdb()
const config = loadConfig(process.env)
const log = openLog(config.logLevel, 'node')
const lifecycle = new Lifecycle(log, { explain: (error) => explained(error, config) })
const { signal } = lifecycle
const has = (role: Role) => config.roles.includes(role)
const registry = newRegistry()
const positions = new ProcessorPositions()
let isReady = false
let archiver: Archiver | undefined
const hasSample = config.demo && has('ingest')
// In the demo, `/ready` waits until everything is answered. Otherwise a part that is down must not delay the others.
const readiness = new Readiness(hasSample ? stages : ['memory'])

createPrivateFiles()
onSupervisorGone(() => void lifecycle.shutdown(0))
await lifecycle.start(async () => {
  const journal = await openJournalFor(lifecycle, config, log)
  lifecycle.run('retention', enforceRetention(journal))

  const ingest = { config, journal, lifecycle, log, count: measureIngest(registry), meter: measureSources(registry) }
  const jobs = has('ingest') && config.schedule ? startSchedule(ingest) : undefined
  const rejected = (most: number) => newestRejected(journal, most)
  await startAdmin({ config, offset: 0, registry, ready: () => isReady, jobs, rejected, lifecycle, log })
  measureJournal(journal, registry)
  if (jobs) measureJobs(jobs, registry)

  const keys = new KeyTable()
  const keysLoaded = fold(foldTopic(journal, 'access', (key) => keys.apply(key), signal))
  if (has('processors')) startProcessors(journal)
  if (has('projections') && isEmbedded(config)) await remakeTables({ journal, client: clickHouse(), signal }, log)
  const projections = openAllProjections(journal)
  if (has('projections')) startProjections(projections)
  measureProjections(projections, registry)
  archiver = has('archive') ? await startArchiver({ config, journal, lifecycle, log, registry }) : undefined
  const memory = has('api') ? await startApi(journal, keys, keysLoaded, projections) : undefined
  let isFirstStart = false
  if (config.demo) {
    await keysLoaded
    await ensureDemoKeys(demoKeysFile(config), keys, journal, Date.now())
    if (has('ingest')) isFirstStart = await ingestSample(ingest, () => readiness.reach('demo'))
    readiness.reach('demo')
  }
  // All parts run or are standbys. A first load may take hours, and an orchestrator must not replace this process meanwhile.
  isReady = true
  if (isFirstStart && has('processors')) await processed(journal, memory)
  readiness.reach('sample')
  if (has('projections')) await settled(projections.served)
  readiness.reach('readModels')
  if (has('ingest')) startFeeds(ingest)
  if (memory && isSimulatorFed(config)) await until(() => memory.isPriced())
  readiness.reach('prices')
  log.info({}, 'ready')
  reportReady()
})

function fold({ caughtUp, done }: ReturnType<typeof foldTopic>): Promise<void> {
  lifecycle.run('fold', done)
  return caughtUp
}

/** Opens a ClickHouse client. Each user has its own, so that a busy projection delays no reader. */
function clickHouse(url = config.clickhouseUrl): ClickHouseClient {
  const client = openClickHouse({ url })
  lifecycle.onClose('clickhouse client', () => client.close())
  return client
}

function startProcessors(journal: TypedJournal): void {
  const checkpoints = fileCheckpoints(checkpointDirectory(config), journal.id)
  const measured = measureProcessors(journal, registry)
  const onProgress: typeof measured.onProgress = (name, partition, progress) => {
    measured.onProgress(name, partition, progress)
    positions.onProgress(name, partition, progress)
  }
  const onStop: typeof measured.onStop = (name, partition) => {
    measured.onStop(name, partition)
    positions.onStop(name, partition)
  }
  const onRetry = (name: string, error: unknown) => {
    measured.onRetry(name, error)
    log.warn({ processor: name, err: error }, 'processor restarts')
  }
  lifecycle.run('processors', runProcessors({ journal, checkpoints, signal, onProgress, onStop, onRetry }))
}

/** Opens the projections, also on a node that only serves them: their progress is then read from their tables. */
function openAllProjections(journal: TypedJournal): Projections {
  if (!has('projections') && !has('api')) return { served: [], all: [], userLags: async () => [] }
  const url = has('projections') ? config.clickhouseUrl : config.clickhouseReadUrl
  return openProjections({ config, journal, log, client: () => clickHouse(url) })
}

function startProjections({ all }: Projections): void {
  for (const projection of all) lifecycle.run('projection', forOperators(projection.run(signal)))
}

/** State of the api's figures and prices, for which a start waits. */
type Memory = {
  /** Whether figures and prices include the newest records of the journal. */
  isUpToDate(): Promise<boolean>
  /** Whether every symbol of the simulator has a price. */
  isPriced(): boolean
}

/**
 * Starts the api. It listens at once, and answers 503 until keys, figures and prices in memory have caught up with the
 * journal.
 */
async function startApi(
  journal: TypedJournal,
  keys: KeyTable,
  keysLoaded: Promise<void>,
  projections: Projections,
): Promise<Memory> {
  const clickhouse = clickHouse(config.clickhouseReadUrl)
  lifecycle.run('read models', (await watchReadModels(clickhouse, journal.id, signal)).done)
  const figures = new FigureBoard()
  const ledger = new ReleaseLedger()
  const statements = new StatementBoard()
  const releaseDates = new ReleaseDatesBoard()
  const prices = new PriceBoard({ isSimulatorFed: isSimulatorFed(config) })
  const newest = { releases: -1, quotes: -1 }
  const takeRelease = (release: Release, { offset }: { readonly offset: number }) => {
    figures.apply(release)
    ledger.apply(release)
    newest.releases = offset
  }
  const takeQuote = (quote: Quote, { offset }: { readonly offset: number }) => {
    prices.apply(quote)
    newest.quotes = offset
  }
  const loaded = Promise.all([
    keysLoaded,
    fold(foldTopic(journal, 'releases', takeRelease, signal)),
    fold(foldTopic(journal, 'quotes', takeQuote, signal)),
    fold(foldTopic(journal, 'calendar', (change) => statements.apply(change), signal)),
    fold(foldTopic(journal, 'release_dates', (dates) => releaseDates.apply(dates), signal)),
  ])
  let ready = false
  const access = await openAccess(config, (message) => log.warn({}, message))
  lifecycle.onClose('access', () => access.close())
  const progressFault = watchProgress(projections)
  const probes = {
    journal: async () => {
      await journal.bounds('releases', 0)
      return archiver?.fault && `archive: ${archiver.fault}`
    },
    read_models: async () => {
      return (await faultOfReadModels(clickhouse)) ?? progressFault()
    },
    access: () => access.revocations.isRevoked({ keyId: '', account: '' }),
  }
  const health = new HealthWatch(withDisks(probes, partDirectories(config), log))
  lifecycle.run('health', health.run(signal))
  const gate = new Gate({
    ...access,
    keys: {
      // Until all keys are loaded, an unknown key may be valid, so it must not be refused.
      find: (presented, now) => {
        if (!ready)
          throw new ProblemError('unavailable', 'The service is starting.', { headers: { 'retry-after': '2' } })
        return keys.find(presented, now)
      },
      standing: (keyId, now) => keys.standing(keyId, now),
    },
    plans,
    streamsOpen: (who) => access.leases.count(who, Date.now()),
    clock: Date.now,
  })
  const vintages = vintageQueries(clickhouse)
  const tables = await openTables(config, journal.id, lifecycle)
  const app = await buildApi({
    figures,
    ledger,
    statements,
    releaseDates,
    prices,
    quotes: prices,
    history: vintages,
    vintages,
    events: eventQueries(clickhouse),
    journal,
    candles: candleQueries(clickhouse),
    ticks: tickQueries(clickhouse),
    newestRelease: () => newest.releases,
    newestEvent: async () => (await journal.newest('events', 0))?.value.sequence ?? 0,
    // A cursor may come from a node that has read further than this one. The journal itself then decides.
    journalReaches: (offset) => offset <= newest.releases || endsBeyond(journal, offset),
    gate,
    tickets: access.tickets,
    apiBase: urlOf('http', config.host, config.httpPort),
    streamBase: config.streamUrl,
    journalId: journal.id,
    clock: () => new Date(),
    version,
    health: () => health.report(version, figures.recordedAt),
    logger: log,
    connections: openConnectionTable('http', config, registry, log).table,
    answering: () => readiness.answering(),
    ready: () => readiness.complete(),
    ...(tables ? { tables } : {}),
  })
  lifecycle.onClose('api', () => app.close())
  measureRequests(app, registry)
  measureHealth(() => health.report(version, figures.recordedAt), registry)
  await app.listen({ host: config.host, port: config.httpPort, backlog: LISTEN_BACKLOG })
  await loaded
  ready = true
  readiness.reach('memory')
  log.info({ figures: figures.size, data_as_of: figures.recordedAt }, 'figures are in memory')
  return {
    isUpToDate: async () => {
      const [release, quote] = await Promise.all([journal.newest('releases', 0), journal.newest('quotes', 0)])
      return (release?.offset ?? -1) <= newest.releases && (quote?.offset ?? -1) <= newest.quotes
    },
    isPriced: () => simulatedSymbols.every((symbol) => prices.quote(symbol)),
  }
}

const endsBeyond = (journal: TypedJournal, offset: number): Promise<boolean> =>
  inTime(() => journal.bounds('releases', 0)).then(
    ({ end }) => offset < end,
    () => true,
  )

/** Waits until the processors have read everything that was ingested, and their outputs are in memory. */
async function processed(journal: TypedJournal, memory: Memory | undefined): Promise<void> {
  const from = performance.now()
  await until(async () => {
    if (!positions.areOurs()) return performance.now() - from > SETTLE_MS
    return (await positions.areAtEnd(journal)) && (await memory?.isUpToDate()) !== false
  })
}

/** Checks a condition ten times a second until it is met or the service ends. A check that throws counts as not met. */
async function until(isMet: () => boolean | Promise<boolean>): Promise<void> {
  const look = async () => isMet()
  while (!signal.aborted && !(await look().catch(() => false))) {
    await pause(100, signal)
  }
}

/** Waits until the read models have caught up with the journal, so that the first page requested is complete. */
async function settled(projections: readonly Projection[]): Promise<void> {
  const from = performance.now()
  for (let quiet = 0; quiet < 2 && !signal.aborted; ) {
    await pause(100, signal)
    // A part that is down is reported in /health and must not prevent the start.
    const progress = await Promise.all(projections.map((one) => one.progress().catch(() => undefined)))
    const areOursDone = progress.every((one) => !one?.running || one.lag === 0)
    if (areOursDone && performance.now() - from > SETTLE_MS) return
    quiet = progress.every((one) => one?.running && one.lag === 0) ? quiet + 1 : 0
  }
}

async function enforceRetention(journal: TypedJournal): Promise<void> {
  while (!signal.aborted) {
    await journal
      .retain(Date.now())
      .catch((error) => log.warn({ err: error }, 'retention failed; retrying in 10 minutes'))
    await pause(600_000, signal)
  }
}
