import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type EmbeddedCopySource, openCopySource } from '../../journal/embedded/copy-source.ts'
import { openTestJournal, temporaryDirectory } from '../support/journal.ts'
import { almanac } from '../support/service.ts'

/** What `almanac journal` says where no Kafka is needed to say it; copying is in test/journal and test/distributed. */
const journal = async (dataDir: string, ...args: string[]) => {
  const env = { ALMANAC_DATA_DIR: dataDir, ALMANAC_KAFKA_BROKERS: '', ALMANAC_SCHEMA_REGISTRY_URL: '' }
  const { code, stdout, stderr } = await almanac(['journal', ...args], env)
  return [code, stdout + stderr]
}

it('names what is missing', async () => {
  const empty = await temporaryDirectory()
  const says = expect.stringMatching(/^almanac: .*journal has no journal: ALMANAC_DATA_DIR says where it is\n$/)
  expect(await journal(empty, 'copy')).toEqual([2, says])
  expect(await readdir(empty)).toEqual([])
  const { directory } = await openTestJournal()
  expect(await journal(directory, 'copy')).toEqual([2, expect.stringContaining('set ALMANAC_KAFKA_BROKERS')])
  expect(await journal(directory)).toEqual([2, expect.stringContaining('`almanac help journal`')])
  expect(await journal(directory, 'copy', '--fast')).toEqual([2, expect.stringContaining("Unknown option '--fast'")])
})

it('opens a journal again whose copy is given up, and no other', async () => {
  const { journal: open, directory } = await openTestJournal()
  expect(await journal(directory, 'copy', '--cancel')).toEqual([
    0,
    `journal ${open.id} is open: there is nothing to cancel\n`,
  ])
  const source = (await openCopySource(join(directory, 'journal'))) as EmbeddedCopySource
  onTestFinished(() => source.close())
  await source.markMoved('Kafka')
  expect(await journal(directory, 'copy', '--cancel')).toEqual([0, `journal ${open.id} is open again\n`])
  expect(source.moved).toBeUndefined()
})
