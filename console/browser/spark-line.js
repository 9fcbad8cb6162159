/**
 * Least share of a price that the height of a spark line stands for: a tenth of a percent. A price that hardly moves is then a
 * flat line.
 */
const LEAST_RANGE = 0.001

/**
 * The path of a spark line in a box, from its first point at the left edge to its last at the right; empty for fewer than two. The
 * middle of the box is the middle of the values.
 *
 * @param {readonly import('./price-past.js').PricePoint[]} points oldest first
 * @param {number} width
 * @param {number} height
 */
export function sparkPath(points, width, height) {
  if (points.length < 2) return ''
  const values = points.map(([, value]) => value)
  const [from = 0, until = 0] = [points[0]?.[0], points.at(-1)?.[0]]
  const [least, greatest] = [Math.min(...values), Math.max(...values)]
  const middle = (least + greatest) / 2
  const range = Math.max(greatest - least, Math.abs(middle) * LEAST_RANGE) || 1
  return points
    .map(([at, value], i) => {
      const x = ((at - from) / (until - from || 1)) * width
      const y = (0.5 - (value - middle) / range) * height
      return `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}
