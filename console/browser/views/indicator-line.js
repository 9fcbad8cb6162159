/**
 * The plot of a figure: what is known now, and what was known at the end of a chosen day.
 *
 * @import { Explorer } from './explorer.d.ts'
 * @import { Vintages } from '../vintages.js'
 */
import { printText } from '../decimal-text.js'
import { h } from '../dom.js'
import { dayName, periodName, periodSeconds } from '../periods.js'
import { plot } from '../plot.js'
import { dataTable } from '../plot-panel.js'
import { plotSvg } from '../plot-svg.js'
import { words } from '../series-facts.js'
import { partsOn, splicesOf, spliceText } from '../splices.js'
import { unitsText } from '../unit-text.js'
import { knownOn } from '../vintages.js'
import { printsTable } from './prints-table.js'
import { seriesFiles } from './series-files.js'
import { vintageSlider } from './vintage-slider.js'

/**
 * @param {Explorer} explorer
 * @param {Vintages} vintages
 * @returns {Node[]}
 */
export function lineParts(explorer, vintages) {
  const { context, params, title } = explorer
  const { periods, dates, prints, unit } = vintages
  const splices = splicesOf(vintages).map(({ at, row }) => ({ at, name: row.source }))
  const newest = dates.at(-1) ?? ''
  let day = params.as_of ?? newest
  const lastKnown = prints.findLastIndex((all) => knownOn(all, day) !== undefined)
  let column = Math.max(0, params.period ? periods.indexOf(params.period) : lastKnown)

  /** @returns {import('../plot-svg.js').PlotModel} */
  const model = () => ({
    title,
    unit,
    note: `As known on ${dayName(day)} (red) and on ${dayName(newest)} (black). ${location.href}`,
    xs: periods.map(periodSeconds),
    xNames: periods.map(periodName),
    splices,
    series: [
      ...partsOn(vintages, newest).map((values) => ({ values, kind: /** @type {const} */ ('main') })),
      ...partsOn(vintages, day).map((values) => ({
        values: day >= newest ? values.map(() => null) : values,
        kind: /** @type {const} */ ('second'),
      })),
    ],
  })
  const readout = (/** @type {number} */ i) => {
    const all = prints[i] ?? []
    const last = all.at(-1)
    if (!last) return `${periodName(periods[i] ?? '')}: no figure`
    const known = knownOn(all, day)
    const first = `${periodName(periods[i] ?? '')}: ${printText(last.value)} ${unitsText([last.row])}`
    if (day >= newest)
      return `${first}, ${releasedText(last.row)}, ${all.length === 1 ? 'one print' : `print ${all.length}`}`
    return `${first} now; ${known ? `${printText(known.value)} known` : 'nothing known'} on ${dayName(day)}`
  }
  const table = h('div')
  const showPrints = () =>
    table.replaceChildren(printsTable(explorer, periods[column] ?? '', prints[column] ?? [], day))
  const drawn = plot({
    model: model(),
    readout,
    signal: context.dropped,
    at: column,
    onRange: (from, to) => explorer.toRange({ start: periods[from], end: periods[to] }),
    onCursor: (i) => {
      if (i === column) return
      column = i
      explorer.keep({ period: periods[i] })
      showPrints()
    },
  })
  showPrints()
  const legend = h('p', { class: 'legend' })
  const showLegend = () =>
    legend.replaceChildren(
      h('span', { class: 'stroke' }),
      ' as known now',
      ...(day >= newest ? [] : [' ', h('span', { class: 'stroke second' }), ` as known on ${dayName(day)}`]),
      ` · Drag over the plot for a shorter range. ${spliceText(model())}`,
    )
  showLegend()
  const slider = vintageSlider(
    dates,
    day,
    (chosen) => {
      day = chosen
      explorer.keep({ as_of: chosen === newest ? undefined : chosen })
      drawn.redraw(model())
      showLegend()
      showPrints()
    },
    context.signal,
  )
  return [
    h('h2', { class: 'plot-title' }, title, ' ', h('small', {}, unit)),
    drawn.element,
    legend,
    slider,
    seriesFiles(explorer, vintages, { svg: () => plotSvg(model()) }),
    table,
    dataTable({
      summary: `All ${periods.length} periods as a table`,
      caption: `${title}, ${unit}`,
      columns: [
        ['period', 'Period'],
        ['first', 'First print', 'amount'],
        ['value', 'Newest print', 'amount'],
        ['unit', 'Unit'],
        ['source', 'Source'],
        ['prints', 'Prints', 'amount'],
        ['released', 'Released'],
        ['basis', 'Day of'],
      ],
      rows: () =>
        periods.map((period, i) => {
          const all = prints[i] ?? []
          const [first, last] = [all[0], all.at(-1)]
          return {
            period: periodName(period),
            first: first ? printText(first.value) : '',
            value: last ? printText(last.value) : 'no figure',
            unit: last ? unitsText([last.row]) : '',
            source: last?.row.source ?? '',
            prints: String(all.length),
            released: last ? dayName(last.row.released_on) : '',
            basis: last ? words(last.row.released_on_basis) : '',
          }
        }),
    }),
  ]
}

/**
 * When a value came out, as far as it is known: most documents of the sample are copies, which held it on a day.
 *
 * @param {import('../bodies.d.ts').VintageRow} row
 */
function releasedText({ released_on, released_on_basis }) {
  const day = dayName(released_on)
  switch (released_on_basis) {
    case 'copy':
      return `held by a copy on ${day}`
    case 'dataset':
      return `in a dataset updated ${day}`
    case 'first_seen':
      return `first seen ${day}`
    default:
      return `released ${day}`
  }
}
