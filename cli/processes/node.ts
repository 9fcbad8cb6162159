import type { ClickHouseClient } from '@clickhouse/client'
import { KeyTable } from '../../access/key-table.ts'
import { pause } from '../../base/async/pause.ts'
import { systemTime } from '../../base/time.ts'
import { Lineage } from '../../domain/lineage.ts'
import { isSimulatorFed, loadConfig, type Role } from '../../infra/config.ts'
import { Lifecycle } from '../../infra/lifecycle.ts'
import { openLog } from '../../infra/log.ts'
import { createPrivateFiles } from '../../infra/private-files.ts'
import { onSupervisorGone, reportReady } from '../../infra/supervisor.ts'
import { newestRejected } from '../../ingest/quarantine.ts'
import { foldTopic } from '../../journal/fold.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { type CheckpointStore, fileCheckpoints } from '../../processors/checkpoint.ts'
import { runProcessors } from '../../processors/main.ts'
import { openClickHouse, openForWholeTables } from '../../projections/clickhouse.ts'
import { readBackupNote } from '../backup-note.ts'
import { ensureDemoKeys } from '../demo.ts'
import { explained } from '../journal-faults.ts'
import { checkpointDirectory, demoKeysFile, rememberedAnswers } from '../parts.ts'
import { quietLmdb } from '../quiet-lmdb.ts'
import { accountUses } from './account-uses.ts'
import { startAdmin } from './admin.ts'
import { startApi } from './api.ts'
import { startArchiver } from './archive.ts'
import { ingestSample, startFeed, startSchedule, startSimulator } from './ingest.ts'
import { openJournalFor } from './journal.ts'
import { type Memory, startFold } from './memory.ts'
import { measureBackup, measureDisk, newRegistry } from './metrics.ts'
import { archiveState, startOverview } from './overview.ts'
import {
  measureIngest,
  measureJobs,
  measureJournal,
  measureProcessors,
  measureProjections,
  measureSources,
} from './pipeline-metrics.ts'
import { ProcessorPositions } from './processor-positions.ts'
import { openProjections, type Projection, type Projections } from './projections.ts'
import { engineVersion, forOperators, isEmbedded, readingAfter, remakeTables } from './read-models.ts'
import { Readiness, stages } from './readiness.ts'
import { enforceRetention } from './retention.ts'
import { sourceStates } from './source-states.ts'

/** Longest wait for what may run on another node of the same Kafka, or for a part that is down, ms. */
const SETTLE_MS = 12_000
/** Time between two looks at what a start waits for, ms. */
const LOOK_MS = 25

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
const hasSample = config.demo && has('ingest')
/** Whether other nodes may own what this one runs too. An embedded journal has one node for each role, however slowly it starts. */
const isShared = config.kafka !== undefined
// In the demo, `/ready` waits until everything is answered. Otherwise a part that is down must not delay the others.
const readiness = new Readiness(hasSample ? stages : ['memory'])

createPrivateFiles()
onSupervisorGone(() => void lifecycle.shutdown(0))
await lifecycle.start(async () => {
  const journal = await openJournalFor(lifecycle, config, log)
  const allRead = Promise.withResolvers<unknown>()
  const onFailure = (err: unknown) => log.warn({ err }, 'retention failed; retrying in 10 minutes')
  const retaining = enforceRetention({ journal, read: allRead.promise, onFailure, signal, time: systemTime })
  lifecycle.run('retention', retaining)

  const parts = { config, journal, lifecycle, log, registry }
  const ingest = { ...parts, count: measureIngest(registry), meter: measureSources(registry) }
  const jobs = has('ingest') && config.schedule ? await startSchedule(ingest) : undefined
  const rejected = (most: number) => newestRejected(journal, most)
  const ready = () => isReady
  const { known, overview } = startOverview({ ...parts, isStreams: false, ready, time: systemTime })
  await startAdmin({ ...parts, offset: 0, overview, ready, jobs, rejected })
  measureDisk(config.dataDir, registry)
  measureJournal(journal, registry)
  if (jobs) {
    measureJobs(jobs, registry)
    known.sources = async () => sourceStates(await jobs.list(), rememberedAnswers(config))
  }
  const backup = () => readBackupNote(config, journal.id)
  known.backup = backup
  measureBackup(async () => (await backup()).finished?.takenAt, registry)

  const keys = new KeyTable()
  const keysLoaded = startFold(
    lifecycle,
    foldTopic(journal, 'access', (key) => keys.apply(key), signal, systemTime),
  )
  const checkpoints = fileCheckpoints(checkpointDirectory(config), new Lineage(journal))
  if (has('processors')) startProcessors(journal, checkpoints)
  // Prices of a feed that come before it is connected are lost, so it waits for nothing but the journal.
  if (has('ingest')) await startFeed(ingest)
  const wholeTables = () => clickHouse(config.clickhouseUrl, openForWholeTables)
  const remade =
    has('projections') && isEmbedded(config)
      ? await remakeTables({ journal, client: wholeTables(), signal }, log, SETTLE_MS)
      : undefined
  const projections = openAllProjections(journal)
  if (has('projections')) startProjections(projections, remade?.late)
  measureProjections(projections, registry)
  const archiver = has('archive') ? await startArchiver(parts) : undefined
  const readers = [...(has('projections') ? projections.all : []), ...(archiver ? [archiver] : [])]
  allRead.resolve(Promise.all(readers.map(({ caughtUp }) => caughtUp)))
  if (archiver) known.archive = () => archiveState(config.archive?.address ?? '', archiver)
  const api = {
    ...parts,
    lateTables: remade?.late,
    readiness,
    checkpoints,
    keys,
    keysLoaded,
    projections,
    archiveFault: () => archiver?.fault,
  }
  const reader = has('api') ? clickHouse(config.clickhouseReadUrl) : undefined
  const clickhouse = reader && remade?.late ? readingAfter(remade.late, reader) : reader
  const engine = clickhouse ?? (has('projections') ? clickHouse() : undefined)
  if (engine) known.engine = () => engineVersion(engine)
  const served = clickhouse && (await startApi({ ...api, clickhouse }))
  const memory = served?.memory
  if (served) known.quota = () => accountUses(keys, served.quota, systemTime)
  if (config.demo) {
    await keysLoaded
    await ensureDemoKeys(demoKeysFile(config), keys, journal, Date.now())
    if (has('ingest')) await ingestSample(ingest, () => readiness.reach('demo'))
    readiness.reach('demo')
  }
  // All parts run or are standbys. A first load may take hours, and an orchestrator must not replace this process meanwhile.
  isReady = true
  readiness.reach('sample')
  // Also where the sample was loaded before: a kill may have left its derived figures to be computed now.
  if (hasSample && has('processors')) await processed(journal, memory)
  readiness.reach('derived')
  if (has('projections')) await settled(projections.served)
  readiness.reach('readModels')
  if (has('ingest')) startSimulator(ingest)
  if (memory && isSimulatorFed(config)) await until(() => memory.isPriced())
  readiness.reach('prices')
  log.info({}, 'ready')
  reportReady()
})

/** Opens a ClickHouse client. Each user has its own, so that a busy projection delays no reader. */
function clickHouse(url = config.clickhouseUrl, open = openClickHouse): ClickHouseClient {
  const client = open({ url })
  lifecycle.onClose('clickhouse client', () => client.close())
  return client
}

function startProcessors(journal: TypedJournal, checkpoints: CheckpointStore): void {
  const measured = measureProcessors(journal, registry, positions)
  const onRetry = (name: string, error: unknown) => {
    measured.onRetry(name, error)
    log.warn({ processor: name, err: error }, 'processor restarts')
  }
  const onCorrected = (name: string, records: number) =>
    log.warn(
      { processor: name, records },
      'derived figures of an earlier release recomputed: no event is published for them',
    )
  const observed = { ...measured, onRetry, onCorrected }
  lifecycle.run('processors', runProcessors({ journal, checkpoints, signal, time: systemTime, ...observed }))
}

/** Opens the projections, also on a node that only serves them: their progress is then read from their tables. */
function openAllProjections(journal: TypedJournal): Projections {
  if (!has('projections') && !has('api')) return { served: [], all: [], userLags: async () => [] }
  const url = has('projections') ? config.clickhouseUrl : config.clickhouseReadUrl
  return openProjections({ config, journal, log, client: () => clickHouse(url) })
}

/** Runs the projections once `tables` are those of this release. */
function startProjections({ all }: Projections, tables: Promise<void> = Promise.resolve()): void {
  for (const projection of all) {
    const run = tables.then(() => projection.run(signal))
    lifecycle.run('projection', forOperators(run))
  }
}

/** Waits until the processors have read everything that was ingested, and their outputs are in memory. */
async function processed(journal: TypedJournal, memory: Memory | undefined): Promise<void> {
  const from = performance.now()
  await until(async () => {
    if (!positions.areOurs()) return isShared && performance.now() - from > SETTLE_MS
    return (await positions.areAtEnd(journal)) && (await memory?.isUpToDate()) !== false
  })
}

/** Checks a condition every LOOK_MS until it is met or the service ends. A check that throws counts as not met. */
async function until(isMet: () => boolean | Promise<boolean>): Promise<void> {
  const look = async () => isMet()
  while (!signal.aborted && !(await look().catch(() => false))) {
    await pause(LOOK_MS, signal, systemTime)
  }
}

/**
 * Waits until the read models have what was on record at first, so that the first page requested is complete. What a feed
 * adds meanwhile is not waited for, nor one that stands still.
 */
async function settled(projections: readonly Projection[]): Promise<void> {
  const from = performance.now()
  const ends = new Map<Projection, number>()
  /** Those whose table was seen: the claim is owned before, and there is nothing behind in an empty journal. */
  const seen = new Set<Projection>()
  for (const one of projections) one.caughtUp.then(() => seen.add(one)).catch(() => undefined)
  const moved = new Map<Projection, { readonly position: number; readonly at: number }>()
  const look = async (one: Projection) => {
    const { running, lag, position } = await one.progress()
    const end = ends.get(one) ?? position + lag
    ends.set(one, end)
    const now = performance.now()
    const last = moved.get(one)
    if (last?.position !== position) moved.set(one, { position, at: now })
    const isDone = seen.has(one) && position >= end
    return { running, isDone, isStill: last?.position === position && now - last.at > SETTLE_MS }
  }
  for (; !signal.aborted; await pause(LOOK_MS, signal, systemTime)) {
    // A part that is down is reported in /health and must not prevent the start.
    const states = await Promise.all(projections.map((one) => look(one).catch(() => undefined)))
    const areOursDone = states.every((one) => !one || (one.running ? one.isDone || one.isStill : isShared))
    if (areOursDone && performance.now() - from > SETTLE_MS) return
    if (states.every((one) => one?.running && one.isDone)) return
  }
}
