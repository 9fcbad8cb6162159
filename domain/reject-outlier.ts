import { hash } from 'node:crypto'
import type { Rejected, Tick } from '../contracts/records.ts'
import type { Outlier } from './decide-quote.ts'

/** The quarantine record of a price that nothing confirmed: its tick as JSON, and its place in `ticks`. */
export function rejectOutlier(symbol: string, partition: number, outlier: Outlier, at: number): Rejected {
  const { source, price, observed_at, offset, recorded_at, url } = outlier
  const tick: Tick = { kind: 'price', symbol, source, price, observed_at, recorded_at, url }
  const bytes = Buffer.from(JSON.stringify(tick))
  const sha256 = hash('sha256', bytes)
  const location = `ticks/${partition}/${offset}`
  return {
    input_id: hash('sha256', `${sha256} outlier ${location}`),
    source,
    dataset: symbol,
    url,
    reason: 'outlier',
    detail: `${symbol} at ${price} is too far from the price of ${source} before it, and no other price confirmed it`,
    location,
    retrieved_at: recorded_at,
    recorded_at: new Date(at).toISOString(),
    sha256,
    part: 1,
    parts: 1,
    bytes,
  }
}
