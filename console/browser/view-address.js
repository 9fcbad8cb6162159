/**
 * What the page shows, as its address says it: `/?view=indicators&country=USA&indicator=gdp`. An address is a link that anyone
 * can open; it never has a key in it.
 *
 * @typedef {{ readonly name: string, readonly value: string }} Unread
 * @typedef {{
 *   readonly view: ViewName,
 *   readonly params: Readonly<Record<string, string>>,
 *   readonly unread: readonly Unread[],
 * }} ViewState `unread`: parameters whose values can't be
 * @typedef {keyof typeof parametersOf} ViewName
 * @typedef {{ test(text: string): boolean }} Form of the values of a parameter
 */

const country = /^[A-Z]{3}$/
const currency = /^[A-Z]{3}$/
const code = /^[a-z][a-z_-]{1,39}$/
const period = /^\d{4}(?:-(?:0[1-9]|1[0-2]|Q[1-4]))?$/
/** A day of a calendar: `2026-02-31` and `2026-99-99` only look like one. */
const day = {
  test: (/** @type {string} */ text) =>
    /^(?:19|20|21)/.test(text) && new Date(text).toJSON() === `${text}T00:00:00.000Z`,
}
const cursor = /^[\w.=-]{1,512}$/
const symbol = /^[A-Z][A-Z0-9_]{1,15}-[A-Z]{3}$/
const interval = /^(?:1m|5m|15m|30m|1h|4h|1d|1w|1M)$/
const drawing = /^(?:line|triangle)$/
const span = /^(?:week|month|list)$/
const frequency = /^[MQA]$/
const units = /^(?:lin|chg|ch1|pch|pc1|pca|cch|cca|log|index)$/
const method = /^(?:avg|sum|eop)$/
const release = /^rel_[\w-]{1,80}$/
/** Words of a filter. */
const words = /^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*$/u
/** What the cells of the catalogue show. */
const facet = /^(?:span|publisher|dates|recorded|fetched|frequencies|all)$/
/** A sequence of the journal, or an instant. */
const place = /^(?:\d{1,20}|\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)$/
const several = (/** @type {RegExp} */ one) => new RegExp(`^${inner(one)}(?:,${inner(one)})*$`)
const inner = (/** @type {RegExp} */ one) => one.source.slice(1, -1)
const countries = several(country)
const families = several(code)
const types = several(/^[a-z]+(?:\.[a-z_]+)*$/)
const figures = several(/^[A-Z]{3}\.[a-z][a-z-]{1,39}(?:\.[a-z_]{1,39})?$/)
const sources = several(/^[A-Z][A-Z0-9_]{1,15}$/)

/** The parameters of each view and the values that they may have. */
const parametersOf = {
  start: {},
  prices: {
    in: currency,
    base: currency,
    group: code,
    symbol,
    interval,
    hide: sources,
  },
  indicators: {
    country,
    indicator: code,
    figure: code,
    frequency,
    show: drawing,
    start: period,
    end: period,
    as_of: day,
    period,
  },
  catalogue: { find: words, show: facet },
  compare: {
    series: figures,
    units,
    base: period,
    frequency,
    method,
    start: period,
    end: period,
    as_of: day,
  },
  why: { release },
  calendar: { show: span, on: day, country, indicator: code, status: code, start: day, end: day },
  journal: {
    start: place,
    cursor,
    country: countries,
    family: families,
    type: types,
    find: words,
  },
  service: {},
}

/** @type {readonly ViewName[]} */
export const viewNames = [
  'start',
  'prices',
  'indicators',
  'catalogue',
  'compare',
  'calendar',
  'journal',
  'why',
  'service',
]

/**
 * Reads an address. What no parameter is called is left out; a view that there is not, or a value that a parameter can't
 * have, is said.
 *
 * @param {string} search the query of the address, with or without its question mark
 * @returns {ViewState}
 */
export function readViewAddress(search) {
  const query = new URLSearchParams(search)
  const named = query.get('view')
  const view = named === null ? 'start' : viewNames.find((name) => name === named)
  if (!view) return { view: 'start', params: {}, unread: [{ name: 'view', value: named ?? '' }] }
  /** @type {Record<string, Form>} */
  const allowed = parametersOf[view]
  const given = Object.entries(allowed).flatMap(([name, form]) => {
    const value = query.get(name)
    return value === null ? [] : [{ name, value, isRead: form.test(value) }]
  })
  const params = given.filter(({ isRead }) => isRead).map(({ name, value }) => [name, value])
  const unread = given.filter(({ isRead }) => !isRead).map(({ name, value }) => ({ name, value }))
  return { view, params: Object.fromEntries(params), unread }
}

/** How the values of parameters are written, by their forms. @type {ReadonlyMap<Form | undefined, string>} */
const examples = new Map([
  [country, 'a country of three letters, such as DEU'],
  [currency, 'a currency of three letters, such as EUR'],
  [code, 'a code in small letters, such as gdp-growth'],
  [period, 'a year, quarter or month: 2020, 2020-Q2 or 2020-04'],
  [day, 'a day from 1900 to 2199, such as 2026-11-29'],
  [cursor, 'a cursor as an answer of the service has it'],
  [symbol, 'a pair, such as XAU-EUR'],
  [interval, 'one of 1m, 5m, 15m, 30m, 1h, 4h, 1d, 1w and 1M'],
  [drawing, 'line or triangle'],
  [figures, 'figures of countries, with commas between: USA.cpi,DEU.inflation.month_over_month'],
  [units, 'one of lin, chg, ch1, pch, pc1, pca, cch, cca, log and index'],
  [method, 'avg, sum or eop'],
  [span, 'week, month or list'],
  [frequency, 'M for months, Q for quarters or A for years'],
  [release, 'the id of a release, which begins with rel_'],
  [place, 'a sequence or an instant: 42 or 2026-11-23T01:56:00Z'],
  [countries, 'countries of three letters, with commas between: USA,DEU'],
  [words, 'words of letters and digits, such as Germany prices'],
  [facet, 'one of span, publisher, dates, recorded, fetched, frequencies and all'],
  [families, 'families of events, with commas between: output,labour'],
  [types, 'types of events, with commas between, such as economics.release.revised'],
  [sources, 'sources in capitals, with commas between: ECB,WB'],
])

/**
 * What a parameter of a view takes, in words.
 *
 * @param {ViewName} view
 * @param {string} name
 */
export function formText(view, name) {
  if (name === 'view') return `one of ${viewNames.join(', ')}`
  /** @type {Record<string, Form>} */
  const allowed = parametersOf[view]
  const form = allowed[name]
  return examples.get(form)
}

/**
 * The address of a state, always in the same order, so that equal states have equal addresses.
 *
 * @param {ViewName} view
 * @param {Readonly<Record<string, string | undefined>>} params
 */
export function viewAddress(view, params = {}) {
  const query = new URLSearchParams(view === 'start' ? {} : { view })
  for (const name of Object.keys(parametersOf[view])) {
    const value = params[name]
    if (value) query.set(name, value)
  }
  // These characters mean nothing in a query, and are easier to read plain.
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')
  return text === '' ? '/' : `/?${text}`
}
