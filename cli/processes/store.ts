import { join } from 'node:path'
import { parseSocketAddress } from '../../base/socket-address.ts'
import { ConfigError, loadConfig } from '../../infra/config.ts'
import { Lifecycle } from '../../infra/lifecycle.ts'
import { STORE_HOST } from '../../infra/listeners.ts'
import { openLog } from '../../infra/log.ts'
import { createPrivateFiles } from '../../infra/private-files.ts'
import { onSupervisorGone, reportReady } from '../../infra/supervisor.ts'
import { startStore } from '../../projections/store/store.ts'
import { storePassword } from '../store-address.ts'

/** Time for running queries to end at a shutdown, ms. */
const GRACE_MS = 1_500

/** Process of the embedded ClickHouse, which only one process can open. All others send their queries to it over HTTP. */
const config = loadConfig(process.env)
const log = openLog(config.logLevel, 'store')
const lifecycle = new Lifecycle(log)
createPrivateFiles()
onSupervisorGone(() => void lifecycle.shutdown(0))
await lifecycle.start(async () => {
  const socket = parseSocketAddress(config.clickhouseUrl)
  if (!socket)
    throw new ConfigError(
      'ALMANAC_CLICKHOUSE_URL must be unix:/path/to/socket for the store: run `npm start`, which sets it',
    )
  const { storePort: port, sql } = config
  const tcp = port > 0 ? { host: STORE_HOST, port, password: await storePassword(config, 'default') } : undefined
  const readerPassword = port > 0 || sql.port > 0 ? await storePassword(config, 'reader') : undefined
  const store = await startStore({
    path: join(config.dataDir, 'clickhouse'),
    socket: socket.path,
    ...(tcp && { tcp }),
    ...(readerPassword !== undefined && { readerPassword }),
    ...(readerPassword !== undefined && sql.port > 0 && { readerTcp: { ...sql, password: readerPassword } }),
    graceMs: GRACE_MS,
  })
  lifecycle.onClose('store', () => store.close())
  log.info(
    {
      url: store.socketUrl,
      ...(store.tcpUrl && { tcp: store.tcpUrl }),
      ...(store.readerUrl && { sql: store.readerUrl }),
    },
    'store is ready',
  )
  reportReady()
})
