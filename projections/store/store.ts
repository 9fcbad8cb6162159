/** The embedded store: ClickHouse's engine on a directory, behind ClickHouse's HTTP interface. */
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo, ListenOptions } from 'node:net'
import { totalmem } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { socketAddress } from '../../base/socket-address.ts'
import { openEngine } from './engine.ts'
import { refuse } from './errors.ts'
import { createFront } from './front.ts'
import { assertPrivateDirectory } from './private-directory.ts'
import { createSlots } from './slots.ts'

/**
 * Value of UV_THREADPOOL_SIZE that the process of `startStore` must have in its environment at its start. Each running
 * query holds a thread of libuv's pool, and four stay free for files, gzip and killing queries. With fewer threads,
 * queries wait for one another.
 */
export const storeThreads = 16

/** Queries of the user `reader` that run at a time. They leave the other slots to Almanac's own. */
const READER_QUERIES = 4

export interface StoreOptions {
  /** Data directory; created if absent. Only one process may use it, and a process only one directory. */
  readonly path: string
  /**
   * Path of the Unix socket to listen on, at most `longestSocketPath` bytes, in a directory of mode 0700. Replaces a
   * socket that a killed predecessor left. At least one of `socket` and `tcp` is required.
   */
  readonly socket?: string
  /** Loopback port to listen on, 0 for any free one, and the password that every request on it must have. */
  readonly tcp?: { readonly host: string; readonly port: number; readonly password: string | undefined }
  /** Password of the user `reader` on the loopback port. Without one, that user is not admitted there. */
  readonly readerPassword?: string
  /** Address for the user `reader` alone, which may be reached from elsewhere. */
  readonly readerTcp?: { readonly host: string; readonly port: number; readonly password: string }
  /** Queries at a time; more wait in a queue of `waitingQueries` for up to `waitMs`, then fail with code 202. */
  readonly runningQueries?: number
  readonly waitingQueries?: number
  readonly waitMs?: number
  /** Largest body of an INSERT, of SQL, and largest answer that isn't streamed; bytes. */
  readonly insertBytes?: number
  readonly sqlBytes?: number
  readonly wholeAnswerBytes?: number
  /** Memory limit of all queries together; bytes. Default: half of the memory of the machine or container. */
  readonly memoryBytes?: number
  /** Time for a client to read the error in a broken answer before its connection is cut; milliseconds. */
  readonly lingerMs?: number
  /** Time that `close` gives running queries before it kills them; milliseconds. */
  readonly graceMs?: number
}

interface Store {
  /** Addresses for `openClickHouse`, the TCP one without its password; undefined if the store does not listen there. */
  readonly socketUrl: string | undefined
  readonly tcpUrl: string | undefined
  readonly readerUrl: string | undefined
  /**
   * Refuses new queries, waits for running ones, kills those that exceed the grace time, and closes the directory.
   * Takes at most about 2 s longer than the grace time. Every call returns the same promise.
   */
  close(): Promise<void>
}

/**
 * Opens the directory and listens. Throws if the directory is in use or can't be read, if the port is taken, or if
 * other users can reach the socket's directory. Needs a process of its own, because it sets the umask so that only the
 * process's user can read new files.
 * An acknowledged INSERT is on disk and survives SIGKILL and power loss. Without an acknowledgement, either all rows of
 * a block are there or none.
 */
export async function startStore(options: StoreOptions): Promise<Store> {
  const path = resolve(options.path)
  // The engine reads the path of an INSERT's rows as a glob pattern, and takes one without a match for no rows.
  if (/[*?{}[\]]/.test(path)) throw new Error(`the store's path must not contain any of * ? { } [ ]: ${path}`)
  process.umask(0o077)
  mkdirSync(path, { recursive: true })
  chmodSync(path, 0o700) // an earlier release created it readable for others
  const engine = openEngine(path, options.memoryBytes ?? Math.floor(memoryHere() / 2))
  const spoolDir = join(path, 'spool')
  rmSync(spoolDir, { recursive: true, force: true }) // files of a killed predecessor; the engine's lock shows that no process uses them
  mkdirSync(spoolDir)
  const slots = createSlots({
    running: options.runningQueries ?? storeThreads - 4,
    waiting: options.waitingQueries ?? 256,
    waitMs: options.waitMs ?? 10_000,
  })
  const readerSlots = createSlots({ running: READER_QUERIES, waiting: 64, waitMs: options.waitMs ?? 10_000 })
  const limits = {
    insertBytes: options.insertBytes ?? 256 * 1024 * 1024,
    sqlBytes: options.sqlBytes ?? 16 * 1024 * 1024,
    wholeAnswerBytes: options.wholeAnswerBytes ?? 256 * 1024 * 1024,
    lingerMs: options.lingerMs ?? 5_000,
  }
  const halt = new AbortController()
  const parts = { engine, slots, readerSlots, limits, spoolDir, halt: halt.signal }
  const servers: Server[] = []
  let port: AddressInfo | undefined
  let readerPort: AddressInfo | undefined
  try {
    if (options.socket !== undefined)
      servers.push(await listenOnSocket(createFront(parts, { kind: 'socket' }), options.socket))
    if (options.tcp !== undefined) {
      const { host, port: wanted, password } = options.tcp
      const door = { kind: 'tcp', password, readerPassword: options.readerPassword } as const
      const server = await listen(createFront(parts, door), { host, port: wanted })
      servers.push(server)
      // Cast: the address of a listening TCP server is an AddressInfo.
      port = server.address() as AddressInfo
    }
    if (options.readerTcp !== undefined) {
      const { host, port: wanted, password } = options.readerTcp
      const server = await listen(createFront(parts, { kind: 'reader', readerPassword: password }), {
        host,
        port: wanted,
      })
      servers.push(server)
      // Cast: as above.
      readerPort = server.address() as AddressInfo
    }
    if (servers.length === 0) throw new Error('a store needs a socket or a TCP port to listen on')
  } catch (error) {
    for (const server of servers) server.close()
    engine.close()
    throw error
  }

  const stop = async () => {
    const closed = Promise.all(servers.map((server) => new Promise<void>((done) => server.close(() => done()))))
    readerSlots.close(refuse(236, 'The store is shutting down.'))
    slots.close(refuse(236, 'The store is shutting down.'))
    const idle = slots.idle().then(() => true)
    const within = (ms: number) => sleep(ms, false, { ref: false })
    let quiet = await Promise.race([idle, within(options.graceMs ?? 3_000)])
    if (!quiet) {
      halt.abort()
      quiet = await Promise.race([idle, within(1_500)])
    }
    // Answers that are still being sent keep their connection for another half second.
    const sweep = setInterval(() => {
      for (const server of servers) server.closeIdleConnections()
    }, 10)
    await Promise.race([closed, within(500)])
    clearInterval(sweep)
    for (const server of servers) server.closeAllConnections()
    // A query that could not be killed still uses the engine, so the engine is left open until the process ends.
    if (quiet) engine.close()
  }
  let stopping: Promise<void> | undefined
  return {
    socketUrl: options.socket === undefined ? undefined : socketAddress(options.socket),
    tcpUrl: port && urlOf(port),
    readerUrl: readerPort && urlOf(readerPort),
    close: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

const urlOf = ({ family, address, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`

/** Memory of this machine or container; bytes. */
const memoryHere = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

/** Listens on a socket of mode 0600. Replaces an existing socket: the engine's lock shows that its process is gone. */
async function listenOnSocket(server: Server, path: string): Promise<Server> {
  assertPrivateDirectory(dirname(path))
  rmSync(path, { force: true })
  await listen(server, { path })
  chmodSync(path, 0o600)
  return server
}

const listen = (server: Server, where: ListenOptions): Promise<Server> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(where, () => {
      server.off('error', reject)
      resolve(server)
    })
  })
