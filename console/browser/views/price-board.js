/**
 * The tables of prices: a row for each instrument, in groups.
 *
 * @import { InstrumentGroup } from '../bodies.d.ts'
 * @import { Hours, Reference } from '../price-past.js'
 * @import { QuoteRow } from '../quote-board.js'
 * @import { ViewContext } from '../view.d.ts'
 *
 * @typedef {ReturnType<typeof priceRow>} PriceRow
 * @typedef {{ readonly group: InstrumentGroup, readonly rows: readonly PriceRow[] }} GroupRows
 */
import { h, svg } from '../dom.js'
import { ageName } from '../periods.js'
import { changeAgainst, linePoints } from '../price-past.js'
import { currencyName, priceParts, pricePlaces } from '../price-text.js'
import { sparkPath } from '../spark-line.js'
import { viewAddress } from '../view-address.js'

/** Units of the drawing, which is stretched to its cell. */
const SPARK = { width: 84, height: 18 }

/**
 * @param {ViewContext} context
 * @param {string} caption
 * @param {readonly string[]} columns
 * @param {readonly GroupRows[]} groups
 */
export function priceTable({ params }, caption, columns, groups) {
  const bodies = groups.map(({ group, rows }) => {
    const href = viewAddress('prices', { ...params, group: group.code })
    const name = params.group ? group.name : h('a', { href }, group.name)
    const title = h('th', { scope: 'rowgroup', colspan: columns.length }, name)
    return h(
      'tbody',
      {},
      h('tr', { class: 'group' }, title),
      rows.map(({ element }) => element),
    )
  })
  const names = columns.map((text) => h('th', { scope: 'col', class: text.toLowerCase() }, text))
  return h(
    'table',
    { class: 'quotes' },
    h('caption', { class: 'unseen' }, caption),
    h('thead', {}, h('tr', {}, names)),
    bodies,
  )
}

/** Groups in two columns of about the same height. @param {readonly GroupRows[]} groups */
export function inTwoColumns(groups) {
  const half = groups.reduce((sum, { rows }) => sum + rows.length, 0) / 2
  let before = 0
  const left = groups.filter(({ rows }) => {
    before += rows.length
    return before - rows.length / 2 <= half
  })
  return [left, groups.slice(left.length)].filter((column) => column.length > 0)
}

/**
 * @param {ViewContext} context
 * @param {string} symbol
 */
export function priceRow({ params, facts }, symbol) {
  const [code = '', quoted = ''] = symbol.split('-')
  const commodity = facts.commodities.find((one) => one.code === code)
  const isRate = commodity === undefined
  const name = commodity?.name ?? currencyName(quoted)
  const price = h('td', { class: 'price' }, '–')
  const change = h('td', { class: 'change' })
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
  const href = viewAddress('prices', { ...params, symbol })
  const element = h(
    'tr',
    { 'aria-current': params.symbol === symbol && 'true' },
    h(
      'th',
      { scope: 'row' },
      h('a', { href }, isRate ? h('code', {}, quoted) : name),
      ' ',
      h('small', {}, commodity?.unit ?? name),
    ),
    price,
    change,
    h('td', { class: 'line' }, spark),
    !isRate && age,
  )
  /** Decided by the first price. @type {number | undefined} */
  let places
  return {
    symbol,
    name,
    element,
    /**
     * @param {QuoteRow} quote
     * @param {Reference} reference
     * @param {Hours | undefined} hours
     */
    show(quote, reference, hours) {
      element.hidden = false
      places ??= pricePlaces(quote.price, isRate)
      const [whole, fraction] = priceParts(quote.price, places)
      price.replaceChildren(
        h('span', { class: 'move' }, quote.move === 1 ? '▲' : quote.move === -1 ? '▼' : ''),
        whole,
        h('span', { class: 'fraction' }, fraction),
      )
      price.title = quote.price
      price.dataset.move = String(quote.move)
      const said = changeAgainst(quote, reference)
      change.textContent = said?.change ?? ''
      change.title = said?.against ?? ''
      change.classList.toggle('other', !reference.isClose)
      path.setAttribute('d', sparkPath(linePoints(hours, reference, quote.seen), SPARK.width, SPARK.height))
      this.showAge(quote, Date.now())
      return places
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
      const shown = quote.stale ? `stale, ${text.replace(' ', '\u00a0')}` : text
      if (place.textContent !== shown) place.textContent = shown
    },
  }
}
