/**
 * Lengths of the intervals in milliseconds; a month has the length of the longest one.
 *
 * @satisfies {Record<import('../../contracts/candles.ts').CandleInterval, number>}
 */
export const intervalLengths = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
  '1w': 604_800_000,
  '1M': 31 * 86_400_000,
}

/**
 * The instant at which a candle's interval ends, in milliseconds since 1970. Before it the candle still grows.
 *
 * @param {string} start of the candle
 * @param {keyof typeof intervalLengths} interval
 */
export function candleEnd(start, interval) {
  const from = new Date(start)
  if (interval === '1M') return Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1)
  return from.getTime() + intervalLengths[interval]
}

/**
 * The places of a plot of candles. Those shorter than a day have one for each interval, so that a time without a price is a gap.
 * Days without trade are no gap.
 *
 * @template {{ readonly start: string }} C
 * @param {readonly C[]} candles in order of time
 * @param {keyof typeof intervalLengths} interval
 * @returns {{ readonly at: number, readonly candle?: C }[]} `at`: UTC milliseconds
 */
export function candleSlots(candles, interval) {
  const own = candles.map((candle) => ({ at: Date.parse(candle.start), candle }))
  const [first, last] = [own[0]?.at, own.at(-1)?.at]
  const length = intervalLengths[interval]
  if (first === undefined || last === undefined || length >= intervalLengths['1d']) return own
  const byTime = new Map(own.map((slot) => [slot.at, slot]))
  return Array.from({ length: (last - first) / length + 1 }, (_, i) => {
    const at = first + i * length
    return byTime.get(at) ?? { at }
  })
}
