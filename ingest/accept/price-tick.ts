import type { Tick } from '../../contracts/records.ts'
import { derivedId } from '../../domain/ids.ts'
import type { Draft } from '../../journal/typed.ts'

/**
 * A price as the record of a tick, and its id. The id names symbol, source, time and price, so the same price of the same
 * time has the same id however often it arrives and however it was fetched. A price that restates another may return to an
 * earlier value, so its id names the restatement, too: `restatement` is the id of that record of `price_history`.
 */
export function priceTick(facts: Omit<Tick, 'kind'>, restatement?: string): Pick<Draft<'ticks'>, 'value' | 'id'> {
  const { symbol, source, price, observed_at } = facts
  const id = derivedId('tck', symbol, source, observed_at, price, ...(restatement === undefined ? [] : [restatement]))
  return { value: { kind: 'price', ...facts }, id }
}
