import { marketOf, priceSources, SIMULATOR } from '../contracts/instruments.ts'
import { compareDecimals, multiply, subtract } from './decimal.ts'
import { addOpenTime } from './market-calendar.ts'

/** A price and when its source says that it was observed, UTC ISO 8601 with milliseconds. */
export type Observed = { readonly price: string; readonly observed_at: string }

/** A price with what its tick says besides. */
export type Offer = Observed & {
  readonly offset: number
  readonly recorded_at: string
  readonly url: string
}

/** What is known of one source's prices of a symbol. */
export type SourcePrice = Observed & {
  readonly source: string
  /** UTC milliseconds from which the price is no longer current. */
  readonly staleAt: number
  /** A price too far from this one to be believed before a second confirms it. */
  readonly suspect: Offer | undefined
  /** The price put into quarantine last: the same again, of a document read twice, is no news. */
  readonly refused: Observed | undefined
}

type Judgement = { readonly price: SourcePrice; readonly dropped?: Offer }

const UNKNOWN_SOURCE = { staleAfterMs: 86_400_000, maxJump: null }
const ruleOf = (source: string) => priceSources.find((entry) => entry.source === source) ?? UNKNOWN_SOURCE
const rankOf = (source: string): number => {
  const index = priceSources.findIndex((entry) => entry.source === source)
  return index < 0 ? priceSources.length : index
}

/** Best source first, then by name. */
export const byRank = (a: SourcePrice, b: SourcePrice): number =>
  rankOf(a.source) - rankOf(b.source) || (a.source < b.source ? -1 : 1)

/**
 * When a price is no longer current: its source's time of open hours of the symbol's market after it was observed. The
 * simulator knows no closing hours, and its prices must not outlive it.
 */
export const staleAtOf = (symbol: string, source: string, observedAt: string): number => {
  const { staleAfterMs } = ruleOf(source)
  const at = Date.parse(observedAt)
  return source === SIMULATOR ? at + staleAfterMs : addOpenTime(marketOf(symbol), at, staleAfterMs)
}

/**
 * Says what a source's next price makes of what is known of it, at `now` (UTC ms); the same object if nothing. A price is
 * believed if it is the source's first, if the one before is no longer current, or if it is near that. Any other is a
 * suspect: believed once the next is near it too, dropped by the next that isn't.
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
    // One that was observed earlier is out of order anyway.
    refused: known?.refused && known.refused.observed_at >= observed.observed_at ? known.refused : undefined,
  })
  if (!known) return { price: believed(next) }
  const { suspect, refused } = known
  if (observed_at < known.observed_at || isSame(known, next) || isSame(suspect, next) || isSame(refused, next))
    return { price: known }
  const { maxJump } = ruleOf(source)
  if (maxJump === null || known.staleAt <= now) return { price: believed(next) }
  if (suspect && isNear(suspect.price, price, maxJump))
    return { price: believed(suspect.observed_at > observed_at ? suspect : next) }
  const judged = isNear(known.price, price, maxJump) ? believed(next) : { ...known, suspect: next }
  if (!suspect) return { price: judged }
  return { price: { ...judged, refused: observedOf(suspect) }, dropped: suspect }
}

/** Drops a suspect that nothing confirmed while its source's last price was current. */
export function dropUnconfirmed(known: SourcePrice, now: number): Judgement {
  const { suspect } = known
  if (!suspect || known.staleAt > now) return { price: known }
  return { price: { ...known, suspect: undefined, refused: observedOf(suspect) }, dropped: suspect }
}

/**
 * The price to serve out of those of all sources, best first: the best that is current. If none is, the newest; a
 * simulated one only if there is no other, for made-up prices must not outlive the simulator.
 */
export function choosePrice(prices: readonly SourcePrice[], now: number): SourcePrice | undefined {
  let newest: SourcePrice | undefined
  for (const price of prices) {
    if (price.staleAt > now) return price
    if (
      !newest ||
      newest.source === SIMULATOR ||
      (price.source !== SIMULATOR && price.observed_at > newest.observed_at)
    )
      newest = price
  }
  return newest
}

const observedOf = ({ price, observed_at }: Observed): Observed => ({ price, observed_at })
const isSame = (a: Observed | undefined, b: Observed): boolean =>
  a !== undefined && a.observed_at === b.observed_at && a.price === b.price

/** Relative width of the band round the limit in which binary arithmetic isn't trusted; its own error is below 1e-15. */
const DOUBT = 1e-9

/** Whether `price` is no further from `base` than `maxJump` times `base`. Exact: where it is close, in decimals. */
export function isNear(base: string, price: string, maxJump: string): boolean {
  const from = Number(base)
  const beyond = Math.abs(Number(price) - from) - Number(maxJump) * from
  if (Math.abs(beyond) > DOUBT * from) return beyond < 0
  const distance = compareDecimals(price, base) < 0 ? subtract(base, price) : subtract(price, base)
  return compareDecimals(distance, multiply(maxJump, base)) <= 0
}
