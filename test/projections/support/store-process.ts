/** Starts stores as child processes, to be asked over HTTP and killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type StoreOptions, storeThreads } from '../../../projections/store/store.ts'

const node = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url))
const main = fileURLToPath(new URL('./store-child.ts', import.meta.url))

/** A store on a TCP port, without a password unless one is given, so that tests can send requests by hand. */
export type StoreProcessOptions = StoreOptions & { readonly port?: number; readonly password?: string }

export interface StoreProcess {
  /** Address of the TCP port, without the password; of the socket where there is no port. */
  readonly url: string
  readonly pid: number
  /** How long opening took inside the process, without the start of Node; milliseconds. */
  readonly openMs: number
  /** Sends the signal and waits for the end; answers the exit code, null after SIGKILL. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/** Resolves once the store listens; rejects with what it wrote to stderr if it ends instead. */
export async function startStoreProcess({
  port = 0,
  password,
  ...options
}: StoreProcessOptions): Promise<StoreProcess> {
  const tcp = options.tcp ?? (options.socket === undefined ? { host: '127.0.0.1', port, password } : undefined)
  const child = spawn(node, [main, JSON.stringify({ ...options, tcp })], {
    env: { ...process.env, UV_THREADPOOL_SIZE: String(storeThreads) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const { url, openMs } = await firstLine(child)
  const stop = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    await ended
    return child.exitCode
  }
  return { url, openMs, pid: child.pid ?? 0, stop }
}

function firstLine(child: ChildProcess): Promise<{ url: string; openMs: number }> {
  return new Promise((resolve, reject) => {
    let [out, err] = ['', '']
    child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      if (out.includes('\n')) resolve(JSON.parse(out))
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      err += chunk.toString()
    })
    child.once('close', (code) => reject(new Error(`the store ended with ${code}: ${err}`)))
  })
}
