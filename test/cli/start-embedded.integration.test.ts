import { spawnSync } from 'node:child_process'
import { chmod, chown, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { journalFaultOf } from '../../cli/journal-faults.ts'
import { loadConfig } from '../../infra/config.ts'
import { openCopySource } from '../../journal/embedded/copy-source.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { runCommand } from '../support/command.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { serviceEnvironment } from '../support/service.ts'

/** What keeps the embedded journal from being opened is said in one line, before anything is started. */
const program = join(import.meta.dirname, '../../cli/almanac.mjs')
/** Root may write everywhere, so that another user must run it. */
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534
const somebody = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

const settingsOf = (dataDir: string) => ({
  ALMANAC_HTTP_PORT: '0',
  ALMANAC_STREAM_PORT: '0',
  ALMANAC_DATA_DIR: dataDir,
})
const almanac = (dataDir: string, args: readonly string[]) => runCommand(args, settingsOf(dataDir))

/** Runs a command as a user who is not root. */
function asSomebody(dataDir: string, args: readonly string[]) {
  const env = serviceEnvironment(settingsOf(dataDir))
  const options = { ...somebody, env, encoding: 'utf8', timeout: 60_000 } as const
  const { status: code, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options)
  return { code, stdout, stderr }
}

const oneLine = (text: RegExp) => ({
  code: 2,
  stdout: '',
  stderr: expect.stringMatching(new RegExp(`^almanac: ${text.source}.*\\n$`)),
})

/** A data directory with a journal that nobody has open. */
async function dataDirectory(): Promise<string> {
  const { journal, directory } = await openEmbeddedTestJournal()
  await journal.close()
  return directory
}

describe('a start on an embedded journal that cannot be opened', () => {
  it('says where it has been moved to', async () => {
    const directory = await dataDirectory()
    const source = await openCopySource(join(directory, 'journal'))
    await source?.bind({ id: 'TEST', to: 'TEST:9092' })
    await source?.markMoved()
    await source?.close()
    expect(await almanac(directory, ['start'])).toEqual(
      oneLine(/journal \S+ was moved to TEST:9092 at .*start with those/),
    )
    expect(await readdir(directory)).not.toContain('clickhouse')
  })

  it('says that it is of another registry', async () => {
    const directory = await dataDirectory()
    const journal = await openEmbeddedJournal({ dir: join(directory, 'journal') })
    const value = Buffer.from([0, 0, 0, 3, 231, 0])
    const record = { key: null, value, timestamp: Date.now(), headers: {} }
    await journal.append({ topic: 'almanac.events', partition: 0, records: [record] })
    await journal.close()
    const says =
      /almanac\.events was written with another schema registry: .*: set ALMANAC_SCHEMA_REGISTRY_URL as it was/
    expect(await almanac(directory, ['start'])).toEqual(oneLine(says))
  })

  it('says that its data file is damaged or gone, and takes an empty one that was never closed', async () => {
    const directory = await dataDirectory()
    await writeFile(join(directory, 'journal/data.mdb'), 'TEST'.repeat(10_240))
    const says = /\S+data\.mdb is not a journal, or damaged: restore a backup of ALMANAC_DATA_DIR/
    expect(await almanac(directory, ['start'])).toEqual(oneLine(says))
    await writeFile(join(directory, 'journal/data.mdb'), '')
    const gone = /\S+data\.mdb is missing or empty, and there was a journal in it: restore a backup/
    for (const args of [['start'], ['keys', 'list']]) expect(await almanac(directory, args)).toEqual(oneLine(gone))
    await rm(join(directory, 'journal/closed'))
    expect(await almanac(directory, ['journal', 'init'])).toMatchObject({ code: 0 })
    expect(await almanac(directory, ['keys', 'list'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^there are no keys: /),
    })
  })

  it('says that the data directory is none', async () => {
    const file = join(await temporaryDirectory(), 'TEST')
    await writeFile(file, '')
    for (const args of [['start'], ['keys', 'list']])
      expect(await almanac(file, args)).toEqual(
        oneLine(/ALMANAC_DATA_DIR=\S+TEST cannot be used \(.*\): set a directory/),
      )
  })

  it('says that the data directory is a link to a place that is not there', async () => {
    const link = join(await temporaryDirectory(), 'TEST')
    await symlink(`${link}-disk`, link)
    expect(await almanac(link, ['journal', 'init'])).toEqual(
      oneLine(/ALMANAC_DATA_DIR=\S+TEST cannot be used \(ENOENT.*mkdir.*\): mount its file system for writing/),
    )
  })
})

/** Whether the user can run the program at all. */
const canRun = spawnSync(process.execPath, [program, 'help'], somebody).status === 0

describe.skipIf(!canRun)('a data directory in which the user may not write', () => {
  const says =
    /ALMANAC_DATA_DIR=\S+ cannot be used \(.*\): give the user that almanac runs as the right to read and write/

  async function ofSomebody(path: string): Promise<string> {
    if (isRoot) await chown(path, NOBODY, NOBODY)
    return path
  }

  it('is named, by all that open the journal', async () => {
    const directory = await ofSomebody(await temporaryDirectory())
    await chmod(directory, 0o500)
    for (const args of [['start'], ['journal', 'init']]) expect(asSomebody(directory, args)).toEqual(oneLine(says))
  })

  it('is named where only a file of the journal is not theirs, and as the link that was set', async () => {
    const directory = await ofSomebody(await dataDirectory())
    const link = join(await ofSomebody(await temporaryDirectory()), 'link')
    await symlink(directory, link)
    const marks = join(directory, 'journal/processes')
    for (const path of [join(directory, 'journal'), marks]) await ofSomebody(path)
    await chmod(marks, 0o500)
    await ofSomebody(join(directory, 'journal/lock.mdb'))
    await ofSomebody(join(directory, 'journal/data.mdb'))
    expect(asSomebody(link, ['keys', 'list'])).toEqual(oneLine(says))
    await chmod(marks, 0o700)
    for (const file of ['data.mdb', 'lock.mdb']) {
      await chmod(join(directory, 'journal', file), 0o400)
      expect(asSomebody(link, ['keys', 'list'])).toEqual(oneLine(says))
      await chmod(join(directory, 'journal', file), 0o600)
    }
    expect(asSomebody(link, ['keys', 'list'])).toMatchObject({ code: 0 })
  })
})

describe('a system error', () => {
  const fault = (code: string | number, path?: string) => {
    const error = Object.assign(new Error('TEST'), { code, ...(path === undefined ? {} : { path }) })
    return journalFaultOf(error, loadConfig({ ALMANAC_DATA_DIR: './TEST-data' }))
  }

  it('is of the data directory where its path is, or where LMDB says it', () => {
    for (const code of ['EROFS', 30]) {
      expect(fault(code, code === 30 ? undefined : 'TEST-data/journal')).toEqual({
        says: 'ALMANAC_DATA_DIR=./TEST-data cannot be used (TEST)',
        mend: 'mount it for writing, or set another directory',
      })
    }
    for (const code of ['ENOSPC', 28])
      expect(fault(code, code === 28 ? undefined : 'TEST-data/journal')).toMatchObject({
        says: 'no room in ALMANAC_DATA_DIR=./TEST-data (TEST)',
        passes: 'full',
      })
    expect(fault(13)?.mend).toContain('chown')
    for (const path of [undefined, '/TEST/ca.pem', 'TEST-data-2/journal']) expect(fault('EACCES', path)).toBeUndefined()
    expect(fault('ENOENT', 'TEST-data/journal')).toBeUndefined()
  })
})
