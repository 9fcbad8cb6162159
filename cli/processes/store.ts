import { join } from 'node:path'
import { loadConfig } from '../../infra/config.ts'
import { Lifecycle } from '../../infra/lifecycle.ts'
import { openLog } from '../../infra/log.ts'
import { onSupervisorGone, reportReady } from '../../infra/supervisor.ts'
import { startStore } from '../../projections/store/store.ts'

/** How long queries may run on at a shutdown, ms. */
const GRACE_MS = 1_500

/** The process that alone opens the embedded ClickHouse; everybody else asks it over HTTP. */
const config = loadConfig(process.env)
const log = openLog(config.logLevel, 'store')
const lifecycle = new Lifecycle(log)
onSupervisorGone(() => void lifecycle.shutdown(0))
await lifecycle.start(async () => {
  const { hostname, port } = new URL(config.clickhouseUrl)
  const store = await startStore({
    path: join(config.dataDir, 'clickhouse'),
    host: hostname,
    port: Number(port),
    graceMs: GRACE_MS,
  })
  lifecycle.onClose('store', () => store.close())
  log.info({ url: store.url }, 'store is up')
  reportReady()
})
