/** `almanac project` beside a journal that is written, with a real store. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import example from '../../docs/examples/gdp-revisions.ts'
import { ensureTable } from '../../projections/migrate.ts'
import { readUserLags } from '../../projections/user-lags.ts'
import { views } from '../../projections/views/index.ts'
import { type StoreProcess, startStoreProcess } from '../projections/support/store-process.ts'
import { rows } from '../projections/support/world.ts'
import { runCommand } from '../support/command.ts'
import { until } from '../support/journal.ts'
import { openDeployment } from '../support/projection-runs.ts'

const EXAMPLE = join(import.meta.dirname, '../../docs/examples/gdp-revisions.ts')
const PUBLIC = join(import.meta.dirname, '../../projections/user-projection.ts')

let home: string
let store: StoreProcess
let count = 0
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'almanac-project-'))
  store = await startStoreProcess({ path: join(home, 'store') })
})
afterAll(async () => {
  await store?.stop('SIGTERM')
  await rm(home, { recursive: true })
})
const deployment = () => openDeployment(store.url, `project_${++count}`)
type Deployment = Awaited<ReturnType<typeof deployment>>

/** What the example's pure function makes of all records, as ClickHouse shows it. */
const recomputed = async ({ records }: Deployment) =>
  (await records()).flatMap((record) => example.rows(record).map((row) => ({ ...row, value: `${row.value}` })))
const tableOf = ({ table }: Deployment) =>
  table('gdp_revisions', 'period, released_on, toString(value) AS value, series')

it('fills a table to the end, goes on where it was, and verifies and prints it', async () => {
  const world = await deployment()
  await world.write(700)
  const done = { code: 0, stderr: '', stdout: expect.stringContaining('has all records up to the end') }
  expect(await world.run([EXAMPLE, '--once'])).toMatchObject(done)
  const first = await tableOf(world)
  expect(first).toEqual(await recomputed(world))
  expect(first.length).toBe(467)
  await world.write(5)
  expect(await world.run([EXAMPLE, '--once'])).toMatchObject(done)
  expect(await tableOf(world)).toEqual(await recomputed(world))
  expect(await world.run([EXAMPLE, '--verify'])).toMatchObject({
    code: 0,
    stdout: 'user_gdp_revisions: 470 rows, equal to the journal\n',
  })
  const csv = (await world.run([EXAMPLE, '--csv'])).stdout.trimEnd().split('\n')
  expect([csv[0], csv.length]).toEqual(['"period","released_on","value","series"', 471])
  expect(csv.slice(1)).toEqual(csv.slice(1).toSorted())

  await world.client.command({ query: 'TRUNCATE TABLE user_gdp_revisions' })
  await world.client.command({
    query: `INSERT INTO user_gdp_revisions VALUES ('2000', '2000-01-01', 1, 's', 0, 704, 0, false)`,
  })
  expect(await world.run([EXAMPLE, '--verify'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('DIFFER from the journal'),
  })
  expect((await world.run([EXAMPLE, '--rebuild', '--once'])).code).toBe(0)
  expect(await tableOf(world)).toEqual(await recomputed(world))
})

it('follows, and a second runner stands by until the first is gone', async () => {
  const world = await deployment()
  await world.write(20)
  const first = world.start([EXAMPLE])
  await until('the first follows', () => first.output().includes('following'))
  const second = world.start([EXAMPLE])
  await until('the second stands by', () => second.output().includes('standing by'))
  await world.write(20)
  await expect.poll(() => tableOf(world)).toEqual(await recomputed(world))
  const rebuilt = await world.run([EXAMPLE, '--rebuild', '--once'])
  expect(rebuilt).toMatchObject({ code: 0, stdout: expect.stringContaining('equal to the journal'), stderr: '' })
  await world.write(20)
  await expect.poll(() => tableOf(world)).toEqual(await recomputed(world))
  await first.end('SIGKILL')
  await until('the second follows', () => second.output().includes('following'))
  await world.write(20)
  await expect.poll(() => tableOf(world)).toEqual(await recomputed(world))
  expect(await second.end('SIGINT')).toMatchObject({ code: 0, stdout: expect.stringMatching(/: ended\n$/), stderr: '' })
})

it('asks for a rebuild after a change of the file, whose rows then are new', async () => {
  const world = await deployment()
  await world.write(30)
  const text = (await readFile(EXAMPLE, 'utf8')).replace('almanac/projection', PUBLIC)
  const file = await world.file('own.ts', text)
  expect((await world.run([file, '--once'])).code).toBe(0)
  const run = (...args: string[]) => world.start([file, ...args]).ended
  const old = world.start([file])
  await until('the old one follows', () => old.output().includes('following'))
  await world.file('own.ts', text.replace("=== 'USA'", "=== 'CAN'"))
  expect(await run('--rebuild', '--once')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is being projected, by another version of its file or of Almanac'),
  })
  await old.end('SIGINT')
  for (const option of ['--once', '--verify'])
    expect(await run(option)).toMatchObject({
      code: 2,
      stderr: `almanac: ${file}: table_mismatch: table user_gdp_revisions was filled by another version of its file: end every \`./almanac project\` of it, and run it once with --rebuild, which makes a new table and swaps it in\n`,
    })
  expect((await run('--rebuild', '--once')).stdout).toContain('DIFFER')
  expect(await world.table('gdp_revisions', 'series')).toHaveLength(10)
  expect((await run('--verify')).code).toBe(0)
})

it('tells the service and the doctor how far each table is behind, run or not', async () => {
  const world = await deployment()
  const own = (journal: Parameters<typeof readUserLags>[1]) => readUserLags(world.client, journal)
  expect(await own(world.journal)).toEqual([])
  await world.write(30)
  expect((await world.run([EXAMPLE, '--once'])).code).toBe(0)
  const [upToDate] = await own(world.journal)
  expect(upToDate).toEqual({ name: 'user_gdp_revisions', lag: 0, position: 30 })
  await world.write(7)
  expect(await own(world.journal)).toEqual([{ name: 'user_gdp_revisions', lag: 7, position: 30 }])
  // Copies of the table and tables of other journals have no lag that means anything.
  const copy = 'CREATE TABLE user_gdp_revisions_replaced AS user_gdp_revisions'
  await world.client.command({ query: `${copy} COMMENT '${await commentOf(world)}'` })
  expect(await own(world.journal)).toHaveLength(1)
  expect(await own({ id: 'another', generations: [], bounds: () => Promise.reject(new Error('not asked')) })).toEqual(
    [],
  )

  await Promise.all(views.map((view) => ensureTable(world.client, view, world.journal)))
  const { stdout } = await runCommand(['doctor'], world.env)
  expect(stdout).toMatch(/^ok {2}read models .*, events up to 0, user_gdp_revisions at most 7 offsets behind$/m)
})

const commentOf = async ({ client }: Deployment): Promise<string> => {
  const query = `SELECT comment FROM system.tables WHERE database = currentDatabase() AND name = 'user_gdp_revisions'`
  const [row] = await rows<{ comment: string }>(client, query)
  return row?.comment ?? ''
}

const BAD = `export default { name: 'bad', topic: 'releases', columns: { x: 'Float64' }, rows: () => [{ x: 'text' }] }`

/** Expects an error of one line, from a process of its own where it is Node that does not load the file. */
async function saysInOneLine(place: 'process' | 'here', text: string, says: readonly string[]): Promise<void> {
  const world = await deployment()
  await world.write(3)
  const file = await world.file('bad.ts', text)
  const args = [file, '--once']
  const { code, stderr } = await (place === 'here' ? world.run(args) : world.start(args).ended)
  expect([code, stderr.split('\n').length]).toEqual([2, 2])
  for (const part of [`almanac: ${file}`, ...says]) expect(stderr).toContain(part)
}

it.each([
  ['export const x = 1', 'has no projection: write `export default'],
  ['throw new Error("boom")', 'cannot be loaded: boom'],
  [BAD.replace(`'text'`, 'null.x'), 'releases/0 offset 0: rows() threw TypeError: Cannot', 'bad.ts:1:'],
  [BAD, 'ClickHouse refuses it: releases/0, offsets 0 to 2: Cannot parse'],
])('says in one line what is wrong with %s', (text, ...says) => saysInOneLine('here', text, says))

it.each([
  [`import { defineProjection } from 'almanac/projection'\n${BAD}`, 'Import from', 'outside of this clone'],
  ['export default {{', 'cannot be loaded: ', 'bad.ts:1'],
])('says in one line why Node does not load %s', (text, ...says) => saysInOneLine('process', text, says))

it('says what is wrong with the arguments', async () => {
  const world = await deployment()
  expect((await world.run([])).stderr).toContain('name a file')
  expect((await world.run([EXAMPLE, '--once', '--csv'])).stderr).toContain('give one of --once, --verify and --csv')
  expect((await world.run(['none.ts'])).stderr).toContain('none.ts cannot be read')
  expect((await world.run([EXAMPLE, '--csv'])).stderr).toContain('there is no table user_gdp_revisions yet')
})
