/** Entrances of the embedded store: its TCP port, its socket and the files of its directory admit nobody else. */
import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { login, startGuardedStore } from './support/guarded-store.ts'
import { send } from './support/send.ts'
import { startStoreProcess } from './support/store-process.ts'
import { until } from './support/world.ts'

const store = startGuardedStore()
const { home, path, socketUrl } = store

describe('the TCP port', () => {
  it.each([
    ['no password', {}, '516', /no password was sent.*store\.json/],
    ['a wrong password', { 'X-ClickHouse-Key': 'x' }, '516', /password is wrong.*store\.json/],
    [
      'a name that was rebound to loopback',
      { ...login, Host: 'evil.example:8123' },
      '497',
      /Host header is "evil\.example:8123"/,
    ],
    ['a name that begins like loopback', { ...login, Host: '127.0.0.1.evil.example' }, '497', /Host/],
    ['a page in a browser', { ...login, Origin: 'https://evil.example' }, '497', /browsers/],
    ['a browser’s address bar', { ...login, 'Sec-Fetch-Site': 'none' }, '497', /browsers/],
  ])('refuses %s', async (_, headers, code, says) => {
    for (const method of ['GET', 'POST']) {
      const reply = await send(store.tcpUrl, 'SELECT 1', { method, headers })
      expect(reply).toMatchObject({ status: 403, code })
      expect(reply.text).toMatch(says)
    }
  })

  it.each(['127.0.0.1', 'localhost:1', '[::1]:9', 'LOCALHOST'])('takes the Host %s', async (Host) => {
    expect(await send(store.tcpUrl, 'SELECT 1', { headers: { ...login, Host } })).toMatchObject({ status: 200 })
  })

  it('tells a client that knows no password what is wrong', async () => {
    const client = openClickHouse({ url: store.tcpUrl, password: 'wrong' })
    const failure = { code: '516', message: expect.stringContaining('password is wrong') }
    await expect(client.query({ query: 'SELECT 1' })).rejects.toMatchObject(failure)
    await client.close()
  })

  it('lets go of half-open connections, which never hold up the socket', async () => {
    const port = Number(new URL(store.tcpUrl).port)
    const halves = Array.from({ length: 300 }, () => createConnection(port, '127.0.0.1'))
    onTestFinished(() => halves.forEach((half) => void half.destroy()))
    // A refused connection may be reset, which is an end, too.
    for (const half of halves) half.resume().on('error', () => undefined)
    const ends = halves.map((half) => new Promise((resolve) => half.once('close', resolve)))
    for (const half of halves) half.write('GET /?query=SELECT+1 HTTP/1.1\r\nHo')
    for (let i = 0; i < 20; i += 1) expect(await send(socketUrl, 'SELECT 1')).toMatchObject({ status: 200 })
    await Promise.all(ends)
    expect(await send(store.tcpUrl, 'SELECT 1', { headers: login })).toMatchObject({ status: 200 })
  })
})

describe('another user of the machine', () => {
  it('finds every directory and the socket closed', () => {
    for (const directory of ['clickhouse', 'clickhouse/spool', 'socket'])
      expect([directory, statSync(join(home, directory)).mode & 0o777]).toEqual([directory, 0o700])
    expect(statSync(join(home, 'socket/store.sock')).mode & 0o777).toBe(0o600)
    const made = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(made.length).toBeGreaterThan(0)
    const open = made.filter((entry) => (statSync(join(entry.parentPath, entry.name)).mode & 0o077) !== 0)
    expect(open.map(({ name }) => name)).toEqual([])
  })

  // A user that isn't root can't become another one: then the modes above must do.
  it.runIf(process.getuid?.() === 0)('can’t connect, read or stop anything', async () => {
    const node = join(home, 'node')
    copyFileSync(process.execPath, node)
    chmodSync(node, 0o755)
    onTestFinished(() => rmSync(node))
    const script = `
      const { readdirSync, readFileSync, writeFileSync } = require('node:fs')
      const codeOf = (work) => { try { work(); return 'done' } catch ({ code }) { return code } }
      const socket = require('node:net').connect(process.argv[1] + '/socket/store.sock')
      const report = (connect) => {
        console.log(JSON.stringify({
          connect,
          list: ['clickhouse', 'clickhouse/spool', 'socket'].map((name) => codeOf(() => readdirSync(process.argv[1] + '/' + name))),
          read: codeOf(() => readFileSync(process.argv[1] + '/clickhouse/status')),
          write: codeOf(() => writeFileSync(process.argv[1] + '/clickhouse/x', '')),
          kill: codeOf(() => process.kill(Number(process.argv[2]), 'SIGTERM')),
        }))
        process.exit()
      }
      socket.on('connect', () => report('done')).on('error', ({ code }) => report(code))`
    const nobody = { uid: 65_534, gid: 65_534, cwd: '/' }
    const run = promisify(execFile)(node, ['-e', script, '--', home, String(store.pid)], nobody)
    const denied = 'EACCES'
    const list = [denied, denied, denied]
    expect(JSON.parse((await run).stdout)).toEqual({
      connect: denied,
      list,
      read: denied,
      write: denied,
      kill: 'EPERM',
    })
  })
})

describe('a store does not open', () => {
  it.each([
    ['a directory that others may enter', 0o755, /open to other users/],
    ['a directory that others may write to', 0o777, /open to other users/],
  ])('its socket in %s', async (_, mode, says) => {
    const open = join(home, 'open')
    mkdirSync(open)
    onTestFinished(() => rmSync(open, { recursive: true }))
    chmodSync(open, mode)
    await expect(startStoreProcess({ path: join(home, 'clickhouse-2'), socket: join(open, 's') })).rejects.toThrow(says)
    rmSync(join(home, 'clickhouse-2'), { recursive: true, force: true })
    expect(existsSync(join(open, 's'))).toBe(false)
  })
})

it('replaces the socket of a killed predecessor', async () => {
  const [directory, socket] = [join(home, 'clickhouse-3'), join(home, 'socket/3.sock')]
  const first = await startStoreProcess({ path: directory, socket })
  await first.stop('SIGKILL')
  expect(existsSync(socket)).toBe(true)
  const second = await startStoreProcess({ path: directory, socket })
  await until(async () => (await send(second.url, 'SELECT 1')).status === 200)
  await second.stop('SIGTERM')
  expect(existsSync(socket)).toBe(false)
  rmSync(directory, { recursive: true })
})
