import { existsSync, realpathSync } from 'node:fs'
import { constants } from 'node:os'
import { resolve, sep } from 'node:path'
import { errorCode } from '../base/errors.ts'
import { DamagedFileError } from '../base/lmdb/usable-files.ts'
import { program } from '../contracts/program.ts'
import { type Config, ConfigError } from '../infra/config.ts'
import { JournalError, type JournalErrorCode } from '../journal/journal.ts'
import { KafkaFailure } from '../journal/kafka/client.ts'
import { type Contact, ContactError, type ContactState } from '../journal/kafka/contact.ts'
import { settingsToCopy } from './running-services.ts'

/** Reason why a journal cannot be opened, in words for the operator. */
type Fault = {
  /** What is wrong, with the setting, topic or address. */
  readonly says: string
  /** What to do about it. */
  readonly mend: string
  /** Error code, if no setting is wrong and a later attempt may succeed: an engine does not answer, or a disk is full. */
  readonly passes?: JournalErrorCode
}

/** Returns the reason behind an error, or undefined if there is no text for it. */
export function journalFaultOf(thrown: unknown, config: Config): Fault | undefined {
  const chain: Error[] = []
  for (let at = thrown; at instanceof Error; at = at.cause) chain.push(at)
  for (const error of chain) {
    const fault = faultOfOne(error, chain, config)
    if (fault) return fault
  }
  return undefined
}

/** Whether a damaged file of the journal or of the access store caused an error. */
export const isDamage = (thrown: unknown): boolean =>
  thrown instanceof Error && (thrown instanceof DamagedFileError || isDamage(thrown.cause))

/**
 * Returns the error to show: a ConfigError if the user must mend something, a JournalError `unavailable` or `full` if a
 * later attempt may succeed, and otherwise the error itself.
 */
export function explained(error: unknown, config: Config): unknown {
  if (error instanceof ConfigError) return error
  const fault = journalFaultOf(error, config)
  if (!fault) return error
  const text = `${fault.says}: ${fault.mend}`
  return fault.passes ? new JournalError(fault.passes, text, { cause: error }) : new ConfigError(text, { cause: error })
}

/** Does for errors of the embedded access store what `explained` does for those of the journal. */
export function explainedAccess(error: unknown, config: Config): unknown {
  // The access store throws only Errors.
  const damage = (error as Error).cause
  return damage instanceof DamagedFileError
    ? new ConfigError(`${damage.message}: ${DAMAGED_ACCESS}`, { cause: error })
    : explained(error, config)
}

const DAMAGED_ACCESS =
  'remove that directory; the next start creates it, and counts calls from zero (keys and revocations are in the journal)'

function faultOfOne(error: Error, chain: readonly Error[], config: Config): Fault | undefined {
  if (error instanceof ContactError) return ofContact(error.contact, config)
  if (error.name === 'RegistryRefusedError' || error.name === 'IncompatibleSchemaError') return ofRegistry(error)
  if (error instanceof KafkaFailure) return error.kind === 'refused' ? ofRefusal(error, config) : undefined
  if (String(errorCode(error)).startsWith('ERR_OSSL'))
    return userFault(`the TLS files for Kafka cannot be used (${error.message})`, FILES)
  const unusable = ofDataDirectory(error, config)
  if (unusable) return unusable
  const other = others[error.name]
  if (other !== undefined) return userFault(error.message, other)
  if (!(error instanceof JournalError)) return undefined
  const detail = error.message.replace(`${error.code}: `, '')
  const mend = ofJournal[error.code]
  if (mend !== undefined) return userFault(error.code.startsWith('topic_') ? `topic ${detail}` : detail, mend)
  if (error.code === 'full') return full(detail)
  if (error.code === 'no_journal') return userFault(`${detail} (${journalSettings(config)})`, adviceForMissing())
  if (error.code === 'unfinished_copy') return userFault(detail, config.kafka ? UNFINISHED_ON_KAFKA : UNFINISHED)
  if (error.code !== 'unavailable') return undefined
  if (detail.startsWith('no answer from the schema registry'))
    return away(`ALMANAC_SCHEMA_REGISTRY_URL: ${detail}`, 'start it, or correct the setting')
  const failure = chain.find((cause) => cause instanceof KafkaFailure)
  if (!failure || !config.kafka) return undefined
  const says = `ALMANAC_KAFKA_BROKERS=${config.kafka.brokers.join(',')} cannot be reached (${failure.message})`
  return away(says, 'start Kafka, or correct the setting')
}

/** Settings that say where the journal is. */
const journalSettings = ({ kafka, dataDir, topicPrefix }: Config): string =>
  kafka
    ? `ALMANAC_KAFKA_BROKERS=${kafka.brokers.join(',')}, ALMANAC_TOPIC_PREFIX=${topicPrefix}`
    : `ALMANAC_DATA_DIR=${dataDir}, ALMANAC_TOPIC_PREFIX=${topicPrefix}`

function adviceForMissing(): string {
  const create = `\`npm start\` or \`${program} journal init\` creates one with these settings`
  return `${settingsToCopy() ?? 'use the settings that the service was started with'}; ${create}`
}

const away = (says: string, mend: string): Fault => ({ says, mend, passes: 'unavailable' })
const full = (says: string): Fault => ({ says, mend: MAKE_ROOM, passes: 'full' })
const userFault = (says: string, mend: string): Fault => ({ says, mend })

const MAKE_ROOM =
  'free some space there, and run it again (what was written is kept, and is recognised if it comes again)'

const FILES =
  'ALMANAC_KAFKA_CA_FILE, ALMANAC_KAFKA_CERT_FILE and ALMANAC_KAFKA_KEY_FILE must be PEM files, the key without a password'
/** What to do about an error of the journal, by its code, where that follows from the code alone. */
const ofJournal: Readonly<Partial<Record<JournalErrorCode, string>>> = {
  topic_mismatch:
    'set cleanup.policy and message.timestamp.type with kafka-configs.sh; for another partition count set another ALMANAC_TOPIC_PREFIX, or delete the topic if none of its records are needed',
  topic_lost:
    'restore it from a backup or a mirror; if its records are not needed, create it with kafka-topics.sh, or start an empty journal with another ALMANAC_TOPIC_PREFIX',
  foreign_records:
    'delete the newer topic and restore the old one, or set another ALMANAC_TOPIC_PREFIX, or delete all topics of this prefix if none of their records are needed',
  moved: `start with those settings; if the copy was never finished, \`${program} journal copy --cancel\` opens the journal here again`,
}

const UNFINISHED = `\`${program} restore\` with the same backup continues it`
const UNFINISHED_ON_KAFKA = `\`${program} journal copy\` continues it, or \`${program} restore\` if it is that of a backup`

const NO_RIGHT =
  'give the user that almanac runs as the right to read and write everything in it (chown -R), or set another directory'
const READ_ONLY = 'mount it for writing, or set another directory'
const NO_DIRECTORY = 'set a directory'
const NO_PLACE = 'mount its file system for writing, or set another directory'

/** What to do about the data directory, by the codes of system errors in Node (names) and in LMDB (numbers). */
const ofDirectory: Readonly<Record<string, string>> = {
  EACCES: NO_RIGHT,
  EPERM: NO_RIGHT,
  EROFS: READ_ONLY,
  ENOTDIR: NO_DIRECTORY,
  EEXIST: NO_DIRECTORY,
  [constants.errno.EACCES]: NO_RIGHT,
  [constants.errno.EPERM]: NO_RIGHT,
  [constants.errno.EROFS]: READ_ONLY,
}

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', String(constants.errno.ENOSPC), String(constants.errno.EDQUOT)])

/**
 * Reason if an error concerns the data directory. LMDB's errors have a number and no path, and always concern it. Errors
 * with a path outside of it concern other settings, such as the TLS files for Kafka.
 */
function ofDataDirectory(
  { code, path, syscall, message }: NodeJS.ErrnoException,
  { dataDir }: Config,
): Fault | undefined {
  // Node says ENOENT where `mkdir` meets a link to nothing, and also where it cannot create parents because of EROFS.
  const mend = code === 'ENOENT' && syscall === 'mkdir' ? NO_PLACE : ofDirectory[String(code)]
  const isFull = NO_ROOM.has(String(code))
  const isOurs = path === undefined ? /^\d+$/.test(String(code)) : isWithin(path, dataDir)
  if (isFull && isOurs) return full(`no room in ALMANAC_DATA_DIR=${dataDir} (${message})`)
  return mend && isOurs ? userFault(`ALMANAC_DATA_DIR=${dataDir} cannot be used (${message})`, mend) : undefined
}

function isWithin(path: string, dir: string): boolean {
  const paths = [resolve(dir), existsSync(dir) ? realpathSync(dir) : resolve(dir)]
  return paths.some((directory) => `${resolve(path)}${sep}`.startsWith(`${directory}${sep}`))
}

/** What to do about an error, by its name. */
const others: Readonly<Record<string, string>> = {
  CopyRefusedError: 'docs/distributed.md#when-a-copy-is-refused says what to do',
  ForeignSchemaError:
    'upgrade to the newest release that writes to this journal; for a copy, name the registry that the journal was written with (--source-registry)',
  DamagedFileError: `restore a backup of ALMANAC_DATA_DIR, or set another directory to start with an empty journal; \`${program} journal check\` checks all of it`,
  OtherRegistryError: `set ALMANAC_SCHEMA_REGISTRY_URL as it was; only \`${program} journal copy\` changes the registry of a journal`,
}

const certificateFiles = 'ALMANAC_KAFKA_CERT_FILE and ALMANAC_KAFKA_KEY_FILE'

function ofContact({ broker, state, detail }: Contact, { kafka }: Config): Fault {
  const because = detail === '' ? '' : ` (${detail})`
  const faults: Readonly<Record<Exclude<ContactState, 'answers' | 'away'>, readonly [string, string]>> = {
    'wants TLS': ['requires TLS', 'set ALMANAC_KAFKA_TLS=1, or name a port without TLS in ALMANAC_KAFKA_BROKERS'],
    'has no TLS': ['does not use TLS', 'set ALMANAC_KAFKA_TLS=0, or name a port with TLS in ALMANAC_KAFKA_BROKERS'],
    untrusted: [
      `has a certificate of an authority that is not trusted${because}`,
      `${kafka?.caFile ? `ALMANAC_KAFKA_CA_FILE=${kafka.caFile}` : 'ALMANAC_KAFKA_CA_FILE'} must name the PEM file of the authority that signed it`,
    ],
    'other host': [
      `has a certificate for another host${because}`,
      'use in ALMANAC_KAFKA_BROKERS the host name that its certificate has',
    ],
    'wants a certificate': kafka?.certFile
      ? [
          `does not accept the client certificate${because}`,
          `${certificateFiles} must be signed by an authority that it trusts`,
        ]
      : [`requires a client certificate${because}`, `set ${certificateFiles}`],
    'wants a login': [
      'closes the connection at the first request, as brokers do that require a login',
      'set ALMANAC_KAFKA_SASL, ALMANAC_KAFKA_USERNAME and ALMANAC_KAFKA_PASSWORD',
    ],
  }
  const [says, mend] = faults[state as keyof typeof faults]
  return userFault(`Kafka broker ${broker} ${says}`, mend)
}

function ofRegistry({ name, message }: Error): Fault {
  const mend =
    name === 'RegistryRefusedError'
      ? 'correct the address, or the login in it (http://user:password@host/…)'
      : 'set another ALMANAC_TOPIC_PREFIX, or delete the subject if no record was written with it'
  return userFault(`ALMANAC_SCHEMA_REGISTRY_URL: ${message.replaceAll('\n', ' ')}`, mend)
}

function ofRefusal({ type, message }: KafkaFailure, { kafka }: Config): Fault | undefined {
  const { mechanism = '', username = '' } = kafka?.sasl ?? {}
  if (type === 'SASL_AUTHENTICATION_FAILED')
    return userFault(
      `Kafka refuses the login of ALMANAC_KAFKA_USERNAME=${username} with ALMANAC_KAFKA_SASL=${mechanism}`,
      'check ALMANAC_KAFKA_PASSWORD, and that Kafka knows the user for this mechanism',
    )
  if (type === 'ILLEGAL_SASL_STATE' || type === 'UNSUPPORTED_SASL_MECHANISM')
    return userFault(
      `ALMANAC_KAFKA_SASL=${mechanism} is not offered by ${kafka?.brokers.join(',')}`,
      'set a mechanism that this port offers, or name the right port in ALMANAC_KAFKA_BROKERS',
    )
  if (!type.endsWith('AUTHORIZATION_FAILED')) return undefined
  return userFault(
    `ALMANAC_KAFKA_USERNAME=${username} lacks a right in Kafka (${message})`,
    'docs/distributed.md#kafka lists the rights that Almanac needs',
  )
}
