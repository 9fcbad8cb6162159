import { countryByAlpha3 } from '../../contracts/countries.ts'
import { isServed, servedIndicators } from '../../contracts/indicators.ts'
import { program } from '../../contracts/program.ts'
import { type Gap, statusName } from '../../domain/calendar-gaps.ts'
import { frequencyOf, startOfPeriod } from '../../domain/period.ts'
import { publisherCalendars } from '../../ingest/release-dates/calendars.ts'
import { parsed } from '../arguments.ts'
import { type Command, print, printJsonLines, printList, UsageError } from '../command.ts'
import { withJournal } from '../parts.ts'
import { listReleaseDates, readReleaseDates } from '../release-dates.ts'
import { type ReleaseToState, type StatementChange, standingStatements, stateReleases } from '../state-releases.ts'

/** The change that each action writes to the journal. */
const changes: Readonly<Record<string, StatementChange>> = {
  cancel: 'cancelled',
  'never-published': 'never_published',
  restore: 'restored',
}

export const command: Command = {
  usage: `${program} calendar cancel COUNTRY INDICATOR PERIOD --reason TEXT
${program} calendar never-published COUNTRY INDICATOR PERIOD --reason TEXT
${program} calendar restore COUNTRY INDICATOR PERIOD [--reason TEXT]
${program} calendar list [--json]
${program} calendar read CALENDAR [FILE] [--allow-fewer]
${program} calendar dates [--json]

\`cancel\` records that the figure of a period will not be published, for example after a publisher's announcement.
\`never-published\` records that the publisher has no figure for a period that is over, and will have none. The calendar
then shows it so, with the reason, and subscribers get an event. The same holds for what is computed from the figure, such as rates
across the gap, without a statement of its own. If the figure is published all the same, it is shown as published.
\`restore\` takes either back. \`list\` prints what stands: country, indicator, period, cancelled or never published, when,
and why. A statement that stands already is not repeated. All write to the journal, beside a running service.
Example: ${program} calendar never-published USA cpi 2025-10 --reason 'Not collected during the shutdown of the government'

\`read\` records the dates of coming releases from a publisher's own calendar (${Object.keys(publisherCalendars).join(', ')}): from its
address, or from a file. A calendar that has lost more than half of the dates to come is refused unless --allow-fewer is given.
Exit code 3: it, or one release of FRED's, could not be fetched or was refused, and nothing of that is on
record. \`dates\` prints what is on record: calendar, release, next date, figures, address, and since when these dates are known.`,
  async run(args, config) {
    const { values, positionals } = parsed(args, {
      reason: { type: 'string' },
      json: { type: 'boolean', default: false },
      'allow-fewer': { type: 'boolean', default: false },
    })
    const [action = '', ...release] = positionals
    const allowsFewer = values['allow-fewer']
    if (action === 'read' && release.length >= 1 && release.length <= 2 && !values.json && values.reason === undefined)
      return readReleaseDates(config, release[0] ?? '', { files: release.slice(1), allowsFewer })
    if (action === 'dates' && release.length === 0 && !allowsFewer && values.reason === undefined)
      return listReleaseDates(config, values.json)
    const isList = action === 'list' && release.length === 0 && values.reason === undefined
    const change = changes[action]
    if ((!isList && (!change || release.length !== 3 || values.json)) || allowsFewer) {
      throw new UsageError(
        `use \`${program} calendar cancel COUNTRY INDICATOR PERIOD --reason TEXT\`, \`never-published\` or \`restore\` with the same, \`list\`, \`read CALENDAR\`, or \`dates\``,
      )
    }
    const stated = change && { ...releaseNamed(release), reason: reasonOf(values.reason, change) }
    if (stated) {
      await withJournal(config, async (journal) => print((await stateReleases(journal, change, [stated])).join('\n')))
      return 0
    }
    const standing = await withJournal(config, standingStatements)
    if (values.json) await printJsonLines(standing.map(viewOf))
    else await printList(standing.map(lineOf), noStatement)
    return 0
  },
}

/** Days ahead within which a period must begin. A later one is a typing error. */
const LATEST_START_DAYS = 366

/** Throws UsageError. */
function releaseNamed([country = '', indicator = '', period = '']: readonly string[]): Omit<ReleaseToState, 'reason'> {
  if (!countryByAlpha3.has(country)) {
    throw new UsageError(
      `${JSON.stringify(country)} is not a country code of ISO 3166-1 with three letters, such as USA`,
    )
  }
  if (!isServed(indicator)) {
    throw new UsageError(`${JSON.stringify(indicator)} is not an indicator; known: ${servedIndicators.join(', ')}`)
  }
  if (!frequencyOf(period)) {
    throw new UsageError(`${JSON.stringify(period)} is not a period: write 2025, 2025-Q4 or 2025-10`)
  }
  if (Date.parse(startOfPeriod(period)) > Date.now() + LATEST_START_DAYS * 86_400_000) {
    throw new UsageError(`${period} begins more than a year from now`)
  }
  return { country, indicator, period }
}

/** Throws UsageError. */
function reasonOf(text: string | undefined, change: StatementChange): string | null {
  if (text === undefined && change === 'restored') return null
  if (text === undefined) throw new UsageError('--reason is missing: say why there is no figure')
  if (/^[^\p{Cc}\p{Zl}\p{Zp}]{1,500}$/u.test(text) && text.trim() !== '') return text
  throw new UsageError('--reason takes one line of 1 to 500 characters')
}

const lineOf = ({ country, indicator, period, status, recordedAt, reason }: Gap): string =>
  [country, indicator, period, statusName(status), recordedAt, reason].join('  ')

const viewOf = ({ country, indicator, period, status, recordedAt: stated_at, reason }: Gap): object => {
  return { country, indicator, period, status, stated_at, reason }
}

const noStatement = `no release is cancelled or was never published: \`${program} calendar cancel\` or \`never-published\` says that one is`
