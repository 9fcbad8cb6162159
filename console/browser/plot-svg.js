/**
 * A plot as an SVG file that stands by itself: no script, no style sheet, no font but the reader's own.
 *
 * @typedef {{
 *   readonly values: readonly (number | null)[],
 *   readonly kind: 'main' | 'second' | 'unfinished' | 'band',
 * }} PlotSeries `unfinished` is dashed; `band`: the first and second of them bound an area
 * @typedef {{
 *   readonly title: string,
 *   readonly unit: string,
 *   readonly note: string,
 *   readonly xs: readonly number[],
 *   readonly xNames: readonly string[],
 *   readonly series: readonly PlotSeries[],
 *   readonly splices?: readonly { readonly at: number, readonly name: string }[],
 * }} PlotModel `xs`: seconds since 1970, ascending; `xNames`: how a reader calls each; `splices`: places from which the figures
 * are of another series
 */
import { axisNumber } from './decimal-text.js'

const [WIDTH, HEIGHT] = [960, 480]
const edge = { left: 84, right: 24, top: 64, bottom: 64 }
const colours = { main: '#211c15', second: '#a8331a', unfinished: '#a8331a', band: '#d6cbb5' }

/**
 * @param {PlotModel} model
 * @returns {string}
 */
export function plotSvg({ title, unit, note, xs, xNames, series, splices = [] }) {
  const values = series.flatMap((one) => one.values.filter((value) => value !== null))
  const [first = 0, last = 1] = [xs[0], xs.at(-1)]
  const steps = axisSteps(Math.min(...values), Math.max(...values))
  const [low = 0, high = 1] = [steps[0], steps.at(-1)]
  const x = (/** @type {number} */ at) =>
    edge.left + ((at - first) / (last - first || 1)) * (WIDTH - edge.left - edge.right)
  const y = (/** @type {number} */ value) =>
    HEIGHT - edge.bottom - ((value - low) / (high - low || 1)) * (HEIGHT - edge.top - edge.bottom)
  const dots = (/** @type {PlotSeries} */ { values: own, kind }) =>
    aloneIn(own).map(
      (i) =>
        `<circle fill="${colours[kind]}" cx="${x(xs[i] ?? 0).toFixed(1)}" cy="${y(own[i] ?? 0).toFixed(1)}" r="2.5"/>`,
    )
  const line = (/** @type {PlotSeries} */ { values: own, kind }) =>
    `<path fill="none" stroke="${colours[kind]}" stroke-width="1.5"${kind === 'unfinished' ? ' stroke-dasharray="4 4"' : ''} d="${pathOf(own, xs, x, y)}"/>`
  const rules = steps.map(
    (step) =>
      `<path stroke="#d6cbb5" d="M${edge.left} ${y(step).toFixed(1)}H${WIDTH - edge.right}"/>` +
      `<text x="${edge.left - 8}" y="${(y(step) + 4).toFixed(1)}" text-anchor="end">${axisNumber(step)}</text>`,
  )
  const names = xMarks(xs.length).map(
    (i) =>
      `<text x="${x(xs[i] ?? 0).toFixed(1)}" y="${HEIGHT - edge.bottom + 24}" text-anchor="middle">${escaped(xNames[i] ?? '')}</text>`,
  )
  const marks = splices.map(({ at, name }) => {
    const left = x(((xs[at - 1] ?? first) + (xs[at] ?? first)) / 2).toFixed(1)
    const text = `<text x="${left}" y="${edge.top - 2}" font-size="11" text-anchor="middle">${escaped(name)}</text>`
    return `<path stroke="#6b6153" stroke-dasharray="2 4" d="M${left} ${edge.top}V${HEIGHT - edge.bottom}"/>${text}`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="Palatino, Georgia, serif" font-size="13" fill="#6b6153">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fdfaf3"/>`,
    `<text x="${edge.left}" y="30" font-size="20" fill="#211c15">${escaped(title)}</text>`,
    `<text x="${edge.left}" y="50" font-style="italic">${escaped(unit)}</text>`,
    ...rules,
    ...names,
    ...marks,
    ...series.map(line),
    ...series.flatMap(dots),
    `<text x="${edge.left}" y="${HEIGHT - 12}" font-size="11">${escaped(note)}</text>`,
    '</svg>',
    '',
  ].join('\n')
}

/**
 * The places of values that have no neighbour, so that no line leads to them.
 *
 * @param {ArrayLike<number | null | undefined>} values
 */
export function aloneIn(values) {
  const isKnown = (/** @type {number} */ i) => values[i] !== null && values[i] !== undefined
  return Array.from(values, (_, i) => i).filter((i) => isKnown(i) && !isKnown(i - 1) && !isKnown(i + 1))
}

/**
 * Round values that enclose a range, from four to eight of them.
 *
 * @param {number} least
 * @param {number} greatest
 */
export function axisSteps(least, greatest) {
  if (!Number.isFinite(least) || !Number.isFinite(greatest)) return [0, 1]
  const span = greatest - least || Math.abs(greatest) || 1
  const power = 10 ** Math.floor(Math.log10(span / 4))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => span / one <= 6) ?? power * 10
  const from = Math.floor(least / step)
  const to = Math.max(Math.ceil(greatest / step), from + 1)
  return Array.from({ length: to - from + 1 }, (_, i) => Number(((from + i) * step).toPrecision(12)))
}

/** Places of about six names along the axis. */
const xMarks = (/** @type {number} */ length) => {
  const count = Math.min(6, length)
  return Array.from({ length: count }, (_, i) => Math.round((i / Math.max(1, count - 1)) * (length - 1)))
}

/**
 * A path that is interrupted where nothing is known.
 *
 * @param {readonly (number | null)[]} values
 * @param {readonly number[]} xs
 * @param {(at: number) => number} x
 * @param {(value: number) => number} y
 */
function pathOf(values, xs, x, y) {
  let isDrawing = false
  return values
    .map((value, i) => {
      if (value === null) {
        isDrawing = false
        return ''
      }
      const command = isDrawing ? 'L' : 'M'
      isDrawing = true
      return `${command}${x(xs[i] ?? 0).toFixed(1)} ${y(value).toFixed(1)}`
    })
    .join('')
}

/** @type {Readonly<Record<string, string>>} */
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (/** @type {string} */ text) => text.replace(/[&<>"]/g, (character) => entities[character] ?? '')
