/**
 * One price over time: candles of an interval, drawn as the range and the close of each.
 *
 * @import { CandleBody } from '../bodies.d.ts'
 * @import { ViewContext } from '../main.js'
 */
import { groupedDecimal } from '../decimal-text.js'
import { choice, field, h } from '../dom.js'
import { problemNote, waitingNote } from '../notes.js'
import { instantName } from '../periods.js'
import { plot } from '../plot.js'
import { dataTable, plotFiles } from '../plot-panel.js'
import { plotSvg } from '../plot-svg.js'
import { viewAddress } from '../view-address.js'

const intervals = ['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M']
const LIMIT = '500'

/**
 * @param {ViewContext} context
 * @param {string} symbol
 */
export function candlesSection(context, symbol) {
  const { params, client, signal, go, facts } = context
  const interval = params.interval ?? '1m'
  const options = intervals.map((name) => /** @type {const} */ ([name, name]))
  const place = h('div', {}, waitingNote('Reading the candles …'))
  const path = `/v1/prices/${symbol}/candles`
  const query = { interval, limit: LIMIT }
  client
    .json(path, { query, signal })
    .then((/** @type {CandleBody} */ { candles }) => {
      if (signal.aborted) return
      if (candles.length === 0) return place.replaceChildren(h('p', {}, 'No price of this pair is on record yet.'))
      place.replaceChildren(
        ...candlePlot(candles, {
          symbol,
          interval,
          signal,
          command: `curl -s -H "Authorization: Bearer $${facts.keyVariable}" '${location.origin}${path}?interval=${interval}&format=csv'`,
        }),
      )
    })
    .catch((error) => {
      if (!signal.aborted) place.replaceChildren(problemNote(error))
    })
  return h(
    'section',
    { class: 'detail', 'aria-labelledby': 'candles-title' },
    h(
      'div',
      { class: 'detail-head' },
      h('h2', { id: 'candles-title' }, symbol),
      field(
        'Interval',
        choice(options, interval, (value) => go('prices', { ...params, interval: value })),
      ),
      h('a', { class: 'close', href: viewAddress('prices', { ...params, symbol: undefined }) }, 'Close'),
    ),
    place,
  )
}

/**
 * @param {CandleBody['candles']} candles
 * @param {{ symbol: string, interval: string, signal: AbortSignal, command: string }} options
 */
function candlePlot(candles, { symbol, interval, signal, command }) {
  const numbers = (/** @type {'high' | 'low' | 'close'} */ member) => candles.map((candle) => Number(candle[member]))
  /** @type {import('../plot-svg.js').PlotModel} */
  const model = {
    title: `${symbol}, candles of ${interval}`,
    unit: symbol.split('-')[1] ?? '',
    note: `${location.href}`,
    xs: candles.map(({ start }) => Date.parse(start) / 1000),
    xNames: candles.map(({ start }) => instantName(start).slice(0, 16)),
    series: [
      { label: 'High', values: numbers('high'), kind: 'band' },
      { label: 'Low', values: numbers('low'), kind: 'band' },
      { label: 'Close', values: numbers('close'), kind: 'second' },
    ],
  }
  const readout = (/** @type {number} */ i) => {
    const candle = candles[i]
    if (!candle) return ''
    const { start, open, high, low, close, ticks } = candle
    const [o, hi, lo, c] = [open, high, low, close].map(groupedDecimal)
    return `${instantName(start).slice(0, 16)}  open ${o}  high ${hi}  low ${lo}  close ${c}  ${ticks} ticks`
  }
  return [
    plot({ model, readout, signal }).element,
    plotFiles({
      name: `${symbol}-${interval}`,
      svg: () => plotSvg(model),
      columns: ['start', 'open', 'high', 'low', 'close', 'ticks'],
      rows: () => candles,
      curl: command,
    }),
    dataTable({
      summary: `The ${candles.length} candles as a table`,
      caption: model.title,
      columns: [
        ['start', 'Start (UTC)'],
        ['open', 'Open'],
        ['high', 'High'],
        ['low', 'Low'],
        ['close', 'Close'],
        ['ticks', 'Ticks'],
      ],
      rows: () =>
        candles.map((candle) => ({
          ...candle,
          start: instantName(candle.start).slice(0, 16),
          ticks: String(candle.ticks),
        })),
    }),
  ]
}
