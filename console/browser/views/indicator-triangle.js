/**
 * The revision triangle of a figure, with a slider for each of its axes.
 *
 * @import { Explorer } from './explorer.d.ts'
 * @import { Print, Vintages } from '../vintages.js'
 */
import { axisNumber, changeText, printText } from '../decimal-text.js'
import { h } from '../dom.js'
import { dayName, periodName } from '../periods.js'
import { dataTable } from '../plot-panel.js'
import { triangle } from '../triangle.js'
import { triangleSvg } from '../triangle-svg.js'
import { unitsText } from '../unit-text.js'
import { firstOfSeries, knownOn, revisionMatrix, typicalDistance } from '../vintages.js'
import { printsTable } from './prints-table.js'
import { seriesFiles } from './series-files.js'
import { vintageSlider } from './vintage-slider.js'

/**
 * @param {Explorer} explorer
 * @param {Vintages} vintages
 * @returns {Node[]}
 */
export function triangleParts(explorer, vintages) {
  const { context, params, title, indicator } = explorer
  const { periods, dates, prints } = vintages
  const matrix = revisionMatrix(vintages, indicator.isRate)
  const typical = typicalDistance(matrix)
  const newest = dates.at(-1) ?? ''
  let day = params.as_of ?? newest
  let column = Math.max(0, params.period ? periods.indexOf(params.period) : mostRevised(vintages))
  const rowOfDay = () =>
    Math.max(
      0,
      dates.findLastIndex((date) => date <= day),
    )

  const canvas = h('canvas', {
    class: 'triangle',
    role: 'img',
    'aria-label': `Revision triangle of ${title}: ${periods.length} periods by ${dates.length} vintages. The sliders below move its cursor.`,
  })
  const drawn = triangle(canvas, vintages, matrix, typical)
  const line = h('p', { class: 'readout', role: 'status' })
  const table = h('div')
  const period = h('input', { id: 'period', type: 'range', min: 0, max: periods.length - 1, value: column })
  const periodText = h('output', { for: 'period' })

  const knownText = (/** @type {Print} */ known, /** @type {Print} */ first) => {
    if (known.value === '') return 'no figure any more'
    const change = changeText(known.value, first.value)
    return `${printText(known.value)} ${unitsText([known.row])}, ${known === first ? 'the first print of its series' : `${change} against the first print of its series`}`
  }
  const show = () => {
    drawn.draw(column, rowOfDay())
    const all = prints[column] ?? []
    const name = periodName(periods[column] ?? '')
    const known = knownOn(all, day)
    line.textContent = known
      ? `${name}, as known on ${dayName(day)}: ${knownText(known, firstOfSeries(all, known))}`
      : `${name} was not published yet on ${dayName(day)}`
    periodText.textContent = name
    period.setAttribute('aria-valuetext', name)
    table.replaceChildren(printsTable(explorer, periods[column] ?? '', all, day))
  }
  const slider = vintageSlider(
    dates,
    day,
    (chosen) => {
      day = chosen
      explorer.keep({ as_of: chosen === newest ? undefined : chosen })
      show()
    },
    context.signal,
  )
  const toColumn = (/** @type {number} */ chosen) => {
    column = chosen
    period.valueAsNumber = chosen
    explorer.keep({ period: periods[chosen] })
    show()
  }
  period.addEventListener('input', () => toColumn(period.valueAsNumber))
  const point = (/** @type {MouseEvent} */ { offsetX, offsetY }) => {
    const cell = drawn.cellAt(offsetX, offsetY)
    const input = slider.querySelector('input')
    if (input) input.valueAsNumber = cell.row
    column = cell.column
    period.valueAsNumber = cell.column
    explorer.keep({ period: periods[cell.column] })
    input?.dispatchEvent(new Event('input'))
  }
  canvas.addEventListener('pointerdown', point)
  canvas.addEventListener('pointermove', (event) => {
    if (event.buttons === 1) point(event)
  })
  const fit = new ResizeObserver(() => drawn.draw(column, rowOfDay()))
  fit.observe(canvas)
  context.dropped.addEventListener('abort', () => fit.disconnect())
  matchMedia('(prefers-color-scheme: dark)').addEventListener(
    'change',
    () => {
      drawn.recolour()
      drawn.draw(column, rowOfDay())
    },
    { signal: context.dropped },
  )
  show()
  const scale = indicator.isRate ? `${axisNumber(typical)} points` : `${axisNumber(typical)} %`
  return [
    h(
      'h2',
      { class: 'plot-title' },
      title,
      ' ',
      h('small', {}, 'each row a day on which an answer changed, each column a period'),
    ),
    line,
    canvas,
    h(
      'p',
      { class: 'legend' },
      h('span', { class: 'swatch down' }),
      ' below the first print ',
      h('span', { class: 'swatch rest' }),
      ' as first printed ',
      h('span', { class: 'swatch up' }),
      ` above it; full colour from ${scale}`,
    ),
    h('div', { class: 'vintage' }, h('label', { for: 'period' }, 'Period'), period, periodText),
    slider,
    seriesFiles(explorer, vintages, {
      suffix: '-revisions',
      svg: () => triangleSvg(vintages, matrix, typical, { title, note: location.href }),
    }),
    table,
    dataTable({
      summary: `The revisions of all ${periods.length} periods as a table`,
      caption: `${title}, first and newest print of each period`,
      columns: [
        ['period', 'Period'],
        ['first', 'First print', 'amount'],
        ['newest', 'Newest print', 'amount'],
        ['revision', 'Revision', 'amount'],
        ['prints', 'Prints', 'amount'],
      ],
      rows: () =>
        periods.map((name, i) => {
          const all = prints[i] ?? []
          const newest = all.at(-1)
          const first = newest ? firstOfSeries(all, newest).value : ''
          const last = newest?.value ?? ''
          return {
            period: periodName(name),
            first: printText(first),
            newest: printText(last),
            revision: changeText(last, first),
            prints: String(all.length),
          }
        }),
    }),
  ]
}

/** @param {Vintages} vintages */
function mostRevised({ prints }) {
  const most = Math.max(...prints.map(({ length }) => length))
  return prints.findLastIndex(({ length }) => length === most)
}
