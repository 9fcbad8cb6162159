import type { CalendarStatus } from '../contracts/calendar.ts'
import { isPublic } from '../contracts/indicators.ts'
import { program } from '../contracts/program.ts'
import type { CalendarChange } from '../contracts/records.ts'
import { type Gap, stands, statusName } from '../domain/calendar-gaps.ts'
import { StatementBoard } from '../domain/calendar-statements.ts'
import { FigureBoard } from '../domain/figure-board.ts'
import { derivedId } from '../domain/ids.ts'
import { endOfPeriod, frequencyOf } from '../domain/period.ts'
import { estimateOf } from '../domain/release-calendar.ts'
import { ReleaseIndex } from '../domain/release-index.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { underClaim } from './claims.ts'
import { UsageError } from './command.ts'

/** Statements about releases that have no figure: their checks, and the writing to the topic `calendar`. */

export type StatementChange = 'cancelled' | 'never_published' | 'restored'
export type ReleaseToState = Pick<CalendarChange, 'country' | 'indicator' | 'period' | 'reason'>

/**
 * Writes statements, unless they stand already, and returns what to print of each. One that cannot be true is given to
 * `refuse`, as a UsageError.
 */
export async function stateReleases(
  journal: TypedJournal,
  change: StatementChange,
  releases: readonly ReleaseToState[],
  refuse: (error: UsageError) => void = fail,
): Promise<string[]> {
  return underClaim(journal, 'calendar/statements', async (claim) => {
    const statements = await readStatements(journal)
    const onRecord = await readReleases(journal)
    const now = Date.now()
    const lines: string[] = []
    const drafts = releases.flatMap((release) => {
      const { country, indicator, period } = release
      const name = `${country} ${indicator} ${period}`
      const known = statements.find(country, indicator, period)
      if (known?.status && known.status === change) {
        lines.push(alreadyText(name, known.status, known.reason))
        return []
      }
      try {
        if (change === 'restored' && !known?.status) {
          throw new UsageError(
            `${name} is neither cancelled nor stated as never published (\`${program} calendar list\` shows what is)`,
          )
        }
        const value = {
          change,
          ...release,
          ...servedFor(onRecord, statements, release, change, now),
          recorded_at: isoOf(now),
        }
        const id = derivedId('cal', change, country, indicator, period, String(known?.changes ?? 0))
        lines.push(`${name} ${verbs[change]}.`)
        return [{ value, id, at: now }]
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        refuse(error)
        return []
      }
    })
    if (drafts.length > 0) await journal.transact(claim, [journal.writeOf('calendar', 0, drafts)])
    return lines
  })
}

const verbs: Readonly<Record<StatementChange, string>> = {
  cancelled: 'is cancelled',
  never_published: 'was never published',
  restored: 'is restored',
}

/** Says that a statement stands already. `reason`: the one on record. */
function alreadyText(name: string, status: CalendarStatus, reason: string | null): string {
  const why = reason === null ? '' : `, with the reason: ${reason.replace(/\.$/, '')}`
  return `${name} is already recorded as ${statusName(status)}${why}. Nothing was changed.`
}

const fail = (error: UsageError): never => {
  throw error
}

const isoOf = (at: number): string => new Date(at).toISOString()

/** The statements that stand of releases that are not on record. */
export async function standingStatements(journal: TypedJournal): Promise<Gap[]> {
  const standing = (await readStatements(journal)).standing().filter(stands)
  if (standing.length === 0) return []
  const { figures } = await readReleases(journal)
  return standing.filter(({ country, indicator, period }) => !figures.at(country, indicator, period))
}

type OnRecord = { readonly figures: FigureBoard; readonly releaseIndex: ReleaseIndex }

/** The series that is served for a release, and when it is expected. Throws UsageError. */
function servedFor(
  { figures, releaseIndex }: OnRecord,
  statements: StatementBoard,
  { country, indicator, period }: ReleaseToState,
  change: StatementChange,
  now: number,
) {
  const frequency = frequencyOf(period)
  const served = frequency && figures.servedSeries(country, indicator, frequency)
  if (!served || !isPublic(indicator, country)) {
    throw new UsageError(`no series of ${indicator} with periods like ${period} is served for ${country}`)
  }
  const record = releaseIndex.series().find(({ series }) => series.id === served.id)
  if (change !== 'restored') {
    if (figures.at(country, indicator, period)) {
      const first = record?.publications.find((publication) => publication.period === period)
      const day = first ? `, on ${first.released_on}` : ''
      throw new UsageError(`${country} ${indicator} ${period} is published already${day}`)
    }
    if (record && period < record.firstPeriod) {
      throw new UsageError(`${indicator} of ${country} begins with ${record.firstPeriod}, after ${period}`)
    }
  }
  if (change === 'never_published' && endOfPeriod(period) >= isoOf(now).slice(0, 10)) {
    throw new UsageError(`${period} is not over: use \`cancel\` for a figure that will not be published`)
  }
  const estimate = estimateOf(period, record?.publications ?? [])
  return { series: served.id, ...statements.wasExpected(country, indicator, period, estimate) }
}

async function readReleases(journal: TypedJournal): Promise<OnRecord> {
  const figures = new FigureBoard()
  const releaseIndex = new ReleaseIndex()
  for await (const batch of journal.readToEnd('releases', 0)) {
    for (const { value } of batch.records) {
      figures.apply(value)
      releaseIndex.apply(value)
    }
  }
  return { figures, releaseIndex }
}

async function readStatements(journal: TypedJournal): Promise<StatementBoard> {
  const board = new StatementBoard()
  for await (const batch of journal.readToEnd('calendar', 0)) for (const { value } of batch.records) board.apply(value)
  return board
}
