import type { TypedJournal } from '../../journal/typed.ts'
import { BELIEVED_MS } from '../ingest-remembered.ts'
import type { PublisherMemory, Validators } from '../publisher-memory.ts'
import { type Document, DocumentError } from '../source.ts'
import { type PublisherCalendar, publisherCalendars, RELEASE_DATES } from './calendars.ts'
import { type CalendarOptions, fetchCalendar } from './fetch-calendar.ts'
import { readCalendar } from './read-calendar.ts'
import { type RecordedDates, recordReleaseDates, releaseDatesOnRecord } from './record-dates.ts'

type CalendarRun = {
  readonly journal: TypedJournal
  readonly options: CalendarOptions
  readonly now: () => Date
  readonly signal?: AbortSignal
  /** Local files instead of what the publisher answers. */
  readonly files?: readonly string[]
  readonly allowsFewer?: boolean
  /** The memory of publishers' answers, and the journal and release that have read them. */
  readonly remembered?: { readonly memory: PublisherMemory; readonly readBy: string }
  readonly onDocument?: (document: Document, recorded: readonly RecordedDates[]) => void
  readonly onUnchanged?: (address: string) => void
  /** Called for an answer that is not recorded. The run then throws the same error. */
  readonly onRefused?: (error: DocumentError) => void
}

/**
 * Reads a publisher's calendar and records its dates, document by document. Asks only for what has changed since it was
 * last read, if the publisher's answers are remembered. Throws `DocumentError` for the first document that cannot be
 * fetched or read, or is refused; it changes nothing.
 */
export async function runCalendar(name: string, run: CalendarRun): Promise<void> {
  const { journal, options, now, signal, files, remembered, onUnchanged } = run
  const stored = await remembered?.memory.load(RELEASE_DATES, name)
  const validators: Record<string, Validators> =
    stored && stored.readBy === remembered?.readBy ? { ...stored.validators } : {}
  // "Not modified" says nothing about dates that a person or another node has recorded since.
  const changedAt = remembered ? await lastChange(journal, name) : 0
  const known = (address: string) => {
    const found = Object.hasOwn(validators, address) ? validators[address] : undefined
    return found && found.readAt >= changedAt && now().getTime() - found.readAt < BELIEVED_MS ? found : undefined
  }
  let hasAnswer = false
  const asked = {
    now,
    known,
    ...(signal && { signal }),
    ...(files && { files }),
    onUnchanged(address: string) {
      hasAnswer = true
      onUnchanged?.(address)
    },
  }
  try {
    for await (const document of fetchCalendar(name, options, asked)) {
      hasAnswer = true
      const calendar = publisherCalendars[name]
      if (!calendar) throw new DocumentError('dataset_not_supported', `There is no calendar ${JSON.stringify(name)}.`)
      const recorded = await record(name, calendar, document, run)
      if (document.marks) {
        const { address, ...marks } = document.marks
        validators[address] = { ...marks, readAt: now().getTime() }
      }
      run.onDocument?.(document, recorded)
    }
  } finally {
    if (remembered && hasAnswer)
      await remembered.memory.save(RELEASE_DATES, name, {
        readBy: remembered.readBy,
        validators,
        checkedAt: now().getTime(),
      })
  }
}

/** When dates of a calendar were last recorded, UTC milliseconds; 0 if none are on record. */
async function lastChange(journal: TypedJournal, name: string): Promise<number> {
  const records = (await releaseDatesOnRecord(journal)).filter(({ calendar }) => calendar === name)
  return Math.max(0, ...records.map(({ recorded_at }) => Date.parse(recorded_at)))
}

/** Reads one document and records its dates. Throws `DocumentError`, after `onRefused`. */
async function record(
  name: string,
  calendar: PublisherCalendar,
  document: Document,
  { journal, now, signal, allowsFewer = false, onRefused }: CalendarRun,
): Promise<RecordedDates[]> {
  try {
    return await recordReleaseDates(journal, {
      calendar: name,
      releases: calendar.releases,
      document,
      stated: readCalendar(calendar, document),
      isWhole: calendar.format !== 'fred-json',
      allowsFewer,
      now: now(),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (error instanceof DocumentError) onRefused?.(error)
    throw error
  }
}

/** Text of a run for the schedule, such as `2 new, 1 unchanged`. Takes what `runCalendar` does. */
export async function calendarRunText(name: string, run: CalendarRun): Promise<string> {
  const counts = new Map<string, number>()
  const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1)
  try {
    await runCalendar(name, {
      ...run,
      onDocument(document, recorded) {
        for (const { change } of recorded) count(change)
        run.onDocument?.(document, recorded)
      },
      onUnchanged(address) {
        count('not modified')
        run.onUnchanged?.(address)
      },
    })
  } catch (error) {
    // Nothing is wrong with an installation without a key, so its run does not fail day by day.
    if (error instanceof DocumentError && error.reason === 'key_missing') return `not asked: ${error.message}`
    throw error
  }
  return [...counts].map(([what, number]) => `${number} ${what}`).join(', ') || 'nothing'
}
