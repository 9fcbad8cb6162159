import { type Config, ConfigError } from '../infra/config.ts'
import { ReleaseDays } from '../ingest/schedule/release-days.ts'
import { JournalError } from '../journal/journal.ts'
import { openJournal } from './parts.ts'

/** Reads the announced days of all releases from the journal. `fault` says why, if the journal cannot be read. */
export async function readReleaseDays(config: Config): Promise<{ days: ReleaseDays; fault: string | null }> {
  const days = new ReleaseDays()
  try {
    const journal = await openJournal(config)
    try {
      for await (const { records } of journal.readToEnd('release_dates', 0))
        for (const { value } of records) days.apply(value)
    } finally {
      await journal.close()
    }
    return { days, fault: null }
  } catch (error) {
    if (error instanceof ConfigError || error instanceof JournalError)
      return { days: new ReleaseDays(), fault: error.message }
    throw error
  }
}
