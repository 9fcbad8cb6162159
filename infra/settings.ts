import { nearest } from '../base/nearest.ts'
import { KEY_VARIABLE } from '../contracts/key-variable.ts'
import { program } from '../contracts/program.ts'
import {
  faultOfAncestors,
  faultOfBrokers,
  faultOfClickHouseUrl,
  faultOfFeedUrl,
  faultOfHttpUrl,
  faultOfNetworks,
  faultOfRedisUrl,
  faultOfStreamUrl,
  withoutPassword,
} from './addresses.ts'
import { faultOfFigures } from './figure-names.ts'
import { longestRetention, retentionMs } from './retention.ts'
import { count, flag, matching, oneOf, port, requiredText, type Setting, text } from './setting-kinds.ts'

const kafkaClients = ['kafkajs', 'platformatic'] as const
const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const
export const roles = ['store', 'ingest', 'processors', 'projections', 'archive', 'api', 'streams'] as const
export type Role = (typeof roles)[number]
export type SaslMechanism = (typeof saslMechanisms)[number]
export type KafkaClientName = (typeof kafkaClients)[number]

const days = (longest: number) => (value: string) =>
  retentionMs(value, longest) === undefined ? `must be a positive number of days, up to ${longest}` : undefined

/** Every setting, from the environment. */
const settings = {
  ALMANAC_HOST: requiredText('127.0.0.1', 'Address that the servers listen on'),
  ALMANAC_HTTP_PORT: port(8080, 'REST, MCP and pages'),
  ALMANAC_STREAM_PORT: port(8081, 'WebSocket streams'),
  ALMANAC_STREAM_URL: text(
    'Address of the streams for clients, e.g. wss://streams.example.com; empty: host and port, with loopback for 0.0.0.0 and ::',
    faultOfStreamUrl,
  ),
  ALMANAC_HTTP_CONNECTIONS: count(4_096, 'Connections open at once on the HTTP port', 16, 1_000_000),
  ALMANAC_STREAM_CONNECTIONS: count(16_384, 'Connections open at once on the stream port', 16, 1_000_000),
  ALMANAC_CONNECTIONS_PER_ADDRESS: count(
    1_000,
    'Connections open at once from one remote address (for IPv6: one /64) on each port; a stream admitted by its key is not counted',
    1,
    1_000_000,
  ),
  ALMANAC_TRUSTED_PROXIES: text(
    'Trusted proxies, IP addresses or CIDR blocks, comma separated: no limit per address applies to them, and their X-Forwarded-For is used',
    faultOfNetworks,
  ),
  ALMANAC_STORE_PORT: port(
    0,
    'Port for SQL to the embedded ClickHouse store, loopback only, with a password (docs/clickhouse.md); 0: none',
  ),
  ALMANAC_SQL_PORT: port(
    0,
    'Port for SQL to the embedded ClickHouse store by the read-only user `reader` alone (docs/sql.md); 0: none',
  ),
  ALMANAC_SQL_HOST: requiredText(
    '127.0.0.1',
    'Address that ALMANAC_SQL_PORT listens on; use TLS in front of any other',
  ),
  ALMANAC_DATA_DIR: requiredText('./var', 'Directory for all durable data'),
  ALMANAC_DEMO: flag('1', '1: loads the bundled sample, simulates prices and creates a demo key for each plan'),
  ALMANAC_CLICKHOUSE_URL: text(
    'Address of a ClickHouse server; empty: the embedded store (docs/clickhouse.md)',
    faultOfClickHouseUrl,
  ),
  ALMANAC_CLICKHOUSE_READ_URL: text(
    'Address of the same server with a read-only user for history and event queries; empty: ALMANAC_CLICKHOUSE_URL',
    faultOfClickHouseUrl,
  ),
  ALMANAC_KAFKA_BROKERS: text(
    'Brokers of an Apache Kafka cluster, host:port, comma separated; empty: the embedded journal',
    faultOfBrokers,
  ),
  ALMANAC_KAFKA_CLIENT: oneOf(kafkaClients, 'kafkajs', `Kafka client package: ${kafkaClients.join(' or ')}`),
  ALMANAC_KAFKA_TLS: flag('0', '1: connects to the brokers with TLS'),
  ALMANAC_KAFKA_CA_FILE: text('PEM of the authority that signed the brokers’ certificates'),
  ALMANAC_KAFKA_CERT_FILE: text('PEM of a client certificate'),
  ALMANAC_KAFKA_KEY_FILE: text('PEM of its private key'),
  ALMANAC_KAFKA_SASL: oneOf(['', ...saslMechanisms], '', `SASL mechanism: ${saslMechanisms.join(', ')}; empty: none`),
  ALMANAC_KAFKA_USERNAME: text('User name for SASL'),
  ALMANAC_KAFKA_PASSWORD: text('Password for SASL'),
  ALMANAC_SCHEMA_REGISTRY_URL: text(
    'Address of a Confluent-compatible schema registry; empty: the schemas of this release',
    faultOfHttpUrl,
  ),
  ALMANAC_REDIS_URL: {
    ...text(
      'Address of Redis for quotas, leases, tickets and the schedule; empty: embedded, for one machine (docs/redis.md)',
      faultOfRedisUrl,
    ),
    isHidden: true,
  },
  ALMANAC_ROLES: { ...text(`Roles of this node, comma separated: ${roles.join(', ')}`), default: roles.join(',') },
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
    'Milliseconds for which ticks are gathered into one block for ClickHouse, and candles with them; in the first 30 s after a start at most 2000',
    0,
    30_000,
  ),
  ALMANAC_ARCHIVE: text(
    'Place of the archive, in which the journal is kept as open tables: a directory or s3://BUCKET/PREFIX (docs/archive.md); empty: none',
    matching(
      /^(?!\w+:\/\/)|^s3:\/\/[a-z0-9][a-z0-9.-]+(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\/?$/,
      'a directory, or s3:// with a bucket and the beginning of its objects’ names, e.g. s3://bucket/almanac',
    ),
  ),
  ALMANAC_ARCHIVE_SEAL_SECONDS: count(60, 'Longest time that a record waits to be archived, seconds', 1, 86_400),
  ALMANAC_ARCHIVE_RETENTION_DAYS: text(
    'Days that the archive keeps ticks, quarantine and other records that the journal deletes; empty: for ever',
    days(longestRetention.events),
  ),
  ALMANAC_TABLES: text(
    'Plans and accounts, comma separated, whose keys may read the archive as tables at /iceberg, with every record (docs/iceberg.md); empty: none',
    matching(/^[\w-]+(?: *, *[\w-]+)*$/, 'names of plans and accounts, comma separated'),
  ),
  ALMANAC_TABLES_SECRET: {
    ...text(
      'Signs the addresses of the tables’ files; the same on all nodes behind one address; empty: drawn, in the data directory',
      matching(/^.{24,}$/, 'at least 24 characters'),
    ),
    isHidden: true,
  },
  ALMANAC_EMBED: text(
    'Figures that web pages may show without a key at /embed, comma separated, e.g. USA.cpi,DEU.inflation (docs/embed.md); empty: none',
    faultOfFigures,
  ),
  ALMANAC_EMBED_ANCESTORS: text(
    'Origins of the pages that may show them in a frame, comma separated, e.g. https://news.example.com; *: any; empty: only this service',
    faultOfAncestors,
  ),
  ALMANAC_FRED_API_KEY: text('Key for FRED’s API and its vintages; empty: its CSV downloads'),
  ALMANAC_COMTRADE_API_KEY: text('Key for UN Comtrade; empty: its public preview'),
  ALMANAC_CONTACT: text(
    'E-mail address that requests for publishers’ calendars name (User-Agent); without one the BLS refuses them (docs/schedule.md)',
    matching(/^(?!.*[^!-~])[^@;()]+@[^@;()]+$/, 'an e-mail address in ASCII'),
  ),
  ALMANAC_FEED_URL: text(
    'WebSocket address of a vendor’s price feed; empty: none (docs/price-feed.md)',
    faultOfFeedUrl,
  ),
  ALMANAC_FEED_TOKEN: text('Bearer token for the price feed'),
  ALMANAC_FEED_SUBSCRIBE: text('Text sent to the price feed once connected'),
  ALMANAC_SCHEDULE: oneOf(
    ['', '0', '1'],
    '',
    '1: ingests by the release calendar in docs/schedule.md; 0: does not; empty: 1, or 0 if ALMANAC_DEMO is 1',
  ),
  ALMANAC_ADMIN_HOST: requiredText('127.0.0.1', 'Address of the admin ports'),
  ALMANAC_ADMIN_PORT: port(
    0,
    'Port for the overview, metrics, readiness and jobs; the streams process uses the next port; 0: none',
    65_534,
  ),
  ALMANAC_ADMIN_TOKEN: text('Token for the admin ports; required unless they are on loopback'),
  ALMANAC_LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'info', 'Lowest level that is logged'),
} satisfies Readonly<Record<string, Setting>>

type Name = keyof typeof settings
export type Values = { readonly [N in Name]: (typeof settings)[N]['default'] }

// A cast, because `Object.entries` forgets the type of the keys.
const entries = Object.entries(settings) as [Name, Setting][]

/** Name, default and meaning of every setting, for `almanac help` and the docs. */
export const settingsTable = entries.map(([name, { default: fallback, description }]) => ({
  name: name as string,
  default: fallback,
  description,
}))

const PREFIX = 'ALMANAC_'
/** The settings without what all their names begin with, by which `nearest` would find them all. */
const named = entries.map(([name]) => {
  const code = name.slice(PREFIX.length)
  return { code, name: code.replaceAll('_', ' ') }
})

function faultOfUnknown(name: string): string {
  const meant = nearest(name.slice(PREFIX.length), named)
  return meant
    ? `${name} is not a setting; did you mean ${PREFIX}${meant.code}?`
    : `${name} is not a setting; \`${program} help\` lists the settings`
}

/** Returns the value of every setting, given or default, and all faults. If there is a fault, no value may be used. */
export function readSettings(env: NodeJS.ProcessEnv): { readonly values: Values; readonly faults: readonly string[] } {
  const given = Object.entries(env).filter(
    ([name, value]) => name.startsWith(PREFIX) && name !== KEY_VARIABLE && value !== undefined,
  )
  const unknown = given.filter(([name]) => !Object.hasOwn(settings, name)).map(([name]) => faultOfUnknown(name))
  // A cast, because `Object.fromEntries` forgets which keys there are.
  const values = Object.fromEntries(entries.map(([name, setting]) => [name, env[name] ?? setting.default])) as Values
  const wrong = entries.flatMap(([name, { faultOf, isHidden }]) => {
    const fault = faultOf(values[name])
    if (fault === undefined) return []
    return isHidden ? `${name}: ${fault}` : `${name}=${JSON.stringify(withoutPassword(values[name]))} ${fault}`
  })
  return { values, faults: [...unknown, ...wrong] }
}
