import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { topics } from '../../contracts/topics.ts'
import { type EmbeddedCopySource, openCopySource } from '../../journal/embedded/copy-source.ts'
import { runCommand } from '../support/command.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { almanac } from '../support/service.ts'

/** What `almanac journal` says where no Kafka is needed to say it; copying is in test/journal and test/distributed. */
const settings = (dataDir: string) => ({
  ALMANAC_DATA_DIR: dataDir,
  ALMANAC_KAFKA_BROKERS: '',
  ALMANAC_SCHEMA_REGISTRY_URL: '',
})
const journal = async (dataDir: string, ...args: string[]) => {
  const { code, stdout, stderr } = await runCommand(['journal', ...args], settings(dataDir))
  return [code, stdout + stderr]
}

it('names what is missing', async () => {
  const empty = await temporaryDirectory()
  const says = expect.stringMatching(/^almanac: there is no journal in \/.*journal \(ALMANAC_DATA_DIR=.*\): .*\n$/)
  expect(await journal(empty, 'copy')).toEqual([2, says])
  expect(await readdir(empty)).toEqual([])
  const { directory } = await openEmbeddedTestJournal()
  expect(await journal(directory, 'copy')).toEqual([
    2,
    expect.stringContaining('ALMANAC_KAFKA_BROKERS is empty: set it'),
  ])
  expect(await journal(directory)).toEqual([2, expect.stringContaining('(`./almanac help journal`')])
  expect(await journal(directory, 'copy', '--force')).toEqual([2, expect.stringContaining('`./almanac help journal`')])
  const registry = await journal(directory, 'copy', '--source-registry', 'foo')
  expect(registry).toEqual([2, expect.stringContaining('--source-registry foo must be an http or https address')])
  expect(await journal(directory, 'copy', '--fast')).toEqual([2, expect.stringContaining("Unknown option '--fast'")])
})

it('opens a journal again that was moved only where Kafka has been asked, or as another one', async () => {
  const { journal: open, directory } = await openEmbeddedTestJournal()
  expect(await journal(directory, 'copy', '--cancel')).toEqual([
    0,
    `journal ${open.id} is open: there is nothing to cancel\n`,
  ])
  const first = await sourceIn(directory)
  await first.bind({ id: 'copy', to: 'Kafka' })
  await first.markMoved()
  expect(await journal(directory, 'copy', '--cancel')).toEqual([
    2,
    expect.stringMatching(/^almanac: only Kafka knows .* set ALMANAC_KAFKA_BROKERS.*--force.*\n$/),
  ])
  expect(first.side.isMoved).toBe(true)
  // In another process, because here it would have the journal of the test.
  const refused = await almanac(['journal', 'copy', '--cancel', '--force'], settings(directory))
  expect(refused).toMatchObject({ code: 2, stderr: 'almanac: the service is running: stop it first\n' })
  await first.close()
  await open.close()
  const [code, says] = await journal(directory, 'copy', '--cancel', '--force')
  const { side } = await sourceIn(directory)
  expect([code, says]).toEqual([0, expect.stringContaining(side.id)])
  expect(side).toEqual({ id: expect.not.stringContaining(open.id), generations: [], copy: undefined, isMoved: false })
})

async function sourceIn(directory: string): Promise<EmbeddedCopySource> {
  const source = (await openCopySource(join(directory, 'journal'))) as EmbeddedCopySource
  onTestFinished(() => source.close())
  return source
}

it('can tell each topic by the end of its name', () => {
  const names = Object.keys(topics)
  expect(names.filter((name) => names.some((other) => other !== name && name.endsWith(other)))).toEqual([])
})
