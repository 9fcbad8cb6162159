/**
 * The live price board.
 *
 * @import { InstrumentGroup } from '../bodies.d.ts'
 * @import { ConsoleView, ViewContext } from '../view.d.ts'
 */
import { choice, field, h } from '../dom.js'
import { refusedNote } from '../notes.js'
import { viewAddress } from '../view-address.js'
import { boxChooser } from './box-chooser.js'
import { candlesSection } from './candles.js'
import { inTwoColumns, priceRow, priceTable } from './price-board.js'
import { followPrices } from './price-feed.js'

/** @type {ConsoleView} */
export function pricesView(container, context) {
  const { params, facts, go } = context
  const inCurrency = params.in ?? 'USD'
  const base = params.base ?? 'USD'
  const hidden = new Set(params.hide?.split(',') ?? defaultHidden(context))
  const isShown = (/** @type {InstrumentGroup} */ { code }) => !params.group || params.group === code
  /** What was hidden is shown with its group. @param {string} code */
  const isIn = (code) => params.group !== undefined || !hidden.has(code)
  const rowsOf = (/** @type {InstrumentGroup} */ group, /** @type {readonly string[]} */ symbols) => ({
    group,
    rows: symbols.map((symbol) => priceRow(context, symbol)),
  })
  const commodities = facts.commodityGroups
    .filter(isShown)
    .map((group) =>
      rowsOf(
        group,
        group.members.filter(isIn).map((code) => `${code}-${inCurrency}`),
      ),
    )
    .filter(({ rows }) => rows.length > 0)
  const rates = facts.currencyGroups.filter(isShown).map((group) =>
    rowsOf(
      group,
      group.members.filter((code) => code !== base).map((code) => `${base}-${code}`),
    ),
  )

  const currencies = facts.currencies.map((code) => /** @type {const} */ ([code, code]))
  const groups = [...facts.commodityGroups, ...facts.currencyGroups]
  const choosing = (/** @type {string} */ name) => (/** @type {string} */ value) =>
    go('prices', { ...params, [name]: value })
  const streamLine = h('div', { class: 'stream-line' })
  const session = h('span', { class: 'session' })
  const over = () => h('small', { class: 'over' })
  const [commoditiesOver, ratesOver] = [over(), over()]
  const missing = h('p', { class: 'missing', role: 'status' })
  container.append(
    h(
      'div',
      { class: 'view-head' },
      h('h1', {}, 'Prices'),
      streamLine,
      h(
        'div',
        { class: 'controls' },
        field(
          'Group',
          choice(
            [['', 'all'], ...groups.map(({ code, name }) => /** @type {const} */ ([code, name]))],
            params.group ?? '',
            choosing('group'),
          ),
        ),
        field('Commodities in', choice(currencies, inCurrency, choosing('in'))),
        field('Rates of one', choice(currencies, base, choosing('base'))),
      ),
    ),
  )
  if (!groups.some(isShown)) {
    const all = h('a', { href: viewAddress('prices', { ...params, group: undefined }) }, 'all groups')
    return void container.append(refusedNote(`There is no group ${params.group}.`, [all]))
  }
  const candles = params.symbol ? candlesSection(context, params.symbol) : undefined
  if (candles) container.append(candles.element)
  const columns = ['Currency', 'Rate', 'Change', 'Line']
  const rateTables = inTwoColumns(rates).map((column, i) =>
    priceTable(context, `Exchange rates, ${i === 0 ? 'first' : 'second'} part`, columns, column),
  )
  const commodityTable = priceTable(
    context,
    'Commodities',
    ['Commodity', 'Price', 'Change', 'Line', 'Age'],
    commodities,
  )
  container.append(
    missing,
    h(
      'div',
      { class: `board${commodities.length > 0 && rates.length > 0 ? ' both' : ''}` },
      commodities.length > 0 &&
        h(
          'section',
          { class: 'commodities', 'aria-labelledby': 'commodities-title' },
          h('h2', { id: 'commodities-title' }, `Commodities in ${inCurrency}`, ' ', commoditiesOver),
          commodityTable,
          !params.group && commodityChooser(context, hidden),
        ),
      rates.length > 0 &&
        h(
          'section',
          { class: 'rates', 'aria-labelledby': 'rates-title' },
          h('h2', { id: 'rates-title' }, `One ${base} in other currencies`, ' ', session, ' ', ratesOver),
          h('div', { class: 'columns' }, rateTables),
        ),
    ),
    h(
      'p',
      { class: 'colophon' },
      'Change is against the last price of the day before (UTC), in italics against the first of the last 24 hours. The line has these 24 hours as far as there are prices, up to now. Its height is a tenth of a percent of the price, or the range of the price if that is more. Age is the time since the oldest quote that a price was computed from; a rate says it when it is stale. The name of each leads to its candles.',
    ),
  )
  const commodityRows = commodities.flatMap(({ rows }) => rows)
  const rateRows = rates.flatMap(({ rows }) => rows)
  const prices = followPrices(context, {
    tables: [
      { element: commodityTable, over: commoditiesOver, rows: commodityRows },
      { element: rateTables[0]?.parentElement ?? container, over: ratesOver, rows: rateRows },
    ],
    streamLine,
    session,
    missing,
    base: rateRows.length > 0 ? base : undefined,
    subscription: {
      commodities: commodityRows.map(({ symbol }) => ({ commodity: symbol.split('-')[0], currency: inCurrency })),
      fx: [{ base, currencies: rateRows.map(({ symbol }) => symbol.split('-')[1]) }],
    },
  })
  return Promise.all([prices, candles?.read]).then(() => undefined)
}

/**
 * More commodities are served than one subscription may have; the last ones of the list are hidden at first.
 *
 * @param {ViewContext} context
 */
const defaultHidden = ({ facts }) => facts.commodities.slice(facts.commodityPairs).map(({ code }) => code)

/**
 * @param {ViewContext} context
 * @param {ReadonlySet<string>} hidden
 */
function commodityChooser({ facts: { commodities, commodityPairs }, params, go }, hidden) {
  return boxChooser({
    summary: `${commodities.length - hidden.size} of ${commodities.length} commodities`,
    choices: commodities.map(({ code, name }) => [code, name]),
    isChosen: (code) => !hidden.has(code),
    onApply: (chosen) => {
      const excess = chosen.length - commodityPairs
      if (excess > 0) return `One stream carries ${commodityPairs} commodities: take ${excess} off.`
      const off = commodities.map(({ code }) => code).filter((code) => !chosen.includes(code))
      return go('prices', { ...params, hide: off.join(',') })
    },
  })
}
