/**
 * The plot of a comparison with the list of its figures, its files and its table.
 *
 * @import { CatalogEntry } from '../bodies.d.ts'
 * @import { Compared } from '../compared.js'
 * @import { Comparison } from '../comparison.js'
 * @import { PlotModel } from '../plot-svg.js'
 * @import { ViewContext } from '../view.d.ts'
 */
import { plotCitation } from '../citation.js'
import { comparedTitle } from '../compared.js'
import { figureAt, lastShared, shortest } from '../comparison.js'
import { comparisonModel, sourcesOf, transformationName } from '../comparison-plot.js'
import { axisTitle, comparisonTitle, lineLabels, linesAt, placedText, placeText } from '../comparison-text.js'
import { groupedDecimal } from '../decimal-text.js'
import { h } from '../dom.js'
import { dayName, periodAt, periodFrequency, periodName, thisDay } from '../periods.js'
import { CURSOR_ID, plot } from '../plot.js'
import { dataTable } from '../plot-panel.js'
import { plotSvg } from '../plot-svg.js'
import { words } from '../series-facts.js'
import { spliceText } from '../splices.js'
import { viewAddress } from '../view-address.js'
import { compareFiles } from './compare-files.js'

/**
 * @param {ViewContext} context
 * @param {object} options
 * @param {readonly Compared[]} options.shown
 * @param {readonly CatalogEntry[]} options.series of the catalogue
 * @param {Comparison} options.newest as it is known now
 * @param {() => Readonly<Record<string, string | undefined>>} options.state
 * @param {(name: string) => void} options.remove
 * @param {(changed: Readonly<Record<string, string | undefined>>, focus?: string) => void} options.to
 */
export function comparePlot(context, { shown, series: entries, newest, state, remove, to }) {
  const { facts, dropped } = context
  const title = comparisonTitle(shown, facts)
  const units = state().units
  const place = h('div')
  const legend = h('ul', { class: 'compared' })
  const known = h('p', { class: 'legend' })
  const sources = h('p', { class: 'series-line' })
  const slider = h('div')
  const below = h('div')
  let drawn = newest
  /** @type {string | undefined} */
  let day
  let at = lastShared(newest)
  /** @type {{ end: AbortController, redraw: (model: PlotModel, at: number) => void, names: string } | undefined} */
  let chart

  const labels = () => lineLabels(drawn.lines)
  const sourceTexts = () => sourcesOf(drawn, entries)
  const model = () =>
    comparisonModel({ shown, drawn, newest, series: entries, units, day, address: location.href }, facts)
  const listItem = (/** @type {Compared} */ one) => {
    const lines = drawn.lines.filter(({ of }) => of === one)
    const left = drawn.left.find(({ of }) => of === one)
    const about = lines[0]?.column.about
    const name = comparedTitle(one, facts)
    const params = { country: one.country, indicator: one.indicator.code, figure: one.figure, as_of: day }
    const x = newest.xs[at] ?? 0
    return h(
      'li',
      {},
      h('span', { class: lines.length > 0 ? `stroke line-${shown.indexOf(one) + 1}` : 'stroke none' }),
      ' ',
      h('a', { href: viewAddress('indicators', params), title: 'Its revisions' }, name),
      ' ',
      h(
        'output',
        {
          title: linesAt(lines, x)
            .map((line) => exactText(line, x))
            .join('; '),
        },
        lines.length > 0
          ? linesAt(lines, x)
              .map((line) => placedText(line, x))
              .join(' · ')
          : `not drawn: ${left?.why}`,
      ),
      ' ',
      about &&
        h(
          'small',
          {},
          [about.unit, about.seasonal_adjustment, about.source]
            .flatMap((text) => (text ? words(text.replaceAll(' | ', ', ')) : []))
            .join(', '),
        ),
      ' ',
      h(
        'button',
        { type: 'button', class: 'quiet', 'aria-label': `Remove ${name}`, onclick: () => remove(one.name) },
        'Remove',
      ),
    )
  }
  const showList = () => legend.replaceChildren(...shown.map(listItem))
  const readout = (/** @type {number} */ i) => placeText(drawn.lines, labels(), newest.xs[i] ?? 0)
  const cite = () => plotCitation({ title, unit: unitText(), sources: sourceTexts(), day }, location.href, thisDay())
  const draw = () => {
    const names = drawn.lines.map(({ column }) => column.name).join()
    if (chart?.names === names) chart.redraw(model(), at)
    else {
      chart?.end.abort()
      const end = new AbortController()
      dropped.addEventListener('abort', () => end.abort(), { signal: end.signal })
      const { element, redraw } = plot({
        model: model(),
        readout,
        signal: end.signal,
        at,
        onCursor: (i) => {
          at = i
          showList()
        },
        onRange: (from, last) => {
          const period = (/** @type {number} */ i) => periodAt(newest.xs[i] ?? 0, shortest(shown))
          to({ start: period(from), end: period(last) }, CURSOR_ID)
        },
      })
      chart = { end, redraw, names }
      place.replaceChildren(drawn.lines.length > 0 ? element : h('p', { class: 'lead' }, 'Nothing of it can be drawn.'))
    }
    showList()
    const isDrawn = drawn.lines.length > 0
    known.replaceChildren(
      ...(day === undefined
        ? ['As known now. ', isDrawn ? 'Drag over the plot for a shorter range. ' : '']
        : [`As known on ${dayName(day)}. `, isDrawn ? 'Dashed: as known now. ' : '']),
      spliceText(model()),
    )
    sources.replaceChildren(sourceTexts().join(' · '))
    below.replaceChildren(
      compareFiles(context, { shown, comparison: drawn, state: state(), svg: () => plotSvg(model()), cite }),
      valueTable(title, drawn),
    )
  }
  draw()
  return {
    slider,
    parts: [
      h('h2', { class: 'plot-title' }, title, ' ', h('small', {}, unitText())),
      legend,
      place,
      known,
      slider,
      sources,
      below,
    ],
    /**
     * @param {Comparison} comparison
     * @param {string | undefined} of the day on which it was known; undefined: now
     */
    show(comparison, of) {
      const newestPlace = () => lastShared({ ...drawn, xs: newest.xs })
      const isLeft = at === newestPlace()
      drawn = comparison
      day = of
      // A cursor that nobody has moved stands at the newest figures of the day.
      if (isLeft) at = newestPlace()
      draw()
    },
  }

  function unitText() {
    return newest.axes.map((_, axis) => axisTitle(newest, axis, transformationName(units, facts))).join('; ')
  }
}

/**
 * The decimal as the service printed it, with its period.
 *
 * @param {Comparison['lines'][number]} line
 * @param {number} x
 */
function exactText(line, x) {
  const { period, text } = figureAt(line, x)
  return `${periodName(period)}: ${text ?? 'no figure'}`
}

/**
 * @param {string} title
 * @param {Comparison} comparison
 */
const valueTable = (title, { lines, periods }) =>
  dataTable({
    summary: `All ${periods.length} periods as a table`,
    caption: title,
    columns: [
      ['period', 'Period'],
      ...lines.map(({ column: { name } }) => /** @type {const} */ ([name, name, 'amount'])),
    ],
    rows: () =>
      periods.map((period) => ({
        period: periodName(period),
        ...Object.fromEntries(
          lines.map(({ of, column, texts }) => {
            const text = texts.get(period)
            const none = of.frequency === periodFrequency(period) ? 'no figure' : ''
            return [column.name, text === undefined ? none : groupedDecimal(text)]
          }),
        ),
      })),
  })
