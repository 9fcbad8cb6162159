/**
 * A plot that can be read without seeing it: uPlot draws, and a slider over it is the cursor of the keyboard, whose value says
 * what stands there. `plot-panel.js` puts a table and files beside it.
 *
 * @import { PlotModel } from './plot-svg.js'
 */

import { candleShapes } from './candle-shapes.js'
import { axisNumber } from './decimal-text.js'
import { h, themeColour } from './dom.js'
import { brush, leftOf } from './plot-brush.js'
import { aloneIn, spread } from './plot-svg.js'
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
/** Id of the cursor of the one plot of a view, from which the keyboard goes on after a range was chosen. */
export const CURSOR_ID = 'plot-cursor'
/** Height of a label at the end of a line, and its distance from it. */
const [LABEL, APART] = [15, 6]

/**
 * @param {object} options
 * @param {PlotModel} options.model
 * @param {(i: number) => string} options.readout what stands at a place, in words
 * @param {(i: number) => void} [options.onCursor]
 * @param {(from: number, to: number) => void} [options.onRange] is told the places between which a pointer was dragged
 * @param {number} [options.at] where the cursor begins; the last place if left out
 * @param {AbortSignal} options.signal ends it
 */
export function plot({ model, readout, onCursor, onRange, signal, at: begin = model.xs.length - 1 }) {
  const last = model.xs.length - 1
  let { series: shown, splices = [] } = model
  let at = Math.max(0, Math.min(begin, last))
  const drawing = h('div', { class: 'drawing', 'aria-hidden': 'true' })
  const line = h('p', { class: 'readout', 'aria-hidden': 'true' }, readout(at))
  const cursor = h('div', {
    id: CURSOR_ID,
    class: 'plot-cursor',
    role: 'slider',
    tabindex: 0,
    'aria-label': `Cursor on the plot of ${model.title}`,
    'aria-valuemin': 0,
    'aria-valuemax': last,
    'aria-valuenow': at,
    'aria-valuetext': readout(at),
  })
  const { unit, secondUnit } = model
  const units =
    secondUnit !== undefined && h('p', { class: 'axis-units' }, h('span', {}, unit), h('span', {}, secondUnit))
  const element = h('div', { class: 'plot' }, line, units, h('div', { class: 'plot-area' }, drawing, cursor))

  const say = (/** @type {number} */ i) => {
    at = Math.min(Math.max(i, 0), last)
    line.textContent = readout(at)
    cursor.setAttribute('aria-valuenow', String(at))
    cursor.setAttribute('aria-valuetext', readout(at))
    onCursor?.(at)
  }
  const stroke = (/** @type {string} */ name) => () => themeColour(name)
  const axis = {
    stroke: stroke('--faint'),
    grid: { stroke: stroke('--rule'), width: 0.5 },
    ticks: { stroke: stroke('--rule'), width: 0.5, size: 4 },
    font: FONT,
  }
  /** @type {import('uplot').Axis.Filter} names no time in the room for the labels, where nothing can be known */
  const filter = (_, splits) => splits.filter((split) => split <= (model.xs[last] ?? 0))
  const time = { ...axis, filter, grid: { ...axis.grid, filter }, ticks: { ...axis.ticks, filter } }
  /** @satisfies {import('uplot').Axis} */
  const second = { scale: 'second', side: 1, values: (_, steps) => steps.map(axisNumber) }
  const chart = new uPlot(
    {
      width: 600,
      height: 320,
      legend: { show: false },
      // Room for half of the last name below the axis.
      padding: [null, 32, null, null],
      scales: { x: { range: (chart) => rangeOf(model.xs, chart.bbox.width, roomForLabels(chart, shown)) } },
      tzDate: (/** @type {number} */ seconds) => uPlot.tzDate(new Date(seconds * 1000), UTC),
      cursor: { drag: { x: false, y: false, setScale: false }, y: false, points: { size: 7 } },
      axes: [
        { ...time, values: timeNames, space: 84 },
        { ...axis, size: 62, values: (_, steps) => steps.map(axisNumber) },
        ...(secondUnit === undefined ? [] : [{ ...axis, ...second, size: 62, grid: { show: false } }]),
      ],
      series: [
        {},
        ...model.series.map((one) => {
          const { colour: _, ...line } = looks[one.kind]
          const points = pointsOf(one.kind, last)
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
            for (const { at: place, colour } of splices) {
              ctx.strokeStyle = themeColour(colour === undefined ? '--faint' : lineColour(colour))
              const between = ((model.xs[place - 1] ?? 0) + (model.xs[place] ?? 0)) / 2
              const left = Math.round(valToPos(between, 'x', true))
              ctx.beginPath()
              ctx.moveTo(left, bbox.top)
              ctx.lineTo(left, bbox.top + bbox.height)
              ctx.stroke()
            }
            ctx.restore()
          },
          (chart) => drawLabels(chart, shown),
          (chart) => drawCandles(chart, model.candles ?? []),
        ],
        setCursor: [
          ({ cursor: { idx } }) => {
            if (idx !== null && idx !== undefined && idx !== at) say(idx)
          },
        ],
      },
    },
    dataOf(model.xs, model.series),
    drawing,
  )
  const place = () => {
    const left = chart.valToPos(model.xs[at] ?? 0, 'x')
    chart.setCursor({ left, top: 10 }, false)
  }
  cursor.addEventListener('keydown', (event) => {
    const page = Math.max(2, Math.round(last / 10))
    /** @type {Readonly<Record<string, number>>} */
    const moves = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -page,
      PageUp: page,
      Home: -last,
      End: last,
    }
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    say(at + move)
    place()
  })
  // uPlot listens on its own element, which lies below the slider. A tap is a click, and moves no pointer.
  const follow = (/** @type {MouseEvent} */ event) => chart.setCursor({ left: leftOf(event, chart), top: 10 })
  cursor.addEventListener('click', follow, { signal })
  /** @type {PointerEvent | undefined} */
  let down
  cursor.addEventListener('pointerdown', (event) => (down = event), { signal })
  cursor.addEventListener(
    'pointermove',
    (event) => {
      const [x, y] = [event.clientX - (down?.clientX ?? 0), event.clientY - (down?.clientY ?? 0)].map(Math.abs)
      // A finger that scrolls the page moves a little before the browser takes it.
      if (event.pointerType !== 'touch' || (x ?? 0) >= (y ?? 0)) follow(event)
    },
    { signal },
  )
  if (onRange) brush({ cursor, chart, onRange, signal })

  const fit = new ResizeObserver(() => {
    const { clientWidth, clientHeight } = drawing
    if (clientWidth === 0) return
    chart.setSize({ width: clientWidth, height: clientHeight })
    // Labels take more of a narrow plot.
    if (shown.some(({ label }) => label)) chart.setData(dataOf(model.xs, shown))
  })
  fit.observe(drawing)
  const theme = matchMedia('(prefers-color-scheme: dark)')
  theme.addEventListener('change', () => chart.redraw(false), { signal })
  signal.addEventListener('abort', () => {
    fit.disconnect()
    chart.destroy()
  })
  return {
    element,
    /** @param {Pick<PlotModel, 'series' | 'splices'>} instead what is drawn from now on, on the same places */
    redraw(instead) {
      shown = instead.series
      splices = instead.splices ?? []
      chart.setData(dataOf(model.xs, shown))
      say(at)
    },
  }
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
  return isNarrow ? labels.map((label) => label.split(' ')[0] ?? '') : labels
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
    return one.label && i >= 0 ? [{ one, label: labels[n] ?? '', x, y }] : []
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
 * @param {readonly number[]} xs
 * @param {PlotModel['series']} series
 * @returns {import('uplot').AlignedData}
 */
const dataOf = (xs, series) => [[...xs], ...series.map(({ values }) => [...values])]
