import { spawn } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openEmbeddedAccess } from '../../access/embedded/open.ts'
import { checkJournal } from '../../journal/embedded/check.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { Child } from './support/child.ts'

const SCRIPT = join(import.meta.dirname, 'support/damage-process.ts')
const DAMAGES = Number(process.env.ALMANAC_TEST_DAMAGES ?? 30)
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? 1)

type Fact = { readonly number: number; readonly how?: string; readonly came?: string }

/** Runs the script to its end. Resolves with what it stated, and with how it ended. */
async function run(...args: readonly string[]): Promise<{ facts: Fact[]; code: number | null; signal: string | null }> {
  const child = spawn(process.execPath, [SCRIPT, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const facts: Fact[] = []
  createInterface({ input: child.stdout }).on('line', (line) => facts.push(JSON.parse(line)))
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ facts, code, signal })))
}

/** The marks of the processes that have a journal open, this one's among them. */
async function currentMarks(dir: string): Promise<string[]> {
  const journal = await openEmbeddedJournal({ dir })
  const marks = await readdir(join(dir, 'processes'))
  await journal.close()
  await rm(join(dir, 'closed'))
  return marks.filter((name) => name.startsWith('commits'))
}

async function newJournal(): Promise<string> {
  const dir = join(await temporaryDirectory(), 'journal')
  expect((await run('make', dir)).code).toBe(0)
  return dir
}

describe('a damaged journal', () => {
  const says = `is used as it was, or said to be damaged: ${DAMAGES} damages (seed ${SEED})`
  it(says, async () => {
    const dir = await newJournal()
    const { facts, code, signal } = await run('damage', dir, join(dir, 'copies'), `${SEED}`, '0', `${DAMAGES}`)
    // A crash names the damage that caused it: the last that was begun.
    expect({ code, signal, last: facts.at(-1) }).toMatchObject({ code: 0, signal: null, last: { number: DAMAGES - 1 } })
    const came = facts.filter((fact) => fact.came !== undefined)
    const bad = came.filter((fact) => !/^right$|^DamagedFileError: |^JournalError: no_journal/.test(fact.came ?? ''))
    expect(bad.map(({ number }) => facts.filter((fact) => fact.number === number))).toEqual([])
    expect(came).toHaveLength(DAMAGES)
    // Both happen, or the test shows nothing.
    expect(came.filter((fact) => fact.came === 'right').length).toBeGreaterThan(DAMAGES / 20)
    expect(came.filter((fact) => fact.came !== 'right').length).toBeGreaterThan(DAMAGES / 5)
  })

  it('is checked unless its file is as it was closed', async () => {
    const dir = await newJournal()
    const closed = await readFile(join(dir, 'closed'), 'utf8')
    const journal = await openEmbeddedJournal({ dir })
    await journal.close()
    const again = await readFile(join(dir, 'closed'), 'utf8')
    expect(closed).toMatch(/^\d+( \d+){4}$/)
    const copy = join(dir, 'copy')
    await mkdir(copy)
    for (const name of ['data.mdb', 'closed']) await copyFile(join(dir, name), join(copy, name))
    await flip(join(copy, 'data.mdb'), 4_096 * 3 + 18)
    await expect(openEmbeddedJournal({ dir: copy })).rejects.toThrow(/is damaged, or not what it should be \(/)
    expect(await readFile(join(copy, 'closed'), 'utf8')).toBe(again)
  })

  it('is found by a check while the journal is written to, and only then', async () => {
    const dir = await newJournal()
    const journal = await openEmbeddedJournal({ dir })
    onTestFinished(() => journal.close())
    const stop = new AbortController()
    const writing = (async () => {
      const value = Buffer.alloc(500)
      while (!stop.signal.aborted)
        await journal.append({
          topic: 'many',
          partition: 0,
          records: [{ key: null, value, timestamp: 0, headers: {} }],
        })
    })()
    for (let round = 0; round < 5; round++) expect(await checkJournal(dir)).toBeGreaterThan(3_600)
    stop.abort()
    await writing
  })

  it('is not found by a check beside another process that writes', async () => {
    const dir = await newJournal()
    const journal = await openEmbeddedJournal({ dir })
    await journal.ensureTopics({ shared: { partitions: 1, cleanup: 'delete', retentionMs: null } })
    await journal.close()
    const writer = new Child(['append', dir, '1000000'])
    await writer.states('firstOffset')
    for (let round = 0; round < 20; round++) expect(await checkJournal(dir)).toBeGreaterThan(3_600)
  })

  it('is found behind the mark of a killed process of another container', async () => {
    const dir = await newJournal()
    await rm(join(dir, 'closed'))
    const [mark = ''] = (await currentMarks(dir)).map((name) => name.replace(/pid:\[\d+\]/, 'pid:[1]'))
    await writeFile(join(dir, 'processes', mark), '2'.padStart(16, '0'))
    await flip(join(dir, 'data.mdb'), 4_096 * 3 + 18)
    await expect(openEmbeddedJournal({ dir })).rejects.toThrow(/is damaged, or not what it should be \(/)
  })

  it('is another one’s file: an LMDB that is no journal', async () => {
    const dir = await temporaryDirectory()
    await (await openEmbeddedAccess(dir)).close()
    await rm(join(dir, 'closed'))
    await expect(openEmbeddedJournal({ dir })).rejects.toThrow(/it holds a database "(quota|leases)"/)
  })
})

describe('a damaged access store', () => {
  it('is said to be, with its file', async () => {
    const dir = await temporaryDirectory()
    await (await openEmbeddedAccess(dir)).close()
    for (const at of [18, 24, 4_096 + 130, 4_096 * 2 + 18, 4_096 * 3 + 20]) {
      const copy = join(dir, `${at}`)
      await mkdir(copy)
      await copyFile(join(dir, 'data.mdb'), join(copy, 'data.mdb'))
      await flip(join(copy, 'data.mdb'), at)
      const opened = openEmbeddedAccess(copy).then(async (access) => access.close().then(() => 'opened'))
      const cause = await opened.catch((error: Error) => (error.cause as Error).message)
      expect(cause).toMatch(/^opened$|\/data\.mdb is (damaged|not a journal)/)
      if (at < 4_096) expect(cause).not.toBe('opened')
    }
  })
})

async function flip(file: string, at: number): Promise<void> {
  const bytes = await readFile(file)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at)
  await writeFile(file, bytes)
}
