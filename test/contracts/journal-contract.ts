import { journalClaims } from './support/journal-claim-suite.ts'
import { journalLogs } from './support/journal-log-suite.ts'
import { journalTimes } from './support/journal-time-suite.ts'
import { journalUpkeep } from './support/journal-upkeep-suite.ts'
import { type JournalHarness, journalWorld } from './support/journal-world.ts'

/**
 * What every adapter of the journal port must do. An adapter's test calls `journalContract` with a harness; topics and
 * claims have names of their own in each case, so the harness may be one long-lived journal (a real broker).
 */
export function journalContract(name: string, harness: JournalHarness): void {
  const world = journalWorld(harness)
  journalLogs(name, world)
  journalTimes(name, harness, world)
  journalClaims(name, world)
  journalUpkeep(name, harness, world)
}
