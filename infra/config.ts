import Type from 'typebox'
import { Value } from 'typebox/value'
import type { Retention } from '../contracts/topics.ts'
import { faultOfClickHouseUrl, faultOfHttpUrl, withoutPassword } from './addresses.ts'
import { longestRetention, retentionMs } from './retention.ts'

/** Every setting, from the environment; read once, whole, at start. */
const port = (fallback: number, description: string) =>
  Type.Integer({ default: fallback, minimum: 0, maximum: 65_535, description })
const flag = (fallback: '0' | '1', description: string) =>
  Type.Union([Type.Literal('0'), Type.Literal('1')], { default: fallback, description })
const kafkaClients = ['kafkajs', 'platformatic'] as const
export const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const
const roles = ['store', 'ingest', 'processors', 'projections', 'api', 'streams'] as const
export type Role = (typeof roles)[number]

const Settings = Type.Object({
  ALMANAC_HOST: Type.String({ default: '127.0.0.1', minLength: 1, description: 'Address that the servers listen on' }),
  ALMANAC_HTTP_PORT: port(8080, 'REST, MCP and pages'),
  ALMANAC_STREAM_PORT: port(8081, 'WebSocket streams'),
  ALMANAC_STREAM_URL: Type.String({
    default: '',
    pattern: '^(wss?://[^/]+)?$',
    description: 'Where clients reach the streams, e.g. wss://streams.example.com; empty: host and port',
  }),
  ALMANAC_STORE_PORT: port(0, 'Embedded ClickHouse store, loopback only; 0 picks a free one'),
  ALMANAC_DATA_DIR: Type.String({ default: './var', minLength: 1, description: 'Where everything durable lives' }),
  ALMANAC_DEMO: flag('1', '1: loads the bundled sample, simulates prices and makes one demo key a plan'),
  ALMANAC_CLICKHOUSE_URL: Type.String({
    default: '',
    description: 'Of a ClickHouse server; empty: the embedded store (docs/clickhouse.md)',
  }),
  ALMANAC_CLICKHOUSE_READ_URL: Type.String({
    default: '',
    description: 'The same server as the read-only user of history and event queries; empty: as ALMANAC_CLICKHOUSE_URL',
  }),
  ALMANAC_KAFKA_BROKERS: Type.String({
    default: '',
    pattern: '^([^\\s,/]+:\\d+(,[^\\s,/]+:\\d+)*)?$',
    description: 'Of an Apache Kafka cluster, host:port, comma separated; empty: the embedded journal',
  }),
  ALMANAC_KAFKA_CLIENT: Type.Union(
    kafkaClients.map((name) => Type.Literal(name)),
    { default: 'kafkajs', description: `The package that Kafka is spoken to with, of ${kafkaClients.join(', ')}` },
  ),
  ALMANAC_KAFKA_TLS: flag('0', '1: TLS to the brokers'),
  ALMANAC_KAFKA_CA_FILE: Type.String({
    default: '',
    description: 'PEM of the authority that signed the brokers’ certificates',
  }),
  ALMANAC_KAFKA_CERT_FILE: Type.String({ default: '', description: 'PEM of a client certificate' }),
  ALMANAC_KAFKA_KEY_FILE: Type.String({ default: '', description: 'PEM of its private key' }),
  ALMANAC_KAFKA_SASL: Type.Union(
    ['', ...saslMechanisms].map((name) => Type.Literal(name)),
    { default: '', description: `SASL mechanism, of ${saslMechanisms.join(', ')}; empty: none` },
  ),
  ALMANAC_KAFKA_USERNAME: Type.String({ default: '', description: 'For SASL' }),
  ALMANAC_KAFKA_PASSWORD: Type.String({ default: '', description: 'For SASL' }),
  ALMANAC_SCHEMA_REGISTRY_URL: Type.String({
    default: '',
    description: 'Of a Confluent-compatible schema registry; empty: the schemas of this release',
  }),
  ALMANAC_REDIS_URL: Type.String({
    default: '',
    description: 'For quotas, leases, tickets and the schedule; empty: embedded, one machine (docs/redis.md)',
  }),
  ALMANAC_ROLES: Type.String({ default: roles.join(','), description: `Comma separated, of ${roles.join(', ')}` }),
  ALMANAC_TOPIC_PREFIX: Type.String({
    default: 'almanac.',
    pattern: '^[a-z0-9._-]*$',
    description: 'Prefix of topic names',
  }),
  ALMANAC_EVENTS_RETENTION_DAYS: Type.String({
    default: '',
    description: 'Days that the journal keeps events, e.g. 365 or 0.5; older cursors expire; empty: for ever',
  }),
  ALMANAC_TICKS_RETENTION_DAYS: Type.String({
    default: String(longestRetention.ticks),
    description: `Days that the journal keeps ticks, up to ${longestRetention.ticks}; read models keep them for 60`,
  }),
  ALMANAC_FRED_API_KEY: Type.String({
    default: '',
    description: 'For FRED’s API and its vintages; empty: its CSV downloads',
  }),
  ALMANAC_COMTRADE_API_KEY: Type.String({ default: '', description: 'For UN Comtrade; empty: its public preview' }),
  ALMANAC_FEED_URL: Type.String({
    default: '',
    pattern: '^(wss?://.+)?$',
    description: 'WebSocket of a vendor’s price feed; empty: none (docs/price-feed.md)',
  }),
  ALMANAC_FEED_TOKEN: Type.String({ default: '', description: 'Bearer token for the price feed' }),
  ALMANAC_FEED_SUBSCRIBE: Type.String({ default: '', description: 'Text sent to the price feed once connected' }),
  ALMANAC_SCHEDULE: Type.Union(
    ['', '0', '1'].map((value) => Type.Literal(value)),
    {
      default: '',
      description: '1: publishers are asked by the calendar in docs/schedule.md; empty: unless ALMANAC_DEMO is 1',
    },
  ),
  ALMANAC_ADMIN_HOST: Type.String({ default: '127.0.0.1', minLength: 1, description: 'Address of the admin ports' }),
  ALMANAC_ADMIN_PORT: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 65_534,
    description: 'Metrics, readiness and jobs, for operators; the streams process has the port after it; 0: none',
  }),
  ALMANAC_ADMIN_TOKEN: Type.String({
    default: '',
    description: 'Asked for on the admin ports; a must beyond loopback',
  }),
  ALMANAC_LOG_LEVEL: Type.Union(
    ['debug', 'info', 'warn', 'error', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'Least level that is logged' },
  ),
})

export type KafkaConfig = {
  readonly brokers: readonly string[]
  readonly client: KafkaClientName
  readonly tls: boolean
  /** Paths of PEM files; an empty `caFile`: the system’s authorities. */
  readonly caFile: string
  readonly certFile: string
  readonly keyFile: string
  readonly sasl: { readonly mechanism: SaslMechanism; readonly username: string; readonly password: string } | undefined
}
export type SaslMechanism = (typeof saslMechanisms)[number]
export type KafkaClientName = (typeof kafkaClients)[number]

export type Config = {
  readonly host: string
  readonly httpPort: number
  readonly streamPort: number
  readonly streamUrl: string
  readonly storePort: number
  readonly dataDir: string
  readonly demo: boolean
  readonly clickhouseUrl: string
  /** For queries that change nothing. */
  readonly clickhouseReadUrl: string
  /** Undefined: the embedded journal. */
  readonly kafka: KafkaConfig | undefined
  readonly schemaRegistryUrl: string
  readonly redisUrl: string
  readonly roles: readonly Role[]
  readonly topicPrefix: string
  /** ms; null: for ever. */
  readonly retention: Required<Retention>
  readonly fredApiKey: string
  readonly comtradeApiKey: string
  readonly feed: { readonly url: string; readonly token: string; readonly subscribe: string }
  readonly schedule: boolean
  readonly admin: { readonly host: string; readonly port: number; readonly token: string }
  readonly logLevel: string
}

/** Throws with every fault at once: a name that isn't a setting, a value that isn't allowed. */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => name.startsWith('ALMANAC_') && value !== undefined),
  )
  const faults = Object.keys(given)
    .filter((name) => !(name in Settings.properties))
    .map((name) => `${name} is not a setting; there are ${Object.keys(Settings.properties).join(', ')}`)
  const value = Value.Convert(Settings, Value.Default(Settings, given))
  for (const error of Value.Errors(Settings, value)) {
    const name = error.instancePath.slice(1)
    faults.push(`${name}=${JSON.stringify(withoutPassword(given[name]))} ${error.message}`)
  }
  const settings = value as Type.Static<typeof Settings>
  const chosen = String(settings.ALMANAC_ROLES)
    .split(',')
    .map((role) => role.trim())
    .filter(Boolean)
  for (const role of chosen)
    if (!(roles as readonly string[]).includes(role))
      faults.push(`ALMANAC_ROLES: ${role} is not a role; there are ${roles.join(', ')}`)
  const asks = chosen.filter((role) => role === 'projections' || role === 'api')
  if (asks.length > 0 && !chosen.includes('store') && !settings.ALMANAC_CLICKHOUSE_URL) {
    faults.push(`ALMANAC_ROLES: ${asks.join(' and ')} without store need ALMANAC_CLICKHOUSE_URL`)
  }
  if (chosen.length === 0) faults.push(`ALMANAC_ROLES names no role; there are ${roles.join(', ')}`)
  const urls = {
    ALMANAC_CLICKHOUSE_URL: faultOfClickHouseUrl,
    ALMANAC_CLICKHOUSE_READ_URL: faultOfClickHouseUrl,
    ALMANAC_SCHEMA_REGISTRY_URL: faultOfHttpUrl,
  }
  for (const [name, faultOf] of Object.entries(urls)) {
    const url = settings[name as keyof typeof urls]
    const fault = url === '' ? undefined : faultOf(url)
    if (fault) faults.push(`${name}=${JSON.stringify(withoutPassword(url))} ${fault}`)
  }
  if (settings.ALMANAC_CLICKHOUSE_READ_URL && !settings.ALMANAC_CLICKHOUSE_URL) {
    faults.push('ALMANAC_CLICKHOUSE_READ_URL needs ALMANAC_CLICKHOUSE_URL')
  }
  if (settings.ALMANAC_KAFKA_SASL !== '' && !(settings.ALMANAC_KAFKA_USERNAME && settings.ALMANAC_KAFKA_PASSWORD)) {
    faults.push('ALMANAC_KAFKA_SASL needs ALMANAC_KAFKA_USERNAME and ALMANAC_KAFKA_PASSWORD')
  }
  if (settings.ALMANAC_KAFKA_SASL === '' && (settings.ALMANAC_KAFKA_USERNAME || settings.ALMANAC_KAFKA_PASSWORD)) {
    faults.push('ALMANAC_KAFKA_USERNAME and ALMANAC_KAFKA_PASSWORD need ALMANAC_KAFKA_SASL')
  }
  for (const name of ['ALMANAC_KAFKA_CA_FILE', 'ALMANAC_KAFKA_CERT_FILE', 'ALMANAC_KAFKA_KEY_FILE'] as const) {
    if (settings[name] !== '' && settings.ALMANAC_KAFKA_TLS !== '1') faults.push(`${name} needs ALMANAC_KAFKA_TLS=1`)
  }
  if ((settings.ALMANAC_KAFKA_CERT_FILE === '') !== (settings.ALMANAC_KAFKA_KEY_FILE === '')) {
    faults.push('ALMANAC_KAFKA_CERT_FILE and ALMANAC_KAFKA_KEY_FILE go together')
  }
  const retentionOf = (name: 'ALMANAC_EVENTS_RETENTION_DAYS' | 'ALMANAC_TICKS_RETENTION_DAYS', longest: number) => {
    const ms = retentionMs(settings[name], longest)
    if (ms !== undefined) return ms
    faults.push(`${name}=${JSON.stringify(settings[name])} must be a positive number of days, up to ${longest}`)
    return 0
  }
  const keepsEvents = settings.ALMANAC_EVENTS_RETENTION_DAYS === ''
  const retention = {
    events: keepsEvents ? null : retentionOf('ALMANAC_EVENTS_RETENTION_DAYS', longestRetention.events),
    ticks: retentionOf('ALMANAC_TICKS_RETENTION_DAYS', longestRetention.ticks),
  }
  if (faults.length > 0) throw new ConfigError([...new Set(faults)].join('\n'))
  return Object.freeze({
    host: settings.ALMANAC_HOST,
    httpPort: settings.ALMANAC_HTTP_PORT,
    streamPort: settings.ALMANAC_STREAM_PORT,
    streamUrl: settings.ALMANAC_STREAM_URL || `ws://${settings.ALMANAC_HOST}:${settings.ALMANAC_STREAM_PORT}`,
    storePort: settings.ALMANAC_STORE_PORT,
    dataDir: settings.ALMANAC_DATA_DIR,
    demo: settings.ALMANAC_DEMO === '1',
    clickhouseUrl: settings.ALMANAC_CLICKHOUSE_URL,
    clickhouseReadUrl: settings.ALMANAC_CLICKHOUSE_READ_URL || settings.ALMANAC_CLICKHOUSE_URL,
    kafka: settings.ALMANAC_KAFKA_BROKERS === '' ? undefined : kafkaOf(settings),
    schemaRegistryUrl: settings.ALMANAC_SCHEMA_REGISTRY_URL,
    redisUrl: settings.ALMANAC_REDIS_URL,
    roles: chosen as Role[],
    topicPrefix: settings.ALMANAC_TOPIC_PREFIX,
    retention,
    fredApiKey: settings.ALMANAC_FRED_API_KEY,
    comtradeApiKey: settings.ALMANAC_COMTRADE_API_KEY,
    feed: {
      url: settings.ALMANAC_FEED_URL,
      token: settings.ALMANAC_FEED_TOKEN,
      subscribe: settings.ALMANAC_FEED_SUBSCRIBE,
    },
    schedule: settings.ALMANAC_SCHEDULE === '' ? settings.ALMANAC_DEMO === '0' : settings.ALMANAC_SCHEDULE === '1',
    admin: {
      host: settings.ALMANAC_ADMIN_HOST,
      port: settings.ALMANAC_ADMIN_PORT,
      token: settings.ALMANAC_ADMIN_TOKEN,
    },
    logLevel: settings.ALMANAC_LOG_LEVEL,
  })
}

function kafkaOf(settings: Type.Static<typeof Settings>): KafkaConfig {
  const mechanism = settings.ALMANAC_KAFKA_SASL as SaslMechanism | ''
  return {
    brokers: settings.ALMANAC_KAFKA_BROKERS.split(','),
    client: settings.ALMANAC_KAFKA_CLIENT as KafkaClientName,
    tls: settings.ALMANAC_KAFKA_TLS === '1',
    caFile: settings.ALMANAC_KAFKA_CA_FILE,
    certFile: settings.ALMANAC_KAFKA_CERT_FILE,
    keyFile: settings.ALMANAC_KAFKA_KEY_FILE,
    sasl:
      mechanism === ''
        ? undefined
        : { mechanism, username: settings.ALMANAC_KAFKA_USERNAME, password: settings.ALMANAC_KAFKA_PASSWORD },
  }
}

/** What is allowed, and worth a warning at start. */
export function warningsOf({ kafka }: Pick<Config, 'kafka'>): string[] {
  const isClear = kafka?.sasl?.mechanism === 'plain' && !kafka.tls
  return isClear ? ['ALMANAC_KAFKA_SASL=plain without ALMANAC_KAFKA_TLS=1 sends the password as plain text'] : []
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Name, default and meaning of every setting, for `almanac help` and the docs. */
export const settingsTable = Object.entries(Settings.properties).map(([name, schema]) => ({
  name,
  default: String((schema as { default?: unknown }).default ?? ''),
  description: (schema as { description?: string }).description ?? '',
}))
