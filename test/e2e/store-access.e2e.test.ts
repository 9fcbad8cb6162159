/** Access to the embedded store of a running service. */
import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@clickhouse/client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parseSocketAddress } from '../../base/socket-address.ts'
import { freePort } from '../../infra/ports.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { runCommand } from '../support/command.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { almanac, type Service, startService } from '../support/service.ts'

type Address = {
  readonly url: string
  readonly tcp?: { readonly url: string; readonly user: string; readonly password: string }
}
const addressIn = async (dataDir: string): Promise<Address> =>
  JSON.parse(await readFile(join(dataDir, 'store.json'), 'utf8')) as Address
const modeOf = async (path: string) => (await stat(path)).mode & 0o777
const QUIET = { ALMANAC_DEMO: '0', ALMANAC_ROLES: 'store,projections,api' }

/** Addresses that a process and its children listen on, from `ss`-like tables of the kernel. */
async function tcpPortsOf(pids: readonly number[]): Promise<string[]> {
  const owned = new Set<string>()
  for (const pid of pids) {
    // Files that are closed while they are listed make it fail; sockets that are listened on stay.
    const { stdout } = await promisify(execFile)('sh', ['-c', `ls -l /proc/${pid}/fd 2>/dev/null || true`])
    for (const [, inode = ''] of stdout.matchAll(/socket:\[(\d+)\]/g)) owned.add(inode)
  }
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8')))
  const rows = tables.flatMap((table) => table.trim().split('\n').slice(1)).map((row) => row.trim().split(/\s+/))
  return rows
    .filter(([, , , state, , , , , , inode = '']) => state === '0A' && owned.has(inode))
    .map(([, local = '']) => local)
}

describe('by default', () => {
  it('through a socket alone, which commands find and other users can’t reach', async () => {
    const dataDir = await temporaryDirectory()
    await chmod(dataDir, 0o755) // what is in it must be closed by itself
    const service = await startService(dataDir, QUIET)
    onTestFinished(() => service.destroy())
    const { url, tcp } = await addressIn(dataDir)
    const socket = parseSocketAddress(url)?.path ?? ''
    expect([dirname(socket), tcp]).toEqual([join(dataDir, 'socket'), undefined])
    const storePid = service.processes().find(({ name }) => name === 'store.ts')?.pid ?? 0
    expect(await tcpPortsOf([storePid])).toEqual([])
    expect(await modeOf(join(dataDir, 'store.json'))).toBe(0o600)
    for (const name of ['socket', 'clickhouse', 'clickhouse/spool'])
      expect(await modeOf(join(dataDir, name))).toBe(0o700)

    const health = async () => (await (await fetch(`${service.base}/health`)).json()) as Record<string, string>
    await expect.poll(health).toMatchObject({ status: 'ok', read_models: 'ok' })
    for (const command of ['verify', 'doctor']) {
      const { code, stdout, stderr } = await runCommand([command], {
        ALMANAC_DATA_DIR: dataDir,
        ...QUIET,
        ALMANAC_HTTP_PORT: new URL(service.base).port,
      })
      expect([code, stdout + stderr]).toEqual([0, expect.anything()])
    }
    const client = openClickHouse({ url })
    await client.command({ query: 'DROP TABLE quarantine SYNC' })
    await expect.poll(health).toMatchObject({ status: 'degraded', read_models: expect.stringContaining('quarantine') })
    await client.close()
  })

  it('with a long data directory through a private directory elsewhere, which commands find', async () => {
    const dataDir = join(await temporaryDirectory(), 'a-long-name-'.repeat(10))
    await mkdir(dataDir)
    const runtime = await temporaryDirectory()
    const env = { ...QUIET, ALMANAC_ROLES: 'store,projections', XDG_RUNTIME_DIR: runtime }
    const service = await startService(dataDir, env)
    onTestFinished(() => service.destroy())
    const directory = dirname(parseSocketAddress((await addressIn(dataDir)).url)?.path ?? '')
    expect([dirname(directory), await modeOf(directory)]).toEqual([runtime, 0o700])
    expect(await runCommand(['verify'], { ALMANAC_DATA_DIR: dataDir })).toMatchObject({ code: 0 })
    expect(await service.stop()).toBe(0)
  })
})

describe('with ALMANAC_STORE_PORT', () => {
  let dataDir: string
  let env: Readonly<Record<string, string>>
  let service: Service
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'almanac-store-'))
    await chmod(dataDir, 0o755)
    env = { ...QUIET, ALMANAC_STORE_PORT: String(await freePort()) }
    service = await startService(dataDir, env)
  })
  afterAll(async () => {
    await service?.destroy()
    await rm(dataDir, { recursive: true, force: true })
  })

  it.runIf(process.getuid?.() === 0)(
    'another user of the machine reads neither address nor password and can’t connect',
    async () => {
      const node = join(await temporaryDirectory(), 'node')
      await copyFile(process.execPath, node)
      await Promise.all([chmod(node, 0o755), chmod(dirname(node), 0o755)])
      const script = `
      const { readFileSync } = require('node:fs')
      const codeOf = (name) => { try { readFileSync(process.argv[1] + '/' + name); return 'read' } catch ({ code }) { return code } }
      const files = ['store.json', 'store-password', 'clickhouse/status'].map(codeOf)
      const done = (code) => { console.log(JSON.stringify([...files, code])); process.exit() }
      require('node:net').connect(process.argv[1] + '/socket/store.sock').on('connect', () => done('open')).on('error', ({ code }) => done(code))`
      const nobody = { uid: 65_534, gid: 65_534, cwd: '/' }
      const { stdout } = await promisify(execFile)(node, ['-e', script, '--', dataDir], nobody)
      expect(JSON.parse(stdout)).toEqual(['EACCES', 'EACCES', 'EACCES', 'EACCES'])
      const own = connect(join(dataDir, 'socket/store.sock'))
      await new Promise((connected) => own.once('connect', connected))
      own.destroy()
    },
  )

  it('by TCP too, with the password in store.json', async () => {
    const { tcp } = await addressIn(dataDir)
    expect(tcp?.url).toBe(`http://127.0.0.1:${env.ALMANAC_STORE_PORT}`)
    expect(await modeOf(join(dataDir, 'store-password'))).toBe(0o600)
    const login = { url: tcp?.url ?? '', username: tcp?.user ?? '' }
    const client = createClient({ ...login, password: tcp?.password ?? '' })
    expect(await client.ping({ select: true })).toEqual({ success: true })
    await client.close()
    const other = createClient({ ...login, password: 'wrong' })
    await expect(other.query({ query: 'SELECT 1' })).rejects.toMatchObject({ code: '516' })
    await other.close()

    const taken = await almanac(['start'], {
      ...env,
      ALMANAC_DATA_DIR: await temporaryDirectory(),
      ALMANAC_HTTP_PORT: String(await freePort()),
    })
    expect([taken.code, taken.stdout + taken.stderr]).toEqual([2, expect.stringMatching(/set ALMANAC_STORE_PORT/)])
  })
})
