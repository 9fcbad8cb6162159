import { marketOf, priceSources, SIMULATOR } from '../contracts/instruments.ts'
import { compareDecimals, multiply, subtract } from './decimal.ts'
import { addOpenTime } from './market-calendar.ts'

/** A price, and the time at which its source observed it (UTC ISO 8601 with milliseconds). */
export type Observed = { readonly price: string; readonly observed_at: string }

/** A price with further members of its tick. */
export type Offer = Observed & {
  readonly offset: number
  readonly recorded_at: string
  readonly url: string
}

/** State of one source's prices of a symbol: the last believed price, and the doubtful ones. */
export type SourcePrice = Observed & {
  readonly source: string
  /** UTC milliseconds from which the price is no longer current. */
  readonly staleAt: number
  /** A price too far from this one to be believed before a second confirms it. */
  readonly suspect: Offer | undefined
  /** The price that was quarantined last. The same price again, from a document read twice, has no effect. */
  readonly refused: Observed | undefined
}

type Judgement = { readonly price: SourcePrice; readonly dropped?: Offer }

const UNKNOWN_SOURCE = { staleAfterMs: 86_400_000, maxJump: null }
const sourceRule = (source: string) => priceSources.find((entry) => entry.source === source) ?? UNKNOWN_SOURCE
const sourceRank = (source: string): number => {
  const index = priceSources.findIndex((entry) => entry.source === source)
  return index < 0 ? priceSources.length : index
}

/** Best source first, then by name. */
export const byRank = (a: SourcePrice, b: SourcePrice): number =>
  sourceRank(a.source) - sourceRank(b.source) || (a.source < b.source ? -1 : 1)

/**
 * The time, UTC ms, from which a price is stale: after its source's `staleAfterMs` of the market's open hours. Prices
 * of the simulator count all hours, because they must not outlive it.
 */
export const staleAtOf = (symbol: string, source: string, observedAt: string): number => {
  const { staleAfterMs } = sourceRule(source)
  const at = Date.parse(observedAt)
  return source === SIMULATOR ? at + staleAfterMs : addOpenTime(marketOf(symbol), at, staleAfterMs)
}

/** Longest wait for the other instruments of a source, ms. It is shorter only for sources that are late sooner. */
const MAX_SETTLE_MS = 60_000
/** Allowance for timers and processors that run a little late, ms. */
const SETTLE_MARGIN_MS = 2_000
/**
 * How long after an instrument of a source became late the others are waited for, ms. If the source as a whole has
 * fallen silent, every other instrument is late by then, because it had its last price before the silence too.
 */
export const settleMs = (source: string): number =>
  Math.min(sourceRule(source).staleAfterMs, MAX_SETTLE_MS) + SETTLE_MARGIN_MS

/**
 * Decides what a source's next price changes in the source's state, at `now` (UTC ms). Returns the same object if nothing. A
 * price is believed if it is the source's first, if the one before is stale, or if it is near the one before. Any other price
 * becomes a suspect. A suspect is believed once the next price is near it, and dropped by a next price that is not.
 */
export function judgeOffer(
  known: SourcePrice | undefined,
  symbol: string,
  source: string,
  next: Offer,
  now: number,
): Judgement {
  const { price, observed_at } = next
  const believed = (observed: Observed): SourcePrice => ({
    source,
    price: observed.price,
    observed_at: observed.observed_at,
    staleAt: staleAtOf(symbol, source, observed.observed_at),
    suspect: undefined,
    // An earlier refused price can be forgotten, because repeating it would be out of order anyway.
    refused: known?.refused && known.refused.observed_at >= observed.observed_at ? known.refused : undefined,
  })
  if (!known) return { price: believed(next) }
  const { suspect, refused } = known
  if (observed_at < known.observed_at || isSame(known, next) || isSame(suspect, next) || isSame(refused, next))
    return { price: known }
  const { maxJump } = sourceRule(source)
  if (maxJump === null || known.staleAt <= now) return { price: believed(next) }
  if (suspect && isNear(suspect.price, price, maxJump))
    return { price: believed(suspect.observed_at > observed_at ? suspect : next) }
  const judged = isNear(known.price, price, maxJump) ? believed(next) : { ...known, suspect: next }
  if (!suspect) return { price: judged }
  return { price: { ...judged, refused: observedOf(suspect) }, dropped: suspect }
}

/** Drops a suspect that nothing confirmed before its source's last price became stale. */
export function dropUnconfirmed(known: SourcePrice, now: number): Judgement {
  const { suspect } = known
  if (!suspect || known.staleAt > now) return { price: known }
  return { price: { ...known, suspect: undefined, refused: observedOf(suspect) }, dropped: suspect }
}

/**
 * Chooses the price to serve from the prices of all sources, which are ordered best first. It is the best current price that
 * no better source has a newer one than, or else the newest: a live price that is a minute late is nearer to the truth than a
 * monthly average that is still current. A stale simulated price is chosen only if there is no other, because made-up prices
 * must not outlive the simulator.
 */
export function choosePrice(prices: readonly SourcePrice[], now: number): SourcePrice | undefined {
  let newest: SourcePrice | undefined
  for (const price of prices) {
    if (newest && newest.source !== SIMULATOR && price.observed_at <= newest.observed_at) continue
    if (price.staleAt > now) return price
    newest = price
  }
  return newest
}

const observedOf = ({ price, observed_at }: Observed): Observed => ({ price, observed_at })
const isSame = (a: Observed | undefined, b: Observed): boolean =>
  a !== undefined && a.observed_at === b.observed_at && a.price === b.price

/** Relative distance from the limit within which binary arithmetic is not trusted. Its own error is below 1e-15. */
const DOUBTFUL_BAND = 1e-9

/** Whether `price` is no further from `base` than `maxJump` times `base`. Exact: close to the limit it computes in decimals. */
export function isNear(base: string, price: string, maxJump: string): boolean {
  const from = Number(base)
  const beyond = Math.abs(Number(price) - from) - Number(maxJump) * from
  if (Math.abs(beyond) > DOUBTFUL_BAND * from) return beyond < 0
  const distance = compareDecimals(price, base) < 0 ? subtract(base, price) : subtract(price, base)
  return compareDecimals(distance, multiply(maxJump, base)) <= 0
}
