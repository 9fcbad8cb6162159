import type { Evidence, WrittenRecord } from '../evidence.ts'
import { type Judge, placeOf, recordsOfTopic } from './judge.ts'
import { sameNumber } from './prints.ts'

/** Each price on record was stated, later ones of a symbol have later times, and none is lost but for a later one. */
export const judgePrices: Judge = (evidence, isQuiet) => {
  const complaints: string[] = []
  const ticks = recordsOfTopic(evidence, 'ticks').filter(({ value }) => value.kind === 'price')
  const stated = new Map(
    evidence.documents.flatMap(({ prices }) => prices.map((p) => [`${p.symbol} ${p.observedAt}`, p.price] as const)),
  )
  const newest = new Map<string, WrittenRecord>()
  for (const tick of ticks) {
    const { symbol, observed_at, price } = tick.value
    const truth = stated.get(`${symbol} ${observed_at}`)
    if (truth === undefined || !sameNumber(truth, String(price)))
      complaints.push(
        `${placeOf(tick)} has the price ${price} of ${symbol} at ${observed_at}, which no document states`,
      )
    const before = newest.get(String(symbol))
    if (before && String(before.value.observed_at) >= String(observed_at))
      complaints.push(`${placeOf(tick)} is a price from before that of ${placeOf(before)}`)
    newest.set(String(symbol), tick)
  }
  if (isQuiet) complaints.push(...lostPrices(evidence, newest), ...wrongQuotes(evidence, newest))
  return complaints
}

function lostPrices({ documents }: Evidence, newest: ReadonlyMap<string, WrittenRecord>): string[] {
  return documents
    .flatMap(({ prices, isAcknowledged }) => (isAcknowledged ? prices : []))
    .filter(({ symbol, observedAt }) => observedAt > String(newest.get(symbol)?.value.observed_at ?? ''))
    .map(({ symbol, observedAt }) => `the price of ${symbol} at ${observedAt} was acknowledged and is not on record`)
}

/** The newest quote of a symbol is that of its newest price. */
function wrongQuotes(evidence: Evidence, newest: ReadonlyMap<string, WrittenRecord>): string[] {
  const quotes = new Map(recordsOfTopic(evidence, 'quotes').map(({ value }) => [String(value.symbol), value]))
  return [...newest].flatMap(([symbol, { value }]) => {
    const quote = quotes.get(symbol)
    if (quote && sameNumber(String(quote.price), String(value.price))) return []
    return `${symbol} is quoted at ${quote?.price}, and its newest price is ${value.price}`
  })
}
