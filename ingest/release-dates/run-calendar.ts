import type { TypedJournal } from '../../journal/typed.ts'
import { AskLater } from '../fetch/http.ts'
import { PublisherAnswers } from '../publisher-answers.ts'
import type { PublisherMemory } from '../publisher-memory.ts'
import { tallyText } from '../run.ts'
import { mayPass } from '../schedule/run-dataset.ts'
import { type Document, DocumentError, supported } from '../source.ts'
import { type PublisherCalendar, publisherCalendars, RELEASE_DATES } from './calendars.ts'
import { type CalendarOptions, fetchCalendar, KEY_MISSING, questionsOf } from './fetch-calendar.ts'
import { readCalendar } from './read-calendar.ts'
import { type RecordedDates, recordReleaseDates, releaseDatesOnRecord } from './record-dates.ts'

type CalendarRun = {
  readonly journal: TypedJournal
  readonly options: CalendarOptions
  readonly now: () => Date
  readonly signal?: AbortSignal
  /** Local files instead of what the publisher answers. */
  readonly files?: readonly string[] | undefined
  readonly allowsFewer?: boolean
  /** The memory of publishers' answers, and the journal and release that have read them. */
  readonly remembered?: { readonly memory: PublisherMemory; readonly readBy: string }
  readonly onDocument?: (document: Document, recorded: readonly RecordedDates[]) => void
  readonly onUnchanged?: (address: string) => void
  /** Called for an answer that is not recorded. The run throws an error about it in the end. */
  readonly onRefused?: (error: DocumentError) => void
}

/**
 * Reads a publisher's calendar and records its dates, document by document. Asks only for what has changed since it was
 * last read, if the publisher's answers are remembered. A document that cannot be read, or is refused, changes nothing,
 * and those after it are read all the same. Then throws `DocumentError`, which names all that were refused. A publisher
 * that cannot be asked now is not asked further. Returns how often each change was found, and `not modified` answered.
 */
export async function runCalendar(name: string, run: CalendarRun): Promise<Readonly<Record<string, number>>> {
  const { journal, options, now, signal, files, remembered, onUnchanged } = run
  const calendar = supported(name, publisherCalendars)
  const answers = await PublisherAnswers.load({
    memory: remembered?.memory,
    name: RELEASE_DATES,
    dataset: name,
    readBy: remembered?.readBy ?? '',
    now,
    // "Not modified" says nothing about dates that a person or another node has recorded since.
    believedFrom: remembered ? await lastChange(journal, name) : 0,
  })
  const counts: Record<string, number> = {}
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  const request = {
    now,
    signal,
    files,
    known: (address: string) => answers.known(address),
    onUnchanged(address: string) {
      answers.arrived()
      count('not modified')
      onUnchanged?.(address)
    },
  }
  const refused: DocumentError[] = []
  const read = async (document: Document, question: string | undefined) => {
    answers.arrived()
    try {
      const recorded = await record(name, calendar, document, run)
      for (const { change } of recorded) count(change)
      answers.remember(document, true)
      run.onDocument?.(document, recorded)
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      run.onRefused?.(error)
      refused.push(named(error, question))
    }
  }
  try {
    for (const question of files ? [undefined] : questionsOf(calendar)) {
      try {
        for await (const document of fetchCalendar(name, calendar, question, options, request))
          await read(document, question)
      } catch (error) {
        const isRefusal = error instanceof DocumentError && !(error instanceof AskLater) && error.reason !== KEY_MISSING
        if (!isRefusal) throw error
        refused.push(named(error, question))
        if (mayPass(error)) break
      }
    }
  } finally {
    await answers.save()
  }
  const first = refused.find(mayPass) ?? refused[0]
  if (first) throw refused.length === 1 ? first : new DocumentError(first.reason, refused.map(messageOf).join(' '))
  return counts
}

const messageOf = ({ message }: Error): string => message

function named(error: DocumentError, release: string | undefined): DocumentError {
  const { reason, message, location } = error
  return release === undefined ? error : new DocumentError(reason, `Release ${release}: ${message}`, location)
}

/** When dates of a calendar were last recorded, UTC milliseconds; 0 if none are on record. */
async function lastChange(journal: TypedJournal, name: string): Promise<number> {
  const records = (await releaseDatesOnRecord(journal)).filter(({ calendar }) => calendar === name)
  return Math.max(0, ...records.map(({ recorded_at }) => Date.parse(recorded_at)))
}

/** Reads one document and records its dates. Throws `DocumentError`. */
const record = (
  name: string,
  calendar: PublisherCalendar,
  document: Document,
  { journal, now, signal, allowsFewer = false }: CalendarRun,
): Promise<RecordedDates[]> =>
  recordReleaseDates(journal, {
    calendar: name,
    releases: calendar.releases,
    document,
    stated: readCalendar(calendar, document),
    isWhole: calendar.format !== 'fred-json',
    allowsFewer,
    now: now(),
    signal,
  })

/** Text of a run for the schedule, such as `2 new, 1 unchanged`. Takes what `runCalendar` does. */
export async function calendarRunText(name: string, run: CalendarRun): Promise<string> {
  try {
    return tallyText(await runCalendar(name, run))
  } catch (error) {
    // Nothing is wrong with an installation without a key, so its run does not fail day by day.
    if (error instanceof DocumentError && error.reason === KEY_MISSING) return `not asked: ${error.message}`
    throw error
  }
}
