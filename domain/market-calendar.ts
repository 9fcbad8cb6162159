import { type Market, type MarketCode, markets } from '../contracts/instruments.ts'
import { instantOfLocalTime } from './time-zone.ts'

/**
 * Opening hours of markets, as instants computed from the weekly local hours in `markets`. Instants are UTC
 * milliseconds. Daylight saving follows the IANA time zone database of the runtime.
 */
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS

export type SessionSpan = {
  readonly market_session: 'open' | 'closed'
  /** Inclusive. */
  readonly since: number
  /** Exclusive: the beginning of the next session. */
  readonly until: number
}

/** The session of a market that contains an instant. */
export function sessionAt(market: MarketCode, at: number): SessionSpan {
  const span = sessionsOfWeek(market, Math.floor(at / WEEK_MS)).find(({ until }) => at < until)
  if (!span) throw new RangeError(`${market} has no session at ${at}`)
  return span
}

/**
 * The instant at which a market has been open for `ms` since `from`. The market is always open at that instant: if the
 * time ends exactly at a close, the result is the next opening.
 */
export function addOpenTime(market: MarketCode, from: number, ms: number): number {
  let left = ms
  for (let span = sessionAt(market, from), at = from; ; at = span.until, span = sessionAt(market, at)) {
    if (span.market_session === 'closed') continue
    if (left < span.until - at) return at + left
    left -= span.until - at
  }
}

export const fxSession = (at: Date): SessionSpan['market_session'] => sessionAt('FX', at.getTime()).market_session

/** Cache of sessions, one week at a time: a call of `Intl` costs microseconds, and every tick needs a session. */
const keptWeeks: Readonly<Record<MarketCode, Map<number, readonly SessionSpan[]>>> = {
  FX: new Map(),
  COMMODITIES: new Map(),
}
const MAX_KEPT_WEEKS = 1_000

/** The sessions that overlap a week, in order; weeks are counted from 1970-01-01 in UTC. */
function sessionsOfWeek(market: MarketCode, week: number): readonly SessionSpan[] {
  const kept = keptWeeks[market]
  const known = kept.get(week)
  if (known) return known
  const spans = computeSessions(markets[market], week * WEEK_MS)
  if (kept.size >= MAX_KEPT_WEEKS) kept.clear()
  kept.set(week, spans)
  return spans
}

function computeSessions({ hours, timeZone }: Market, start: number): readonly SessionSpan[] {
  const end = start + WEEK_MS
  // The day is given as midnight UTC of the same date.
  const instantOf = (day: number, hour: number) => instantOfLocalTime(day + hour * HOUR_MS, timeZone)
  // One more week on each side, so that both ends of every session of this week are among the boundaries.
  const boundaries: { at: number; market_session: SessionSpan['market_session'] }[] = []
  for (let day = start - WEEK_MS - DAY_MS; day < end + WEEK_MS; day += DAY_MS) {
    const weekday = new Date(day).getUTCDay()
    for (const { from, to } of hours) {
      if (from[0] === weekday) boundaries.push({ at: instantOf(day, from[1]), market_session: 'open' })
      if (to[0] === weekday) boundaries.push({ at: instantOf(day, to[1]), market_session: 'closed' })
    }
  }
  boundaries.sort((a, b) => a.at - b.at)
  return boundaries.flatMap(({ at: since, market_session }, i) => {
    const until = boundaries[i + 1]?.at
    return until !== undefined && until > start && since < end ? [{ market_session, since, until }] : []
  })
}
