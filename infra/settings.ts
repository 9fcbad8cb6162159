import { KEY_VARIABLE } from '../contracts/key-variable.ts'
import {
  faultOfBrokers,
  faultOfClickHouseUrl,
  faultOfHttpUrl,
  faultOfNetworks,
  faultOfRedisUrl,
  faultOfStreamUrl,
  withoutPassword,
} from './addresses.ts'
import { longestRetention, retentionMs } from './retention.ts'
import { count, flag, matching, oneOf, port, type Setting, something, text } from './setting-kinds.ts'

const kafkaClients = ['kafkajs', 'platformatic'] as const
const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const
export const roles = ['store', 'ingest', 'processors', 'projections', 'api', 'streams'] as const
export type Role = (typeof roles)[number]
export type SaslMechanism = (typeof saslMechanisms)[number]
export type KafkaClientName = (typeof kafkaClients)[number]

const days = (longest: number) => (value: string) =>
  retentionMs(value, longest) === undefined ? `must be a positive number of days, up to ${longest}` : undefined

/** Every setting, from the environment. */
const settings = {
  ALMANAC_HOST: something('127.0.0.1', 'Address that the servers listen on'),
  ALMANAC_HTTP_PORT: port(8080, 'REST, MCP and pages'),
  ALMANAC_STREAM_PORT: port(8081, 'WebSocket streams'),
  ALMANAC_STREAM_URL: text(
    'Where clients reach the streams, e.g. wss://streams.example.com; empty: host and port, of 0.0.0.0 and :: loopback',
    faultOfStreamUrl,
  ),
  ALMANAC_HTTP_CONNECTIONS: count(4_096, 'Connections open at once on the HTTP port', 16, 1_000_000),
  ALMANAC_STREAM_CONNECTIONS: count(16_384, 'Connections open at once on the stream port', 16, 1_000_000),
  ALMANAC_CONNECTIONS_PER_ADDRESS: count(
    1_000,
    'Connections open at once from one remote address (of IPv6: one /64) on each port; a stream admitted by its key is not counted',
    1,
    1_000_000,
  ),
  ALMANAC_TRUSTED_PROXIES: text(
    'Proxies in front, IP addresses or CIDR blocks, comma separated: not bounded as one address, X-Forwarded-For believed',
    faultOfNetworks,
  ),
  ALMANAC_STORE_PORT: port(
    0,
    'SQL by TCP on the embedded ClickHouse store, loopback only, with a password (docs/clickhouse.md); 0: none',
  ),
  ALMANAC_DATA_DIR: something('./var', 'Where everything durable lives'),
  ALMANAC_DEMO: flag('1', '1: loads the bundled sample, simulates prices and makes one demo key a plan'),
  ALMANAC_CLICKHOUSE_URL: text(
    'Of a ClickHouse server; empty: the embedded store (docs/clickhouse.md)',
    faultOfClickHouseUrl,
  ),
  ALMANAC_CLICKHOUSE_READ_URL: text(
    'The same server as the read-only user of history and event queries; empty: as ALMANAC_CLICKHOUSE_URL',
    faultOfClickHouseUrl,
  ),
  ALMANAC_KAFKA_BROKERS: text(
    'Of an Apache Kafka cluster, host:port, comma separated; empty: the embedded journal',
    faultOfBrokers,
  ),
  ALMANAC_KAFKA_CLIENT: oneOf(
    kafkaClients,
    'kafkajs',
    `The package that Kafka is spoken to with, of ${kafkaClients.join(', ')}`,
  ),
  ALMANAC_KAFKA_TLS: flag('0', '1: TLS to the brokers'),
  ALMANAC_KAFKA_CA_FILE: text('PEM of the authority that signed the brokers’ certificates'),
  ALMANAC_KAFKA_CERT_FILE: text('PEM of a client certificate'),
  ALMANAC_KAFKA_KEY_FILE: text('PEM of its private key'),
  ALMANAC_KAFKA_SASL: oneOf(
    ['', ...saslMechanisms],
    '',
    `SASL mechanism, of ${saslMechanisms.join(', ')}; empty: none`,
  ),
  ALMANAC_KAFKA_USERNAME: text('For SASL'),
  ALMANAC_KAFKA_PASSWORD: text('For SASL'),
  ALMANAC_SCHEMA_REGISTRY_URL: text(
    'Of a Confluent-compatible schema registry; empty: the schemas of this release',
    faultOfHttpUrl,
  ),
  ALMANAC_REDIS_URL: {
    ...text(
      'For quotas, leases, tickets and the schedule; empty: embedded, one machine (docs/redis.md)',
      faultOfRedisUrl,
    ),
    isHidden: true,
  },
  ALMANAC_ROLES: { ...text(`Comma separated, of ${roles.join(', ')}`), default: roles.join(',') },
  ALMANAC_TOPIC_PREFIX: {
    ...text('Prefix of topic names', matching(/^[a-z0-9._-]*$/, 'of the characters a to z, 0 to 9, . _ and -')),
    default: 'almanac.',
  },
  ALMANAC_EVENTS_RETENTION_DAYS: text(
    'Days that the journal keeps events, e.g. 365 or 0.5; older cursors expire; empty: for ever',
    days(longestRetention.events),
  ),
  ALMANAC_TICKS_RETENTION_DAYS: {
    default: String(longestRetention.ticks),
    description: `Days that the journal keeps ticks, up to ${longestRetention.ticks}; read models keep them for 60`,
    faultOf: days(longestRetention.ticks),
  },
  ALMANAC_TICKS_FLUSH_MS: count(
    15_000,
    'Milliseconds for which ticks are gathered before they are written to ClickHouse in one block; candles follow after as many',
    0,
    30_000,
  ),
  ALMANAC_FRED_API_KEY: text('For FRED’s API and its vintages; empty: its CSV downloads'),
  ALMANAC_COMTRADE_API_KEY: text('For UN Comtrade; empty: its public preview'),
  ALMANAC_FEED_URL: text(
    'WebSocket of a vendor’s price feed; empty: none (docs/price-feed.md)',
    matching(/^wss?:\/\/.+$/, 'an address that begins with ws:// or wss://'),
  ),
  ALMANAC_FEED_TOKEN: text('Bearer token for the price feed'),
  ALMANAC_FEED_SUBSCRIBE: text('Text sent to the price feed once connected'),
  ALMANAC_SCHEDULE: oneOf(
    ['', '0', '1'],
    '',
    '1: publishers are asked by the calendar in docs/schedule.md; empty: unless ALMANAC_DEMO is 1',
  ),
  ALMANAC_ADMIN_HOST: something('127.0.0.1', 'Address of the admin ports'),
  ALMANAC_ADMIN_PORT: port(
    0,
    'Metrics, readiness and jobs, for operators; the streams process has the port after it; 0: none',
    65_534,
  ),
  ALMANAC_ADMIN_TOKEN: text('Asked for on the admin ports; a must beyond loopback'),
  ALMANAC_LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'info', 'Least level that is logged'),
} satisfies Readonly<Record<string, Setting>>

type Name = keyof typeof settings
export type Values = { readonly [N in Name]: (typeof settings)[N]['default'] }

const entries = Object.entries(settings) as [Name, Setting][]

/** Name, default and meaning of every setting, for `almanac help` and the docs. */
export const settingsTable = entries.map(([name, { default: fallback, description }]) => ({
  name: name as string,
  default: fallback,
  description,
}))

/** The value of every setting, given or default, and what is wrong with them; if anything is, use none. */
export function readSettings(env: NodeJS.ProcessEnv): { readonly values: Values; readonly faults: readonly string[] } {
  const given = Object.entries(env).filter(
    ([name, value]) => name.startsWith('ALMANAC_') && name !== KEY_VARIABLE && value !== undefined,
  )
  const unknown = given
    .filter(([name]) => !Object.hasOwn(settings, name))
    .map(([name]) => `${name} is not a setting; there are ${Object.keys(settings).join(', ')}`)
  const values = Object.fromEntries(entries.map(([name, setting]) => [name, env[name] ?? setting.default])) as Values
  const wrong = entries.flatMap(([name, { faultOf, isHidden }]) => {
    const fault = faultOf(values[name])
    if (fault === undefined) return []
    return isHidden ? `${name}: ${fault}` : `${name}=${JSON.stringify(withoutPassword(values[name]))} ${fault}`
  })
  return { values, faults: [...unknown, ...wrong] }
}
