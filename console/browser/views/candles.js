/**
 * One price over time: candles of an interval.
 *
 * @import { CandleBody } from '../bodies.d.ts'
 * @import { ViewContext } from '../view.d.ts'
 */
import { askWhileEmpty } from '../ask-while-empty.js'
import { candleEnd, candleSlots, intervalLengths } from '../candle-end.js'
import { writeCsv } from '../csv-table.js'
import { groupedDecimal } from '../decimal-text.js'
import { choice, field, h } from '../dom.js'
import { waitingNote } from '../notes.js'
import { minuteName } from '../periods.js'
import { plot } from '../plot.js'
import { dataTable, plotFiles } from '../plot-panel.js'
import { plotSvg } from '../plot-svg.js'
import { pairName } from '../price-text.js'
import { viewAddress } from '../view-address.js'

/** Candles that are shown at most; fewer than a page may have, so that one call has them all. */
const SHOWN = 480
const LIMIT = '500'

/**
 * @param {ViewContext} context
 * @param {string} symbol
 * @returns {{ element: Node, read: Promise<void> }} `read`: until the candles are shown
 */
export function candlesSection(context, symbol) {
  const { params, client, signal, dropped, go, facts } = context
  // The cast: the address admits no other interval.
  const interval = /** @type {keyof typeof intervalLengths} */ (params.interval ?? '1m')
  const options = Object.keys(intervalLengths).map((name) => /** @type {const} */ ([name, name]))
  const place = h('div', {}, waitingNote('Reading the candles …'))
  const name = pairName(symbol, facts)
  const path = `/v1/prices/${symbol}/candles`
  // By whole minutes, so that looking again soon finds the same page in the browser's cache.
  const start = new Date(Math.floor((Date.now() - SHOWN * intervalLengths[interval]) / 60_000) * 60_000).toISOString()
  const query = { interval, start, limit: LIMIT }
  async function read() {
    const { candles, as_of } = await askWhileEmpty(() => client.json(path, { query, signal }), {
      isEmpty: (/** @type {CandleBody} */ { candles }) => candles.length === 0,
      onEmpty: (seconds) =>
        place.replaceChildren(
          waitingNote(
            `No candle of this pair is on record in this time yet. Candles follow their prices by some seconds. Asking again in ${seconds} s …`,
          ),
        ),
      signal,
    })
    if (signal.aborted) return
    if (candles.length === 0)
      return place.replaceChildren(
        h(
          'p',
          { role: 'status' },
          'No price of this pair is on record in this time. Longer intervals reach further back.',
        ),
      )
    place.replaceChildren(
      ...candlePlot(candles, {
        name,
        symbol,
        interval,
        asOf: as_of,
        signal: dropped,
        command: `curl -s -H "Authorization: Bearer $${facts.keyVariable}" '${location.origin}${path}?interval=${interval}&start=${start}&format=csv'`,
      }),
    )
  }
  const element = h(
    'section',
    { class: 'detail', 'aria-labelledby': 'candles-title' },
    h(
      'div',
      { class: 'detail-head' },
      h('h2', { id: 'candles-title' }, name, ' ', h('code', {}, symbol)),
      field(
        'Interval',
        choice(options, interval, (value) => go('prices', { ...params, interval: value })),
      ),
      h('a', { class: 'close', href: viewAddress('prices', { ...params, symbol: undefined }) }, 'Close'),
    ),
    place,
  )
  return { element, read: read() }
}

/**
 * @param {CandleBody['candles']} candles
 * @param {{ name: string, symbol: string, interval: keyof typeof intervalLengths, asOf: string, signal: AbortSignal, command: string }} options
 * `asOf`: time of the newest price; a candle whose interval ends after it is unfinished
 */
function candlePlot(candles, { name, symbol, interval, asOf, signal, command }) {
  const slots = candleSlots(candles, interval)
  const last = slots.length - 1
  const end = candleEnd(candles.at(-1)?.start ?? asOf, interval)
  const isUnfinished = (/** @type {number} */ i) => i === last && end > Date.parse(asOf)
  const lastEnds = minuteName(end)
  const candlesAt = slots.map(({ candle }, i) => {
    if (!candle) return undefined
    const [open = 0, high = 0, low = 0, close = 0] = [candle.open, candle.high, candle.low, candle.close].map(Number)
    return { open, high, low, close, isUnfinished: isUnfinished(i) }
  })
  /** @type {import('../plot-svg.js').PlotModel} */
  const model = {
    title: `${name} (${symbol}), candles of ${interval}`,
    unit: symbol.split('-')[1] ?? '',
    note: `${isUnfinished(last) ? `Dashed: the last candle is unfinished until ${lastEnds} UTC. ` : ''}${location.href}`,
    xs: slots.map(({ at }) => at / 1000),
    xNames: slots.map(({ at }) => minuteName(at)),
    series: [
      { values: candlesAt.map((candle) => candle?.high ?? null), kind: 'extent' },
      { values: candlesAt.map((candle) => candle?.low ?? null), kind: 'extent' },
    ],
    candles: candlesAt,
  }
  const readout = (/** @type {number} */ i) => {
    const { at, candle } = slots[i] ?? { at: 0 }
    if (!candle) return `${minuteName(at)}  no price`
    const { open, high, low, close, ticks, sources } = candle
    const [o, hi, lo, c] = [open, high, low, close].map(groupedDecimal)
    return `${minuteName(at)}  open ${o}  high ${hi}  low ${lo}  close ${c}  ${ticks} ticks of ${sources.join(', ')}${isUnfinished(i) ? '  unfinished' : ''}`
  }
  return [
    plot({ model, readout, signal }).element,
    h(
      'p',
      { class: 'legend' },
      h('span', { class: 'swatch rose' }),
      ' rose ',
      h('span', { class: 'swatch down' }),
      ' fell',
      ...(isUnfinished(last)
        ? [' ', h('span', { class: 'swatch unfinished' }), ` unfinished: it may change until ${lastEnds} UTC`]
        : []),
    ),
    plotFiles({
      name: `${symbol}-${interval}`,
      svg: () => plotSvg(model),
      csv: () =>
        writeCsv(
          ['start', 'open', 'high', 'low', 'close', 'ticks', 'sources'],
          // Lists are joined as in the service's own CSV.
          candles.map((candle) => ({ ...candle, sources: candle.sources.join(';') })),
        ),
      rows: () => candles,
      curl: command,
    }),
    dataTable({
      summary: candles.length === 1 ? 'The candle as a table' : `The ${candles.length} candles as a table`,
      caption: model.title,
      columns: [
        ['start', 'Start (UTC)'],
        ['open', 'Open', 'amount'],
        ['high', 'High', 'amount'],
        ['low', 'Low', 'amount'],
        ['close', 'Close', 'amount'],
        ['ticks', 'Ticks', 'amount'],
        ['sources', 'Sources'],
      ],
      rows: () =>
        candles.map((candle, i) => ({
          ...candle,
          start: `${minuteName(candle.start)}${i === candles.length - 1 && isUnfinished(last) ? ', unfinished' : ''}`,
          ticks: String(candle.ticks),
          sources: candle.sources.join(', '),
        })),
    }),
  ]
}
