import { FEED } from '../../contracts/instruments.ts'
import type { Tick } from '../../contracts/records.ts'
import { decideQuote, newBook, nextDueAt, type QuoteBook, type QuoteDecision } from '../../domain/decide-quote.ts'
import { priceTick } from './ticks.ts'

/** Decides on ticks one after the other; `last` is the last decision, undefined where a tick had no effect. */
export class Decider {
  book: QuoteBook | undefined
  #offset = 0
  take(tick: Tick): QuoteDecision | undefined {
    this.book ??= newBook(tick.symbol)
    this.#offset += 2
    const decision = this.book && decideQuote(this.book, tick, { partition: 0, offset: this.#offset })
    if (decision) this.book = decision.book
    return decision
  }
  takeAll(...ticks: Tick[]): QuoteDecision | undefined {
    let last: QuoteDecision | undefined
    for (const tick of ticks) last = this.take(tick)
    return last
  }
  /** When the next timer is due, seen from `now`. */
  dueAt(now: number): number | undefined {
    return this.book && nextDueAt(this.book, now)
  }
}
export const decide = (...ticks: Tick[]) => new Decider().takeAll(...ticks)
export const feed = (price: string, recorded: number, observed = recorded) =>
  priceTick(price, { source: FEED, recorded, observed })
