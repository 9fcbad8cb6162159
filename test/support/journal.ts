import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordOf, Topic } from '../../contracts/topics.ts'
import type { Journal } from '../../journal/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { type JournalRecord, TypedJournal } from '../../journal/typed.ts'
import { onTestFinished } from './concurrent.ts'
import { MemoryServer } from './memory-journal/server.ts'
import { UNTIL_MS } from './patience.ts'

// As the program itself does: a start would close what others can reach, and say so.
process.umask(0o077)

/** A directory of the test's own, gone with it. */
export function temporaryDirectorySync(): string {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export const temporaryDirectory = async (): Promise<string> => temporaryDirectorySync()

/**
 * A journal in memory of the test's own. `wrap` may put faults in front of it; a further client of the same journal is opened
 * by passing `server` on. `directory` is there for what a test keeps beside the journal, and is made when it is asked for.
 */
export async function openTestJournal(
  wrap: (journal: Journal) => Journal = (journal) => journal,
  server = new MemoryServer(),
) {
  const journal = await TypedJournal.open(wrap(server.open()), localRegistry())
  onTestFinished(() => journal.close())
  let made: string | undefined
  return {
    journal,
    server,
    get directory() {
      made ??= temporaryDirectorySync()
      return made
    },
  }
}

/** All records of a topic's partition as they stand now. */
export async function recordsOf<T extends Topic>(
  journal: TypedJournal,
  topic: T,
  partition = 0,
): Promise<JournalRecord<T>[]> {
  const records: JournalRecord<T>[] = []
  for await (const batch of journal.readToEnd(topic, partition)) records.push(...batch.records)
  return records
}

export const valuesOf = async <T extends Topic>(
  journal: TypedJournal,
  topic: T,
  partition = 0,
): Promise<RecordOf<T>[]> => (await recordsOf(journal, topic, partition)).map(({ value }) => value)

/** Waits until `condition` holds, and looks every `pollMs`; says what was awaited if it doesn't come. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  pollMs = 10,
  timeoutMs = UNTIL_MS,
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** Waits for what REST answers, and asks once a second, because a key has few calls a minute. */
export const untilServed = (what: string, condition: () => boolean | Promise<boolean>) => until(what, condition, 1_000)
