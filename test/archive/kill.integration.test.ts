import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pause } from '../../base/async/pause.ts'
import { systemTime } from '../../base/time.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { randomFrom } from '../support/random.ts'
import { expectSameRecords, openArchive, places, startArchiver } from './support/archived-journal.ts'

const KILLS = Number(process.env.ALMANAC_TEST_KILLS ?? 2)
const MOST_KILLS = 10 + 4 * KILLS
const seed = Number(process.env.ALMANAC_TEST_SEED ?? Math.floor(Math.random() * 2 ** 32))
const program = join(import.meta.dirname, 'support/archiver-process.ts')

function start(directory: string, first: number): ChildProcess {
  return spawn(process.execPath, [program, directory, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] })
}

it(`an archiver killed ${KILLS} times or more (seed ${seed}) leaves a whole chain, and ends with the journal’s records`, async () => {
  const random = randomFrom(seed)
  const directory = await temporaryDirectory()
  let merged = 0
  let records = 0
  // On a busy machine a few kills may all come before the first merge: the longer that takes, the later they come.
  for (let kill = 0; kill < KILLS || (merged === 0 && kill < MOST_KILLS); kill++) {
    const child = start(directory, 1_000 * kill)
    const ended = once(child, 'exit')
    if (child.stdout) await once(child.stdout, 'data')
    await pause(random() * 3_000 * (1 + Math.floor(kill / KILLS)), new AbortController().signal, systemTime)
    child.kill('SIGKILL')
    expect((await ended)[1]).toBe('SIGKILL')
    const { journal } = await openEmbeddedTestJournal(undefined, directory)
    const running = startArchiver(journal, directory)
    await running.caughtUp()
    await running.stop()
    expect(running.failures).toEqual([])
    records = await expectSameRecords(journal, directory)
    await journal.close()
    const archive = await openArchive(directory)
    for (const { topic, partition } of places)
      merged += (await archive.ranges(topic, partition)).length - (await archive.chain(topic, partition)).length
  }
  expect(records).toBeGreaterThan(0)
  // Otherwise no kill could have hit a merge.
  expect(merged).toBeGreaterThan(0)
})
