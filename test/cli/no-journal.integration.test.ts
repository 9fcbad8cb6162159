import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { topics } from '../../contracts/topics.ts'
import { openEnvironment } from '../../journal/embedded/environment.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { runCommand } from '../support/command.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { startService } from '../support/service.ts'

/** A command with other settings than the service's would begin a journal that no service reads, and put keys into it. */
const EMBEDDED = { ALMANAC_KAFKA_BROKERS: '', ALMANAC_SCHEMA_REGISTRY_URL: '', ALMANAC_REDIS_URL: '' }
const run = (dir: string, args: readonly string[], over: Readonly<Record<string, string>> = {}) =>
  runCommand(args, { ...EMBEDDED, ALMANAC_TOPIC_PREFIX: 'almanac.', ALMANAC_DATA_DIR: dir, ...over })

const create = ['keys', 'create', '--plan', 'pro', '--owner', 'TEST']
const commands: readonly (readonly string[])[] = [
  create,
  ['keys', 'list'],
  ['keys', 'rotate', 'key_TEST'],
  ['keys', 'revoke', 'key_TEST'],
  ['ingest', 'file', 'none.csv'],
  ['replay', 'access'],
  ['verify'],
  ['rebuild'],
  ['project', 'docs/examples/gdp-revisions.ts'],
  ['journal', 'copy'],
]

it.concurrent.each(commands)('creates no journal: almanac %s %s', async (...args) => {
  const dir = join(await temporaryDirectory(), 'mistyped')
  const { code, stdout, stderr } = await run(dir, args, { ALMANAC_CLICKHOUSE_URL: 'http://127.0.0.1:1' })
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(
      /^almanac: there is no journal in \/.*mistyped\/journal \(ALMANAC_DATA_DIR=.*: .*almanac journal init/,
    ),
    '',
  ])
  expect([code, stdout, existsSync(dir)]).toEqual([2, '', false])
})

it('creates none by the doctor either, which says where it looked', async () => {
  const dir = join(await temporaryDirectory(), 'mistyped')
  const { code, stdout } = await run(dir, ['doctor'])
  expect(stdout).toMatch(/^ok {2}data directory +\/.*mistyped \(does not exist yet: the first start creates it\)/m)
  expect(stdout).toMatch(/^BAD journal +there is no journal in \/.*mistyped\/journal/m)
  expect([code, existsSync(dir)]).toEqual([1, false])
})

it('creates no topics by another prefix', async () => {
  const { directory } = await openEmbeddedTestJournal()
  const { code, stdout, stderr } = await run(directory, create, { ALMANAC_TOPIC_PREFIX: 'other.' })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^almanac: the journal has no topic other\.\w+, .*ALMANAC_TOPIC_PREFIX=other\..*\n$/)
  expect((await topicsIn(directory)).sort()).toEqual(
    Object.keys(topics)
      .map((topic) => `almanac.${topic}`)
      .sort(),
  )
})

it('leaves the retention that the service has set', async () => {
  const directory = await temporaryDirectory()
  const dir = join(directory, 'journal')
  const journal = await TypedJournal.open(await openEmbeddedJournal({ dir }), localRegistry(), 'almanac.', {
    events: 1_000,
  })
  onTestFinished(() => journal.close())
  expect((await run(directory, ['keys', 'list'])).code).toBe(0)
  const environment = await openEnvironment({ dir })
  onTestFinished(() => environment.close())
  expect(environment.snapshot((store) => store.topic('almanac.events'))?.retentionMs).toBe(1_000)
})

it('creates one where it is asked to, for keys before the first start', async () => {
  const dir = await temporaryDirectory()
  const first = await run(dir, ['journal', 'init'])
  expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/^journal [0-9a-f-]{36} exists\n$/)])
  expect((await run(dir, ['journal', 'init'])).stdout).toBe(first.stdout)
  expect((await run(dir, create)).code).toBe(0)
  expect((await run(dir, ['keys', 'list'])).stdout).toContain('TEST')
})

it.runIf(process.platform === 'linux')('names the settings of the service that runs', async () => {
  const theirs = await temporaryDirectory()
  const service = await startService(theirs, { ...EMBEDDED, ALMANAC_ROLES: 'processors', ALMANAC_DEMO: '0' })
  onTestFinished(() => service.destroy())
  const empty = await temporaryDirectory()
  const [supervisor] = service.processes()
  const found = `ALMANAC_DATA_DIR=${theirs} (process ${supervisor?.pid})`
  for (const args of [create, ['verify']]) expect((await run(empty, args)).stderr).toContain(found)
  expect((await run(empty, ['doctor'])).stdout).toContain(found)
  expect(await readdir(empty)).toEqual([])
  await service.stop()
  expect((await run(empty, create)).stderr).not.toContain(theirs)
})

async function topicsIn(directory: string): Promise<string[]> {
  const environment = await openEnvironment({ dir: join(directory, 'journal') })
  onTestFinished(() => environment.close())
  return environment.snapshot((store) => store.topics()).map(({ name }) => name)
}
