import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { harmless } from './harmless.ts'

/** A service that this user runs on this machine, with the settings that say where its journal is. */
type RunningService = {
  readonly pid: number
  /** Absolute path. */
  readonly dataDir: string
  /** Empty if its journal is embedded. */
  readonly brokers: string
  readonly topicPrefix: string
}

/** File with the id of the process that runs on a data directory. `almanac start` writes it. */
export const pidFile = (dataDir: string): string => join(dataDir, 'almanac.pid')

/**
 * Finds the services that this user runs on this machine, on Linux only. A candidate is a process of this user that was
 * started as `almanac start`. Processes of other users are left out even for root, which could read them. A candidate is a
 * service if the pid file in its data directory names it.
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
    // This system has no /proc. A message then cannot name the running service, which costs only a hint.
    return []
  }
}

/** Returns undefined if the process is not an `almanac start`, has ended, or belongs to another user. */
function serviceOf(pid: number): RunningService | undefined {
  try {
    if (statSync(`/proc/${pid}`).uid !== process.geteuid?.()) return undefined
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
    if (words.at(-1) !== 'start' || !words.some((word) => /almanac(\.mjs)?$/.test(word))) return undefined
    const setting = settingsIn(readFileSync(`/proc/${pid}/environ`, 'utf8'))
    return {
      pid,
      dataDir: resolve(readlinkSync(`/proc/${pid}/cwd`), setting('ALMANAC_DATA_DIR') || './var'),
      brokers: setting('ALMANAC_KAFKA_BROKERS'),
      topicPrefix: setting('ALMANAC_TOPIC_PREFIX'),
    }
  } catch {
    // ENOENT and ESRCH: the process has ended. EACCES: it belongs to another user.
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

/** Quotes a text as one word of a shell command. */
const word = (text: string): string => {
  const shown = harmless(text)
  return /^[\w./:,@%+=-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`
}

/** Settings that lead to a service's journal, as a shell command takes them. */
const settingsOf = ({ dataDir, brokers, topicPrefix }: RunningService): string =>
  [
    `ALMANAC_DATA_DIR=${word(dataDir)}`,
    ...(brokers === '' ? [] : [`ALMANAC_KAFKA_BROKERS=${word(brokers)}`]),
    ...(topicPrefix === '' ? [] : [`ALMANAC_TOPIC_PREFIX=${word(topicPrefix)}`]),
  ].join(' ')

/** Advice with the settings of the running services, or undefined if none is found. */
export function settingsToCopy(): string | undefined {
  const found = runningServices().map((service) => `${settingsOf(service)} (process ${service.pid})`)
  return found.length === 0 ? undefined : `your running service uses ${found.join('; another uses ')}: set the same`
}
