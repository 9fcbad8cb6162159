/**
 * Fills the tables of prices: from the stream; from one reading where the key has no stream; and with the last hours.
 *
 * @import { FxRate, PairsBody } from '../bodies.d.ts'
 * @import { Hours, Reference } from '../price-past.js'
 * @import { PriceMessage, QuoteRow } from '../quote-board.js'
 * @import { StreamState } from '../stream-connection.js'
 * @import { ViewContext } from '../view.d.ts'
 * @import { PriceRow } from './price-board.js'
 *
 * @typedef {{ readonly market_session: string, readonly rates: readonly FxRate[] }} RatesBody
 */
import { isUnreachable, ServiceProblem, unreachable } from '../api-client.js'
import { askWhileEmpty } from '../ask-while-empty.js'
import { h } from '../dom.js'
import { problemNote } from '../notes.js'
import { instantName } from '../periods.js'
import {
  areCandlesThere,
  changesSince,
  closesOfRates,
  finerQuery,
  hoursQuery,
  pastOfCandles,
  yesterday,
} from '../price-past.js'
import { boardAge, quoteRow } from '../quote-board.js'
import { once } from '../series-store.js'
import { openStream } from '../stream-connection.js'
import { streamStateLine } from '../stream-state.js'

/** How long after a connection the prices that there are have come. */
const SETTLED_MS = 5000

/**
 * @param {ViewContext} context
 * @param {object} parts
 * @param {readonly { readonly element: HTMLElement, readonly over: HTMLElement, readonly rows: readonly PriceRow[] }[]} parts.tables `over`: says what the
 * changes are since
 * @param {HTMLElement} parts.streamLine
 * @param {HTMLElement} parts.session
 * @param {HTMLElement} parts.missing says what has no price
 * @param {string | undefined} parts.base of the rates, if there are any
 * @param {object} parts.subscription
 * @returns {Promise<void>} until prices and hours were read for the first time; rejects if the service can't be reached for that
 */
export function followPrices(context, { tables, streamLine, session, missing, base, subscription }) {
  const { client, facts, signal } = context
  const rows = new Map(tables.flatMap((table) => table.rows.map((row) => [row.symbol, { row, table, places: 0 }])))
  /** @type {Map<string, QuoteRow>} */
  const board = new Map()
  /** @type {Map<string, Hours>} */
  const hours = new Map()
  /** @type {Map<string, Reference>} */
  const references = new Map()
  /** @type {Set<string>} */
  const changed = new Set()
  /** @type {number[]} */
  const delays = []
  /** @type {StreamState} */
  let state = { phase: 'connecting' }
  let settlesAt = Number.POSITIVE_INFINITY
  let hasStream = true
  let said = ''
  let isClosed = false
  /** @type {PromiseWithResolvers<void>} */
  const first = Promise.withResolvers()

  const line = streamStateLine(facts, (isSimulated) => (isSimulated ? 'Live. Simulated prices, not real ones' : 'Live'))
  const delay = h('span', { class: 'delay' })
  streamLine.append(line.element, delay)

  const referenceOf = (/** @type {QuoteRow} */ { symbol, first }) => references.get(symbol) ?? first
  const draw = () => {
    for (const symbol of changed) {
      const [one, quote] = [rows.get(symbol), board.get(symbol)]
      if (!one || !quote) continue
      one.places = one.row.show(quote, referenceOf(quote), hours.get(symbol))
    }
    changed.clear()
    for (const { element, over, rows: own } of tables) {
      const since = changesSince(own.flatMap(({ symbol }) => board.get(symbol) ?? []).map(referenceOf))
      if (over.textContent !== since) over.textContent = since
      const places = Math.max(0, ...own.map(({ symbol }) => rows.get(symbol)?.places ?? 0))
      element.style.setProperty('--places', String(places + 1))
    }
  }
  const redraw = (/** @type {string} */ symbol) => {
    // One drawing for all the prices of a moment, and none while nobody looks.
    if (changed.size === 0) requestAnimationFrame(draw)
    changed.add(symbol)
  }
  /** @param {PriceMessage} message */
  const take = (message) => {
    const symbol = message.type === 'commodity' ? message.spot.symbol : `${message.base}-${message.rate.currency}`
    if (!rows.has(symbol)) return
    const row = quoteRow(board.get(symbol), message)
    if (board.has(symbol)) delays.push(Math.max(0, Date.now() - Date.parse(row.timestamp)))
    if (delays.length > 200) delays.shift()
    board.set(symbol, row)
    redraw(symbol)
    if (message.type !== 'fx') return
    session.textContent = sessionName(message.market_session)
    isClosed = message.market_session === 'closed'
  }
  /** Without a stream the newest close is the price. @param {string} symbol */
  const takeClose = (symbol) => {
    const last = hours.get(symbol)?.last
    if (hasStream || !last || board.has(symbol)) return
    const { price, at } = last
    const [code = '', currency = ''] = symbol.split('-')
    const unit = facts.commodities.find((one) => one.code === code)?.unit ?? ''
    take({ type: 'commodity', spot: { symbol, price, currency, unit, timestamp: at, stale: false } })
  }

  /** Hides the rows without a price, and says which they are. */
  const settle = () => {
    const without = [...rows.values()].filter(({ row }) => !board.has(row.symbol))
    for (const { row } of without) row.element.hidden = true
    const names = without.map(({ row }) => row.name).join(', ')
    if (board.size === 0) missing.textContent = NOTHING
    else missing.textContent = names === '' ? '' : `No price on record: ${names}.`
  }

  async function readPast() {
    const day = yesterday(Date.now())
    if (base) {
      /** @type {RatesBody} */
      const { rates } = await once(`rates ${base} ${day}`, () =>
        client.json(`/asof/${day}/v1/fx/rates/${base}`).catch(noRates),
      )
      for (const [symbol, close] of closesOfRates(base, rates, Date.now())) {
        references.set(symbol, close)
        redraw(symbol)
      }
    }
    const symbols = [...rows.keys()]
    const areThere = (/** @type {PairsBody} */ { pairs }) => areCandlesThere(pairs, board, Date.now())
    await askWhileEmpty(
      async () => {
        const query = hoursQuery(symbols, Date.now())
        const body = await once(`hours ${symbols}`, () => readHours(query), areThere)
        if (!signal.aborted) takeHours(body)
        return body
      },
      { isEmpty: (body) => !areThere(body), onEmpty: () => {}, signal },
    )
  }
  /** @param {import('../api-client.js').Query} query @returns {Promise<PairsBody>} */
  async function readHours(query) {
    /** @type {PairsBody} */
    const body = await client.json('/v1/prices/candles', { query })
    const finer = finerQuery(body.pairs, Date.now())
    return finer ? client.json('/v1/prices/candles', { query: finer }) : body
  }
  /** @param {PairsBody} body */
  function takeHours({ pairs }) {
    for (const { symbol, ...body } of pairs) {
      const past = pastOfCandles(body, Date.now())
      hours.set(symbol, past.hours)
      if (past.reference && !references.has(symbol)) references.set(symbol, past.reference)
      redraw(symbol)
      takeClose(symbol)
    }
  }
  const past = readPast().catch(fail)

  async function readOnce() {
    button.disabled = true
    try {
      if (base) {
        /** @type {RatesBody} */
        const { rates, market_session } = await client.json(`/v1/fx/rates/${base}`, { signal }).catch(noRates)
        for (const rate of rates) take({ type: 'fx', base, market_session, rate })
      }
      for (const symbol of hours.keys()) takeClose(symbol)
      await past
      delay.replaceChildren(`As of ${instantName(new Date().toISOString())} `, base ? button : '')
      settle()
      first.resolve()
    } catch (error) {
      fail(error)
    }
    button.disabled = false
  }
  const button = h('button', { type: 'button', class: 'quiet', onclick: readOnce }, 'Read the rates again: 1 call')

  /** @param {unknown} error */
  function fail(error) {
    if (isUnreachable(error)) first.reject(error)
    else if (!signal.aborted) missing.replaceChildren(problemNote(error))
  }

  const showState = () => {
    if (state.phase !== 'live') return
    const { isLive, text } = boardAge([...board.values()], Date.now())
    const why = isClosed ? 'The market is closed' : 'No new price comes: the feed is silent, or the service has none'
    const quiet = board.size === 0 ? 'Connected, and no price has come' : `Connected. ${why}`
    const saying = isLive ? 'live' : quiet
    if (saying !== said) line.show(isLive ? state : { phase: 'quiet', text: quiet })
    said = saying
    const median = isLive && delays.length > 0 ? `median delay ${(medianOf(delays) / 1000).toFixed(1)} s` : ''
    delay.textContent = [median, text].filter(Boolean).join(' · ')
  }
  openStream({
    client,
    stream: 'prices',
    subscription: () => subscription,
    signal,
    onState: (next) => {
      state = next
      said = ''
      if (next.phase === 'live') hasStream = true
      else if (next.phase !== 'connecting') hasStream = false
      if (next.phase === 'live') {
        settlesAt = Date.now() + SETTLED_MS
        void past.then(first.resolve)
      } else line.show(next)
      if (next.phase === 'waiting' && client.watch?.isAway()) fail(unreachable())
      showState()
      // The limit of streams is no reason to show no price.
      if (next.phase === 'refused' || (next.phase === 'waiting' && board.size === 0 && !button.disabled))
        void readOnce()
    },
    onMessage: (/** @type {PriceMessage | { type: 'heartbeat' | 'notice' }} */ message) => {
      if (message.type !== 'commodity' && message.type !== 'fx') return
      take(message)
      if (said !== 'live') showState()
    },
  })
  const ages = setInterval(() => {
    const now = Date.now()
    for (const [symbol, quote] of board) rows.get(symbol)?.row.showAge(quote, now)
    showState()
    if (now < settlesAt) return
    settlesAt = Number.POSITIVE_INFINITY
    settle()
  }, 1000)
  signal.addEventListener('abort', () => clearInterval(ages))
  return first.promise
}

const NOTHING =
  'There is no price on record. The operator of the service names a feed (ALMANAC_FEED_URL), or has reference prices read: ./almanac ingest ecb, ./almanac ingest pink-sheet.'

/** No rate is on record. @param {unknown} error @returns {RatesBody} */
function noRates(error) {
  if (error instanceof ServiceProblem && error.code === 'price_unavailable') return { market_session: '', rates: [] }
  throw error
}

/** @param {readonly number[]} values */
const medianOf = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** @param {string} session */
const sessionName = (session) =>
  ({ open: 'market open', closed: 'market closed', simulated: 'simulated' })[session] ?? session
