/**
 * A plot that can be read without seeing it: a chart, and a slider over it is the cursor of the keyboard, whose value says what
 * stands there. `plot-panel.js` puts a table and files beside it.
 *
 * @import { PlotModel } from './plot-svg.js'
 */

import { h } from './dom.js'
import { brush, leftOf } from './plot-brush.js'
import { chartData, chartIn } from './plot-chart.js'

/** Id of the cursor of the one plot of a view, from which the keyboard goes on after a range was chosen. */
export const CURSOR_ID = 'plot-cursor'

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
  const drawn = {
    model,
    series: model.series,
    splices: model.splices,
    onCursor: (/** @type {number} */ i) => i !== at && say(i),
  }
  const chart = chartIn(drawing, drawn)
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
    if (drawn.series.some(({ label }) => label)) chart.setData(chartData(drawn))
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
    /**
     * @param {Pick<PlotModel, 'series' | 'splices'>} instead what is drawn from now on, on the same places
     * @param {number} [i] where the cursor is from now on; the same place if left out
     */
    redraw({ series, splices }, i = at) {
      Object.assign(drawn, { series, splices })
      chart.setData(chartData(drawn))
      say(i)
    },
  }
}
