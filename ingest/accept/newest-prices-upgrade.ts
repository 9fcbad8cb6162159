import { FEED, SIMULATOR, sourcesWithHistory } from '../../contracts/instruments.ts'
import type { NewestPrice } from '../../contracts/records.ts'
import { partitionsOf } from '../../contracts/topics.ts'
import { bookOf } from '../../domain/decide-quote.ts'
import type { Claim } from '../../journal/journal.ts'
import { newestPriceKey, processorClaim } from '../../journal/layout.ts'
import type { TypedJournal } from '../../journal/typed.ts'

/** Sources without records in the topic: feeds are no documents, and series have `price_history`. */
const excluded: readonly string[] = [SIMULATOR, FEED, ...sourcesWithHistory]

/**
 * The newest prices in a journal whose `newest_prices` is empty, as releases up to 0.3 leave it: from `quotes`, and from the
 * ticks that the quotes processor has not decided on, which are many if no service runs. This file can go when such journals
 * are no longer opened. `claim` is the caller's own, of any name.
 */
export async function formerNewestPrices(journal: TypedJournal, claim: Claim): Promise<NewestPrice[]> {
  const newest = new Map<string, NewestPrice>()
  const take = ({ symbol, source, price, observed_at }: NewestPrice) => {
    const key = newestPriceKey({ symbol, source })
    const known = newest.get(key)
    // The last of two prices of one time counts, as for the quotes processor.
    if (!excluded.includes(source) && (!known || known.observed_at <= observed_at))
      newest.set(key, { symbol, source, price, observed_at })
  }
  // Before the quotes, so that these include every tick before the position.
  const undecided = await Promise.all(
    partitionsOf('ticks').map((partition) =>
      journal.positionOf(claim, 'ticks', partition, processorClaim('quotes', partition)),
    ),
  )
  for await (const { records } of journal.readToEnd('quotes', 0)) {
    for (const { value } of records) for (const price of bookOf(value).prices) take({ symbol: value.symbol, ...price })
  }
  for (const [partition, from] of undecided.entries()) {
    for await (const { records } of journal.readToEnd('ticks', partition, from))
      for (const { value } of records) if (value.kind === 'price') take(value)
  }
  return [...newest.values()]
}
