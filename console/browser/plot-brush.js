/**
 * Chooses a range of a plot by one drag of a mouse, a pen or a finger. A finger that moves up or down scrolls the page instead,
 * by the `touch-action` of the element that listens.
 *
 * @import uPlot from 'uplot'
 */

/** Pixels below which a drag is a click with an unsteady hand. */
const LEAST_DRAG = 5

/**
 * @param {object} options
 * @param {HTMLElement} options.cursor lies over the plot
 * @param {uPlot} options.chart
 * @param {(from: number, to: number) => void} options.onRange is told the places between which a pointer was dragged
 * @param {AbortSignal} options.signal ends it
 */
export function brush({ cursor, chart, onRange, signal }) {
  /** @type {number | undefined} */
  let began
  const rangeTo = (/** @type {PointerEvent} */ event) => {
    const ends = [began ?? 0, leftOf(event, chart)].sort((a, b) => a - b)
    return /** @type {[number, number]} */ (ends)
  }
  const show = (/** @type {number} */ left, /** @type {number} */ width) =>
    chart.setSelect({ left, width, top: 0, height: chart.over.clientHeight }, false)
  const end = () => {
    began = undefined
    show(0, 0)
  }
  /** @param {'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel'} type @param {(event: PointerEvent) => void} listener */
  const on = (type, listener) =>
    cursor.addEventListener(type, (event) => event.isPrimary && listener(event), { signal })
  on('pointerdown', (event) => {
    if (event.button !== 0) return
    cursor.setPointerCapture(event.pointerId)
    began = leftOf(event, chart)
  })
  on('pointermove', (event) => {
    if (began === undefined) return
    const [left, right] = rangeTo(event)
    show(left, right - left)
  })
  on('pointerup', (event) => {
    if (began === undefined) return
    const [left, right] = rangeTo(event)
    end()
    const [from, to] = [chart.posToIdx(left), chart.posToIdx(right)]
    if (right - left >= LEAST_DRAG && from < to) onRange(from, to)
  })
  // The browser scrolls or zooms the page with this pointer.
  on('pointercancel', end)
}

/**
 * Where an event is in the plot, in pixels from the left.
 *
 * @param {MouseEvent} event
 * @param {uPlot} chart
 */
export function leftOf({ clientX }, { over }) {
  const { left, width } = over.getBoundingClientRect()
  return Math.min(Math.max(clientX - left, 0), width)
}
