/**
 * A store as an operator runs it: its socket in a directory that is closed to others, a TCP port with passwords, and one for
 * the user `reader` alone.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { socketAddress } from '../../../base/socket-address.ts'
import { freePort } from '../../../infra/ports.ts'
import { send } from './send.ts'
import { type StoreProcess, startStoreProcess } from './store-process.ts'

export const PASSWORD = 'a password of this test'
export const READER_PASSWORD = 'the password of the reader'
export const login = { 'X-ClickHouse-Key': PASSWORD }

/**
 * Starts the store, with a row in table `t` and an empty table `bytes`, before the tests of a file, and stops it after them.
 * `tcpUrl`, `readerUrl` and `pid` exist only once the tests run. Other users may enter `home`, because what protects the store must be
 * its own doing.
 */
export function startGuardedStore() {
  const home = mkdtempSync(join(tmpdir(), 'almanac-attacks-'))
  const socket = join(home, 'socket/store.sock')
  const socketUrl = socketAddress(socket)
  const path = join(home, 'clickhouse')
  let store: StoreProcess
  let readerUrl: string

  beforeAll(async () => {
    chmodSync(home, 0o755)
    mkdirSync(join(home, 'socket'), { mode: 0o700 })
    const tcp = { host: '127.0.0.1', port: 0, password: PASSWORD }
    const readerPort = await freePort()
    const readerTcp = { host: '127.0.0.1', port: readerPort, password: READER_PASSWORD }
    store = await startStoreProcess({ path, socket, tcp, readerPassword: READER_PASSWORD, readerTcp })
    readerUrl = `http://127.0.0.1:${readerPort}`
    for (const sql of [
      'CREATE TABLE t (s String) ENGINE = MergeTree ORDER BY s',
      'CREATE TABLE bytes (b UInt8) ENGINE = MergeTree ORDER BY b',
      "INSERT INTO t VALUES ('x')",
    ])
      expect(await send(socketUrl, sql)).toMatchObject({ status: 200 })
  })
  afterAll(async () => {
    await store?.stop('SIGTERM')
    rmSync(home, { recursive: true, force: true })
  })

  return {
    home,
    path,
    socketUrl,
    get tcpUrl() {
      return store.url
    },
    get readerUrl() {
      return readerUrl
    },
    get pid() {
      return store.pid
    },
  }
}
