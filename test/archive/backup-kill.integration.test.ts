import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { Archive } from '../../archive/archive.ts'
import { DirectoryStore } from '../../archive/directory.ts'
import { verifyArchive } from '../../archive/verify.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { randomFrom } from '../support/random.ts'
import { contentOf, writeAsService } from './support/backed-up.ts'

/** Kills of each command; ALMANAC_TEST_KILLS=50 for a long run, and ALMANAC_TEST_SEED repeats one. */
const KILLS = Number(process.env.ALMANAC_TEST_KILLS ?? 1)
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)
const SCRIPT = join(import.meta.dirname, 'support/backup-process.ts')

/** Runs the process, and kills it some time after it has begun. Returns whether it was done before. */
async function run(args: readonly string[], killAfterMs?: number): Promise<boolean> {
  const child = spawn(process.execPath, [SCRIPT, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'close')
  let said = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  if (killAfterMs !== undefined) {
    await once(child.stdout, 'data')
    await Promise.race([sleep(killAfterMs), ended])
    child.kill('SIGKILL')
  }
  await ended
  return said.endsWith('done\n')
}

it(
  `backup and restore that are killed continue (seed ${SEED})`,
  async () => {
    const random = randomFrom(SEED)
    const { journal, directory } = await openEmbeddedTestJournal()
    const [backup, target] = [await temporaryDirectory(), await temporaryDirectory()]
    const claim = await journal.claim('worker')
    let wrote = 0
    const write = async (count: number) => {
      await writeAsService(journal, claim, wrote, count)
      wrote += count
    }
    await write(30)
    for (let kill = 0; kill < KILLS; kill++) {
      await run(['backup', directory, backup], random() * 500)
      await write(1 + Math.floor(random() * 5))
    }
    expect(await run(['backup', directory, backup])).toBe(true)
    const faults: string[] = []
    await verifyArchive(await Archive.open(new DirectoryStore(backup)), ({ message }) => faults.push(message))
    expect(faults).toEqual([])
    for (let kill = 0; kill < KILLS; kill++) await run(['restore', target, backup], random() * 300)
    expect(await run(['restore', target, backup])).toBe(true)
    const again = await openEmbeddedTestJournal(undefined, target)
    expect(await contentOf(again.journal)).toEqual(await contentOf(journal))
  },
  60_000 + KILLS * 30_000,
)
