import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clientsFolder } from '../../clients/generate/artifacts.ts'
import { until } from '../support/journal.ts'
import { hasNoPython, python, pythonFolder } from '../support/python.ts'
import { randomFrom } from '../support/random.ts'
import { usaGdp, useService } from '../support/use-service.ts'

/** Number of times that each example is killed: 200 in a long run. */
const KILLS = Number(process.env.ALMANAC_TEST_KILLS ?? 4)
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)

let home: string
const own = useService(usaGdp)
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'almanac-example-'))
})
afterAll(async () => {
  await rm(home, { recursive: true, force: true })
})

/** The rows that an example must make of all events, computed from pages of REST. */
async function recomputed(): Promise<string[]> {
  const found: string[] = []
  for (let path: string | undefined = 'country=USA&family=output&limit=500'; path !== undefined; ) {
    const answer = await fetch(`${own.service.base}/v1/events?${path}`, { headers: own.headers })
    const page = (await answer.json()) as { events: Event[]; next_cursor: string; has_more: boolean }
    for (const { subject, data } of page.events)
      if (subject.startsWith('USA/gdp/')) found.push([data.period, data.released_on, data.value].join(' '))
    path = page.has_more ? `country=USA&family=output&limit=500&cursor=${page.next_cursor}` : undefined
  }
  return found
}
type Event = {
  readonly subject: string
  readonly data: { readonly period: string; readonly released_on: string; readonly value: string }
}

/** The example with the addresses of this service, and with batches so small that one run has many transactions. */
async function pythonExample(directory: string): Promise<readonly [string, string]> {
  const text = await readFile(join(pythonFolder, 'examples/gdp_revisions.py'), 'utf8')
  const file = join(directory, 'example.py')
  const changed = text
    .replace('os.environ["ALMANAC_KEY"]', `$&, url="${own.service.base}", streams_url="${own.service.streams}"`)
    .replace('families=["output"]', '$&, batch_items=2')
  expect(changed.length).toBeGreaterThan(text.length + 80)
  await writeFile(file, changed)
  return [python, file]
}

async function javascriptExample(directory: string): Promise<readonly [string, string]> {
  const text = await readFile(join(clientsFolder, 'typescript/examples/gdp-revisions.mjs'), 'utf8')
  const file = join(directory, 'example.mjs')
  const changed = text
    .replace(`'almanac-client'`, `'${join(clientsFolder, 'typescript/src/node.ts')}'`)
    .replace('key: process.env.ALMANAC_KEY', `$&, url: '${own.service.base}', streamsUrl: '${own.service.streams}'`)
    .replace(`families: ['output']`, '$&, batchItems: 2')
  expect(changed.length).toBeGreaterThan(text.length + 80)
  await writeFile(file, changed)
  return [process.execPath, file]
}

it.skipIf(hasNoPython).each([
  ['gdp_revisions.py', pythonExample, 130],
  ['gdp-revisions.mjs', javascriptExample, null],
])(`%s equals a recomputation, however often it is killed (seed ${SEED})`, async (name, prepare, interruptedCode) => {
  const random = randomFrom(SEED)
  const directory = join(home, name.replace(/\W/g, '-'))
  await mkdir(directory)
  const [command, file] = await prepare(directory)
  const start = (...args: string[]) => {
    const env = { ...process.env, ALMANAC_KEY: own.key, PYTHONPATH: join(pythonFolder, 'src'), NODE_NO_WARNINGS: '1' }
    const child = spawn(command, [file, ...args], { cwd: directory, env, stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr.on('data', (chunk) => (stderr += chunk))
    return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, stderr })) }
  }
  const expected = (await recomputed()).sort()
  expect(expected.length).toBeGreaterThan(1_000)
  const database = join(directory, 'gdp-revisions.db')
  const rows = (): string[] => {
    try {
      const db = new DatabaseSync(database, { readOnly: true })
      try {
        return db
          .prepare('SELECT * FROM revisions')
          .all()
          .map((row) => Object.values(row).join(' '))
      } finally {
        db.close()
      }
    } catch {
      return [] // There is no table yet, or it is being written.
    }
  }
  let midway = 0
  let tables = 1
  for (let kills = 0; kills < KILLS; kills++) {
    // A whole table is compared and begun again, so that every life has something to write.
    if (rows().length === expected.length) {
      expect(rows().sort()).toEqual(expected)
      await rm(database)
      tables++
    }
    const before = rows().length
    const { child, ended } = start()
    // Killed a moment after it has written something.
    await until('it has written', () => rows().length > before)
    for (const since = performance.now(), rest = random() * 8; performance.now() - since < rest; );
    child.kill('SIGKILL')
    expect(await ended).toEqual({ code: null, stderr: '' })
    if (rows().length < expected.length) midway++
  }
  expect(await start('--once').ended).toEqual({ code: 0, stderr: '' })
  expect(rows().sort()).toEqual(expected)
  console.log(`${name}: ${KILLS} kills, ${midway} of them before the end of one of ${tables} tables`)
  expect(midway).toBeGreaterThanOrEqual(KILLS / 2)

  // Two at a time: one goes on, and the other ends when it sees that. The table stays right.
  await rm(database)
  const both = await Promise.all([start('--once').ended, start('--once').ended])
  expect(both.map(({ code }) => code)).toContain(0)
  expect(await start('--once').ended).toMatchObject({ code: 0 })
  expect(rows().sort()).toEqual(expected)

  // Ctrl-C ends it quietly.
  await rm(database)
  const { child, ended } = start()
  await until('it has written', () => rows().length > 0)
  child.kill('SIGINT')
  expect(await ended).toEqual({ code: interruptedCode, stderr: '' })
})
