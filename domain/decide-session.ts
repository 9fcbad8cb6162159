import { type MarketCode, markets } from '../contracts/instruments.ts'
import type { Session, Tick } from '../contracts/records.ts'
import { type SessionSpan, sessionAt } from './market-calendar.ts'

type SessionDecision = {
  readonly session: Session
  /** End of the session by the calendar, UTC milliseconds. */
  readonly until: number
  /** False for the first session on record, and if only the calendar has changed. */
  readonly isTransition: boolean
}

export const isMarket = (code: string): code is MarketCode => Object.hasOwn(markets, code)

/**
 * Returns the session that a market's timer begins; undefined if it begins none. A timer begins none if it is a repeat, or if its
 * boundary is not the end of the known session. If no session is known, it is the one at the timer's record time.
 */
export function decideSession(
  known: Session | undefined,
  market: MarketCode,
  timer: Tick,
  { partition, offset }: { readonly partition: number; readonly offset: number },
): SessionDecision | undefined {
  const recorded = Date.parse(timer.recorded_at)
  const boundary = Date.parse(timer.observed_at)
  if (timer.kind !== 'timer' || !(boundary <= recorded)) return undefined
  if (known && boundary !== boundaryAfter(known)) return undefined
  const { market_session, since, until } = sessionAt(market, known ? boundary : recorded)
  const at = { tick_partition: partition, tick_offset: offset }
  return {
    session: { market, market_session, since: new Date(since).toISOString(), ...at },
    until,
    isTransition: known !== undefined && known.market_session !== market_session,
  }
}

/**
 * The boundaries at `now` for which a market needs timers, in order, UTC milliseconds. These are all that have passed
 * since the known session began, or the beginning of the current session if none is known.
 */
export function* dueBoundaries(known: Session | undefined, market: MarketCode, now: number): Generator<number> {
  if (!known) yield sessionAt(market, now).since
  else for (let at = boundaryAfter(known); at <= now; at = sessionAt(market, at).until) yield at
}

/** End of the known session. A cast, because only sessions of known markets are ever recorded. */
const boundaryAfter = ({ market, since }: Session): SessionSpan['until'] =>
  sessionAt(market as MarketCode, Date.parse(since)).until
