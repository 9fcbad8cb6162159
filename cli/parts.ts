import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Access } from '../access/access.ts'
import { openEmbeddedAccess } from '../access/embedded/open.ts'
import { AccessError } from '../access/error.ts'
import { RedisSettingsError } from '../access/redis/errors.ts'
import { openRedisAccess } from '../access/redis/open.ts'
import { parseRedisAddress, type RedisAddress, RedisAddressError } from '../base/redis/address.ts'
import { type Config, ConfigError, type KafkaConfig } from '../infra/config.ts'
import { type Log, openLog } from '../infra/log.ts'
import type { CopyTarget } from '../journal/copy.ts'
import type { SourceSide } from '../journal/copy-terms.ts'
import { openEmbeddedJournal } from '../journal/embedded/journal.ts'
import type { Journal } from '../journal/journal.ts'
import { probeBrokers } from '../journal/kafka/contact.ts'
import type { CopyRequest } from '../journal/kafka/copy-target.ts'
import type { KafkaJournalOptions } from '../journal/kafka/options.ts'
import { topicSettings } from '../journal/layout.ts'
import { localRegistry, type SchemaRegistry } from '../journal/registry.ts'
import { TypedJournal } from '../journal/typed.ts'
import { explained, explainedAccess } from './journal-faults.ts'

/** Where the parts of a deployment are, and how they are opened: the only place that picks adapters. */

/**
 * Opens the journal for a command. Creates neither a journal nor topics: a command with other settings than the service's
 * would otherwise begin a second journal that no service reads. Throws what `explained` makes of what went wrong.
 */
export const openJournal = (config: Config): Promise<TypedJournal> => open(config, { create: false })

/** As `openJournal`, but creates what is missing. `log` hears of what a Kafka client finds worth telling. */
export const openOrCreateJournal = (config: Config, log?: Log): Promise<TypedJournal> =>
  open(config, { create: true, ...(log && { log }) })

async function open(config: Config, { create, log }: { create: boolean; log?: Log }): Promise<TypedJournal> {
  const { kafka, topicPrefix, retention } = config
  try {
    const journal = kafka
      ? await openKafka(kafka, topicPrefix, create, log)
      : await openEmbeddedJournal({ dir: journalDirectory(config), create })
    try {
      return await TypedJournal.open(journal, await openRegistry(config), topicPrefix, retention, { create })
    } catch (error) {
      await journal.close()
      throw error
    }
  } catch (error) {
    throw explained(error, config)
  }
}

export const journalDirectory = (config: Config): string => join(config.dataDir, 'journal')

/** How the journal on Kafka is reached. Throws ConfigError for a file that can't be read. */
export async function kafkaOptions(kafka: KafkaConfig, prefix: string, log?: Log): Promise<KafkaJournalOptions> {
  const pem = (setting: string, file: string) =>
    readFile(file, 'utf8').catch((cause) => {
      throw new ConfigError(`${setting}=${file} cannot be read: ${(cause as Error).message}`, { cause })
    })
  const { brokers, client, sasl, caFile, certFile, keyFile } = kafka
  const files = {
    ...(caFile === '' ? {} : { ca: await pem('ALMANAC_KAFKA_CA_FILE', caFile) }),
    ...(certFile === '' ? {} : { cert: await pem('ALMANAC_KAFKA_CERT_FILE', certFile) }),
    ...(keyFile === '' ? {} : { key: await pem('ALMANAC_KAFKA_KEY_FILE', keyFile) }),
  }
  return {
    brokers,
    client,
    clientId: 'almanac',
    prefix,
    ...(kafka.tls ? { tls: Object.keys(files).length > 0 ? files : true } : {}),
    ...(sasl && { sasl }),
    ...(log && { log: (level, message, details) => log[level](details, message) }),
  }
}

/** Loaded only where it is wanted: on one machine neither client is needed. */
async function openKafka(kafka: KafkaConfig, prefix: string, create: boolean, log?: Log): Promise<Journal> {
  const options = await kafkaOptions(kafka, prefix, log)
  await probeBrokers(options)
  const { openKafkaJournal } = await import('../journal/kafka/journal.ts')
  return openKafkaJournal({ ...options, create })
}

/** Kafka as the place that a journal is copied to. Throws as `openJournal` does, and CopyRefusedError. */
export async function copyTargetOf(
  config: Config,
  kafka: KafkaConfig,
  request: Pick<CopyRequest, 'source' | 'bind'>,
): Promise<CopyTarget> {
  const { topicPrefix: prefix, retention, schemaRegistryUrl } = config
  const options = await kafkaOptions(kafka, prefix, openLog(config.logLevel, 'copy'))
  await probeBrokers(options)
  const { openCopyTarget } = await import('../journal/kafka/copy-target.ts')
  const { origin, pathname } = schemaRegistryUrl === '' ? { origin: '', pathname: '' } : new URL(schemaRegistryUrl)
  // As `journal/served-registry.ts` reads it.
  const registry = (origin + pathname).replace(/\/+$/, '')
  return openCopyTarget(options, { ...request, registry, topics: topicSettings(prefix, retention) })
}

/** See `stopCopy` of `journal/kafka/copy-target.ts`. */
export async function stopCopyAt(config: Config, kafka: KafkaConfig, source: SourceSide): Promise<void> {
  const options = await kafkaOptions(kafka, config.topicPrefix)
  await probeBrokers(options)
  const { stopCopy } = await import('../journal/kafka/copy-target.ts')
  await stopCopy(options, source)
}

export async function openRegistry({ schemaRegistryUrl: url, topicPrefix }: Config): Promise<SchemaRegistry> {
  if (url === '') return localRegistry()
  const { servedRegistry } = await import('../journal/served-registry.ts')
  return servedRegistry({ url, topicPrefix })
}

export const checkpointDirectory = (config: Config): string => join(config.dataDir, 'checkpoints')

export const accessDirectory = (config: Config): string => join(config.dataDir, 'access')

/** `warn` hears of settings of the store that weaken what is promised, and of its failures that pass. */
export async function openAccess(config: Config, warn: (message: string) => void): Promise<Access> {
  const address = redisAddress(config)
  if (!address)
    return openEmbeddedAccess(accessDirectory(config)).catch((error) => {
      throw explainedAccess(error, config)
    })
  try {
    return await openRedisAccess({ address, warn })
  } catch (error) {
    const { message, cause } = error as Error
    const why = cause instanceof Error && !message.includes(cause.message) ? `: ${cause.message}` : ''
    const says = `ALMANAC_REDIS_URL: ${message.replace('unavailable: ', '')}${why}`
    // A login that is refused stays refused until somebody mends it.
    if (error instanceof RedisSettingsError || /WRONGPASS|NOAUTH|NOPERM/.test(says)) throw new ConfigError(says)
    throw error instanceof AccessError ? new AccessError(error.code, says, { cause: error }) : error
  }
}

/** Undefined: no Redis is configured. Throws ConfigError. */
export function redisAddress({ redisUrl }: Pick<Config, 'redisUrl'>): RedisAddress | undefined {
  try {
    return redisUrl === '' ? undefined : parseRedisAddress(redisUrl)
  } catch (error) {
    throw error instanceof RedisAddressError ? new ConfigError(`ALMANAC_REDIS_URL: ${error.message}`) : error
  }
}

/** Where the parts that `/health` tells of keep their files, those that have any here. */
export const partDirectories = (config: Config) => ({
  ...(config.kafka ? {} : { journal: journalDirectory(config) }),
  ...(config.roles.includes('store') ? { read_models: join(config.dataDir, 'clickhouse') } : {}),
  ...(config.redisUrl === '' ? { access: accessDirectory(config) } : {}),
})

export const demoKeysFile = (config: Config): string => join(config.dataDir, 'demo-keys.json')

export const scheduleFile = (config: Config): string => join(config.dataDir, 'schedule')
export const sampleMarkFile = (config: Config): string => join(config.dataDir, 'sample-loaded')
