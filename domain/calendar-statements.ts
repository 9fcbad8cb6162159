import type { CalendarChange } from '../contracts/records.ts'
import { ChangeCounts } from './change-counts.ts'
import { latest } from './instant.ts'
import { type ExpectedDay, estimatedDay } from './release-calendar.ts'

/** What the topic `calendar` says: operators’ statements about releases, and what subscribers were told of expected days. */

/** Status of a release that has no figure and gets none. */
const gapStatuses = ['cancelled', 'never_published'] as const
export type GapStatus = (typeof gapStatuses)[number]

/** The newest statement of an operator about one release. */
export type ReleaseStatement = {
  readonly country: string
  readonly indicator: CalendarChange['indicator']
  readonly period: string
  /** Null if the statement was taken back. */
  readonly status: GapStatus | null
  /** Why, in the words of the newest statement. */
  readonly reason: string
  readonly recordedAt: string
  /** The latest time at which something was said of it. A clock may have been set back since. */
  readonly changedAt: string
  /** Number of times that something else was said of the release. */
  readonly changes: number
}

/** Statements by `COUNTRY/indicator`, then period. Plain data, so that a checkpoint can hold it. */
type ReleaseStatements = Map<string, Map<string, ReleaseStatement>>

/** The newest statement about a release, also one that took another back. */
export const statementOn = (
  statements: ReleaseStatements,
  country: string,
  indicator: string,
  period: string,
): ReleaseStatement | undefined => statements.get(`${country}/${indicator}`)?.get(period)

/** Adds what an operator says. Returns false if it was said before. */
function takeStatement(statements: ReleaseStatements, statement: CalendarChange): boolean {
  const { change, country, indicator, period, reason, recorded_at: recordedAt } = statement
  const status = gapStatuses.find((name) => name === change) ?? null
  const key = `${country}/${indicator}`
  const own = statements.get(key) ?? new Map<string, ReleaseStatement>()
  const before = own.get(period)
  if ((before?.status ?? null) === status) return false
  own.set(period, {
    country,
    indicator,
    period,
    status,
    reason: reason ?? '',
    recordedAt,
    changedAt: latest(before?.changedAt ?? '', recordedAt),
    changes: (before?.changes ?? 0) + 1,
  })
  statements.set(key, own)
  return true
}

const compareReleases = (a: ReleaseStatement, b: ReleaseStatement): number => (nameOf(a) < nameOf(b) ? -1 : 1)
const nameOf = ({ country, indicator, period }: ReleaseStatement): string => `${country} ${indicator} ${period}`

/** What subscribers were told of the expected day of a release. */
type Notices = {
  /** The newest day of which they were told; null if they were told of none. */
  readonly day: ExpectedDay | null
  /** Whether the release was cancelled and restored since, so that they are told again. */
  readonly isRestored: boolean
  /** The expected days after which it was announced as late. */
  readonly late: readonly (string | null)[]
}
const noNotices: Notices = { day: null, isRestored: false, late: [] }

/** What the topic `calendar` says. Plain data, so that a checkpoint can hold it. */
export type CalendarChanges = {
  readonly statements: ReleaseStatements
  /** By `COUNTRY/indicator/period`. */
  readonly notices: Map<string, Notices>
}

export const noChanges = (): CalendarChanges => ({ statements: new Map(), notices: new Map() })

/** Takes a change from the journal. Returns whether it is news; a repeated one is not. */
export function takeChange({ statements, notices }: CalendarChanges, change: CalendarChange): boolean {
  const { country, indicator, period } = change
  const release = `${country}/${indicator}/${period}`
  const known = notices.get(release)
  switch (change.change) {
    case 'cancelled':
    case 'never_published':
      return takeStatement(statements, change)
    case 'restored':
      if (!takeStatement(statements, change)) return false
      // Subscribers were told of the cancellation since, so they are told again when it is expected.
      notices.set(release, { ...(known ?? noNotices), isRestored: true, late: [] })
      return true
    case 'expected':
    case 'late': {
      if (statementOn(statements, country, indicator, period)?.status) return false
      const next = noticesAfter(known, change)
      if (next) notices.set(release, next)
      return next !== undefined
    }
    default:
      // A newer node may write changes that this release does not know.
      return false
  }
}

/** What subscribers were told after a change that a timer noticed; undefined if they were told of it before. */
function noticesAfter(known: Notices | undefined, noticed: CalendarChange): Notices | undefined {
  const { change, expected_on, expected_on_basis, expected_at } = noticed
  const { late } = known ?? noNotices
  const isLate = change === 'late'
  if (isLate ? late.includes(expected_on) : notifiedDay(known) === expected_on) return undefined
  return {
    day: { expected_on, expected_on_basis, expected_at },
    isRestored: false,
    late: isLate ? [...late, expected_on] : late,
  }
}

/** The expected day of which subscribers know; undefined if they were told of none since the release was restored. */
export const notifiedDay = (known: Notices | undefined): string | null | undefined =>
  known?.isRestored ? undefined : known?.day?.expected_on

/** What the topic `calendar` says, for readers in memory such as the calendar of the api. */
export class StatementBoard {
  readonly #changes = noChanges()
  /** All records that changed something, so that the board of an earlier day can be made. */
  readonly #records: CalendarChange[] = []
  readonly #changed = new ChangeCounts()
  #recordedAt = ''

  apply(change: CalendarChange): void {
    if (!takeChange(this.#changes, change)) return
    this.#changed.note(change)
    this.#records.push(change)
    if (change.change !== 'expected' && change.change !== 'late') this.#recordedAt = change.recorded_at
  }

  /** The board at the end of a day, YYYY-MM-DD in UTC. */
  until(day: string): StatementBoard {
    const board = new StatementBoard()
    for (const change of this.#records) if (change.recorded_at.slice(0, day.length) <= day) board.apply(change)
    return board
  }

  /** When a release was expected: on the day that was announced, if it was its publisher’s, or else by an estimate. */
  wasExpected(country: string, indicator: string, period: string, estimate: string | null): ExpectedDay {
    const told = this.#changes.notices.get(`${country}/${indicator}/${period}`)?.day
    // The calendar that had the day may have forgotten it since.
    return told?.expected_on_basis === 'publisher' ? told : estimatedDay(estimate)
  }

  /** Number of records that changed something: while it stays the same, so does everything else. */
  get count(): number {
    return this.#records.length
  }

  /** Number of them about an indicator of a country, and of a year if it is given. */
  changes(country: string, indicator: string, year?: string): number {
    return this.#changed.of(country, indicator, year)
  }

  /** When the newest statement was recorded; empty before the first. */
  get recordedAt(): string {
    return this.#recordedAt
  }

  of(country: string, indicator: string): ReleaseStatement[] {
    return [...(this.#changes.statements.get(`${country}/${indicator}`)?.values() ?? [])]
  }

  /** The newest statement about a release, also one that took another back. */
  find(country: string, indicator: string, period: string): ReleaseStatement | undefined {
    return statementOn(this.#changes.statements, country, indicator, period)
  }

  /** The statements that stand, by country, indicator and period. Such a release may have been published since. */
  standing(): ReleaseStatement[] {
    const all = [...this.#changes.statements.values()].flatMap((own) => [...own.values()])
    return all.filter(({ status }) => status !== null).sort(compareReleases)
  }
}
