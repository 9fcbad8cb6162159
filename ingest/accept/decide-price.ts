import { isServedSymbol } from '../../contracts/instruments.ts'
import type { Draft } from '../../journal/typed.ts'
import type { Document, Price, Reject } from '../source.ts'
import { canonicalPrice } from './canonical-price.ts'
import { priceTick } from './price-tick.ts'
import type { PriceRecord, PricesOnRecord } from './prices-on-record.ts'

type PriceOutcome =
  | { readonly outcome: 'unserved' | 'unchanged' | 'older' | 'outdated' }
  | { readonly outcome: 'rejected'; readonly fault: Pick<Reject, 'reason' | 'detail'> }
  | ({ readonly outcome: 'prices' | 'restated'; readonly tick: Draft<'ticks'> } & PriceRecord)

/**
 * Decides what comes of a price of a document, and takes it as on record if it is news. `at` is UTC milliseconds, and `asOf`
 * those as of which a price lies in the future or not. `isApproved`: a person has approved it.
 */
export function decidePrice(
  document: Document,
  price: Price,
  { at, asOf }: { readonly at: number; readonly asOf: number },
  recorded: PricesOnRecord,
  isApproved: boolean,
): PriceOutcome {
  // Sources that restate their history go on with retired currencies. Elsewhere such a symbol is probably mistyped.
  if (!isServedSymbol(price.symbol)) return recorded.restatesHistory ? { outcome: 'unserved' } : unknownSymbol(price)
  const read = canonicalPrice(price, asOf)
  if ('reason' in read) return { outcome: 'rejected', fault: read }
  const decision = recorded.decide(document, price, read.canonical, at, asOf)
  // An approved price is written even if a newer one is on record by then.
  if (decision === 'unchanged' || decision === 'outdated' || (decision === 'older' && !isApproved))
    return { outcome: decision }
  const record = decision === 'older' ? {} : decision
  const restatement = record.history?.value.restates == null ? undefined : record.history.id
  const tick = priceTick({
    symbol: price.symbol,
    source: document.source,
    price: read.canonical,
    observed_at: price.observedAt,
    recorded_at: new Date(at).toISOString(),
    url: document.url,
    restatement,
  })
  return { outcome: restatement === undefined ? 'prices' : 'restated', tick: { ...tick, at }, ...record }
}

const unknownSymbol = ({ symbol }: Price): PriceOutcome => ({
  outcome: 'rejected',
  fault: {
    reason: 'unknown_symbol',
    detail: `No instrument has the symbol ${JSON.stringify(symbol)}. GET /v1/catalog/instruments lists them.`,
  },
})
