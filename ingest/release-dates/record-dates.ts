import { program } from '../../contracts/program.ts'
import type { ReleaseDates } from '../../contracts/release-dates.ts'
import { derivedId } from '../../domain/ids.ts'
import { type ReleaseDatesByName, takeReleaseDates } from '../../domain/release-dates.ts'
import { claimInTime } from '../../journal/claim-in-time.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { type Document, DocumentError } from '../source.ts'
import type { CalendarDates } from './calendar-dates.ts'
import type { CalendarRelease } from './calendars.ts'

/** What one document did to the dates of a release. `now` is the record that stands. */
export type RecordedDates = {
  readonly release: string
  readonly change: 'new' | 'changed' | 'unchanged'
  readonly now: ReleaseDates
}

type Recording = {
  /** Name of the calendar. */
  readonly calendar: string
  readonly releases: readonly CalendarRelease[]
  readonly document: Pick<Document, 'url' | 'sha256' | 'retrievedAt'>
  readonly stated: readonly CalendarDates[]
  /** Whether the document has every release of the calendar, so that one it lacks has no dates. */
  readonly isWhole: boolean
  /** Accepts a document that has lost most of the dates to come. */
  readonly allowsFewer?: boolean
  readonly now: Date
  readonly signal?: AbortSignal | undefined
}

/** Longer than a claim takes to pass on from a process that was killed. */
const CLAIM_TIMEOUT_MS = 15_000

/**
 * Writes the dates of each release whose dates, times or figures differ from those on record. A release that the
 * calendar or its table has no longer has no dates from now on. Throws `DocumentError` `fewer_dates`, before it writes
 * anything, if a release of the table keeps fewer than half of its dates to come.
 */
export async function recordReleaseDates(
  journal: TypedJournal,
  { calendar, releases, document, stated, isWhole, allowsFewer = false, now, signal }: Recording,
): Promise<RecordedDates[]> {
  const claim = await claimInTime(journal, 'calendar/release-dates', CLAIM_TIMEOUT_MS, signal)
  try {
    const onRecord = (await releaseDatesOnRecord(journal)).filter((record) => record.calendar === calendar)
    const recordedAt = now.toISOString()
    const today = recordedAt.slice(0, 10)
    const isRead = (name: string) => releases.some(({ release }) => release === name)
    const gone = onRecord
      .filter(({ dates }) => dates.length > 0)
      .filter(({ release }) => !stated.some((each) => each.release === release) && (isWhole || !isRead(release)))
      .map(({ release, covers }): CalendarDates => ({ release, covers, dates: [], times: [] }))
    const all = [...stated, ...gone]
    if (!allowsFewer) {
      const read = all.filter(({ release }) => isRead(release))
      refuseFewer(calendar, onRecord, read, today)
    }
    const isFetched = document.retrievedAt !== null
    const outcomes = all.map((dates): RecordedDates => {
      const before = onRecord.find(({ release }) => release === dates.release)
      const value: ReleaseDates = {
        calendar,
        ...(before ? withEarlier(dates, before, today) : dates),
        url: isFetched ? document.url : null,
        sha256: document.sha256,
        retrieved_at: document.retrievedAt,
        recorded_at: recordedAt,
      }
      if (before && contentOf(before) === contentOf(value))
        return { release: dates.release, change: 'unchanged', now: before }
      return { release: dates.release, change: before ? 'changed' : 'new', now: value }
    })
    const drafts = outcomes
      .filter(({ change }) => change !== 'unchanged')
      .map(({ release, now: value }) => ({
        value,
        // The time is a part of it, because dates may return to what they were.
        id: derivedId('rdt', calendar, release, contentOf(value), recordedAt),
        at: now.getTime(),
      }))
    if (drafts.length > 0) await journal.transact(claim, [journal.writeOf('release_dates', 0, drafts)])
    return outcomes
  } finally {
    await claim.release()
  }
}

/** The dates that stand, one record for each release, by calendar and release. */
export async function releaseDatesOnRecord(journal: TypedJournal): Promise<ReleaseDates[]> {
  const newest: ReleaseDatesByName = new Map()
  for await (const batch of journal.readToEnd('release_dates', 0))
    for (const { value } of batch.records) takeReleaseDates(newest, value)
  return [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value)
}

/**
 * Adds the dates on record that lie before the first one stated: as the year ends, a calendar begins later. Between the dates
 * stated nothing is added, because a date that is gone from there was put off. `today` is the day in UTC.
 */
function withEarlier(stated: CalendarDates, before: CalendarDates, today: string): CalendarDates {
  const [first = ''] = stated.dates
  // A record has a time for each date, or for none. Past days alone must not cost the new dates their times.
  const isMixed = stated.times.length > 0 !== before.times.length > 0
  const from = isMixed ? before.dates.filter((day) => day < today).length : 0
  const to = before.dates.filter((day) => day < first).length
  if (from >= to) return stated
  return {
    ...stated,
    dates: [...before.dates.slice(from, to), ...stated.dates],
    times: isMixed ? [] : [...before.times.slice(from, to), ...stated.times],
  }
}

const contentOf = ({ covers, dates, times }: CalendarDates): string => JSON.stringify([covers, dates, times])

/** Throws `DocumentError` `fewer_dates`. `today` is the day in UTC. */
function refuseFewer(
  calendar: string,
  onRecord: readonly ReleaseDates[],
  stated: readonly CalendarDates[],
  today: string,
): void {
  const toCome = (dates: readonly string[] = []) => dates.filter((day) => day > today).length
  for (const { release, dates } of stated) {
    const [before, after] = [onRecord.find((each) => each.release === release)?.dates, dates].map(toCome)
    if (before !== undefined && after !== undefined && after * 2 < before)
      throw new DocumentError(
        'fewer_dates',
        `${release} has ${after} ${after === 1 ? 'date' : 'dates'} to come in the calendar, and ${before} on record. \
The latter stand. If the loss is real, read it with \`${program} calendar read ${calendar} --allow-fewer\`.`,
        release,
      )
  }
}
