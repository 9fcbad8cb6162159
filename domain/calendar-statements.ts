import type { CalendarChange } from '../contracts/records.ts'

/** What operators have said of one release. */
export type ReleaseStatement = {
  readonly country: string
  readonly indicator: string
  readonly period: string
  readonly isCancelled: boolean
  /** Why, in the words of the newest statement. */
  readonly reason: string
  readonly recordedAt: string
  /** Number of times that the release was cancelled or restored. */
  readonly changes: number
}

/** Statements by `COUNTRY/indicator`, then period. Plain data, so that a checkpoint can hold it. */
export type ReleaseStatements = Map<string, Map<string, ReleaseStatement>>

/** Adds what an operator says. Returns false if it changes nothing: it was said before, or a timer has noticed it. */
export function takeStatement(statements: ReleaseStatements, said: CalendarChange): boolean {
  const { change, country, indicator, period, reason, recorded_at: recordedAt } = said
  if (change !== 'cancelled' && change !== 'restored') return false
  const place = `${country}/${indicator}`
  const own = statements.get(place) ?? new Map<string, ReleaseStatement>()
  const before = own.get(period)
  const isCancelled = change === 'cancelled'
  if ((before?.isCancelled ?? false) === isCancelled) return false
  own.set(period, {
    country,
    indicator,
    period,
    isCancelled,
    reason: reason ?? '',
    recordedAt,
    changes: (before?.changes ?? 0) + 1,
  })
  statements.set(place, own)
  return true
}

export const isCancelled = (
  statements: ReleaseStatements,
  country: string,
  indicator: string,
  period: string,
): boolean => statements.get(`${country}/${indicator}`)?.get(period)?.isCancelled ?? false

const compareReleases = (a: ReleaseStatement, b: ReleaseStatement): number => (nameOf(a) < nameOf(b) ? -1 : 1)
const nameOf = ({ country, indicator, period }: ReleaseStatement): string => `${country} ${indicator} ${period}`

/** What operators have said, for the calendar of the api. A fold over the topic `calendar`. */
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

  /** What is cancelled, by country, indicator and period. It may have been published since. */
  cancelled(): ReleaseStatement[] {
    const all = [...this.#statements.values()].flatMap((own) => [...own.values()])
    return all.filter((statement) => statement.isCancelled).sort(compareReleases)
  }
}
