/**
 * Draws the revision triangle: periods from left to right, vintages from top to bottom, each cell in the colour of its distance
 * from the first print.
 *
 * @import { Vintages } from './vintages.js'
 */
import { themeColour } from './dom.js'
import { dayName, periodName } from './periods.js'

const edge = { left: 88, right: 6, top: 6, bottom: 24 }

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Vintages} vintages
 * @param {Float64Array} matrix
 * @param {number} typical the distance that has the full colour
 */
export function triangle(canvas, vintages, matrix, typical) {
  const { periods, dates } = vintages
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser draws on no canvas')
  let cells = cellsOf(periods.length, dates.length, matrix, typical)

  /** The size in pixels of the style sheet. */
  const size = () => ({
    width: canvas.clientWidth - edge.left - edge.right,
    height: canvas.clientHeight - edge.top - edge.bottom,
  })
  return {
    /** Takes the colours of the theme anew. */
    recolour() {
      cells = cellsOf(periods.length, dates.length, matrix, typical)
    },
    /**
     * @param {number} column the period under the cursor
     * @param {number} row the vintage under the cursor
     */
    draw(column, row) {
      const ratio = devicePixelRatio
      const { clientWidth, clientHeight } = canvas
      if (canvas.width !== Math.round(clientWidth * ratio)) canvas.width = Math.round(clientWidth * ratio)
      if (canvas.height !== Math.round(clientHeight * ratio)) canvas.height = Math.round(clientHeight * ratio)
      const { width, height } = size()
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
      context.clearRect(0, 0, clientWidth, clientHeight)
      context.imageSmoothingEnabled = false
      context.drawImage(cells, edge.left, edge.top, width, height)
      context.font = '12px ui-monospace, Menlo, Consolas, monospace'
      context.fillStyle = themeColour('--faint')
      context.strokeStyle = themeColour('--rule')
      context.textBaseline = 'middle'
      context.textAlign = 'right'
      for (const i of marks(dates.length, Math.floor(height / 40))) {
        context.fillText(dayName(dates[i] ?? ''), edge.left - 6, edge.top + ((i + 0.5) / dates.length) * height)
      }
      context.textBaseline = 'top'
      context.textAlign = 'center'
      for (const i of marks(periods.length, Math.floor(width / 110))) {
        const x = edge.left + ((i + 0.5) / periods.length) * width
        context.fillText(
          periodName(periods[i] ?? ''),
          Math.min(Math.max(x, edge.left + 26), clientWidth - 30),
          clientHeight - edge.bottom + 8,
        )
      }
      context.strokeRect(edge.left, edge.top, width, height)
      context.strokeStyle = themeColour('--ink')
      context.beginPath()
      const x = edge.left + ((column + 0.5) / periods.length) * width
      const y = edge.top + ((row + 0.5) / dates.length) * height
      context.moveTo(x, edge.top)
      context.lineTo(x, edge.top + height)
      context.moveTo(edge.left, y)
      context.lineTo(edge.left + width, y)
      context.stroke()
    },
    /**
     * The cell at a place of the canvas.
     *
     * @param {number} x
     * @param {number} y
     */
    cellAt(x, y) {
      const { width, height } = size()
      const within = (/** @type {number} */ share, /** @type {number} */ count) =>
        Math.min(Math.max(Math.floor(share * count), 0), count - 1)
      return {
        column: within((x - edge.left) / width, periods.length),
        row: within((y - edge.top) / height, dates.length),
      }
    },
  }
}

/**
 * One pixel for each cell, on a canvas of its own that is drawn larger.
 *
 * @param {number} width
 * @param {number} height
 * @param {Float64Array} matrix
 * @param {number} typical
 */
function cellsOf(width, height, matrix, typical) {
  const canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height))
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser draws on no canvas')
  const image = context.createImageData(Math.max(1, width), Math.max(1, height))
  const [rest, up, down] = ['--code', '--up', '--down'].map(rgb)
  for (const [i, distance] of matrix.entries()) {
    if (Number.isNaN(distance)) continue
    // The smallest revision must be seen, too.
    const strength = distance === 0 ? 0 : 0.2 + 0.8 * Math.min(1, Math.abs(distance) / (typical || 1))
    const to = distance < 0 ? down : up
    for (const part of [0, 1, 2])
      image.data[i * 4 + part] = (rest?.[part] ?? 0) * (1 - strength) + (to?.[part] ?? 0) * strength
    image.data[i * 4 + 3] = 255
  }
  context.putImageData(image, 0, 0)
  return canvas
}

/** @param {string} name of a colour of the style sheet, as `#rrggbb` */
const rgb = (name) => [1, 3, 5].map((at) => Number.parseInt(themeColour(name).slice(at, at + 2), 16))

/**
 * Places of at most `count` names along an axis.
 *
 * @param {number} length
 * @param {number} count
 */
function marks(length, count) {
  const step = Math.max(1, Math.ceil(length / Math.max(1, count)))
  return Array.from({ length: Math.ceil(length / step) }, (_, i) => i * step)
}
