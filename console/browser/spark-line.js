/**
 * Least share of a price that the height of a spark line stands for: a tenth of a percent. A price that hardly moves is then a
 * flat line.
 */
const LEAST_RANGE = 0.001

/**
 * The path of a spark line in a box, its last value at the right edge; empty for fewer than two values. The middle of the box is
 * the middle of the values.
 *
 * @param {readonly number[]} values
 * @param {number} width
 * @param {number} height
 */
export function sparkPath(values, width, height) {
  if (values.length < 2) return ''
  const [least, greatest] = [Math.min(...values), Math.max(...values)]
  const middle = (least + greatest) / 2
  const range = Math.max(greatest - least, Math.abs(middle) * LEAST_RANGE) || 1
  return values
    .map((value, i) => {
      const x = (i / (values.length - 1)) * width
      const y = (0.5 - (value - middle) / range) * height
      return `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}
