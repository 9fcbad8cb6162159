import type { CalendarChange } from '../contracts/records.ts'

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

/** Operators' statements, as a fold over the topic `calendar`. The calendar of the api reads it. */
export class StatementBoard {
  readonly #statements: ReleaseStatements = new Map()
  #count = 0
  #recordedAt = ''

  apply(change: CalendarChange): void {
    if (!takeStatement(this.#statements, change)) return
    this.#count++
    this.#recordedAt = change.recorded_at
  }

  /** Number of statements that changed something: while it stays the same, so does everything else. */
  get count(): number {
    return this.#count
  }

  /** When the newest of them was recorded; empty before the first. */
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
