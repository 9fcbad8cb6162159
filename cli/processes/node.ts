import { setTimeout as sleep } from 'node:timers/promises'
import { openEmbeddedAccess } from '../../access/embedded/open.ts'
import { Gate } from '../../access/gate.ts'
import { KeyTable } from '../../access/key-table.ts'
import { buildApi } from '../../api/build-api.ts'
import { plans } from '../../contracts/plans.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { PriceBoard } from '../../domain/price-board.ts'
import { loadConfig } from '../../infra/config.ts'
import { Lifecycle } from '../../infra/lifecycle.ts'
import { openLog } from '../../infra/log.ts'
import { onSupervisorGone, reportReady } from '../../infra/supervisor.ts'
import { foldTopic } from '../../journal/fold.ts'
import { fileCheckpoints } from '../../processors/checkpoint.ts'
import { runProcessors } from '../../processors/main.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { Projector } from '../../projections/projector.ts'
import { eventQueries } from '../../projections/views/events/query.ts'
import { views } from '../../projections/views/index.ts'
import { vintageQueries } from '../../projections/views/vintages/query.ts'
import { ensureDemoKeys, loadSample } from '../demo.ts'
import { accessDirectory, checkpointDirectory, demoKeysFile, openJournal } from '../parts.ts'
import { version } from '../version.ts'

/** The process that runs every role but the store, as far as ALMANAC_ROLES names them. */
const config = loadConfig(process.env)
const log = openLog(config.logLevel, 'node')
const lifecycle = new Lifecycle(log)
const { signal } = lifecycle
onSupervisorGone(() => void lifecycle.shutdown(0))
const has = (role: (typeof config.roles)[number]) => config.roles.includes(role)

const journal = await openJournal(config)
lifecycle.onClose('journal', () => journal.close())
lifecycle.run('retention', enforceRetention())

const clickhouse = openClickHouse({ url: config.clickhouseUrl })
lifecycle.onClose('clickhouse client', () => clickhouse.close())

const caughtUp: Promise<unknown>[] = []
if (has('processors')) {
  const checkpoints = fileCheckpoints(checkpointDirectory(config), journal.id)
  const onRetry = (name: string, error: unknown) => log.warn({ processor: name, err: error }, 'processor starts again')
  lifecycle.run('processors', runProcessors({ journal, checkpoints, signal, onRetry }))
}

const projectors = has('projections')
  ? views.map(
      (view) =>
        new Projector(view, {
          journal,
          client: clickhouse,
          onRetry: (error) => log.warn({ view: view.name, err: error }, 'projection waits'),
        }),
    )
  : []
for (const projector of projectors) lifecycle.run('projection', projector.run(signal))

const keys = new KeyTable()
const figures = new FigureBoard()
const prices = new PriceBoard()
const folds = [
  foldTopic(journal, 'access', (key) => keys.apply(key), signal),
  foldTopic(journal, 'releases', (release) => figures.apply(release), signal),
  foldTopic(journal, 'quotes', (quote) => prices.apply(quote), signal),
]
for (const fold of folds) lifecycle.run('fold', fold.done)
let boardsReady = false
caughtUp.push(Promise.all(folds.map((fold) => fold.caughtUp)).then(() => (boardsReady = true)))

let readModels = 'unavailable'
lifecycle.run('health', watchReadModels())

if (has('api')) {
  const access = openEmbeddedAccess(accessDirectory(config))
  lifecycle.onClose('access', () => access.close())
  const gate = new Gate({ ...access, keys, plans, streamsOpen: () => 0, clock: Date.now })
  const app = await buildApi({
    figures,
    prices,
    history: vintageQueries(clickhouse),
    events: eventQueries(clickhouse),
    newestEvent: async () => (await journal.newest('events', 0))?.value.sequence ?? 0,
    gate,
    journalId: journal.id,
    clock: () => new Date(),
    version,
    health: () => ({
      status: readModels === 'ok' ? 'ok' : 'degraded',
      version,
      journal: 'ok',
      read_models: readModels,
      access: 'ok',
      data_as_of: figures.recordedAt,
    }),
    logger: log,
    ready: () => boardsReady || 'the figures in memory are still being loaded',
  })
  lifecycle.onClose('api', () => app.close())
  await Promise.all(caughtUp)
  await app.listen({ host: config.host, port: config.httpPort })
}

if (config.demo) {
  await folds[0]?.caughtUp
  await ensureDemoKeys(demoKeysFile(config), keys, journal, Date.now())
  if (has('ingest')) {
    const tally = await loadSample(journal, signal, (report) => {
      if (report.outcome === 'quarantined')
        log.error({ file: report.document.url, err: report.error }, 'a sample file is not readable')
    })
    log.info({ ...tally }, 'sample loaded')
  }
}
await settled()
log.info({ figures: figures.size, data_as_of: figures.recordedAt }, 'ready')
reportReady()

/** Waits until what was ingested has gone through processors and projections, so that the first page asked for is whole. */
async function settled(): Promise<void> {
  if (projectors.length === 0) return
  for (let quiet = 0; quiet < 2 && !signal.aborted; ) {
    await sleep(100, undefined, { signal }).catch(() => undefined)
    const progress = await Promise.all(projectors.map((projector) => projector.progress()))
    quiet = progress.every(({ lag, running }) => running && lag === 0) ? quiet + 1 : 0
  }
}

async function watchReadModels(): Promise<void> {
  while (!signal.aborted) {
    const pong = await clickhouse.ping({ select: true, abort_signal: signal }).catch(() => ({ success: false }))
    readModels = pong.success ? 'ok' : 'unavailable'
    await sleep(1_000, undefined, { signal }).catch(() => undefined)
  }
}

async function enforceRetention(): Promise<void> {
  while (!signal.aborted) {
    await journal.retain(Date.now()).catch((error) => log.warn({ err: error }, 'retention waits'))
    await sleep(600_000, undefined, { signal }).catch(() => undefined)
  }
}
