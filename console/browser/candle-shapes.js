/**
 * Candles as paths of SVG, which a canvas draws, too: a hollow one rose, a filled one fell.
 *
 * @typedef {{ readonly open: number, readonly high: number, readonly low: number, readonly close: number, readonly isUnfinished: boolean }} DrawnCandle
 */

/** Half the width of a body: its share of the distance between two candles, and its least and greatest in pixels. */
const [SHARE, LEAST, GREATEST] = [0.35, 0.5, 6]

/**
 * @param {readonly (DrawnCandle | undefined)[]} candles undefined where there was no price
 * @param {(i: number) => number} x
 * @param {(value: number) => number} y
 * @param {number} spacing distance between two candles
 */
export function candleShapes(candles, x, y, spacing) {
  const half = Math.min(GREATEST, Math.max(LEAST, spacing * SHARE))
  return candles.flatMap((candle, i) => {
    if (!candle) return []
    const { open, high, low, close, isUnfinished } = candle
    const rose = close >= open
    const [highest = '', top = '', bottom = '', lowest = ''] = [
      high,
      Math.max(open, close),
      Math.min(open, close),
      low,
    ].map((value) => y(value).toFixed(1))
    const [left, middle, right] = [x(i) - half, x(i), x(i) + half].map((place) => place.toFixed(1))
    // Chromium draws nothing of a dashed path in which a line has no length.
    const wick = (/** @type {string} */ from, /** @type {string} */ to) =>
      from === to ? '' : `M${middle} ${from}V${to}`
    const path = `${wick(highest, top)}${wick(bottom, lowest)}M${left} ${top}H${right}V${bottom}H${left}Z`
    return [{ path, rose, isHollow: rose || isUnfinished, isUnfinished }]
  })
}
