import type { Quote } from '../../contracts/records.ts'
import { PricesStream } from '../../streams/prices/index.ts'

export const clock = () => new Date('2026-11-20T12:00:00.000Z')
let offset = 0
export const quote = (symbol: string, price: string, stale = false): Quote => ({
  symbol,
  price,
  source: 'TEST',
  observed_at: '2026-11-20T11:59:59.000Z',
  stale,
  tick_partition: 0,
  tick_offset: offset++,
  state: '{}',
})

/** A stream that has these quotes, and sends at once. */
export const streamWith = (...quotes: Quote[]): PricesStream => {
  const stream = new PricesStream({ time: { now: () => clock().getTime(), soon: (goOn) => goOn() } })
  for (const each of quotes) stream.apply(each)
  stream.loaded({ isAway: () => false })
  return stream
}
