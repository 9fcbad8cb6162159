import { program } from '../contracts/program.ts'
import type { ReleaseDates } from '../contracts/release-dates.ts'
import type { Config } from '../infra/config.ts'
import { publisherCalendars } from '../ingest/release-dates/calendars.ts'
import { type RecordedDates, releaseDatesOnRecord } from '../ingest/release-dates/record-dates.ts'
import { runCalendar } from '../ingest/release-dates/run-calendar.ts'
import { DocumentError } from '../ingest/source.ts'
import { interruptSignal, print, printJsonLines, printList, UsageError } from './command.ts'
import { counted } from './counted.ts'
import { faultText, withoutControls } from './ingest-report.ts'
import { openJournal, withJournal } from './parts.ts'

/** The actions of `almanac calendar` about publishers' own calendars. */

type Reading = { readonly files: readonly string[]; readonly allowsFewer: boolean }

/** Reads a calendar from its address or from a file, and returns the exit code. Throws UsageError for an unknown name. */
export async function readReleaseDates(config: Config, name: string, { files, allowsFewer }: Reading): Promise<number> {
  if (!Object.hasOwn(publisherCalendars, name)) {
    const names = Object.keys(publisherCalendars).join(', ')
    throw new UsageError(`${JSON.stringify(name)} is not a calendar that is read; these are: ${names}`)
  }
  const signal = interruptSignal()
  const journal = await openJournal(config)
  try {
    // As `almanac ingest` does, the command asks for the whole calendar: it does not say what it has read before.
    await runCalendar(name, {
      journal,
      options: { fredApiKey: config.fredApiKey, contact: config.contact },
      now: () => new Date(),
      signal,
      allowsFewer,
      files: files.length > 0 ? files : undefined,
      onDocument(document, recorded) {
        print(`${name}  ${withoutControls(files[0] ?? document.url)}`)
        for (const each of recorded) print(`  ${recordedText(each)}`)
      },
    })
    return 0
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    print(
      `${name}  ${withoutControls(files[0] ?? publisherCalendars[name]?.address ?? '')}\n  refused: ${faultText(error)}`,
    )
    return 3
  } finally {
    await journal.close()
  }
}

/** Prints what is on record, one line or one JSON object for each release. Returns the exit code. */
export async function listReleaseDates(config: Config, isJson: boolean): Promise<number> {
  const records = await withJournal(config, releaseDatesOnRecord)
  if (isJson) await printJsonLines(records)
  else await printList(records.map(lineOf), noCalendar)
  return 0
}

const noCalendar = `no publisher’s calendar is on record: the schedule reads them on working days, and \`${program} calendar read CALENDAR\` at once (${Object.keys(publisherCalendars).join(', ')})`

const recordedText = ({ release, change, now }: RecordedDates): string =>
  `${release}: ${change === 'unchanged' ? 'unchanged' : `${change}, ${counted(now.dates.length, 'date')}`}; ${nextText(now)}`

const lineOf = (record: ReleaseDates): string => {
  const { calendar, release, covers, url, retrieved_at, recorded_at } = record
  const read = retrieved_at ?? recorded_at
  return [calendar, release, nextText(record), covers.join(' '), url ?? 'local file', `read ${read}`].join('  ')
}

/** The next date, with its time in UTC if the calendar states times. The day is compared in UTC. */
function nextText({ dates, times }: ReleaseDates): string {
  const now = new Date().toISOString()
  const timed = times.find((time) => time > now)
  if (timed !== undefined) return `next ${timed.slice(0, 16).replace('T', ' ')} UTC`
  const day = times.length > 0 ? undefined : dates.find((date) => date >= now.slice(0, 10))
  return day === undefined ? 'no date to come' : `next ${day}`
}
