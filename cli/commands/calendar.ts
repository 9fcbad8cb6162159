import { countryByAlpha3 } from '../../contracts/countries.ts'
import { isPublic, isServed, servedIndicators } from '../../contracts/indicators.ts'
import { program } from '../../contracts/program.ts'
import type { CalendarChange } from '../../contracts/records.ts'
import { type ReleaseStatement, StatementBoard } from '../../domain/calendar-statements.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { derivedId } from '../../domain/ids.ts'
import { frequencyOf, startOfPeriod } from '../../domain/period.ts'
import { expectedOn, usualLag } from '../../domain/release-calendar.ts'
import { ReleaseLedger } from '../../domain/release-ledger.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { parsed } from '../arguments.ts'
import { type Command, print, UsageError } from '../command.ts'
import { openJournal } from '../parts.ts'

export const command: Command = {
  summary: 'Says that a release is cancelled, or takes that back',
  usage: `${program} calendar cancel COUNTRY INDICATOR PERIOD --reason TEXT
${program} calendar restore COUNTRY INDICATOR PERIOD [--reason TEXT]
${program} calendar list [--json]

\`cancel\` records that the figure of a period will not be published, for example after a publisher's announcement. The calendar then
shows it as cancelled, with the reason, and subscribers get an event. If the figure is published all the same, it is shown as published.
\`restore\` takes a cancellation back. \`list\` prints what is cancelled: country, indicator, period, when, and why. A release that is
cancelled already stays as it is. Both write to the journal, beside a running service.
Example: ${program} calendar cancel USA cpi 2025-10 --reason 'Not collected during the shutdown of the government'`,
  async run(args, config) {
    const { values, positionals } = parsed(args, {
      reason: { type: 'string' },
      json: { type: 'boolean', default: false },
    })
    const [action, ...release] = positionals
    if (action === 'list' && release.length === 0 && values.reason === undefined) {
      const journal = await openJournal(config)
      try {
        for (const each of (await readStatements(journal)).cancelled()) print(values.json ? jsonOf(each) : lineOf(each))
        return 0
      } finally {
        await journal.close()
      }
    }
    if ((action !== 'cancel' && action !== 'restore') || release.length !== 3 || values.json) {
      throw new UsageError(
        `use \`${program} calendar cancel COUNTRY INDICATOR PERIOD --reason TEXT\`, \`restore COUNTRY INDICATOR PERIOD\`, or \`list\``,
      )
    }
    const said = { ...releaseNamed(release), reason: reasonOf(values.reason, action) }
    const journal = await openJournal(config)
    try {
      print(await state(journal, action === 'cancel' ? 'cancelled' : 'restored', said))
      return 0
    } finally {
      await journal.close()
    }
  },
}

type Named = Pick<CalendarChange, 'country' | 'indicator' | 'period'>
type Said = Named & Pick<CalendarChange, 'reason'>

/** Days ahead within which a period must begin. A later one is a typing error. */
const LATEST_START_DAYS = 366

/** Throws UsageError. */
function releaseNamed([country = '', indicator = '', period = '']: readonly string[]): Named {
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
function reasonOf(text: string | undefined, action: 'cancel' | 'restore'): string | null {
  if (text === undefined && action === 'restore') return null
  if (text === undefined) throw new UsageError('--reason is missing: say why the release is cancelled')
  if (/^[^\p{Cc}\p{Zl}\p{Zp}]{1,500}$/u.test(text) && text.trim() !== '') return text
  throw new UsageError('--reason takes one line of 1 to 500 characters')
}

/** Longer than a claim takes to pass on from a command that was killed. */
const CALENDAR_CLAIM_TIMEOUT_MS = 15_000

/** Writes a statement, unless it stands already, and returns what to print. Throws UsageError if it cannot be true. */
async function state(journal: TypedJournal, change: 'cancelled' | 'restored', said: Said): Promise<string> {
  const { country, indicator, period } = said
  const name = `${country} ${indicator} ${period}`
  const claim = await journal.claim('calendar/statements', AbortSignal.timeout(CALENDAR_CLAIM_TIMEOUT_MS))
  try {
    const known = (await readStatements(journal)).of(country, indicator).find((one) => one.period === period)
    if (change === 'cancelled' && known?.isCancelled) return `${name} is cancelled already: ${known.reason}`
    if (change === 'restored' && !known?.isCancelled) {
      throw new UsageError(`${name} is not cancelled (\`${program} calendar list\` shows what is)`)
    }
    const { series, expected_on } = await servedFor(journal, said, change)
    const now = Date.now()
    const value = { change, ...said, series, expected_on, recorded_at: new Date(now).toISOString() }
    const id = derivedId('cal', change, country, indicator, period, String(known?.changes ?? 0))
    await journal.transact(claim, [journal.write('calendar', 0, [{ value, id, at: now }])])
    return `${name} is ${change}.`
  } finally {
    await claim.release()
  }
}

/** The series that is served for a release, and when it is expected. Throws UsageError. */
async function servedFor(journal: TypedJournal, { country, indicator, period }: Named, change: string) {
  const figures = new FigureBoard()
  const ledger = new ReleaseLedger()
  for await (const batch of journal.readToEnd('releases', 0)) {
    for (const { value } of batch.records) {
      figures.apply(value)
      ledger.apply(value)
    }
  }
  const frequency = frequencyOf(period)
  const served = frequency && figures.servedSeries(country, indicator, frequency)
  if (!served || !isPublic(indicator, country)) {
    throw new UsageError(`no series of ${indicator} with periods like ${period} is served for ${country}`)
  }
  const release = figures.at(country, indicator, period)
  if (release && change === 'cancelled') {
    throw new UsageError(`${country} ${indicator} ${period} is published already, on ${release.released_on}`)
  }
  const record = ledger.series().find(({ series }) => series.id === served.id)
  if (record && period < record.firstPeriod && change === 'cancelled') {
    throw new UsageError(`${indicator} of ${country} begins with ${record.firstPeriod}, after ${period}`)
  }
  const lag = usualLag((record?.publications ?? []).filter((publication) => publication.period < period))
  return { series: served.id, expected_on: expectedOn(period, lag) }
}

async function readStatements(journal: TypedJournal): Promise<StatementBoard> {
  const board = new StatementBoard()
  for await (const batch of journal.readToEnd('calendar', 0)) for (const { value } of batch.records) board.apply(value)
  return board
}

const lineOf = ({ country, indicator, period, recordedAt, reason }: ReleaseStatement): string =>
  [country, indicator, period, recordedAt, reason].join('  ')

const jsonOf = ({ country, indicator, period, recordedAt: cancelled_at, reason }: ReleaseStatement): string =>
  JSON.stringify({ country, indicator, period, cancelled_at, reason })
