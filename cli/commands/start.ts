import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { errorMessage } from '../../base/errors.ts'
import { KEY_VARIABLE } from '../../contracts/key-variable.ts'
import { program } from '../../contracts/program.ts'
import { type Config, ConfigError, isSimulatorFed, loadConfig, type Role, warningsOf } from '../../infra/config.ts'
import { Lifecycle } from '../../infra/lifecycle.ts'
import { type Listener, listenersOf, settingText } from '../../infra/listeners.ts'
import { type Log, openLog, STDOUT } from '../../infra/log.ts'
import { freePort, tryPort } from '../../infra/ports.ts'
import { closeDataDirectory } from '../../infra/private-files.ts'
import { type ProcessSpec, supervise } from '../../infra/supervisor.ts'
import { hostAndPort, urlOf } from '../../infra/urls.ts'
import { type Command, print, UsageError } from '../command.ts'
import { diagnoseFiles } from '../diagnosis.ts'
import { explained } from '../journal-faults.ts'
import { demoKeysFile, openAccess, openOrCreateJournal } from '../parts.ts'
import { pidFile } from '../running-services.ts'
import { announceStore } from '../store-address.ts'

/** Exit code of `almanac` if the user must mend something. */
const WRONG_SETTINGS = 2
/** Time for stopping the children one after the other. The documents promise an exit within 10 s. */
const SHUTDOWN_MS = 9_500

export const command: Command = {
  usage: `${program} start

Runs the roles in ALMANAC_ROLES. The embedded ClickHouse store and the streams each have a process of their own, all other
roles share a third. SIGINT or SIGTERM ends the service. Data stays in ALMANAC_DATA_DIR: even after a kill, the next start
continues where the service ended.`,
  async run(args, _, env) {
    if (args.length > 0) throw new UsageError('start takes no arguments')
    const ports = await drawnPorts(env)
    const config = loadConfig({ ...env, ...ports })
    const log = openLog(config.logLevel, 'supervisor')
    const lifecycle = new Lifecycle(log, { shutdownMs: SHUTDOWN_MS })
    lifecycle.signal.addEventListener('abort', () => log.info({}, 'stopping'))
    // Registered first, so it is called last.
    lifecycle.onClose('service', () => log.info({}, 'stopped'))
    for (const warning of warningsOf(config)) log.warn({}, warning)
    closeDataDirectory(config.dataDir, (message) => log.warn({}, message))
    await takeDirectory(config)
    await refuseTakenPorts(config)
    await tryJournal(config, log)
    await tryRedis(config)
    const giveUp = () => void lifecycle.shutdown(WRONG_SETTINGS)

    const store = config.roles.includes('store') && config.clickhouseUrl === '' ? await startStore() : undefined
    const names = (['node', 'streams'] as const).filter((name) => processesOf(config.roles).has(name))
    const children = names.map((name) => supervise(child(name, { ...ports, ...store?.settings }), log, giveUp))
    lifecycle.onClose('node and streams', () => Promise.all(children.map((running) => running.stop())))
    log.info({ roles: config.roles, data_dir: config.dataDir }, 'starting')
    await Promise.all([store?.ready, ...children.map(({ ready }) => ready)])
    announce(config)
    await new Promise(() => undefined)
    return 0

    /**
     * Starts the embedded store and returns the settings that lead the other processes to it. They start beside it, and wait for
     * it where they need it.
     */
    async function startStore(): Promise<{ settings: Readonly<Record<string, string>>; ready: Promise<void> }> {
      const url = await announceStore(config)
      // The engine runs its queries on Node's thread pool: the pool bounds how many run at once.
      const store = supervise(child('store', { ALMANAC_CLICKHOUSE_URL: url, UV_THREADPOOL_SIZE: '16' }), log, giveUp)
      lifecycle.onClose('store', () => store.stop())
      // With this parameter the engine refuses to write, so no query of an API client can change data.
      const settings = { ALMANAC_CLICKHOUSE_URL: url, ALMANAC_CLICKHOUSE_READ_URL: `${url}?ch_readonly=2` }
      return { settings, ready: store.ready }
    }
  },
}

/**
 * Draws a free port in the place of each port 0 that clients connect to. The children get it as a setting, so the addresses
 * that are printed are those that they listen on.
 */
async function drawnPorts(env: NodeJS.ProcessEnv): Promise<Readonly<Record<string, string>>> {
  const drawn: Record<string, string> = {}
  for (const name of ['ALMANAC_HTTP_PORT', 'ALMANAC_STREAM_PORT'])
    if (env[name] === '0') drawn[name] = String(await freePort())
  return drawn
}

const processesOf = (roles: readonly Role[]): ReadonlySet<string> =>
  new Set(roles.map((role) => (role === 'store' || role === 'streams' ? role : 'node')))

const child = (name: 'store' | 'node' | 'streams', env: Readonly<Record<string, string>>): ProcessSpec => ({
  name,
  file: fileURLToPath(new URL(`../processes/${name}.ts`, import.meta.url)),
  args: [],
  env,
  // The store opens neither the journal nor the access store.
  ...(name === 'store' ? {} : { diagnose: diagnoseFiles }),
})

/** Creates the data directory and writes this process's id into it, because two services must not share one directory. */
async function takeDirectory(config: Config): Promise<void> {
  const { dataDir } = config
  const note = pidFile(dataDir)
  try {
    await mkdir(dataDir, { recursive: true })
    // An unreadable file names no process; writing it below reports a fault of the directory.
    const pid = Number(await readFile(note, 'utf8').catch(() => ''))
    if (pid > 0 && pid !== process.pid && runs(pid)) {
      throw new ConfigError(
        `${dataDir} is in use by the service that runs as process ${pid}: end it, or set another ALMANAC_DATA_DIR`,
      )
    }
    await writeFile(note, String(process.pid))
  } catch (cause) {
    const error = explained(cause, config)
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`ALMANAC_DATA_DIR=${dataDir} cannot be written: ${errorMessage(cause)}`, { cause })
  }
}

/** Whether the process runs and is an almanac. Without /proc, every running process is taken for one. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc/self') || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('almanac')
  } catch {
    return false
  }
}

/**
 * Opens the journal once before the processes start. If that fails, one line tells why, instead of one from each process at
 * each restart. Throws ConfigError, and `unavailable` if an engine does not answer within half a minute.
 */
async function tryJournal(config: Config, log: Log): Promise<void> {
  if (config.roles.every((role) => role === 'store')) return
  const journal = await openOrCreateJournal(config, log)
  await journal.close()
}

const NEEDS_REDIS = ['api', 'streams', 'ingest'] as const

/**
 * Opens Redis once, as `tryJournal` does the journal. If Redis is down, the processes that need it wait for it. Throws
 * ConfigError.
 */
async function tryRedis(config: Config): Promise<void> {
  if (config.redisUrl === '' || !NEEDS_REDIS.some((role) => config.roles.includes(role))) return
  try {
    const access = await openAccess(config, () => undefined)
    await access.close()
  } catch (error) {
    if (error instanceof ConfigError) throw error
  }
}

/**
 * Throws ConfigError if a port is in use. It is the most likely fault of a first start, so it is checked before anything runs.
 */
async function refuseTakenPorts(config: Config): Promise<void> {
  for (const listener of listenersOf(config)) await refuseTakenPort(listener)
}

async function refuseTakenPort(listener: Listener): Promise<void> {
  const { host, port } = listener
  await tryPort(port, host).catch(({ code, message }: NodeJS.ErrnoException) => {
    const why =
      code === 'EADDRINUSE'
        ? `is in use: end the program that listens there, or set ${settingText(listener)}`
        : `cannot be listened on (${message}): set ${settingText(listener)}`
    throw new ConfigError(`${hostAndPort(host, port)} ${why}`)
  })
}

/** Prints to standard output that the service is ready, with its addresses: as text on a terminal, else as one line of JSON. */
function announce(config: Config): void {
  if (process.stdout.isTTY) print(welcome(config))
  else openLog('info', 'supervisor', STDOUT).info({ roles: config.roles, ...addressesOf(config) }, READY)
}

const READY = 'almanac is ready'

type Addresses = Readonly<
  Partial<Record<'rest' | 'mcp' | 'streams' | 'docs' | 'health' | 'prices' | 'console', string>>
>

/** Addresses of the service, and whether its prices are simulated. Empty without the role `api`. */
function addressesOf(config: Config): Addresses {
  const { host, httpPort, streamUrl, roles } = config
  if (!roles.includes('api')) return {}
  const base = urlOf('http', host, httpPort)
  return {
    rest: `${base}/v1`,
    mcp: `${base}/mcp`,
    ...(roles.includes('streams') && { streams: `${streamUrl}/v1/{prices,events,predictions}/stream` }),
    docs: `${base}/docs`,
    health: `${base}/health`,
    ...(isSimulatorFed(config) && { prices: 'simulated, not real (ALMANAC_DEMO=1)' }),
    console: `${base}/`,
  }
}

const headings: Readonly<Record<Exclude<keyof Addresses, 'console'>, string>> = {
  rest: 'REST',
  mcp: 'MCP',
  streams: 'Streams',
  docs: 'Documentation',
  health: 'Health',
  prices: 'Prices',
}

/** What a terminal shows once the service is ready. Its last line names the console. */
export function welcome(config: Config): string {
  const { console: page, ...addresses } = addressesOf(config)
  if (page === undefined) return `\n${READY} (${config.roles.join(', ')})\n`
  const lines = ['', READY]
  for (const [name, address] of Object.entries(addresses))
    lines.push(`  ${headings[name as keyof typeof headings].padEnd(15)}${address}`)
  if (config.demo) {
    lines.push(
      '',
      `Try (the demo keys are in ${demoKeysFile(config)})`,
      `  ${readKeyCommand(demoKeysFile(config))}`,
      `  curl -s -H "Authorization: Bearer $${KEY_VARIABLE}" ${addresses.rest}/economics/USA/cpi`,
    )
  }
  const key = config.demo ? `a key of ${demoKeysFile(config)}` : 'an API key'
  lines.push('', `Console: open ${page} in a browser, and paste ${key}`)
  return `${lines.join('\n')}\n`
}

/** Shell command that reads the Pro key, as in the README. It keeps the key itself out of logs and terminals. */
export function readKeyCommand(file: string): string {
  const path = /^(?:\.\/|\/)/.test(file) ? file : `./${file}`
  if (/^[\w./-]+$/.test(path)) return `export ${KEY_VARIABLE}=$(node -p "require('${path}').pro")`
  return `export ${KEY_VARIABLE}=$(node -p 'require(require("path").resolve(process.argv[1])).pro' '${path.replaceAll("'", `'\\''`)}')`
}
