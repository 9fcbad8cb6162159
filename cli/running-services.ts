import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { harmless } from './harmless.ts'

/** A service of this user on this machine, and the settings that say where its journal is. */
type RunningService = {
  readonly pid: number
  /** Absolute. */
  readonly dataDir: string
  /** Empty: its journal is embedded. */
  readonly brokers: string
  readonly topicPrefix: string
}

/** Names the process that runs on a data directory. Written by `almanac start`. */
export const pidFile = (dataDir: string): string => join(dataDir, 'almanac.pid')

/**
 * Finds the services of this user that run on this machine. A candidate is a process whose environment and working directory
 * may be read (Linux's /proc; elsewhere none is found), and that is ours: root could read all of them. It is a service only if the pid file in its data directory names it.
 */
export function runningServices(): readonly RunningService[] {
  return processIds().flatMap((pid) => {
    const service = serviceOf(pid)
    return service && isNamedBy(pidFile(service.dataDir), pid) ? [service] : []
  })
}

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    // No /proc on this system: a running service can't be named, which costs only a hint.
    return []
  }
}

/** Undefined: not an `almanac start`, ended meanwhile, or another user's. */
function serviceOf(pid: number): RunningService | undefined {
  try {
    if (statSync(`/proc/${pid}`).uid !== process.geteuid?.()) return undefined
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
    if (words.at(-1) !== 'start' || !words.some((word) => /almanac(\.ts)?$/.test(word))) return undefined
    const setting = settingsIn(readFileSync(`/proc/${pid}/environ`, 'utf8'))
    return {
      pid,
      dataDir: resolve(readlinkSync(`/proc/${pid}/cwd`), setting('ALMANAC_DATA_DIR') || './var'),
      brokers: setting('ALMANAC_KAFKA_BROKERS'),
      topicPrefix: setting('ALMANAC_TOPIC_PREFIX'),
    }
  } catch {
    // ENOENT and ESRCH: it has ended. EACCES: it is another user's.
    return undefined
  }
}

function settingsIn(environ: string): (name: string) => string {
  const settings = new Map(
    environ.split('\0').map((line) => {
      const at = line.indexOf('=')
      return [line.slice(0, at), line.slice(at + 1)] as const
    }),
  )
  return (name) => settings.get(name) ?? ''
}

function isNamedBy(file: string, pid: number): boolean {
  try {
    return Number(readFileSync(file, 'utf8')) === pid
  } catch {
    return false
  }
}

/** One word of a shell. */
const word = (text: string): string => {
  const shown = harmless(text)
  return /^[\w./:,@%+=-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`
}

/** The settings that lead to a service's journal, as one would type them. */
const settingsOf = ({ dataDir, brokers, topicPrefix }: RunningService): string =>
  [
    `ALMANAC_DATA_DIR=${word(dataDir)}`,
    ...(brokers === '' ? [] : [`ALMANAC_KAFKA_BROKERS=${word(brokers)}`]),
    ...(topicPrefix === '' ? [] : [`ALMANAC_TOPIC_PREFIX=${word(topicPrefix)}`]),
  ].join(' ')

/** Settings with which a command finds the running service; undefined: none is found. */
export function settingsToCopy(): string | undefined {
  const found = runningServices().map((service) => `${settingsOf(service)} (process ${service.pid})`)
  return found.length === 0 ? undefined : `your running service has ${found.join('; another has ')}: set the same`
}
