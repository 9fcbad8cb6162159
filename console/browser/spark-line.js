/**
 * The path of a spark line in a box, its last value at the right edge; empty for fewer than two values.
 *
 * @param {readonly number[]} values
 * @param {number} width
 * @param {number} height
 */
export function sparkPath(values, width, height) {
  if (values.length < 2) return ''
  const [least, greatest] = [Math.min(...values), Math.max(...values)]
  const span = greatest - least
  return values
    .map((value, i) => {
      const x = (i / (values.length - 1)) * width
      // A value that never changed is a line through the middle.
      const y = span === 0 ? height / 2 : height - ((value - least) / span) * height
      return `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}
