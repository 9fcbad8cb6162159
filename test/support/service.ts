import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePorts } from '../../infra/ports.ts'
import { settingsOn, sharedServices } from './distributed.ts'
import { until } from './journal.ts'

/** The service as a user runs it: whole processes, real sockets, loopback only. */
const program = join(import.meta.dirname, '../../cli/almanac.mjs')

/** In a run on real services every data directory stands for a deployment of its own on them. */
export function serviceEnvironment(over: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const shared = sharedServices()
  const { ALMANAC_DATA_DIR: dataDir } = over
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ALMANAC_'))),
    ALMANAC_LOG_LEVEL: 'warn',
    ...(shared && dataDir !== undefined ? settingsOn(shared, dataDir) : {}),
    ...over,
  }
}

export type CommandResult = {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `almanac ARGS…` to its end; `onStart` is handed the process, so that a test can kill it. */
export function almanac(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  onStart: (child: ChildProcess) => void = () => undefined,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [program, ...args], {
    env: serviceEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  onStart(child)
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })))
}

/** Runs `almanac ARGS… | head -1` in a shell, with a real pipe. Returns the exit code of almanac. */
export async function almanacIntoHead(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const pipeline = '"$@" | head -1 >/dev/null; exit $PIPESTATUS'
  const child = spawn('bash', ['-c', pipeline, 'bash', process.execPath, program, ...args], {
    env: serviceEnvironment(env),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'close')
  return Number(code)
}

export type Service = {
  readonly base: string
  /** Address of the WebSocket streams, ws://… */
  readonly streams: string
  readonly dataDir: string
  readonly output: () => string
  /** The supervisor and every process below it. */
  processes(): { pid: number; name: string }[]
  /** SIGKILLs one process at once. */
  kill(pid: number): void
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** SIGKILLs whatever is left. */
  destroy(): Promise<void>
  /** Keys of the demo, by plan. */
  keys(): Promise<{ free: string; basic: string; pro: string; read_only: string }>
}

/** The services that this process has running. */
const running = new Set<Service>()

/** The last lines of each running service, for the report of a test that failed. */
export const lastWords = (): string =>
  Array.from(running, ({ dataDir, output }) => `${dataDir}:\n${output().split('\n').slice(-40).join('\n')}`).join('\n')

/**
 * Starts `almanac start` on a directory and waits until it says that it is ready. `descriptors`: the limit of open files of
 * each of its processes.
 */
export async function startService(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  descriptors?: number,
): Promise<Service> {
  const [freePort, freeStreamPort] = await freePorts(2)
  const { ALMANAC_HTTP_PORT: port = String(freePort), ALMANAC_STREAM_PORT: streamPort = String(freeStreamPort) } = env
  const limit = descriptors === undefined ? ':' : `ulimit -n ${descriptors}`
  const child = spawn('sh', ['-c', `${limit}; exec "$0" "$@"`, process.execPath, program, 'start'], {
    env: serviceEnvironment({
      ALMANAC_DATA_DIR: dataDir,
      ...env,
      ALMANAC_HTTP_PORT: port,
      ALMANAC_STREAM_PORT: streamPort,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const seen = new Set<number>()
  const processes = () => {
    const all = tree(child.pid ?? 0)
    for (const { pid } of all) seen.add(pid)
    return all
  }
  const service: Service = {
    base: `http://127.0.0.1:${port}`,
    streams: `ws://127.0.0.1:${streamPort}`,
    dataDir,
    output: () => output,
    processes,
    kill: (pid) => process.kill(pid, 'SIGKILL'),
    stop() {
      child.kill('SIGTERM')
      return ended
    },
    async destroy() {
      processes()
      const ours = () => [...seen].filter(isOurs)
      for (const pid of ours()) process.kill(pid, 'SIGKILL')
      await until('all processes are gone', () => ours().length === 0)
      running.delete(service)
    },
    keys: async () => JSON.parse(await readFile(join(dataDir, 'demo-keys.json'), 'utf8')),
  }
  running.add(service)
  let exited: number | null | undefined
  void ended.then((code) => (exited = code))
  await until('the service is ready', () => {
    if (exited !== undefined) throw new Error(`the service ended with ${exited}: ${output}`)
    return output.includes('almanac is ready')
  }).catch(async (cause) => {
    await service.destroy()
    throw new Error(`the service did not start: ${output}`, { cause })
  })
  // Whoever names a Kafka, or none, does so on purpose.
  if (sharedServices() && !('ALMANAC_KAFKA_BROKERS' in env) && existsSync(join(dataDir, 'journal'))) {
    await service.destroy()
    throw new Error('a run on real services shows nothing where the embedded journal is used')
  }
  return service
}

/** Whether a process still runs and is the program. The system may have given its id to another one. */
const isOurs = (pid: number): boolean => !isZombie(pid) && look(`/proc/${pid}/cmdline`).includes('/cli/')

/** A process and all below it, from /proc; what ends while we look is not there. */
function tree(root: number): { pid: number; name: string }[] {
  if (isZombie(root)) return []
  const name = look(`/proc/${root}/cmdline`)
    .split('\0')
    .find((word) => /\/cli\/.*\.m?[jt]s$/.test(word))
  const children = threadsOf(root).flatMap((task) =>
    look(`/proc/${root}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  )
  return [{ pid: root, name: name?.split('/').at(-1) ?? '' }, ...children.flatMap(tree)]
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function look(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Ended, if perhaps not yet collected by its parent. */
const isZombie = (pid: number): boolean => {
  const stat = look(`/proc/${pid}/stat`).replace(/\(.*\)/, '')
  return stat === '' || / Z /.test(stat)
}
