import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../infra/config.ts'
import type { Lifecycle } from '../../infra/lifecycle.ts'
import type { Log } from '../../infra/log.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { openOrCreateJournal } from '../parts.ts'

/** Time for work under way to end by itself at a shutdown, ms. A Kafka that answers needs far less. */
const GRACE_MS = 200
/** Time for ending transactions and releasing claims, ms. A Kafka that answers needs less. */
const ANSWER_MS = 900

/**
 * Opens the journal of a process, and keeps it open until all its users have ended. While Kafka is down, many of them wait
 * longer than a shutdown may take. So a shutdown closes a journal on Kafka early, which takes 1.8 s at most, and ends their
 * waits. If the claims could not be released, their parts are logged.
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
  const isTimedOut = await Promise.race([journal.close().then(inTime, inTime), sleep(ANSWER_MS, true)])
  if (isTimedOut)
    log.warn(
      { parts: lifecycle.running },
      'Kafka does not answer: the claims of these parts may not be released, and then expire within 10 s',
    )
}
