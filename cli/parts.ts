import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Access } from '../access/access.ts'
import { openEmbeddedAccess } from '../access/embedded/open.ts'
import { AccessError } from '../access/error.ts'
import { RedisSettingsError } from '../access/redis/errors.ts'
import { DirectoryStore } from '../archive/directory.ts'
import type { ObjectStore } from '../archive/objects.ts'
import { errorMessage } from '../base/errors.ts'
import { parseRedisAddress, type RedisAddress, RedisAddressError } from '../base/redis/address.ts'
import { systemTime } from '../base/time.ts'
import { topicNames } from '../contracts/topics.ts'
import { historyName } from '../domain/lineage.ts'
import { type Config, ConfigError, type KafkaConfig } from '../infra/config.ts'
import { type Log, openLog } from '../infra/log.ts'
import { publisherFiles } from '../ingest/publisher-memory.ts'
import type { CopyOptions, CopyRequest, CopyTarget } from '../journal/copy.ts'
import type { SourceSide } from '../journal/copy-terms.ts'
import { openEmbeddedJournal } from '../journal/embedded/journal.ts'
import type { Journal, TopicSettings } from '../journal/journal.ts'
import { probeBrokers } from '../journal/kafka/contact.ts'
import type { KafkaJournalOptions } from '../journal/kafka/options.ts'
import { topicSettings } from '../journal/layout.ts'
import { localRegistry, type SchemaRegistry } from '../journal/registry.ts'
import { TypedJournal } from '../journal/typed.ts'
import { explained, explainedAccess } from './journal-faults.ts'
import { version } from './version.ts'

/** Locations of a deployment's parts, and the functions that open them. Adapters are picked only here. */

/**
 * Opens the journal for a command. Creates neither a journal nor topics: otherwise a command whose settings differ from the
 * service's would begin a second journal that no service reads. Throws the errors that `explained` returns.
 */
export const openJournal = (config: Config): Promise<TypedJournal> => open(config, false)

/** Runs a command's work on the journal of `openJournal`, and closes that. */
export async function withJournal<T>(config: Config, work: (journal: TypedJournal) => Promise<T>): Promise<T> {
  const journal = await openJournal(config)
  try {
    return await work(journal)
  } finally {
    await journal.close()
  }
}

/** Opens the journal as `openJournal` does, but creates what is missing. A Kafka client writes its messages to `log`. */
export const openOrCreateJournal = (config: Config, log?: Log): Promise<TypedJournal> => open(config, true, log)

async function open(config: Config, create: boolean, log?: Log): Promise<TypedJournal> {
  const { kafka, topicPrefix, retention } = config
  try {
    const journal = kafka
      ? await openKafka(kafka, topicPrefix, create, log)
      : await openEmbeddedJournal({ dir: journalDirectory(config), create, time: systemTime })
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

/** Returns the options of the journal on Kafka. Throws ConfigError for a file that cannot be read. */
export async function kafkaOptions(kafka: KafkaConfig, prefix: string, log?: Log): Promise<KafkaJournalOptions> {
  const pem = (setting: string, file: string) =>
    readFile(file, 'utf8').catch((cause) => {
      throw new ConfigError(`${setting}=${file} cannot be read: ${errorMessage(cause)}`, { cause })
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

/** Opens the journal on Kafka. The adapter is loaded only here, because an embedded journal needs no Kafka client. */
async function openKafka(kafka: KafkaConfig, prefix: string, create: boolean, log?: Log): Promise<Journal> {
  const options = await kafkaOptions(kafka, prefix, log)
  await probeBrokers(options)
  const { openKafkaJournal } = await import('../journal/kafka/journal.ts')
  return openKafkaJournal({ ...options, create })
}

/** Opens Kafka as the target of a journal's copy. Throws CopyRefusedError and the errors of `openJournal`. */
export async function copyTargetOf(
  config: Config,
  kafka: KafkaConfig,
  request: Pick<CopyRequest, 'source' | 'begin'>,
): Promise<CopyTarget> {
  const { topicPrefix: prefix, retention } = config
  const options = await kafkaOptions(kafka, prefix, openLog(config.logLevel, 'copy'))
  await probeBrokers(options)
  const { openCopyTarget } = await import('../journal/kafka/copy-target.ts')
  return openCopyTarget(options, {
    ...request,
    registry: registryAddress(config),
    topics: topicSettings(prefix, retention),
  })
}

/** The registry's address in the form that `journal/served-registry.ts` uses; `''` for the released schemas. */
function registryAddress({ schemaRegistryUrl: url }: Config): string {
  const { origin, pathname } = url === '' ? { origin: '', pathname: '' } : new URL(url)
  return (origin + pathname).replace(/\/+$/, '')
}

/** Opens the journal that the settings name, embedded or on Kafka, as the target of a restore. Throws as `copyTargetOf`. */
export async function restoreTargetOf(
  config: Config,
  request: Pick<CopyRequest, 'source' | 'begin'>,
): Promise<CopyTarget> {
  if (config.kafka) return copyTargetOf(config, config.kafka, request)
  const { openEmbeddedCopyTarget } = await import('../journal/embedded/copy-target.ts')
  const topics = topicSettings(config.topicPrefix, config.retention)
  return openEmbeddedCopyTarget(journalDirectory(config), { ...request, registry: registryAddress(config), topics })
}

/** The topics of a copy, by their names there and here; `prefix` is that of the source. */
export function copiedTopics({ topicPrefix, retention }: Config, prefix: string): CopyOptions['topics'] {
  const settings = topicSettings(topicPrefix, retention)
  return topicNames.map((topic) => {
    const to = topicPrefix + topic
    // Cast: `topicSettings` has an entry for every topic.
    return { from: prefix + topic, to, settings: settings[to] as TopicSettings }
  })
}

/** Stops a copy on Kafka, see `stopCopy` in `journal/kafka/copy-target.ts`. */
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

/** Opens the object store at an address, of the archive or a backup. Throws ConfigError if it is none, or a bucket's access is not configured. */
export async function openObjectStore(address: string): Promise<ObjectStore> {
  if (!address.startsWith('s3://')) {
    // Another scheme would be taken for a directory.
    if (/^\w+:\/\//.test(address)) throw new ConfigError(`${address} is neither a directory nor s3://BUCKET/PREFIX`)
    return new DirectoryStore(resolve(address))
  }
  if (/[?#%]/.test(address)) throw new ConfigError(`${address} has a ?, # or %, which no place in a bucket may have`)
  const { S3Store } = await import('../archive/s3.ts')
  try {
    return S3Store.fromEnvironment(address, process.env)
  } catch (error) {
    throw error instanceof RangeError ? new ConfigError(`${address}: ${error.message}`, { cause: error }) : error
  }
}

export const checkpointDirectory = (config: Config): string => join(config.dataDir, 'checkpoints')

export const accessDirectory = (config: Config): string => join(config.dataDir, 'access')

/** Opens the access store. `warn` is called for settings of Redis that weaken a promise, and for its failures that may pass. */
export async function openAccess(config: Config, warn: (message: string) => void): Promise<Access> {
  const address = redisAddress(config)
  if (!address)
    return openEmbeddedAccess(accessDirectory(config), systemTime).catch((error) => {
      throw explainedAccess(error, config)
    })
  // Loaded only here, because without Redis nothing needs its client.
  const { openRedisAccess } = await import('../access/redis/open.ts')
  try {
    return await openRedisAccess({ address, warn, time: systemTime })
  } catch (error) {
    // The access store throws only Errors.
    const { message, cause } = error as Error
    const why = cause instanceof Error && !message.includes(cause.message) ? `: ${cause.message}` : ''
    const says = `ALMANAC_REDIS_URL: ${message.replace('unavailable: ', '')}${why}`
    // A refused login stays refused until an operator mends it, so retrying is of no use.
    if (error instanceof RedisSettingsError || /WRONGPASS|NOAUTH|NOPERM/.test(says)) throw new ConfigError(says)
    throw error instanceof AccessError ? new AccessError(error.code, says, { cause: error }) : error
  }
}

/** Returns the address of Redis, or undefined if none is configured. Throws ConfigError. */
export function redisAddress({ redisUrl }: Pick<Config, 'redisUrl'>): RedisAddress | undefined {
  try {
    return redisUrl === '' ? undefined : parseRedisAddress(redisUrl)
  } catch (error) {
    throw error instanceof RedisAddressError ? new ConfigError(`ALMANAC_REDIS_URL: ${error.message}`) : error
  }
}

/** Directories of the parts in `/health` that keep files on this machine. */
export const partDirectories = (config: Config) => ({
  ...(config.kafka ? {} : { journal: journalDirectory(config) }),
  ...(config.roles.includes('store') ? { read_models: join(config.dataDir, 'clickhouse') } : {}),
  ...(config.redisUrl === '' ? { access: accessDirectory(config) } : {}),
})

export const demoKeysFile = (config: Config): string => join(config.dataDir, 'demo-keys.json')

export const scheduleFile = (config: Config): string => join(config.dataDir, 'schedule')
export const rememberedAnswers = (config: Config) => publisherFiles(join(config.dataDir, 'publishers'))
/**
 * This machine's memory of publishers' answers, and the generation of the journal and the release that have read them: a
 * restored journal may lack what came of an answer.
 */
export const publisherMemory = (config: Config, { id, generations }: Pick<TypedJournal, 'id' | 'generations'>) => ({
  memory: rememberedAnswers(config),
  readBy: `${historyName(id, generations.at(-1)?.id)} ${version}`,
})
export const sampleMarkFile = (config: Config): string => join(config.dataDir, 'sample-loaded')
