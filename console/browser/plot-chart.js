/**
 * The chart of a plot, which uPlot draws.
 *
 * @import { PlotModel } from './plot-svg.js'
 *
 * @typedef {{
 *   model: PlotModel,
 *   series: PlotModel['series'],
 *   splices: PlotModel['splices'],
 *   onCursor: (i: number) => void,
 * }} Drawn `series` and `splices` are drawn in place of the model's
 */
import { candleShapes } from './candle-shapes.js'
import { axisNumber } from './decimal-text.js'
import { themeColour } from './dom.js'
import { aloneIn, shortLabels, spread } from './plot-svg.js'
import uPlot from './uplot.js'

const UTC = 'Etc/UTC'
const DAY = 86_400
/**
 * How places on the axis of time are called, by the step between them: a template for each of them, and what is added under the
 * first of a year and of a day. Hours are those of 24, as everywhere on the page.
 *
 * @type {(string | number | null)[][]}
 */
const timeNames = [
  [365 * DAY, '{YYYY}', null, null, null, null, null, null, 1],
  [28 * DAY, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [DAY, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
]
/** Values below which each is marked. */
const FEW = 40
/**
 * What the kinds of series are drawn in.
 *
 * @satisfies {Record<PlotModel['series'][number]['kind'], { colour: string, width: number, dash?: number[] }>}
 */
const looks = {
  main: { colour: '--ink', width: 1.5 },
  second: { colour: '--accent', width: 1.5 },
  extent: { colour: '--faint', width: 1 },
  former: { colour: '--faint', width: 1, dash: [3, 4] },
}
const FONT = '12px ui-monospace, Menlo, Consolas, monospace'
/** Height of a label at the end of a line, and its distance from it. */
const [LABEL, APART] = [15, 6]

/** What is left of a chart's view. @type {Drawn} */
const nothing = {
  model: { title: '', unit: '', note: '', xs: [], xNames: [], series: [] },
  series: [],
  splices: [],
  onCursor: () => undefined,
}

/**
 * Draws a chart. `destroy` empties `drawn`, through which alone its options reach the view: V8 keeps one of a page's charts
 * for good, because uPlot defines a getter on each of them.
 *
 * @param {HTMLElement} drawing
 * @param {Drawn} drawn
 */
export function chartIn(drawing, drawn) {
  const stroke = (/** @type {string} */ name) => () => themeColour(name)
  const axis = {
    stroke: stroke('--faint'),
    grid: { stroke: stroke('--rule'), width: 0.5 },
    ticks: { stroke: stroke('--rule'), width: 0.5, size: 4 },
    font: FONT,
  }
  /** @type {import('uplot').Axis.Filter} names no time in the room for the labels, where nothing can be known */
  const filter = (_, splits) => splits.filter((split) => split <= (drawn.model.xs.at(-1) ?? 0))
  const time = { ...axis, filter, grid: { ...axis.grid, filter }, ticks: { ...axis.ticks, filter } }
  /** @satisfies {import('uplot').Axis} */
  const second = { scale: 'second', side: 1, values: (_, steps) => steps.map(axisNumber) }
  return new uPlot(
    {
      width: 600,
      height: 320,
      legend: { show: false },
      // Room for half of the last name below the axis.
      padding: [null, 32, null, null],
      scales: {
        x: { range: (chart) => rangeOf(drawn.model.xs, chart.bbox.width, roomForLabels(chart, drawn.series)) },
      },
      tzDate: (/** @type {number} */ seconds) => uPlot.tzDate(new Date(seconds * 1000), UTC),
      cursor: { drag: { x: false, y: false, setScale: false }, y: false, points: { size: 7 } },
      axes: [
        { ...time, values: timeNames, space: 84 },
        { ...axis, size: 62, values: (_, steps) => steps.map(axisNumber) },
        ...(drawn.model.secondUnit === undefined ? [] : [{ ...axis, ...second, size: 62, grid: { show: false } }]),
      ],
      series: [
        {},
        ...drawn.series.map((one) => {
          const { colour: _, ...line } = looks[one.kind]
          const points = pointsOf(one.kind, drawn.model.xs.length - 1)
          const paths = one.kind === 'extent' ? { paths: () => null } : {}
          const scale = one.axis === 1 ? { scale: 'second' } : {}
          return { stroke: stroke(colourOf(one)), ...line, points, ...paths, ...scale }
        }),
      ],
      hooks: {
        // Lines between the last place of one series and the first of another.
        draw: [
          ({ ctx, bbox, valToPos }) => {
            ctx.save()
            ctx.setLineDash([2, 4])
            const { xs } = drawn.model
            for (const { at, colour } of drawn.splices ?? []) {
              ctx.strokeStyle = themeColour(colour === undefined ? '--faint' : lineColour(colour))
              const between = ((xs[at - 1] ?? 0) + (xs[at] ?? 0)) / 2
              const left = Math.round(valToPos(between, 'x', true))
              ctx.beginPath()
              ctx.moveTo(left, bbox.top)
              ctx.lineTo(left, bbox.top + bbox.height)
              ctx.stroke()
            }
            ctx.restore()
          },
          (chart) => drawLabels(chart, drawn.series),
          (chart) => drawCandles(chart, drawn.model.candles ?? []),
        ],
        setCursor: [
          ({ cursor: { idx } }) => {
            if (idx !== null && idx !== undefined) drawn.onCursor(idx)
          },
        ],
        destroy: [() => void Object.assign(drawn, nothing)],
      },
    },
    chartData(drawn),
    drawing,
  )
}

/**
 * The points of a series.
 *
 * @param {PlotModel['series'][number]['kind']} kind
 * @param {number} last index of the last place
 */
function pointsOf(kind, last) {
  if (kind === 'extent') return { show: false }
  // Few values would hardly be seen as a line, and one between gaps not at all.
  if (last < FEW) return { show: true, size: 5 }
  /** @type {import('uplot').Series.Points.Filter} */
  const filter = ({ data }, series) => aloneIn(data[series] ?? [])
  return { show: true, filter, size: 5 }
}

/** @param {PlotModel['series'][number]} one */
const colourOf = ({ kind, colour }) => (colour === undefined ? looks[kind].colour : lineColour(colour))
const lineColour = (/** @type {number} */ colour) => `--line-${colour + 1}`

/**
 * The range of the axis of time, with room for labels after the last place. A single place stands in the middle of an hour.
 *
 * @param {readonly number[]} xs
 * @param {number} width of the drawing
 * @param {number} room for the labels
 * @returns {[number, number]}
 */
function rangeOf(xs, width, room) {
  const [first = 0, last = first] = [xs[0], xs.at(-1)]
  if (first === last) return [first - 1800, last + 1800]
  return [first, width > room ? first + ((last - first) * width) / (width - room) : last]
}

/**
 * The labels at the ends of lines: their first words where the plot is too narrow for all of them.
 *
 * @param {uPlot} chart
 * @param {PlotModel['series']} series
 */
function fittingLabels({ ctx, bbox }, series) {
  const labels = series.map(({ label = '' }) => label)
  ctx.font = scaledFont()
  const isNarrow = labels.some((label) => ctx.measureText(label).width > bbox.width / 4)
  return isNarrow ? shortLabels(series) : labels
}

/**
 * Width that the labels take, in pixels of the canvas.
 *
 * @param {uPlot} chart
 * @param {PlotModel['series']} series
 */
function roomForLabels(chart, series) {
  if (!series.some(({ label }) => label)) return 0
  chart.ctx.save()
  const widths = fittingLabels(chart, series).map((label) => chart.ctx.measureText(label).width)
  chart.ctx.restore()
  return Math.max(...widths) + 2 * APART * devicePixelRatio
}

const scaledFont = () => FONT.replace('12px', `${12 * devicePixelRatio}px`)

/**
 * Writes the label of each line at its end.
 *
 * @param {uPlot} chart
 * @param {PlotModel['series']} series
 */
function drawLabels(chart, series) {
  const { ctx, bbox, data, valToPos } = chart
  ctx.save()
  const labels = fittingLabels(chart, series)
  const ends = series.flatMap((one, n) => {
    const values = data[n + 1] ?? []
    const i = values.findLastIndex((value) => typeof value === 'number')
    const x = valToPos(data[0][i] ?? 0, 'x', true) + APART * devicePixelRatio
    const y = valToPos(values[i] ?? 0, one.axis === 1 ? 'second' : 'y', true)
    const label = labels[n]
    return label && i >= 0 ? [{ one, label, x, y }] : []
  })
  const half = (LABEL / 2) * devicePixelRatio
  const heights = spread(
    ends.map(({ y }) => y),
    2 * half,
    [bbox.top + half, bbox.top + bbox.height - half],
  )
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  ctx.lineWidth = 4 * devicePixelRatio
  ctx.strokeStyle = themeColour('--paper')
  ends.forEach(({ one, label, x }, i) => {
    ctx.strokeText(label, x, heights[i] ?? 0)
    ctx.fillStyle = themeColour(colourOf(one))
    ctx.fillText(label, x, heights[i] ?? 0)
  })
  ctx.restore()
}

/**
 * @param {uPlot} chart
 * @param {NonNullable<PlotModel['candles']>} candles
 */
function drawCandles({ ctx, bbox, data: [xs], valToPos }, candles) {
  const [paper, up = '', down = ''] = ['--paper', '--up', '--down'].map(themeColour)
  const shapes = candleShapes(
    candles,
    (i) => valToPos(xs[i] ?? 0, 'x', true),
    (value) => valToPos(value, 'y', true),
    bbox.width / xs.length,
  )
  ctx.save()
  for (const { path, rose, isHollow, isUnfinished } of shapes) {
    const shape = new Path2D(path)
    ctx.strokeStyle = rose ? up : down
    ctx.fillStyle = (isHollow && paper) || ctx.strokeStyle
    ctx.lineWidth = (isUnfinished ? 1.5 : 1) * devicePixelRatio
    ctx.setLineDash(isUnfinished ? [4, 3] : [])
    ctx.fill(shape)
    ctx.stroke(shape)
  }
  ctx.restore()
}

/**
 * @param {Drawn} drawn
 * @returns {import('uplot').AlignedData}
 */
export const chartData = ({ model, series }) => [[...model.xs], ...series.map(({ values }) => [...values])]
