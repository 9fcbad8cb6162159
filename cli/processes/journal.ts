import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../infra/config.ts'
import type { Lifecycle } from '../../infra/lifecycle.ts'
import type { Log } from '../../infra/log.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { openOrCreateJournal } from '../parts.ts'

/** What is under way at a shutdown has this long to end by itself, ms: with a Kafka that answers far more than it takes. */
const GRACE_MS = 200
/** A Kafka that answers has ended the last transactions and taken back the claims by then, ms. */
const ANSWER_MS = 900

/**
 * The journal of a process, open until everything that uses it has ended. A Kafka that is away is waited for by many, longer
 * than a shutdown may take: closing the journal, within 1.8 s, ends that. Whose claims could not be released is logged.
 */
export async function openJournalFor(lifecycle: Lifecycle, config: Config, log: Log): Promise<TypedJournal> {
  const journal = await openOrCreateJournal(config, log)
  lifecycle.onClose('journal', () => journal.close())
  if (config.kafka) lifecycle.signal.addEventListener('abort', () => void endInTime(journal, lifecycle, log))
  return journal
}

async function endInTime(journal: TypedJournal, lifecycle: Lifecycle, log: Log): Promise<void> {
  await sleep(GRACE_MS)
  const inTime = () => false
  const isLate = await Promise.race([journal.close().then(inTime, inTime), sleep(ANSWER_MS, true)])
  if (isLate)
    log.warn(
      { parts: lifecycle.running },
      'Kafka does not answer: claims of these parts may stay unreleased, and pass on by themselves within 10 s',
    )
}
