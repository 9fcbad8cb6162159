import { type MarketCode, markets } from '../contracts/instruments.ts'
import type { Session, Tick } from '../contracts/records.ts'
import { type SessionSpan, sessionAt } from './market-calendar.ts'

type SessionDecision = {
  readonly session: Session
  /** When the session ends by the calendar, UTC milliseconds. */
  readonly until: number
  /** False for the first session on record, and where only the calendar has changed. */
  readonly isTransition: boolean
}

export const isMarket = (code: string): code is MarketCode => Object.hasOwn(markets, code)

/**
 * Takes in a market's timer and says which session has begun; undefined if none has: the timer is a repeat, or of another
 * boundary than the one that ends the known session. Without a known session it is the one of the timer's record time.
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
 * The boundaries that a market's timers are due for at `now`, in order, UTC milliseconds: all that have passed since the
 * known session began; the beginning of the current one if none is known.
 */
export function* dueBoundaries(known: Session | undefined, market: MarketCode, now: number): Generator<number> {
  if (!known) yield sessionAt(market, now).since
  else for (let at = boundaryAfter(known); at <= now; at = sessionAt(market, at).until) yield at
}

const boundaryAfter = ({ market, since }: Session): SessionSpan['until'] =>
  sessionAt(market as MarketCode, Date.parse(since)).until
