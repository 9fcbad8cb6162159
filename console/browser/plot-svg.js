/**
 * A plot as an SVG file that stands by itself: no script, no style sheet, no font but the reader's own.
 *
 * @import { DrawnCandle } from './candle-shapes.js'
 *
 * @typedef {{
 *   readonly values: readonly (number | null | undefined)[],
 *   readonly kind: 'main' | 'second' | 'extent' | 'former',
 *   readonly colour?: number,
 *   readonly axis?: number,
 *   readonly label?: string,
 * }} PlotSeries `values`: null is a gap, undefined none; `former` is dashed; `extent` is not drawn, and only makes room; `colour`: one of `lineColours`, instead of that of the kind; `axis`: 0 is at the left, 1 at the right;
 * `label` stands at its end
 * @typedef {{
 *   readonly title: string,
 *   readonly unit: string,
 *   readonly secondUnit?: string,
 *   readonly note: string,
 *   readonly xs: readonly number[],
 *   readonly xNames: readonly string[],
 *   readonly series: readonly PlotSeries[],
 *   readonly candles?: readonly (DrawnCandle | undefined)[],
 *   readonly splices?: readonly { readonly at: number, readonly name: string, readonly colour?: number | undefined }[],
 * }} PlotModel `note` may have several lines; `xs`: seconds since 1970, ascending; `xNames`: how a reader calls each; `splices`: places from which the figures
 * are of another series; their `colour` is that of the line
 */
import { candleShapes } from './candle-shapes.js'
import { axisNumber } from './decimal-text.js'

const side = { left: 84, right: 24, top: 64, bottom: 44 }
const [NOTE, LABEL] = [16, 14]
/** Width of a letter of the smallest texts, about. */
const SMALL = 6
const colours = { main: '#211c15', second: '#a8331a', extent: '', former: '#6b6153' }
/** Those of the style sheet by day, `--line-1` and so on. */
const lineColours = ['#211c15', '#a8331a', '#2a5d84', '#4f7026', '#86549a', '#9a6412', '#2c7a75', '#8a4b5c']

/**
 * @param {PlotModel} model
 * @param {{ readonly width?: number, readonly isBare?: boolean }} [form] `isBare`: title, unit and notes stand beside it
 * @returns {string}
 */
export function plotSvg(
  { title, unit, secondUnit, note, xs, xNames, series, candles = [], splices = [] },
  { width = 960, isBare = false } = {},
) {
  const notes = isBare ? [] : note.split('\n')
  const edge = isBare ? { ...side, top: 16 } : side
  const drawnHeight = 480 - side.top + edge.top
  const height = drawnHeight + notes.length * NOTE
  const bottom = drawnHeight - edge.bottom
  const labelWidth = Math.max(0, ...series.map(({ label = '' }) => label.length)) * 7
  const right = width - (secondUnit === undefined ? edge.right : edge.left)
  const [first = 0, last = 1] = [xs[0], xs.at(-1)]
  const x = (/** @type {number} */ at) =>
    edge.left + ((at - first) / (last - first || 1)) * (right - labelWidth - edge.left)
  const scales = [0, 1].map((axis) => {
    const steps = axisSteps(...extent(series.filter((one) => (one.axis ?? 0) === axis)))
    const [low = 0, high = 1] = [steps[0], steps.at(-1)]
    const y = (/** @type {number} */ value) => bottom - ((value - low) / (high - low || 1)) * (bottom - edge.top)
    return { steps, y }
  })
  const yOf = ({ axis = 0 }) => scales[axis]?.y ?? (() => bottom)
  const colourOf = (/** @type {PlotSeries} */ { kind, colour }) =>
    (colour === undefined ? undefined : lineColours[colour]) ?? colours[kind]
  const dots = (/** @type {PlotSeries} */ one) =>
    aloneIn(one.values).map(
      (i) =>
        `<circle fill="${colourOf(one)}" cx="${x(xs[i] ?? 0).toFixed(1)}" cy="${yOf(one)(one.values[i] ?? 0).toFixed(1)}" r="2.5"/>`,
    )
  const line = (/** @type {PlotSeries} */ one) => {
    const dash = one.kind === 'former' ? ' stroke-dasharray="4 4"' : ''
    return `<path fill="none" stroke="${colourOf(one)}" stroke-width="1.5"${dash} d="${pathOf(one.values, xs, x, yOf(one))}"/>`
  }
  const shapes = candleShapes(
    candles,
    (i) => x(xs[i] ?? 0),
    (value) => scales[0]?.y(value) ?? 0,
    (right - edge.left) / xs.length,
  ).map(({ path, rose, isHollow, isUnfinished }) => {
    const colour = rose ? '#2a5d84' : '#a8331a'
    return `<path fill="${isHollow ? '#fdfaf3' : colour}" stroke="${colour}"${isUnfinished ? ' stroke-dasharray="3 2"' : ''} d="${path}"/>`
  })
  const drawn = series.filter(
    ({ kind, values }) => kind !== 'extent' && values.some((value) => typeof value === 'number'),
  )
  const rules = (scales[0]?.steps ?? []).map((step) => {
    const at = scales[0]?.y(step) ?? 0
    return (
      `<path stroke="#d6cbb5" d="M${edge.left} ${at.toFixed(1)}H${right}"/>` +
      `<text x="${edge.left - 8}" y="${(at + 4).toFixed(1)}" text-anchor="end">${axisNumber(step)}</text>`
    )
  })
  const secondNames = secondUnit === undefined ? [] : (scales[1]?.steps ?? [])
  const seconds = secondNames.map(
    (step) => `<text x="${right + 8}" y="${((scales[1]?.y(step) ?? 0) + 4).toFixed(1)}">${axisNumber(step)}</text>`,
  )
  const names = xMarks(xs.length, Math.ceil(width / 160)).map(
    (i) =>
      `<text x="${x(xs[i] ?? 0).toFixed(1)}" y="${bottom + 24}" text-anchor="middle">${escaped(xNames[i] ?? '')}</text>`,
  )
  /** @type {number[]} where the last name of each row ends */
  const rows = []
  const marks = splices.map(({ at, name, colour }) => {
    const left = x(((xs[at - 1] ?? first) + (xs[at] ?? first)) / 2).toFixed(1)
    const half = (name.length * SMALL) / 2
    const middle = Math.min(Number(left), width - half)
    const row = [...rows, -Infinity].findIndex((end) => end <= middle - half)
    rows[row] = middle + half
    const stroke = (colour === undefined ? undefined : lineColours[colour]) ?? colours.former
    const text = `<text x="${middle.toFixed(1)}" y="${edge.top - 2 + row * LABEL}" font-size="11" fill="${stroke}" text-anchor="middle">${escaped(name)}</text>`
    return `<path stroke="${stroke}" stroke-dasharray="2 4" d="M${left} ${edge.top}V${bottom}"/>${text}`
  })
  const ends = series.flatMap((one) => {
    const i = one.values.findLastIndex((value) => typeof value === 'number')
    return one.label === undefined || i < 0 ? [] : [{ one, x: x(xs[i] ?? 0), y: yOf(one)(one.values[i] ?? 0) }]
  })
  const heights = spread(
    ends.map(({ y }) => y),
    LABEL,
    [edge.top, bottom],
  )
  const labels = ends.map(
    (end, i) =>
      `<text x="${(end.x + 6).toFixed(1)}" y="${((heights[i] ?? 0) + 4).toFixed(1)}" fill="${colourOf(end.one)}">${escaped(end.one.label ?? '')}</text>`,
  )
  // As large as it can be on one line; a letter is half as wide as high, about.
  const titleSize = Math.max(11, Math.min(20, Math.floor((width - edge.left) / title.length / 0.5)))
  const head = [
    `<text x="${edge.left}" y="30" font-size="${titleSize}" fill="#211c15">${escaped(title)}</text>`,
    `<text x="${edge.left}" y="50" font-style="italic">${escaped(unit)}</text>`,
    ...(secondUnit === undefined
      ? []
      : [`<text x="${right}" y="50" text-anchor="end" font-style="italic">${escaped(secondUnit)}</text>`]),
  ]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="Palatino, Georgia, serif" font-size="13" fill="#6b6153">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fdfaf3"/>`,
    ...(isBare ? [] : head),
    ...rules,
    ...seconds,
    ...names,
    ...marks,
    ...drawn.map(line),
    ...drawn.flatMap(dots),
    ...shapes,
    ...labels,
    ...notes.map(
      (text, i) =>
        `<text x="${edge.left}" y="${drawnHeight + (i + 0.5) * NOTE}" font-size="11">${escaped(text)}</text>`,
    ),
    '</svg>',
    '',
  ].join('\n')
}

/** @param {readonly PlotSeries[]} series @returns {[least: number, greatest: number]} */
function extent(series) {
  const values = series.flatMap((one) => one.values.filter((value) => typeof value === 'number'))
  return [Math.min(...values), Math.max(...values)]
}

/**
 * Moves heights apart so that texts at them do not cover each other, and keeps them within bounds.
 *
 * @param {readonly number[]} heights
 * @param {number} least distance between two of them
 * @param {readonly [number, number]} bounds
 */
export function spread(heights, least, [top, bottom]) {
  const order = heights.map((_, i) => i).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0))
  const placed = [...heights]
  let next = top
  for (const i of order) {
    placed[i] = Math.max(placed[i] ?? 0, next)
    next = (placed[i] ?? 0) + least
  }
  let limit = bottom
  for (const i of order.toReversed()) {
    placed[i] = Math.min(placed[i] ?? 0, limit)
    limit = (placed[i] ?? 0) - least
  }
  return placed
}

/**
 * The first words of labels, for a narrow plot. Pieces of one line have one colour: where they would all say the same, only the
 * last of them does.
 *
 * @param {readonly PlotSeries[]} series
 */
export function shortLabels(series) {
  const ends = series.map(({ label = '', colour, values }) => ({
    word: label.split(' ')[0] ?? '',
    colour,
    at: values.findLastIndex((value) => typeof value === 'number'),
  }))
  return ends.map((end, i) => {
    const isSame = (/** @type {typeof end} */ { word, colour }) => word === end.word && colour === end.colour
    const isLater = ends.some((other, n) => isSame(other) && (other.at > end.at || (other.at === end.at && n > i)))
    return isLater ? '' : end.word
  })
}

/**
 * The places of values that have no neighbour, so that no line leads to them.
 *
 * @param {ArrayLike<number | null | undefined>} values
 */
export function aloneIn(values) {
  // Places between the periods of a series are none of it.
  const own = Array.from(values, (_, i) => i).filter((i) => values[i] !== undefined)
  const isKnown = (/** @type {number | undefined} */ i) => i !== undefined && values[i] !== null
  return own.filter((i, n) => isKnown(i) && !isKnown(own[n - 1]) && !isKnown(own[n + 1]))
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

/** Places of names along the axis. @param {number} length @param {number} most */
const xMarks = (length, most) => {
  const count = Math.min(most, length)
  return Array.from({ length: count }, (_, i) => Math.round((i / Math.max(1, count - 1)) * (length - 1)))
}

/**
 * A path that is interrupted where nothing is known.
 *
 * @param {readonly (number | null | undefined)[]} values
 * @param {readonly number[]} xs
 * @param {(at: number) => number} x
 * @param {(value: number) => number} y
 */
function pathOf(values, xs, x, y) {
  let isDrawing = false
  return values
    .map((value, i) => {
      if (value === undefined) return ''
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
