import type { Registry } from 'prom-client'
import { ConnectionTable } from '../../access/connection-table.ts'
import { type Proxies, trustedProxies } from '../../access/proxies.ts'
import type { Config } from '../../infra/config.ts'
import { connectionBudget } from '../../infra/descriptors.ts'
import type { Log } from '../../infra/log.ts'
import { measureConnections } from './metrics.ts'
import { RefusalReport } from './refusal-report.ts'

/**
 * Descriptors reserved for everything except a port's clients. The process, journal, stores, brokers, publishers and admin
 * port take about 60 in a demo. A node on Kafka, Redis and ClickHouse with schedules takes more.
 */
const RESERVED = { http: 512, streams: 256 } as const
const settingOf = { http: 'ALMANAC_HTTP_CONNECTIONS', streams: 'ALMANAC_STREAM_CONNECTIONS' } as const

/**
 * Opens the table that bounds a port's connections by the settings and the process's limit of descriptors. Throws ConfigError.
 */
export function openConnectionTable(
  port: 'http' | 'streams',
  { connections }: Pick<Config, 'connections'>,
  registry: Registry,
  log: Log,
): { readonly table: ConnectionTable; readonly proxies: Proxies } {
  const { connections: total, warning } = connectionBudget(settingOf[port], connections[port], RESERVED[port])
  if (warning) log.warn({}, warning)
  const proxies = trustedProxies(connections.proxies)
  const report = new RefusalReport(port, log)
  const countRefused = measureConnections(port, () => table.open, registry)
  const table = new ConnectionTable({
    limits: { total, perAddress: connections.perAddress },
    isShared: proxies.has,
    onRefused(address, reason) {
      countRefused(reason)
      report.add(address, reason, performance.now())
    },
  })
  return { table, proxies }
}
