import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { parseSocketAddress } from '../../base/socket-address.ts'
import { UsageError } from '../../cli/command.ts'
import { announceStore, clickHouseUrl, storePassword } from '../../cli/store-address.ts'
import { ConfigError, loadConfig } from '../../infra/config.ts'
import { temporaryDirectory } from '../support/journal.ts'

afterEach(() => void vi.unstubAllEnvs())

async function configIn(dataDir: string, over: Readonly<Record<string, string>> = {}) {
  vi.stubEnv('XDG_RUNTIME_DIR', await temporaryDirectory())
  return loadConfig({ ALMANAC_DATA_DIR: dataDir, ...over })
}
const modeOf = async (path: string) => (await stat(path)).mode & 0o777
const directoryOf = (url: string) => dirname(parseSocketAddress(url)?.path ?? '')

test('directories that an earlier umask or release left open are closed', async () => {
  const dataDir = await temporaryDirectory()
  await mkdir(join(dataDir, 'socket'))
  await Promise.all([chmod(dataDir, 0o775), chmod(join(dataDir, 'socket'), 0o777)])
  await writeFile(join(dataDir, 'store.json'), '{"url":"http://127.0.0.1:1"}', { mode: 0o644 })
  const config = await configIn(dataDir)
  expect(directoryOf(await announceStore(config))).toBe(join(dataDir, 'socket'))
  expect(await Promise.all([dataDir, join(dataDir, 'socket'), join(dataDir, 'store.json')].map(modeOf))).toEqual([
    0o755, 0o700, 0o600,
  ])
  expect((await readdir(dataDir)).sort()).toEqual(['socket', 'store.json'])
})

test('a directory that users share keeps its modes', async () => {
  const dataDir = await temporaryDirectory()
  await chmod(dataDir, 0o1777)
  expect(directoryOf(await announceStore(await configIn(dataDir)))).toBe(join(dataDir, 'socket'))
  expect((await stat(dataDir)).mode & 0o7777).toBe(0o1777)
})

test('a long path has its socket under the next parent where XDG_RUNTIME_DIR is not there', async () => {
  const root = await temporaryDirectory()
  const dataDir = join(root, 'a'.repeat(100))
  await mkdir(dataDir)
  const config = await configIn(dataDir)
  vi.stubEnv('XDG_RUNTIME_DIR', join(root, 'gone'))
  vi.stubEnv('TMPDIR', root)
  expect(dirname(directoryOf(await announceStore(config)))).toBe(root)
  await rm(join(dataDir, 'store.json'))
  vi.stubEnv('TMPDIR', join(root, 'gone, too'))
  const refused = announceStore(config)
  await expect(refused).rejects.toThrow(UsageError)
  await expect(refused).rejects.toThrow(/gone \(ENOENT.*gone, too \(ENOENT.*: set TMPDIR/)
})

test('a directory elsewhere is the same at the next start, unless somebody has opened it', async () => {
  const dataDir = join(await temporaryDirectory(), 'a'.repeat(100))
  await mkdir(dataDir)
  const config = await configIn(dataDir)
  const url = await announceStore(config)
  expect(dirname(directoryOf(url))).toBe(process.env.XDG_RUNTIME_DIR)
  await writeFile(parseSocketAddress(url)?.path ?? '', '')
  expect(await announceStore(config)).toBe(url)
  await chmod(directoryOf(url), 0o777)
  await expect(clickHouseUrl(config)).rejects.toThrow(/open to other users/)
  expect(await announceStore(config)).not.toBe(url)
})

test('a symlink in place of the directory is not followed', async () => {
  const [dataDir, elsewhere] = [await temporaryDirectory(), await temporaryDirectory()]
  await symlink(elsewhere, join(dataDir, 'socket'))
  const config = await configIn(dataDir)
  const directory = directoryOf(await announceStore(config))
  expect([elsewhere, join(dataDir, 'socket')]).not.toContain(directory)
  expect(await modeOf(directory)).toBe(0o700)
  expect(await readdir(elsewhere)).toEqual([])
})

test('a path of blanks and letters beyond ASCII is found again', async () => {
  const dataDir = join(await temporaryDirectory(), 'a dir %20 ü?#')
  await mkdir(dataDir)
  const config = await configIn(dataDir)
  const url = await announceStore(config)
  expect(directoryOf(url)).toBe(join(dataDir, 'socket'))
  await writeFile(parseSocketAddress(url)?.path ?? '', '')
  expect(await clickHouseUrl(config)).toBe(url)
  expect(loadConfig({ ALMANAC_CLICKHOUSE_URL: url }).clickhouseUrl).toBe(url)
})

test('a store that still answers is waited for, and refused if it is that of another service', async () => {
  const config = await configIn(await temporaryDirectory())
  const path = parseSocketAddress(await announceStore(config))?.path ?? ''
  const other = createServer((connection) => connection.destroy()).listen(path)
  await once(other, 'listening')
  const refused = announceStore(config, 0)
  await expect(refused).rejects.toThrow(ConfigError)
  await expect(refused).rejects.toThrow(/another service uses this data directory: its store answers at .*store\.sock/)
  const announced = announceStore(config)
  other.close()
  expect(parseSocketAddress(await announced)?.path).toBe(path)
  // A socket that nobody listens on any more, as a kill leaves it.
  await writeFile(path, '')
  await announceStore(config)
})

test('a command says what keeps it from the store', async () => {
  const dataDir = await temporaryDirectory()
  const config = await configIn(dataDir)
  await expect(clickHouseUrl(config)).rejects.toThrow(
    /no read models are running .* (?:run `npm start` first|set the same), or/,
  )
  await announceStore(config)
  await expect(clickHouseUrl(config)).rejects.toThrow(/store\.sock cannot be used: ENOENT/)
  await chmod(join(dataDir, 'socket'), 0o755)
  await expect(clickHouseUrl(config)).rejects.toThrow(/open to other users: run chmod 700/)
})

test('the password is made once, for the user alone, and told only where there is a port', async () => {
  const dataDir = await temporaryDirectory()
  const config = await configIn(dataDir, { ALMANAC_STORE_PORT: '8123' })
  await announceStore(config)
  const password = await storePassword(config, 'default')
  expect(password).toMatch(/^[\w-]{32}$/)
  const tcp = { url: 'http://127.0.0.1:8123', user: 'default', password }
  expect(JSON.parse(await readFile(join(dataDir, 'store.json'), 'utf8'))).toMatchObject({ tcp })
  await chmod(join(dataDir, 'store-password'), 0o644)
  expect(await storePassword(config, 'default')).toBe(password)
  expect(await modeOf(join(dataDir, 'store-password'))).toBe(0o600)
  await announceStore(await configIn(dataDir))
  expect(JSON.parse(await readFile(join(dataDir, 'store.json'), 'utf8'))).not.toHaveProperty('tcp')
})

test('the reader is told the port of its own, else that of the store', async () => {
  const dataDir = await temporaryDirectory()
  const readerIn = async (settings: Readonly<Record<string, string>>) => {
    await announceStore(await configIn(dataDir, settings))
    return JSON.parse(await readFile(join(dataDir, 'store.json'), 'utf8')).reader
  }
  expect(await readerIn({})).toBeUndefined()
  const { password, ...reader } = await readerIn({ ALMANAC_STORE_PORT: '8123' })
  expect(reader).toEqual({ url: 'http://127.0.0.1:8123', user: 'reader' })
  expect(password).toMatch(/^[\w-]{32}$/)
  expect(password).not.toBe(await storePassword(await configIn(dataDir), 'default'))
  expect(await modeOf(join(dataDir, 'reader-password'))).toBe(0o600)
  const own = { ALMANAC_STORE_PORT: '8123', ALMANAC_SQL_PORT: '8124', ALMANAC_SQL_HOST: '::1' }
  expect(await readerIn(own)).toEqual({ url: 'http://[::1]:8124', user: 'reader', password })
})
