import { existsSync, realpathSync } from 'node:fs'
import { constants } from 'node:os'
import { resolve, sep } from 'node:path'
import { DamagedFileError } from '../base/lmdb/usable-files.ts'
import { program } from '../contracts/program.ts'
import { type Config, ConfigError } from '../infra/config.ts'
import { JournalError, type JournalErrorCode } from '../journal/journal.ts'
import { KafkaFailure } from '../journal/kafka/client.ts'
import { type Contact, ContactError, type ContactState } from '../journal/kafka/contact.ts'
import { settingsToCopy } from './running-services.ts'

/** What keeps a journal from being opened, in words for whoever runs the service. */
type Fault = {
  /** What was found, with the setting, the topic or the address that it was found at. */
  readonly says: string
  readonly mend: string
  /** No setting is wrong: an engine doesn't answer, or a disk is full. It may go well later. */
  readonly passes?: JournalErrorCode
}

/** Undefined: none that we have words for. */
export function journalFaultOf(thrown: unknown, config: Config): Fault | undefined {
  const chain: Error[] = []
  for (let at = thrown; at instanceof Error; at = at.cause) chain.push(at)
  for (const error of chain) {
    const fault = faultOfOne(error, chain, config)
    if (fault) return fault
  }
  return undefined
}

/** Whether a damaged file of the journal or of the access store is behind an error. */
export const isDamage = (thrown: unknown): boolean =>
  thrown instanceof Error && (thrown instanceof DamagedFileError || isDamage(thrown.cause))

/** As the error to be shown: ConfigError for what the user must mend, JournalError `unavailable` for an engine away. */
export function explained(error: unknown, config: Config): unknown {
  if (error instanceof ConfigError) return error
  const fault = journalFaultOf(error, config)
  if (!fault) return error
  const text = `${fault.says}: ${fault.mend}`
  return fault.passes ? new JournalError(fault.passes, text, { cause: error }) : new ConfigError(text, { cause: error })
}

/** As `explained`, of the embedded access store. */
export function explainedAccess(error: unknown, config: Config): unknown {
  const damage = (error as Error).cause
  return damage instanceof DamagedFileError
    ? new ConfigError(`${damage.message}: ${DAMAGED_ACCESS}`, { cause: error })
    : explained(error, config)
}

const DAMAGED_ACCESS =
  'remove that directory; it is made anew, and counts of calls begin anew with it (keys and revocations are in the journal)'

function faultOfOne(error: Error, chain: readonly Error[], config: Config): Fault | undefined {
  if (error instanceof ContactError) return ofContact(error.contact, config)
  if (error.name === 'RegistryRefusedError' || error.name === 'IncompatibleSchemaError') return ofRegistry(error)
  if (error instanceof KafkaFailure) return error.kind === 'refused' ? ofRefusal(error, config) : undefined
  if (String((error as NodeJS.ErrnoException).code).startsWith('ERR_OSSL'))
    return theirs(`Kafka's TLS files can't be used (${error.message})`, FILES)
  const unusable = ofDataDirectory(error, config)
  if (unusable) return unusable
  const other = others[error.name]
  if (other !== undefined) return theirs(error.message, other)
  if (!(error instanceof JournalError)) return undefined
  const detail = error.message.replace(`${error.code}: `, '')
  if (error.code === 'topic_mismatch') return theirs(`topic ${detail}`, OTHER_TOPIC)
  if (error.code === 'topic_lost') return theirs(`topic ${detail}`, LOST_TOPIC)
  if (error.code === 'foreign_records') return theirs(detail, FOREIGN_RECORDS)
  if (error.code === 'full') return full(detail)
  if (error.code === 'no_journal') return theirs(`${detail} (${placeSetting(config)})`, mendOfMissing())
  if (error.code === 'moved') return theirs(detail, MOVED)
  if (error.code === 'unfinished_copy') return theirs(detail, `\`${program} journal copy\` goes on with it`)
  if (error.code !== 'unavailable') return undefined
  if (detail.startsWith('no answer from the schema registry'))
    return away(`ALMANAC_SCHEMA_REGISTRY_URL: ${detail}`, 'start it, or correct the setting')
  const failure = chain.find((cause) => cause instanceof KafkaFailure)
  if (!failure || !config.kafka) return undefined
  const says = `ALMANAC_KAFKA_BROKERS=${config.kafka.brokers.join(',')} can't be reached (${failure.message})`
  return away(says, 'start Kafka, or correct the setting')
}

/** The settings that said where to look. */
const placeSetting = ({ kafka, dataDir, topicPrefix }: Config): string =>
  kafka
    ? `ALMANAC_KAFKA_BROKERS=${kafka.brokers.join(',')}, ALMANAC_TOPIC_PREFIX=${topicPrefix}`
    : `ALMANAC_DATA_DIR=${dataDir}, ALMANAC_TOPIC_PREFIX=${topicPrefix}`

function mendOfMissing(): string {
  const create = `\`npm start\` or \`${program} journal init\` creates one with these settings`
  return `${settingsToCopy() ?? 'set what the service is started with'}; ${create}`
}

const away = (says: string, mend: string): Fault => ({ says, mend, passes: 'unavailable' })
const full = (says: string): Fault => ({ says, mend: MAKE_ROOM, passes: 'full' })
const theirs = (says: string, mend: string): Fault => ({ says, mend })

const MAKE_ROOM = 'make room there, and run it again (what was written is kept; what is read again is recognised)'

const FILES =
  'ALMANAC_KAFKA_CA_FILE, ALMANAC_KAFKA_CERT_FILE and ALMANAC_KAFKA_KEY_FILE must be PEM, the key without a password'
const OTHER_TOPIC =
  'cleanup.policy and message.timestamp.type can be set with kafka-configs.sh, a partition count never changes; set another ALMANAC_TOPIC_PREFIX, or delete the topic if nothing in it is wanted'

const LOST_TOPIC =
  'bring it back from a backup or a mirror; where its records may be lost, make it with kafka-topics.sh, or begin anew with another ALMANAC_TOPIC_PREFIX'

const FOREIGN_RECORDS =
  'delete the new one and bring back the old one; set another ALMANAC_TOPIC_PREFIX; or delete all topics of this prefix if nothing in them is wanted'

const MOVED = `start with those settings; where the copy was never finished, \`${program} journal copy --cancel\` opens it here again`

const NO_RIGHT = 'let the user that almanac runs as read and write all that is in it (chown -R), or set another'
const READ_ONLY = 'mount it so that it can be written, or set another'
const NO_DIRECTORY = 'set a directory'

/** By the codes of system errors, as Node and as LMDB have them, what to do about the data directory. */
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

/** LMDB names no path and opens nothing outside; other files, Kafka's for one, have settings of their own. */
function ofDataDirectory({ code, path, message }: NodeJS.ErrnoException, { dataDir }: Config): Fault | undefined {
  const mend = ofDirectory[String(code)]
  const isFull = NO_ROOM.has(String(code))
  const isOurs = path === undefined ? /^\d+$/.test(String(code)) : isWithin(path, dataDir)
  if (isFull && isOurs) return full(`no room in ALMANAC_DATA_DIR=${dataDir} (${message})`)
  return mend && isOurs ? theirs(`ALMANAC_DATA_DIR=${dataDir} can't be used (${message})`, mend) : undefined
}

function isWithin(path: string, dir: string): boolean {
  const places = [resolve(dir), existsSync(dir) ? realpathSync(dir) : resolve(dir)]
  return places.some((place) => `${resolve(path)}${sep}`.startsWith(`${place}${sep}`))
}

/** By the names of errors, what to do about them. */
const others: Readonly<Record<string, string>> = {
  CopyRefusedError: 'docs/distributed.md#when-a-copy-is-refused says what to do',
  ForeignSchemaError: 'name the registry that the journal was written with (--source-registry)',
  DamagedFileError: `bring back a backup of ALMANAC_DATA_DIR, or set another to begin anew; \`${program} journal check\` looks at all of it`,
  OtherRegistryError: `set ALMANAC_SCHEMA_REGISTRY_URL as it was; a journal changes its registry by \`${program} journal copy\``,
}

const certificateFiles = 'ALMANAC_KAFKA_CERT_FILE and ALMANAC_KAFKA_KEY_FILE'

function ofContact({ broker, state, detail }: Contact, { kafka }: Config): Fault {
  const because = detail === '' ? '' : ` (${detail})`
  const faults: Readonly<Record<Exclude<ContactState, 'answers' | 'away'>, readonly [string, string]>> = {
    'wants TLS': ['wants TLS', 'set ALMANAC_KAFKA_TLS=1, or name a port without TLS in ALMANAC_KAFKA_BROKERS'],
    'has no TLS': ['speaks without TLS', 'set ALMANAC_KAFKA_TLS=0, or name a port with TLS in ALMANAC_KAFKA_BROKERS'],
    untrusted: [
      `has a certificate of an authority that isn't trusted${because}`,
      `${kafka?.caFile ? `ALMANAC_KAFKA_CA_FILE=${kafka.caFile}` : 'ALMANAC_KAFKA_CA_FILE'} must name the PEM of the one that signed it`,
    ],
    'other host': [
      `has a certificate for another host${because}`,
      'name the broker in ALMANAC_KAFKA_BROKERS as its certificate does',
    ],
    'wants a certificate': kafka?.certFile
      ? [`does not take the client certificate${because}`, `${certificateFiles} must be of an authority that it trusts`]
      : [`wants a client certificate${because}`, `set ${certificateFiles}`],
    'wants a login': [
      'ends the connection at the first question, as where a login is wanted',
      'set ALMANAC_KAFKA_SASL, ALMANAC_KAFKA_USERNAME and ALMANAC_KAFKA_PASSWORD',
    ],
  }
  const [says, mend] = faults[state as keyof typeof faults]
  return theirs(`Kafka broker ${broker} ${says}`, mend)
}

function ofRegistry({ name, message }: Error): Fault {
  const mend =
    name === 'RegistryRefusedError'
      ? 'correct the address, or the login in it (http://user:password@host/…)'
      : 'set another ALMANAC_TOPIC_PREFIX, or delete the subject if nothing was written with it'
  return theirs(`ALMANAC_SCHEMA_REGISTRY_URL: ${message.replaceAll('\n', ' ')}`, mend)
}

function ofRefusal({ type, message }: KafkaFailure, { kafka }: Config): Fault | undefined {
  const { mechanism = '', username = '' } = kafka?.sasl ?? {}
  if (type === 'SASL_AUTHENTICATION_FAILED')
    return theirs(
      `Kafka does not let in ALMANAC_KAFKA_USERNAME=${username} with ALMANAC_KAFKA_SASL=${mechanism}`,
      'check ALMANAC_KAFKA_PASSWORD, and that Kafka knows the user for this mechanism',
    )
  if (type === 'ILLEGAL_SASL_STATE' || type === 'UNSUPPORTED_SASL_MECHANISM')
    return theirs(
      `ALMANAC_KAFKA_SASL=${mechanism} is not offered by ${kafka?.brokers.join(',')}`,
      'set the mechanism that this port has, or name the right port in ALMANAC_KAFKA_BROKERS',
    )
  if (!type.endsWith('AUTHORIZATION_FAILED')) return undefined
  return theirs(
    `ALMANAC_KAFKA_USERNAME=${username} lacks a right in Kafka (${message})`,
    'docs/distributed.md#kafka names those that it needs',
  )
}
