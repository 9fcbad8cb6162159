import type { Line, TickValue } from '../journal-lines.ts'

export type Candle = {
  open: string
  high: string
  low: string
  close: string
  ticks: number
  firstAt: string
  firstOffset: number
  lastAt: string
  lastOffset: number
}

/** Candles of a minute by `symbol source minute partition`, recomputed from the replayed ticks. */
export function candlesOf(lines: Iterable<Line<TickValue>>): Map<string, Candle> {
  const candles = new Map<string, Candle>()
  for (const { partition, offset, value } of lines) {
    if (value.kind !== 'price') continue
    const { symbol, source, price, observed_at: at } = value
    const key = `${symbol} ${source} ${at.slice(0, 16)} ${partition}`
    const candle = candles.get(key)
    if (!candle) {
      const place = { firstAt: at, firstOffset: offset, lastAt: at, lastOffset: offset }
      candles.set(key, { open: price, high: price, low: price, close: price, ticks: 1, ...place })
      continue
    }
    candle.ticks++
    if (isLess(candle.high, price)) candle.high = price
    if (isLess(price, candle.low)) candle.low = price
    // Instants of one form sort as text. Ticks come by ascending offset, so among equal times the first stays the first.
    if (at < candle.firstAt) {
      candle.open = price
      candle.firstAt = at
      candle.firstOffset = offset
    }
    if (at >= candle.lastAt) {
      candle.close = price
      candle.lastAt = at
      candle.lastOffset = offset
    }
  }
  return candles
}

/** Exact, for canonical decimals greater than zero without an exponent. */
function isLess(a: string, b: string): boolean {
  const [wholeA = '', partA = ''] = a.split('.')
  const [wholeB = '', partB = ''] = b.split('.')
  const digits = Math.max(partA.length, partB.length)
  return BigInt(wholeA + partA.padEnd(digits, '0')) < BigInt(wholeB + partB.padEnd(digits, '0'))
}
