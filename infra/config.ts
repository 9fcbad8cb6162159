import { parseSocketAddress } from '../base/socket-address.ts'
import type { Retention } from '../contracts/topics.ts'
import { listenersOf, sharedPorts } from './listeners.ts'
import { longestRetention, retentionMs } from './retention.ts'
import {
  type KafkaClientName,
  type Role,
  readSettings,
  roles,
  type SaslMechanism,
  settingsTable,
  type Values,
} from './settings.ts'
import { urlOf } from './urls.ts'

export { type KafkaClientName, type Role, type SaslMechanism, settingsTable } from './settings.ts'

export type KafkaConfig = {
  readonly brokers: readonly string[]
  readonly client: KafkaClientName
  readonly tls: boolean
  /** Paths of PEM files. If `caFile` is empty, the system’s authorities are trusted. */
  readonly caFile: string
  readonly certFile: string
  readonly keyFile: string
  readonly sasl: { readonly mechanism: SaslMechanism; readonly username: string; readonly password: string } | undefined
}

export type Config = {
  readonly host: string
  readonly httpPort: number
  readonly streamPort: number
  readonly streamUrl: string
  /**
   * Address of REST for clients, if it is known: not where another node serves REST, and not where the streams have a public
   * address, because then REST has one, too, which no setting names.
   */
  readonly restUrl: string | undefined
  readonly connections: {
    /** Limits of open connections on each of the two ports. */
    readonly http: number
    readonly streams: number
    readonly perAddress: number
    /** IP addresses and CIDR blocks of the proxies in front. */
    readonly proxies: readonly string[]
  }
  readonly storePort: number
  /** Port of the read-only SQL user. */
  readonly sql: { readonly host: string; readonly port: number }
  readonly dataDir: string
  readonly demo: boolean
  readonly clickhouseUrl: string
  /** Address for queries that change nothing. */
  readonly clickhouseReadUrl: string
  /** Undefined if the journal is embedded. */
  readonly kafka: KafkaConfig | undefined
  readonly schemaRegistryUrl: string
  readonly redisUrl: string
  readonly roles: readonly Role[]
  readonly topicPrefix: string
  /** Retention times, ms; null means for ever. */
  readonly retention: Required<Retention>
  readonly ticksFlushMs: number
  /** Undefined if there is no archive. Times are in ms; `retentionMs` null means for ever. */
  readonly archive:
    | { readonly address: string; readonly sealMs: number; readonly retentionMs: number | null }
    | undefined
  /** Plans and accounts that may read the archive's tables. `secret` signs addresses of files; empty: drawn. */
  readonly tables: { readonly readers: readonly string[]; readonly secret: string }
  readonly embed: { readonly figures: readonly string[]; readonly ancestors: readonly string[] }
  readonly fredApiKey: string
  readonly contact: string
  readonly comtradeApiKey: string
  readonly feed: { readonly url: string; readonly token: string; readonly subscribe: string }
  readonly schedule: boolean
  readonly admin: { readonly host: string; readonly port: number; readonly token: string }
  readonly logLevel: string
}

/** Reads all settings. Throws one ConfigError with every fault: unknown names and values that are not allowed. */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const { values: settings, faults: wrong } = readSettings(env)
  const chosen = listIn(settings.ALMANAC_ROLES)
  const faults = [...wrong, ...faultsOfRoles(chosen, settings), ...faultsOfKafka(settings)]
  // Shared ports are only reported once all ports are valid. The casts to roles: `faultsOfRoles` has found no other.
  if (faults.length === 0) faults.push(...sharedPorts(listenersOf(portsOf(chosen as Role[], settings))))
  faults.push(...faultsOfUnused(settings))
  if (faults.length === 0) faults.push(...faultsOfSeal(settings))
  if (faults.length > 0) throw new ConfigError([...new Set(faults)].join('\n'))
  const keepsEvents = settings.ALMANAC_EVENTS_RETENTION_DAYS === ''
  return Object.freeze({
    ...portsOf(chosen as Role[], settings),
    streamUrl: settings.ALMANAC_STREAM_URL || urlOf('ws', settings.ALMANAC_HOST, Number(settings.ALMANAC_STREAM_PORT)),
    restUrl:
      chosen.includes('api') && settings.ALMANAC_STREAM_URL === ''
        ? urlOf('http', settings.ALMANAC_HOST, Number(settings.ALMANAC_HTTP_PORT))
        : undefined,
    connections: {
      http: Number(settings.ALMANAC_HTTP_CONNECTIONS),
      streams: Number(settings.ALMANAC_STREAM_CONNECTIONS),
      perAddress: Number(settings.ALMANAC_CONNECTIONS_PER_ADDRESS),
      proxies: listIn(settings.ALMANAC_TRUSTED_PROXIES),
    },
    dataDir: settings.ALMANAC_DATA_DIR,
    demo: settings.ALMANAC_DEMO === '1',
    clickhouseReadUrl: settings.ALMANAC_CLICKHOUSE_READ_URL || settings.ALMANAC_CLICKHOUSE_URL,
    kafka: settings.ALMANAC_KAFKA_BROKERS === '' ? undefined : kafkaOf(settings),
    schemaRegistryUrl: settings.ALMANAC_SCHEMA_REGISTRY_URL,
    redisUrl: settings.ALMANAC_REDIS_URL,
    topicPrefix: settings.ALMANAC_TOPIC_PREFIX,
    retention: {
      events: keepsEvents ? null : keptMs(settings.ALMANAC_EVENTS_RETENTION_DAYS, longestRetention.events),
      ticks: keptMs(settings.ALMANAC_TICKS_RETENTION_DAYS, longestRetention.ticks),
    },
    ticksFlushMs: Number(settings.ALMANAC_TICKS_FLUSH_MS),
    archive: archiveOf(settings),
    tables: { readers: listIn(settings.ALMANAC_TABLES), secret: settings.ALMANAC_TABLES_SECRET },
    embed: { figures: listIn(settings.ALMANAC_EMBED), ancestors: listIn(settings.ALMANAC_EMBED_ANCESTORS) },
    fredApiKey: settings.ALMANAC_FRED_API_KEY,
    contact: settings.ALMANAC_CONTACT,
    comtradeApiKey: settings.ALMANAC_COMTRADE_API_KEY,
    feed: {
      url: settings.ALMANAC_FEED_URL,
      token: settings.ALMANAC_FEED_TOKEN,
      subscribe: settings.ALMANAC_FEED_SUBSCRIBE,
    },
    schedule: settings.ALMANAC_SCHEDULE === '' ? settings.ALMANAC_DEMO === '0' : settings.ALMANAC_SCHEDULE === '1',
    admin: {
      host: settings.ALMANAC_ADMIN_HOST,
      port: Number(settings.ALMANAC_ADMIN_PORT),
      token: settings.ALMANAC_ADMIN_TOKEN,
    },
    logLevel: settings.ALMANAC_LOG_LEVEL,
  })
}

const listIn = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

/**
 * Whether a node with these settings simulates prices. If another node simulates them, only their quotes tell.
 */
export const isSimulatorFed = ({ demo, feed, roles }: Pick<Config, 'demo' | 'feed' | 'roles'>): boolean =>
  demo && feed.url === '' && roles.includes('ingest')

const portsOf = (chosen: readonly Role[], settings: Values) => ({
  roles: chosen,
  host: settings.ALMANAC_HOST,
  httpPort: Number(settings.ALMANAC_HTTP_PORT),
  streamPort: Number(settings.ALMANAC_STREAM_PORT),
  storePort: Number(settings.ALMANAC_STORE_PORT),
  sql: { host: settings.ALMANAC_SQL_HOST, port: Number(settings.ALMANAC_SQL_PORT) },
  clickhouseUrl: settings.ALMANAC_CLICKHOUSE_URL,
  admin: { host: settings.ALMANAC_ADMIN_HOST, port: Number(settings.ALMANAC_ADMIN_PORT) },
})

const archiveOf = ({ ALMANAC_ARCHIVE: address, ALMANAC_ARCHIVE_RETENTION_DAYS: days, ...settings }: Values) =>
  address === ''
    ? undefined
    : {
        address,
        sealMs: Number(settings.ALMANAC_ARCHIVE_SEAL_SECONDS) * 1_000,
        retentionMs: days === '' ? null : keptMs(days, longestRetention.events),
      }

function faultsOfRoles(chosen: readonly string[], { ALMANAC_CLICKHOUSE_URL, ALMANAC_ARCHIVE }: Values): string[] {
  const faults = chosen
    .filter((role) => !(roles as readonly string[]).includes(role))
    .map((role) => `ALMANAC_ROLES: unknown role ${role}; the roles are ${roles.join(', ')}`)
  const asks = chosen.filter((role) => role === 'projections' || role === 'api')
  if (asks.length > 0 && !chosen.includes('store') && !ALMANAC_CLICKHOUSE_URL) {
    faults.push(`ALMANAC_ROLES: ${asks.join(' and ')} without store need ALMANAC_CLICKHOUSE_URL`)
  }
  if (chosen.every((role) => role === 'archive') && chosen.length > 0 && !ALMANAC_ARCHIVE) {
    faults.push('ALMANAC_ROLES: archive needs ALMANAC_ARCHIVE')
  }
  if (chosen.length === 0) faults.push(`ALMANAC_ROLES is empty; name one or more of ${roles.join(', ')}`)
  return faults
}

/** Settings that do nothing without another one, and are refused then, in the order of `infra/settings.ts`. */
const needed = [
  ['ALMANAC_CLICKHOUSE_READ_URL', 'ALMANAC_CLICKHOUSE_URL'],
  ['ALMANAC_KAFKA_TLS', 'ALMANAC_KAFKA_BROKERS'],
  ['ALMANAC_KAFKA_SASL', 'ALMANAC_KAFKA_BROKERS'],
  ['ALMANAC_ARCHIVE_SEAL_SECONDS', 'ALMANAC_ARCHIVE'],
  ['ALMANAC_ARCHIVE_RETENTION_DAYS', 'ALMANAC_ARCHIVE'],
  ['ALMANAC_TABLES', 'ALMANAC_ARCHIVE'],
  ['ALMANAC_TABLES_SECRET', 'ALMANAC_TABLES'],
  ['ALMANAC_EMBED_ANCESTORS', 'ALMANAC_EMBED'],
  ['ALMANAC_FEED_TOKEN', 'ALMANAC_FEED_URL'],
  ['ALMANAC_FEED_SUBSCRIBE', 'ALMANAC_FEED_URL'],
] as const

/** These settings are refused where they do nothing, because whoever set them counts on them. */
function faultsOfUnused(settings: Values): string[] {
  const isSet = (name: keyof Values) => settings[name] !== defaults.get(name)
  const faults = needed.filter(([name, other]) => isSet(name) && !settings[other]).map((pair) => pair.join(' needs '))
  // The processes of a service get the socket of its own store as this address.
  const { ALMANAC_CLICKHOUSE_URL: url } = settings
  if (url === '' || parseSocketAddress(url)) return faults
  const ports = (['ALMANAC_STORE_PORT', 'ALMANAC_SQL_PORT'] as const).filter(isSet)
  return [
    ...faults,
    ...ports.map((name) => `${name} needs the embedded store, so ALMANAC_CLICKHOUSE_URL must be empty`),
  ]
}

const defaults = new Map(settingsTable.map((setting) => [setting.name, setting.default]))

/** Records must not expire before they are archived. The values have been checked already. */
function faultsOfSeal(settings: Values): string[] {
  const sealMs = archiveOf(settings)?.sealMs ?? 0
  const kept = [
    ['ALMANAC_TICKS_RETENTION_DAYS', longestRetention.ticks],
    ['ALMANAC_EVENTS_RETENTION_DAYS', longestRetention.events],
  ] as const
  return kept
    .filter(([name, longest]) => settings[name] !== '' && sealMs > keptMs(settings[name], longest) / 2)
    .map(
      ([name]) =>
        `ALMANAC_ARCHIVE_SEAL_SECONDS=${settings.ALMANAC_ARCHIVE_SEAL_SECONDS} must be at most half of ${name}=${settings[name]}, or records may be deleted before they are archived`,
    )
}

function faultsOfKafka(settings: Values): string[] {
  const faults: string[] = []
  const { ALMANAC_KAFKA_SASL: sasl, ALMANAC_KAFKA_USERNAME: username, ALMANAC_KAFKA_PASSWORD: password } = settings
  if (sasl !== '' && !(username && password)) {
    faults.push('ALMANAC_KAFKA_SASL needs ALMANAC_KAFKA_USERNAME and ALMANAC_KAFKA_PASSWORD')
  }
  if (sasl === '' && (username || password)) {
    faults.push('ALMANAC_KAFKA_USERNAME and ALMANAC_KAFKA_PASSWORD need ALMANAC_KAFKA_SASL')
  }
  for (const name of ['ALMANAC_KAFKA_CA_FILE', 'ALMANAC_KAFKA_CERT_FILE', 'ALMANAC_KAFKA_KEY_FILE'] as const) {
    if (settings[name] !== '' && settings.ALMANAC_KAFKA_TLS !== '1') faults.push(`${name} needs ALMANAC_KAFKA_TLS=1`)
  }
  if ((settings.ALMANAC_KAFKA_CERT_FILE === '') !== (settings.ALMANAC_KAFKA_KEY_FILE === '')) {
    faults.push('ALMANAC_KAFKA_CERT_FILE and ALMANAC_KAFKA_KEY_FILE must both be set or both be empty')
  }
  return faults
}

/** Converts days that have been checked already into ms. */
const keptMs = (days: string, longest: number): number => retentionMs(days, longest) ?? 0

function kafkaOf(settings: Values): KafkaConfig {
  const mechanism = settings.ALMANAC_KAFKA_SASL
  return {
    brokers: settings.ALMANAC_KAFKA_BROKERS.split(','),
    client: settings.ALMANAC_KAFKA_CLIENT,
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

/** Warnings to log at start, about settings that are allowed but unsafe. */
export function warningsOf({ kafka }: Pick<Config, 'kafka'>): string[] {
  const isClear = kafka?.sasl?.mechanism === 'plain' && !kafka.tls
  return isClear ? ['ALMANAC_KAFKA_SASL=plain without ALMANAC_KAFKA_TLS=1 sends the password as plain text'] : []
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
