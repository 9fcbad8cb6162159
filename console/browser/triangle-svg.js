/**
 * The revision triangle as an SVG file: in each column one rectangle for each print.
 *
 * @import { Vintages } from './vintages.js'
 */
import { dayName, periodName } from './periods.js'

const [CELL_X, CELL_Y] = [4, 3]
const colours = { rest: '#efe7d6', up: '#2a5d84', down: '#a8331a' }

/**
 * @param {Vintages} vintages
 * @param {Float64Array} matrix
 * @param {number} typical
 * @param {{ title: string, note: string }} texts
 */
export function triangleSvg({ periods, dates, prints }, matrix, typical, { title, note }) {
  const [width, height] = [periods.length * CELL_X, dates.length * CELL_Y]
  const rowOf = new Map(dates.map((date, row) => [date, row]))
  const cells = prints.flatMap((all, column) =>
    all.map(({ date }, i) => {
      const from = rowOf.get(date) ?? 0
      const to = rowOf.get(all[i + 1]?.date ?? '') ?? dates.length
      const distance = matrix[from * periods.length + column] ?? 0
      const strength = distance === 0 ? 0 : 0.2 + 0.8 * Math.min(1, Math.abs(distance) / (typical || 1))
      const colour = distance === 0 ? colours.rest : distance < 0 ? colours.down : colours.up
      const opacity = distance === 0 ? '' : ` fill-opacity="${strength.toFixed(2)}"`
      return `<path fill="${colour}"${opacity} d="M${column * CELL_X} ${from * CELL_Y}h${CELL_X}v${(to - from) * CELL_Y}h-${CELL_X}z"/>`
    }),
  )
  const text = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {string} */ anchor,
    /** @type {string} */ words,
  ) =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}">${words.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-90 -40 ${width + 100} ${height + 80}" font-family="Palatino, Georgia, serif" font-size="12" fill="#6b6153">`,
    `<rect x="-90" y="-40" width="${width + 100}" height="${height + 80}" fill="#fdfaf3"/>`,
    text(0, -16, 'start', title),
    ...cells,
    text(-8, 12, 'end', dayName(dates[0] ?? '')),
    text(-8, height, 'end', dayName(dates.at(-1) ?? '')),
    text(0, height + 18, 'start', periodName(periods[0] ?? '')),
    text(width, height + 18, 'end', periodName(periods.at(-1) ?? '')),
    text(0, height + 34, 'start', note),
    '</svg>',
    '',
  ].join('\n')
}
