/**
 * Address of the embedded store for the processes of one machine: a Unix socket that only the service's user can reach.
 * `store.json` in the data directory, readable by that user only, holds the socket's path and the login for TCP.
 */

import { once } from 'node:events'
import { lstatSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '../base/errors.ts'
import { longestSocketPath, parseSocketAddress, socketAddress } from '../base/socket-address.ts'
import { type Config, ConfigError } from '../infra/config.ts'
import { STORE_HOST } from '../infra/listeners.ts'
import { urlOf } from '../infra/urls.ts'
import {
  assertPrivateDirectory,
  denyWritesByOthers,
  makePrivateDirectory,
  makeTemporaryDirectory,
} from '../projections/store/private-directory.ts'
import type { StoreUser } from '../projections/store/reader.ts'
import { UsageError } from './command.ts'
import { drawnSecret, writePrivately } from './drawn-secret.ts'
import { settingsToCopy } from './running-services.ts'

type StoreAddress = {
  /** For Almanac's own processes: `unix:/path/to/socket`. */
  readonly url: string
  /** For SQL clients, if ALMANAC_STORE_PORT is set. */
  readonly tcp?: Login | undefined
  /** For SQL clients that only read, on ALMANAC_SQL_PORT, else on ALMANAC_STORE_PORT. */
  readonly reader?: Login | undefined
}

type Login = { readonly url: string; readonly user: StoreUser; readonly password: string }

const SOCKET = 'store.sock'
/** Longest time that the store of a service which was killed goes on answering, ms. */
const ENDING_MS = 5_000

const addressFile = (config: Config): string => join(config.dataDir, 'store.json')
/** Files of the passwords. Deleting one and starting again makes a new password. */
const passwordFiles: Readonly<Record<StoreUser, string>> = { default: 'store-password', reader: 'reader-password' }

/**
 * Creates the directory of the store's socket and writes `store.json`. Returns the address for Almanac's processes.
 * The socket is in the data directory, unless its path would be too long, the file system has no sockets, or other users may
 * replace the directory. Then it is in a private directory under XDG_RUNTIME_DIR or the system's temporary directory, and
 * later starts use the same directory again.
 *
 * Throws ConfigError if another store still answers there after `patienceMs`.
 */
export async function announceStore(config: Config, patienceMs = ENDING_MS): Promise<string> {
  const own = join(resolve(config.dataDir), 'socket')
  const directory = (await isUsable(own, makeOwn)) ? own : await directoryElsewhere(config)
  const socket = join(directory, SOCKET)
  await awaitSilence(socket, patienceMs)
  const url = socketAddress(socket)
  const tcp = config.storePort > 0 ? await login(config, 'default', STORE_HOST, config.storePort) : undefined
  const reader = await readerLogin(config)
  const address: StoreAddress = { url, tcp, reader }
  await writePrivately(addressFile(config), `${JSON.stringify(address)}\n`)
  return url
}

/** Waits until no store answers any more. That of a service which was killed ends by itself. */
async function awaitSilence(socket: string, patienceMs: number): Promise<void> {
  const from = performance.now()
  while (await accepts(socket)) {
    if (performance.now() - from > patienceMs)
      throw new ConfigError(
        `another service uses this data directory: its store answers at ${socket}. End it, or set another ALMANAC_DATA_DIR`,
      )
    await sleep(50)
  }
}

async function accepts(socket: string): Promise<boolean> {
  const connection = createConnection(socket)
  try {
    await once(connection, 'connect')
    return true
  } catch {
    return false
  } finally {
    connection.destroy()
  }
}

function makeOwn(directory: string): void {
  denyWritesByOthers(dirname(directory))
  makePrivateDirectory(directory)
}

async function readerLogin(config: Config): Promise<Login | undefined> {
  const { sql, storePort } = config
  if (sql.port > 0) return login(config, 'reader', sql.host, sql.port)
  return storePort > 0 ? login(config, 'reader', STORE_HOST, storePort) : undefined
}

const login = async (config: Config, user: StoreUser, host: string, port: number): Promise<Login> => ({
  url: urlOf('http', host, port),
  user,
  password: await storePassword(config, user),
})

async function directoryElsewhere(config: Config): Promise<string> {
  const before = await readAddress(config).catch(() => undefined) // there is none yet, or it is unreadable
  const socket = before && parseSocketAddress(before.url)
  if (socket && (await isUsable(dirname(socket.path), assertPrivateDirectory))) return dirname(socket.path)
  const parents = [process.env.XDG_RUNTIME_DIR, tmpdir()].filter((parent) => parent !== undefined && parent !== '')
  const reasons: string[] = []
  for (const parent of parents) {
    try {
      const made = makeTemporaryDirectory(resolve(parent ?? ''), 'almanac-')
      if (await canListenIn(made)) return made
      await rm(made, { recursive: true })
      reasons.push(`${parent} (too long, or without sockets)`)
    } catch (error) {
      // XDG_RUNTIME_DIR may name a directory that the system removed after the user's last session.
      reasons.push(`${parent} (${errorMessage(error)})`)
    }
  }
  throw new UsageError(
    `no Unix socket can be made in ${config.dataDir}, ${reasons.join(', ')}: set TMPDIR to a short path that can be written`,
  )
}

async function isUsable(directory: string, check: (directory: string) => void): Promise<boolean> {
  try {
    check(directory)
  } catch {
    return false // missing, or other users can reach it: the caller takes another directory
  }
  return canListenIn(directory)
}

/** Whether the store's socket can be created there: its path is short enough, and the file system has sockets. */
async function canListenIn(directory: string): Promise<boolean> {
  if (Buffer.byteLength(join(directory, SOCKET)) > longestSocketPath) return false
  const server = createServer()
  const probe = join(directory, 'probe.sock')
  await rm(probe, { force: true })
  const { promise, resolve: settle } = Promise.withResolvers<boolean>()
  server.once('error', () => settle(false))
  server.listen(probe, () => server.close(() => settle(true)))
  return promise
}

export const storePassword = (config: Config, user: StoreUser): Promise<string> =>
  drawnSecret(join(config.dataDir, passwordFiles[user]))

const readAddress = async (config: Config): Promise<StoreAddress> =>
  // Cast: the store's process wrote the file.
  JSON.parse(await readFile(addressFile(config), 'utf8')) as StoreAddress

/**
 * Address of ClickHouse: the configured server, or the embedded store of the running service. Throws UsageError if there is
 * neither, or if another user could have created the socket.
 */
export async function clickHouseUrl(config: Config): Promise<string> {
  if (config.clickhouseUrl !== '') return config.clickhouseUrl
  const address = await readAddress(config).catch((cause) => {
    throw new UsageError(
      `no read models are running on ${resolve(config.dataDir)} (ALMANAC_DATA_DIR): ${settingsToCopy() ?? 'run `npm start` first'}, or set ALMANAC_CLICKHOUSE_URL`,
      { cause },
    )
  })
  const socket = parseSocketAddress(address.url)
  if (socket) assertOwnSocket(socket.path)
  return address.url
}

function assertOwnSocket(path: string): void {
  try {
    assertPrivateDirectory(dirname(path))
    lstatSync(path)
  } catch (cause) {
    const why = errorMessage(cause)
    throw new UsageError(`the store's socket ${path} cannot be used: ${why}. Run \`npm start\` first.`, { cause })
  }
}
