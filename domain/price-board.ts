import { commodities, currencies, isCommodity, isCurrency, SIMULATOR } from '../contracts/instruments.ts'
import type { Quote } from '../contracts/records.ts'
import type { FxRate, FxRates, SpotPrice } from '../contracts/resources.ts'
import { multiply, ratio } from './decimal.ts'
import { fxSession } from './market-calendar.ts'

/** A price reached through quotes: the product of some over the product of others. */
type Route = { readonly over: readonly Quote[]; readonly under: readonly Quote[] }
type Priced = {
  readonly price: string
  readonly timestamp: string
  readonly stale: boolean
  readonly sources: ReadonlySet<string>
}

/** Currencies through which a rate is found where no source quotes the pair, best first. */
const pivots = ['USD', 'EUR'] as const

/**
 * The current quote of every symbol, and the REST and stream bodies computed from them. A fold over `quotes`. A direct
 * quote passes through unchanged; everything else is one division in decimal arithmetic, rounded once, to eight
 * significant digits, half even. `timestamp` is the oldest leg's, `stale` true if any leg is.
 */
export class PriceBoard {
  readonly #quotes = new Map<string, Quote>()
  readonly #isSimulatorFed: boolean

  /** `isSimulatorFed`: the simulator will price what this board serves, though no quote on it may say so yet. */
  constructor({ isSimulatorFed = false }: { readonly isSimulatorFed?: boolean } = {}) {
    this.#isSimulatorFed = isSimulatorFed
  }

  /** Ignores a quote whose tick is older than that of the quote on the board. */
  apply(quote: Quote): void {
    const known = this.#quotes.get(quote.symbol)
    if (known && known.tick_offset > quote.tick_offset) return
    this.#quotes.set(quote.symbol, quote)
  }

  quote(symbol: string): Quote | undefined {
    return this.#quotes.get(symbol)
  }

  /** Undefined if no source has priced a leg yet. Both codes must be served ones. */
  spot(commodity: string, currency: string): SpotPrice | undefined {
    const priced = this.#spot(commodity, currency)
    const unit = commodities[commodity]?.unit
    if (!priced || !unit) return undefined
    const { price, timestamp, stale } = priced
    return { symbol: `${commodity}-${currency}`, price, currency, unit, timestamp, stale }
  }

  /** All rates of a base that can be reached, in the order of their codes; undefined if there is none. */
  fx(base: string, now: Date): FxRates | undefined {
    const found = currencies.flatMap((currency) => this.fxRate(base, currency, now) ?? [])
    if (found.length === 0) return undefined
    const market_session = found.some((one) => one.market_session === 'simulated') ? 'simulated' : fxSession(now)
    return { base, market_session, rates: found.map(({ rate }) => rate) }
  }

  /**
   * One rate with the session of its market. Simulated prices move day and night, so a rate that is built on one
   * has the session `simulated`, whatever the hours of the real market are.
   */
  fxRate(base: string, currency: string, now: Date): (Pick<FxRates, 'market_session'> & { rate: FxRate }) | undefined {
    if (base === currency || !isCurrency(base) || !isCurrency(currency)) return undefined
    const priced = best(this.#rates(base, currency))
    if (!priced) return undefined
    const { price, timestamp, stale, sources } = priced
    const market_session = sources.has(SIMULATOR) ? 'simulated' : fxSession(now)
    return { market_session, rate: { currency, rate: price, timestamp, stale } }
  }

  /** Whether a reader of this board may be given a simulated price, a stale one included. */
  get hasSimulated(): boolean {
    return this.#isSimulatorFed || this.#quotes.values().some(({ source }) => source === SIMULATOR)
  }

  /** Whether the service is a demonstration. Stale prices that an earlier one left behind don't make it one. */
  get isDemonstration(): boolean {
    return this.#isSimulatorFed || this.#quotes.values().some(({ source, stale }) => source === SIMULATOR && !stale)
  }

  /** Whether a body is built on a simulated price. */
  isSimulated(base: string, quote: string): boolean {
    const priced = isCommodity(base) ? this.#spot(base, quote) : best(this.#rates(base, quote))
    return priced?.sources.has(SIMULATOR) ?? false
  }

  #spot(commodity: string, currency: string): Priced | undefined {
    const instrument = commodities[commodity]
    const native = instrument && this.#quotes.get(`${commodity}-${instrument.currency}`)
    if (!native) return undefined
    if (currency === instrument.currency) return best([{ over: [native], under: [] }])
    const routes = this.#rates(instrument.currency, currency)
    return best(routes.map(({ over, under }) => ({ over: [native, ...over], under })))
  }

  #rates(base: string, currency: string): Route[] {
    const viaPivots = pivots.flatMap((pivot) =>
      pivot === base || pivot === currency
        ? []
        : this.#legs(base, pivot).flatMap((to) => this.#legs(pivot, currency).map((from) => joined(to, from))),
    )
    return [...this.#legs(base, currency), ...viaPivots]
  }

  /** The quote of a pair, and the inverse of the pair turned round: as many as there are. */
  #legs(base: string, currency: string): Route[] {
    const direct = this.#quotes.get(`${base}-${currency}`)
    const inverse = this.#quotes.get(`${currency}-${base}`)
    return [...(direct ? [{ over: [direct], under: [] }] : []), ...(inverse ? [{ over: [], under: [inverse] }] : [])]
  }
}

const joined = (a: Route, b: Route): Route => ({ over: [...a.over, ...b.over], under: [...a.under, ...b.under] })

/** The first route whose legs are all current, else the first: a fresh cross rate beats a stale direct quote. */
function best(routes: readonly Route[]): Priced | undefined {
  const isFresh = ({ over, under }: Route) => ![...over, ...under].some((quote) => quote.stale)
  const route = routes.find(isFresh) ?? routes[0]
  return route && priceOf(route)
}

function priceOf({ over, under }: Route): Priced {
  const legs = [...over, ...under]
  const times = (quotes: readonly Quote[]) => quotes.reduce((total, quote) => multiply(total, quote.price), '1')
  const [only] = over
  const direct = only && over.length === 1 && under.length === 0
  return {
    price: direct ? only.price : ratio(times(over), times(under)),
    timestamp: legs.map(({ observed_at }) => observed_at).sort()[0] ?? '',
    stale: legs.some((quote) => quote.stale),
    sources: new Set(legs.map((quote) => quote.source)),
  }
}
