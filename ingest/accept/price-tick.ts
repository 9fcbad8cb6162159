import type { Tick } from '../../contracts/records.ts'
import { derivedId } from '../../domain/ids.ts'

type PriceFacts = Pick<Tick, 'symbol' | 'source' | 'price' | 'observed_at' | 'recorded_at' | 'url'> & {
  /** Id of the record of `price_history` that restates an earlier price of this time. */
  readonly restatement?: string | undefined
}

/**
 * A price as the record of a tick, and its id. The id names symbol, source, time and price, so the same price of the same
 * time has the same id however often it arrives and however it was fetched. A price that restates another may return to an
 * earlier value, so its id names the restatement, too.
 */
export function priceTick({ symbol, source, price, observed_at, recorded_at, url, restatement }: PriceFacts): {
  readonly value: Tick
  readonly id: string
} {
  const value: Tick = { kind: 'price', symbol, source, price, observed_at, recorded_at, url }
  return {
    value,
    id: derivedId('tck', symbol, source, observed_at, price, ...(restatement === undefined ? [] : [restatement])),
  }
}
