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

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The intervals, and how far back each is shown: at most 500 candles, which is one page. */
const reach = /** @type {const} */ ({
  '1m': 6 * HOUR_MS,
  '5m': DAY_MS,
  '15m': 4 * DAY_MS,
  '30m': 8 * DAY_MS,
  '1h': 16 * DAY_MS,
  '4h': 64 * DAY_MS,
  '1d': 500 * DAY_MS,
  '1w': 3_000 * DAY_MS,
  '1M': 15_000 * DAY_MS,
})
const LIMIT = '500'

/**
 * @param {ViewContext} context
 * @param {string} symbol
 */
export function candlesSection(context, symbol) {
  const { params, client, signal, go, facts } = context
  // The cast: the address admits no other interval.
  const interval = /** @type {keyof typeof reach} */ (params.interval ?? '1m')
  const options = Object.keys(reach).map((name) => /** @type {const} */ ([name, name]))
  const place = h('div', {}, waitingNote('Reading the candles …'))
  const path = `/v1/prices/${symbol}/candles`
  // By whole minutes, so that looking again soon finds the same page in the browser's cache.
  const start = new Date(Math.floor((Date.now() - reach[interval]) / 60_000) * 60_000).toISOString()
  const query = { interval, start, limit: LIMIT }
  client
    .json(path, { query, signal })
    .then((/** @type {CandleBody} */ { candles }) => {
      if (signal.aborted) return
      if (candles.length === 0)
        return place.replaceChildren(
          h('p', {}, 'No price of this pair is on record in this time. Longer intervals reach further back.'),
        )
      place.replaceChildren(
        ...candlePlot(candles, {
          symbol,
          interval,
          signal,
          command: `curl -s -H "Authorization: Bearer $${facts.keyVariable}" '${location.origin}${path}?interval=${interval}&start=${start}&format=csv'`,
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
    const { start, open, high, low, close, ticks, sources } = candle
    const [o, hi, lo, c] = [open, high, low, close].map(groupedDecimal)
    return `${instantName(start).slice(0, 16)}  open ${o}  high ${hi}  low ${lo}  close ${c}  ${ticks} ticks of ${sources.join(', ')}`
  }
  return [
    plot({ model, readout, signal }).element,
    plotFiles({
      name: `${symbol}-${interval}`,
      svg: () => plotSvg(model),
      columns: ['start', 'open', 'high', 'low', 'close', 'ticks', 'sources'],
      // Lists are joined as in the service's own CSV.
      rows: () => candles.map((candle) => ({ ...candle, sources: candle.sources.join(';') })),
      curl: command,
    }),
    dataTable({
      summary: candles.length === 1 ? 'The candle as a table' : `The ${candles.length} candles as a table`,
      caption: model.title,
      columns: [
        ['start', 'Start (UTC)'],
        ['open', 'Open'],
        ['high', 'High'],
        ['low', 'Low'],
        ['close', 'Close'],
        ['ticks', 'Ticks'],
        ['sources', 'Sources'],
      ],
      rows: () =>
        candles.map((candle) => ({
          ...candle,
          start: instantName(candle.start).slice(0, 16),
          ticks: String(candle.ticks),
          sources: candle.sources.join(', '),
        })),
    }),
  ]
}
