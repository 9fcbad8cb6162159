import type { CalendarChange } from '../contracts/records.ts'
import { type ExpectedDay, estimatedDay } from './release-calendar.ts'

/** Status of a release that has no figure and gets none. */
const statedStatuses = ['cancelled', 'never_published'] as const
export type StatedStatus = (typeof statedStatuses)[number]

/** The newest statement of an operator about one release. */
export type ReleaseStatement = {
  readonly country: string
  readonly indicator: CalendarChange['indicator']
  readonly period: string
  /** Null if the statement was taken back. */
  readonly status: StatedStatus | null
  /** Why, in the words of the newest statement. */
  readonly reason: string
  readonly recordedAt: string
  /** Number of times that something else was said of the release. */
  readonly changes: number
}

/** Statements by `COUNTRY/indicator`, then period. Plain data, so that a checkpoint can hold it. */
export type ReleaseStatements = Map<string, Map<string, ReleaseStatement>>

/** Adds what an operator says. Returns false if it changes nothing: it was said before, or a timer has noticed it. */
export function takeStatement(statements: ReleaseStatements, said: CalendarChange): boolean {
  const { change, country, indicator, period, reason, recorded_at: recordedAt } = said
  const status = statedStatuses.find((name) => name === change) ?? null
  if (status === null && change !== 'restored') return false
  const place = `${country}/${indicator}`
  const own = statements.get(place) ?? new Map<string, ReleaseStatement>()
  const before = own.get(period)
  if ((before?.status ?? null) === status) return false
  own.set(period, {
    country,
    indicator,
    period,
    status,
    reason: reason ?? '',
    recordedAt,
    changes: (before?.changes ?? 0) + 1,
  })
  statements.set(place, own)
  return true
}

/** The newest statement about a release, also one that took another back. */
export const statementOn = (
  statements: ReleaseStatements,
  country: string,
  indicator: string,
  period: string,
): ReleaseStatement | undefined => statements.get(`${country}/${indicator}`)?.get(period)

const compareReleases = (a: ReleaseStatement, b: ReleaseStatement): number => (nameOf(a) < nameOf(b) ? -1 : 1)
const nameOf = ({ country, indicator, period }: ReleaseStatement): string => `${country} ${indicator} ${period}`

/** The newest expected day of which subscribers were told. */
type Announcement = ExpectedDay & {
  /** Number of times that the day changed, and when it last did; empty if it never did. */
  readonly moves: number
  readonly movedAt: string
}

/** What operators have said and timers have noticed, as a fold over the topic `calendar`. The calendar of the api reads it. */
export class StatementBoard {
  readonly #statements: ReleaseStatements = new Map()
  /** By `COUNTRY/indicator/period`. */
  readonly #announced = new Map<string, Announcement>()
  #count = 0
  #recordedAt = ''

  apply(change: CalendarChange): void {
    if (this.#takeDay(change)) this.#count++
    if (!takeStatement(this.#statements, change)) return
    this.#count++
    this.#recordedAt = change.recorded_at
  }

  #takeDay(said: CalendarChange): boolean {
    const { change, country, indicator, period, expected_on, expected_on_basis, expected_at, recorded_at } = said
    if (change !== 'expected' && change !== 'late') return false
    const release = `${country}/${indicator}/${period}`
    const before = this.#announced.get(release)
    const day = { expected_on, expected_on_basis, expected_at }
    const isMove = before !== undefined && before.expected_on !== expected_on
    const { moves = 0, movedAt = '' } = before ?? {}
    this.#announced.set(release, { ...day, moves: moves + Number(isMove), movedAt: isMove ? recorded_at : movedAt })
    return true
  }

  /** The day of which subscribers were last told, when it passed or before; undefined if they were told of none. */
  announced(country: string, indicator: string, period: string): Announcement | undefined {
    return this.#announced.get(`${country}/${indicator}/${period}`)
  }

  /** When a release was expected: on the day that was announced, if it was its publisher’s, or else by an estimate. */
  wasExpected(country: string, indicator: string, period: string, estimate: string | null): ExpectedDay {
    const told = this.announced(country, indicator, period)
    // The calendar that had the day may have forgotten it since.
    if (told?.expected_on_basis !== 'publisher') return estimatedDay(estimate)
    const { expected_on, expected_on_basis, expected_at } = told
    return { expected_on, expected_on_basis, expected_at }
  }

  /** Number of records that changed something: while it stays the same, so does everything else. */
  get count(): number {
    return this.#count
  }

  /** When the newest statement was recorded; empty before the first. */
  get recordedAt(): string {
    return this.#recordedAt
  }

  /** The statements about the releases of a country and indicator. */
  of(country: string, indicator: string): ReleaseStatement[] {
    return [...(this.#statements.get(`${country}/${indicator}`)?.values() ?? [])]
  }

  /** The newest statement about a release, also one that took another back. */
  find(country: string, indicator: string, period: string): ReleaseStatement | undefined {
    return statementOn(this.#statements, country, indicator, period)
  }

  /** The statements that stand, by country, indicator and period. Such a release may have been published since. */
  standing(): ReleaseStatement[] {
    const all = [...this.#statements.values()].flatMap((own) => [...own.values()])
    return all.filter(({ status }) => status !== null).sort(compareReleases)
  }
}
