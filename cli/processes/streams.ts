import { KeyTable } from '../../access/key-table.ts'
import { StreamDoor } from '../../access/stream-door.ts'
import { systemTime } from '../../base/time.ts'
import { plans } from '../../contracts/plans.ts'
import { isSimulatorFed, loadConfig } from '../../infra/config.ts'
import { Lifecycle } from '../../infra/lifecycle.ts'
import { openLog } from '../../infra/log.ts'
import { createPrivateFiles } from '../../infra/private-files.ts'
import { onSupervisorGone, reportReady } from '../../infra/supervisor.ts'
import { foldTopic } from '../../journal/fold.ts'
import { eventsStream } from '../../streams/events/index.ts'
import { predictionsStream } from '../../streams/predictions/index.ts'
import { PricesStream } from '../../streams/prices/index.ts'
import { startStreamServer } from '../../streams/server.ts'
import { explained } from '../journal-faults.ts'
import { openAccess } from '../parts.ts'
import { quietLmdb } from '../quiet-lmdb.ts'
import { startAdmin } from './admin.ts'
import { openConnectionTable } from './connections.ts'
import { openJournalFor } from './journal.ts'
import { measureDisk, measureEndings, measureStreams, newRegistry } from './metrics.ts'
import { startOverview } from './overview.ts'

/** Time over which a shutdown spreads the closing of connections, so that clients do not all reconnect at once, ms. */
const DRAIN_MS = 2_000

/** Process of the three streams. It is separate from all other roles, so that no query or projection delays a message. */
quietLmdb()
const config = loadConfig(process.env)
const log = openLog(config.logLevel, 'streams')
const lifecycle = new Lifecycle(log, { explain: (error) => explained(error, config) })
const { signal } = lifecycle

createPrivateFiles()
onSupervisorGone(() => void lifecycle.shutdown(0))
await lifecycle.start(async () => {
  const registry = newRegistry()
  let ready = false
  measureDisk(config.dataDir, registry)
  const { overview } = startOverview({
    config,
    isStreams: true,
    registry,
    ready: () => ready,
    lifecycle,
    time: systemTime,
  })
  await startAdmin({ config, offset: 1, registry, overview, ready: () => ready, lifecycle, log })
  const journal = await openJournalFor(lifecycle, config, log)
  const access = await openAccess(config, (message) => log.warn({}, message))
  lifecycle.onClose('access', () => access.close())

  const keys = new KeyTable()
  const accessFold = foldTopic(journal, 'access', (key) => keys.apply(key), signal, systemTime)
  lifecycle.run('keys', accessFold.done)

  const prices = new PricesStream({ time: systemTime, isSimulatorFed: isSimulatorFed(config) })
  const quotesFold = foldTopic(journal, 'quotes', (quote) => prices.apply(quote), signal, systemTime)
  lifecycle.run('quotes', quotesFold.done)
  const checking = setInterval(() => prices.check(), prices.checkEveryMs)
  lifecycle.onClose('price checks', () => clearInterval(checking))

  const events = eventsStream({ journal, signal, plans, time: systemTime })
  lifecycle.run('events', events.done)
  const predictions = predictionsStream({ journal, signal, time: systemTime })
  lifecycle.run('predictions', predictions.done)

  const door = new StreamDoor({
    ...access,
    keys,
    plans,
    time: systemTime,
    renewalFailed: (error) => log.warn({ err: error }, 'leases could not be renewed'),
  })
  lifecycle.onClose('door', () => door.close())
  lifecycle.run('leases', door.run(signal))

  await Promise.all([accessFold.caughtUp, quotesFold.caughtUp, events.caughtUp, predictions.caughtUp])
  prices.loaded(quotesFold)
  const { table: connections, proxies } = openConnectionTable('streams', config, registry, log)
  const server = await startStreamServer({
    host: config.host,
    port: config.streamPort,
    streamBase: config.streamUrl,
    restBase: config.restUrl,
    streams: [prices, events, predictions],
    door,
    log,
    connections,
    proxies,
    onEnd: measureEndings(registry),
    time: systemTime,
  })
  lifecycle.onClose('connections', () => server.drain(DRAIN_MS))
  measureStreams(server, registry)
  ready = true
  log.info({ port: server.port }, 'streams are ready')
  reportReady()
})
