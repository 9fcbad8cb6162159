import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { readKeyCommand } from '../../cli/commands/start.ts'
import { markSample } from '../../cli/demo.ts'
import { closeDataDirectory } from '../../infra/private-files.ts'
import { runCommand } from '../support/command.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { almanac, startService } from '../support/service.ts'

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8)

/** Every path below a directory, itself included; the service may remove some of them while we look. */
function allBelow(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return []
  return [path, ...(found.isDirectory() ? namesIn(path) : []).flatMap((name) => allBelow(join(path, name)))]
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** As most shells have it: files are made for all to read. */
const before = process.umask(0o022)
afterAll(() => void process.umask(before))

/** Script of an unprivileged user that tries paths; each line it prints names what succeeded. */
function attemptsOfNobody(paths: readonly string[]): string {
  const attempt = `while read -r path; do
    ( : < "$path" ) 2>/dev/null && echo "read $path"
    ( : >> "$path" ) 2>/dev/null && echo "wrote $path"
    ( cd "$path" ) 2>/dev/null && echo "entered $path"
  done; ls -R "$1" 2>/dev/null; echo tried`
  const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', attempt, 'sh', paths[0] ?? ''], {
    uid: 65_534,
    gid: 65_534,
    cwd: '/',
    encoding: 'utf8',
    input: `${paths.join('\n')}\n`,
    maxBuffer: 2 ** 26,
  })
  expect(status, stderr).toBe(0)
  return stdout
}

/** A directory that all may look into, so that only the data directory itself keeps others out. */
async function openDirectory(): Promise<string> {
  const directory = await temporaryDirectory()
  chmodSync(directory, 0o755)
  return directory
}

describe.skipIf(process.geteuid?.() !== 0)('another user of the machine', () => {
  it('can list, read and write nothing of a running service, or of the commands beside it', async () => {
    const dataDir = join(await openDirectory(), 'var')
    const init = await almanac(['journal', 'init'], { ALMANAC_DATA_DIR: dataDir })
    await markSample(join(dataDir, 'sample-loaded'), init.stdout.split(' ')[1] ?? '')
    const service = await startService(dataDir)
    onTestFinished(() => service.destroy())
    const created = await almanac(['keys', 'create', '--plan', 'pro', '--owner', 'TEST'], { ALMANAC_DATA_DIR: dataDir })
    expect(created.code, created.stderr).toBe(0)
    // Neither did anything print a key to whoever reads the terminal or the log.
    const { free, basic, pro } = await service.keys()
    for (const key of [free, basic, pro]) expect(service.output()).not.toContain(key)

    const paths = allBelow(dataDir)
    for (const name of ['journal/data.mdb', 'access/data.mdb', 'clickhouse', 'demo-keys.json', 'almanac.pid']) {
      expect(paths).toContain(join(dataDir, name))
    }
    const open = paths.filter((path) => {
      // A file may be a temporary one that is gone by now.
      const found = lstatSync(path, { throwIfNoEntry: false })
      return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o077) !== 0
    })
    expect(open).toEqual([])
    expect(attemptsOfNobody(paths)).toBe('tried\n')
    expect(await service.stop()).toBe(0)
  })

  it('is kept out of the data directory of an older release, and the log says so once', async () => {
    const dataDir = join(await openDirectory(), 'var')
    const env = { ALMANAC_DATA_DIR: dataDir, ALMANAC_ROLES: 'processors', ALMANAC_DEMO: '0' }
    mkdirSync(join(dataDir, 'journal'), { recursive: true, mode: 0o755 })
    writeFileSync(join(dataDir, 'demo-keys.json'), '{}', { mode: 0o644 })
    writeFileSync(join(dataDir, 'almanac.pid'), '', { mode: 0o644 })
    expect(attemptsOfNobody([dataDir, join(dataDir, 'demo-keys.json')])).toContain('read')
    const service = await startService(dataDir, env)
    onTestFinished(() => service.destroy())
    expect(await service.stop()).toBe(0)
    expect(service.output().split('other users could reach')).toHaveLength(2)
    // As the next start does.
    const said: string[] = []
    closeDataDirectory(dataDir, (message) => said.push(message))
    expect(said).toEqual([])
    expect(['.', 'journal', 'demo-keys.json'].map((name) => modeOf(join(dataDir, name)))).toEqual(['700', '700', '600'])
    expect(attemptsOfNobody(allBelow(dataDir))).toBe('tried\n')
  })
})

describe('a data directory', () => {
  it('keeps its modes whatever command is run on it', async () => {
    const dataDir = join(await openDirectory(), 'var')
    mkdirSync(join(dataDir, 'journal'), { recursive: true, mode: 0o755 })
    writeFileSync(join(dataDir, 'almanac.pid'), '')
    for (const args of [['doctor'], ['keys', 'list'], ['journal', 'check']]) {
      await runCommand(args, { ALMANAC_DATA_DIR: dataDir })
      expect(['.', 'journal', 'almanac.pid'].map((name) => modeOf(join(dataDir, name)))).toEqual(['755', '755', '644'])
    }
  })

  it('is closed as a journal is made in it, which says so', async () => {
    const dataDir = join(await openDirectory(), 'var')
    mkdirSync(dataDir, { mode: 0o755 })
    const init = () => almanac(['journal', 'init'], { ALMANAC_DATA_DIR: dataDir, ALMANAC_KAFKA_BROKERS: '' })
    expect((await init()).stderr).toBe('')
    expect([modeOf(dataDir), modeOf(join(dataDir, 'journal'))]).toEqual(['755', '700'])
    expect((await init()).stderr).toBe(`almanac: other users could reach ${dataDir}: now only its owner can\n`)
    expect(modeOf(dataDir)).toBe('700')
  })

  it.each([
    ['another program', ['almanac.pid', 'other.txt'], '755'],
    ['no mark of ours', ['schedule'], '755'],
    ['only what is ours', ['almanac.pid', 'socket/', 'store-password', 'store.json'], '700'],
  ])('with files of %s', async (_, names, mode) => {
    const directory = await openDirectory()
    for (const name of names) {
      if (name.endsWith('/')) mkdirSync(join(directory, name))
      else writeFileSync(join(directory, name), '')
    }
    closeDataDirectory(directory, () => undefined)
    expect(modeOf(directory)).toBe(mode)
    for (const name of names.filter((name) => name !== 'other.txt'))
      expect(modeOf(join(directory, name))).toMatch(/00$/)
    if (names.includes('other.txt')) expect(modeOf(join(directory, 'other.txt'))).toBe('644')
  })

  it('that is a symbolic link stays as it is', async () => {
    const [target, link] = [await openDirectory(), join(await temporaryDirectory(), 'link')]
    writeFileSync(join(target, 'almanac.pid'), '')
    symlinkSync(target, link)
    closeDataDirectory(link, () => undefined)
    expect([modeOf(target), modeOf(join(target, 'almanac.pid'))]).toEqual(['755', '600'])
  })

  it.skipIf(process.geteuid?.() !== 0)('of another user and a group of ours keeps the bits of the group', async () => {
    const directory = await openDirectory()
    const said: string[] = []
    const close = () => closeDataDirectory(directory, (message) => said.push(message))
    chownSync(directory, 65_534, process.getegid?.() ?? 0)
    for (const mode of [0o2770, 0o2775]) {
      chmodSync(directory, mode)
      close()
      expect(statSync(directory).mode & 0o7777).toBe(mode)
    }
    chownSync(directory, 65_534, 65_534)
    chmodSync(directory, 0o770)
    close()
    const advice = (bits: string) => `other users may reach ${directory}: run chmod ${bits} on it as its owner`
    expect(said).toEqual([advice('o='), advice('go=')])
  })

  it('that users share, or that holds files of others, loses nothing but its own', async () => {
    const directory = await temporaryDirectory()
    const target = await openDirectory()
    mkdirSync(join(directory, 'access'))
    writeFileSync(join(directory, 'notes.txt'), '')
    symlinkSync(target, join(directory, 'journal'))
    chmodSync(directory, 0o1777)
    const said: string[] = []
    closeDataDirectory(directory, (message) => said.push(message))
    expect(modeOf(directory)).toBe('1777')
    expect(modeOf(join(directory, 'access'))).toBe('700')
    expect(modeOf(join(directory, 'notes.txt'))).toBe('644')
    expect(modeOf(target)).toBe('755')
    closeDataDirectory(directory, (message) => said.push(message))
    closeDataDirectory(join(directory, 'none'), (message) => said.push(message))
    expect(said).toHaveLength(1)
  })

  it.each(['var/demo-keys.json', './var/demo-keys.json', "a b'$(c)/demo-keys.json"])(
    'in %s is where the welcome reads the key from',
    async (file) => {
      const cwd = await temporaryDirectory()
      mkdirSync(join(cwd, file, '..'), { recursive: true })
      writeFileSync(join(cwd, file), '{"pro":"KEY OF THE TEST"}')
      const script = `node() { "${process.execPath}" "$@"; }; ${readKeyCommand(file)}; printf %s "$ALMANAC_KEY"`
      const { stdout, stderr } = spawnSync('/bin/sh', ['-c', script], { cwd, encoding: 'utf8' })
      expect(stdout, stderr).toBe('KEY OF THE TEST')
    },
  )
})
