/**
 * The live price board.
 *
 * @import { ConsoleView, ViewContext } from '../view.d.ts'
 * @import { PriceMessage, QuoteRow } from '../quote-board.js'
 */
import { changeInPercent, groupedDecimal } from '../decimal-text.js'
import { choice, field, h, svg } from '../dom.js'
import { ageName } from '../periods.js'
import { quoteRow } from '../quote-board.js'
import { sparkPath } from '../spark-line.js'
import { openStream } from '../stream-connection.js'
import { streamStateLine } from '../stream-state.js'
import { viewAddress } from '../view-address.js'
import { candlesSection } from './candles.js'

const rateColumns = ['Currency', 'Rate', 'Change', 'Line']
/** Units of the drawing, which is stretched to its cell. */
const SPARK = { width: 84, height: 18 }
const names = new Intl.DisplayNames('en', { type: 'currency' })

/** @type {ConsoleView} */
export function pricesView(container, context) {
  const { params, facts, go } = context
  const inCurrency = params.in ?? 'USD'
  const base = params.base ?? 'USD'
  const hidden = new Set(params.hide?.split(',') ?? defaultHidden(context))
  const shown = facts.commodities.filter(({ code }) => !hidden.has(code)).slice(0, facts.commodityPairs)
  const rates = facts.currencies.filter((code) => code !== base)

  const commodityRows = shown.map(({ code, name, unit }) => priceRow(context, `${code}-${inCurrency}`, name, unit))
  const rateRows = rates.map((code) => priceRow(context, `${base}-${code}`, names.of(code) ?? code, '', code))
  const rows = new Map([...commodityRows, ...rateRows].map((row) => [row.symbol, row]))

  const currencies = facts.currencies.map((code) => /** @type {const} */ ([code, code]))
  const session = h('span', { class: 'session' })
  const state = streamStateLine(facts, (isSimulated) =>
    isSimulated ? 'Live. Simulated prices, not real ones' : 'Live',
  )
  const delay = h('span', { class: 'delay' })
  const half = Math.ceil(rateRows.length / 2)
  container.append(
    h(
      'div',
      { class: 'view-head' },
      h('h1', {}, 'Prices'),
      h('div', { class: 'stream-line' }, state.element, delay),
      h(
        'div',
        { class: 'controls' },
        field(
          'Commodities in',
          choice(currencies, inCurrency, (value) => go('prices', { ...params, in: value })),
        ),
        field(
          'Rates of one',
          choice(currencies, base, (value) => go('prices', { ...params, base: value })),
        ),
      ),
    ),
  )
  if (params.symbol) container.append(candlesSection(context, params.symbol))
  container.append(
    h(
      'div',
      { class: 'board' },
      h(
        'section',
        { class: 'commodities', 'aria-labelledby': 'commodities-title' },
        h('h2', { id: 'commodities-title' }, `Commodities in ${inCurrency}`),
        priceTable('Commodities', ['Commodity', 'Price', 'Change', 'Line', 'Age'], commodityRows),
        commodityChooser(context, hidden),
      ),
      h(
        'section',
        { class: 'rates', 'aria-labelledby': 'rates-title' },
        h('h2', { id: 'rates-title' }, `One ${base} in other currencies`, ' ', session),
        h(
          'div',
          { class: 'columns' },
          priceTable('Exchange rates, first half', rateColumns, rateRows.slice(0, half)),
          priceTable('Exchange rates, second half', rateColumns, rateRows.slice(half)),
        ),
      ),
    ),
    h(
      'p',
      { class: 'colophon' },
      'Change and line are since this page was opened. The height of a line is a tenth of a percent of the price, or the range of the price if that is more. Age is the time since the oldest quote that a price was computed from; a rate says it when it is stale. The name of each leads to its candles.',
    ),
  )
  follow({
    context,
    rows,
    onState: state.show,
    delay,
    session,
    subscription: { commodities: shown.map(({ code }) => ({ commodity: code, currency: inCurrency })), fx: [{ base }] },
  })
}

/**
 * More commodities are served than one subscription may have; the last ones of the list are hidden at first.
 *
 * @param {ViewContext} context
 */
const defaultHidden = ({ facts }) => facts.commodities.slice(facts.commodityPairs).map(({ code }) => code)

/**
 * @param {{ context: ViewContext, rows: ReadonlyMap<string, ReturnType<typeof priceRow>>, onState: ReturnType<typeof streamStateLine>['show'], delay: HTMLElement, session: HTMLElement, subscription: object }} parts
 */
function follow({ context, rows, onState, delay, session, subscription }) {
  const { client, signal } = context
  /** @type {Map<string, QuoteRow>} */
  const board = new Map()
  /** @type {Set<string>} */
  const changed = new Set()
  /** @type {number[]} */
  const delays = []

  const draw = () => {
    for (const symbol of changed) {
      const quote = board.get(symbol)
      if (quote) rows.get(symbol)?.show(quote)
    }
    changed.clear()
  }
  openStream({
    client,
    stream: 'prices',
    subscription: () => subscription,
    signal,
    onState,
    onMessage: (/** @type {PriceMessage | { type: 'heartbeat' | 'notice' }} */ message) => {
      if (message.type !== 'commodity' && message.type !== 'fx') return
      const now = Date.now()
      const symbol = message.type === 'commodity' ? message.spot.symbol : `${message.base}-${message.rate.currency}`
      const row = quoteRow(board.get(symbol), message, now)
      if (board.has(symbol)) delays.push(Math.max(0, now - Date.parse(row.timestamp)))
      if (delays.length > 200) delays.shift()
      board.set(symbol, row)
      // One drawing for all the prices of a moment, and none while nobody looks.
      if (changed.size === 0) requestAnimationFrame(draw)
      changed.add(symbol)
      if (message.type === 'fx') session.textContent = sessionName(message.market_session)
    },
  })
  const ages = setInterval(() => {
    const now = Date.now()
    for (const [symbol, quote] of board) rows.get(symbol)?.showAge(quote, now)
    if (delays.length > 0) delay.textContent = `median delay ${(median(delays) / 1000).toFixed(1)} s`
  }, 1000)
  signal.addEventListener('abort', () => clearInterval(ages))
}

/** @param {readonly number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** @param {string} session */
const sessionName = (session) =>
  ({ open: 'market open', closed: 'market closed', simulated: 'simulated' })[session] ?? session

/**
 * @param {string} caption
 * @param {readonly string[]} columns
 * @param {readonly ReturnType<typeof priceRow>[]} rows
 */
const priceTable = (caption, columns, rows) =>
  h(
    'table',
    { class: 'quotes' },
    h('caption', { class: 'unseen' }, caption),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        columns.map((text) => h('th', { scope: 'col', class: text.toLowerCase() }, text)),
      ),
    ),
    h(
      'tbody',
      {},
      rows.map(({ element }) => element),
    ),
  )

/**
 * @param {ViewContext} context
 * @param {string} symbol
 * @param {string} name
 * @param {string} unit
 * @param {string} code
 */
function priceRow({ params }, symbol, name, unit, code = '') {
  const price = h('td', { class: 'price' }, '–')
  const change = h('td', { class: 'change' })
  const isRate = code !== ''
  const age = h('td', { class: 'age' })
  const path = svg('path')
  const spark = svg(
    'svg',
    {
      class: 'spark',
      viewBox: `0 0 ${SPARK.width} ${SPARK.height}`,
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
    },
    path,
  )
  const link = h('a', { href: viewAddress('prices', { ...params, symbol }) }, isRate ? h('code', {}, code) : name)
  const isChosen = params.symbol === symbol
  const element = h(
    'tr',
    { 'aria-current': isChosen && 'true' },
    h('th', { scope: 'row', title: isRate && name }, link, ' ', h('small', {}, isRate ? name : unit)),
    price,
    change,
    h('td', { class: 'line' }, spark),
    !isRate && age,
  )
  return {
    symbol,
    element,
    /** @param {QuoteRow} quote */
    show(quote) {
      price.replaceChildren(
        h('span', { class: 'move' }, quote.move === 1 ? '▲' : quote.move === -1 ? '▼' : ''),
        groupedDecimal(quote.price),
      )
      price.dataset.move = String(quote.move)
      if (!(isRate && quote.stale)) change.textContent = changeInPercent(quote.price, quote.first) ?? ''
      path.setAttribute('d', sparkPath(quote.seen, SPARK.width, SPARK.height))
      this.showAge(quote, Date.now())
    },
    /**
     * @param {QuoteRow} quote
     * @param {number} now
     */
    showAge(quote, now) {
      // The rates, of which there are many, say their age only if it matters.
      const place = isRate ? change : age
      place.classList.toggle('stale', quote.stale)
      if (isRate && !quote.stale) return
      const text = ageName(now - Date.parse(quote.timestamp))
      const shown = quote.stale ? `stale, ${text}` : text
      if (place.textContent !== shown) place.textContent = shown
    },
  }
}

/**
 * @param {ViewContext} context
 * @param {ReadonlySet<string>} hidden
 */
function commodityChooser({ facts, params, go }, hidden) {
  const boxes = facts.commodities.map(({ code, name }) => {
    const box = h('input', { type: 'checkbox', name: code, checked: !hidden.has(code) })
    return { code, box, label: h('label', {}, box, ' ', name) }
  })
  const advice = h('p', { role: 'status' })
  const apply = () => {
    const off = boxes.filter(({ box }) => !box.checked).map(({ code }) => code)
    if (boxes.length - off.length > facts.commodityPairs) {
      advice.textContent = `One stream carries ${facts.commodityPairs} commodities: take ${boxes.length - off.length - facts.commodityPairs} off.`
    } else go('prices', { ...params, hide: off.join(',') })
  }
  return h(
    'details',
    { class: 'chooser' },
    h('summary', {}, `${facts.commodities.length - hidden.size} of ${facts.commodities.length} commodities`),
    h(
      'div',
      { class: 'boxes' },
      boxes.map(({ label }) => label),
    ),
    advice,
    h('button', { type: 'button', class: 'quiet', onclick: apply }, 'Show these'),
  )
}
