/**
 * The explorer of indicators: a plot of what is known now and of what was known on a day, the triangle of all revisions, and
 * the prints of one period.
 *
 * @import { CatalogEntry, IndicatorFacts } from '../bodies.d.ts'
 * @import { ConsoleView, ViewContext } from '../view.d.ts'
 */
import { columnName, comparedTitle } from '../compared.js'
import { choice, field, h } from '../dom.js'
import { refusedNote, waitingNote } from '../notes.js'
import { periodFrequency } from '../periods.js'
import { CURSOR_ID } from '../plot.js'
import { otherFrequencies, seriesLines } from '../series-lines.js'
import { allPrints, catalogue } from '../series-store.js'
import { similarCodes } from '../similar-codes.js'
import { viewAddress } from '../view-address.js'
import { figureOfRow, seriesShown, vintagesOf } from '../vintages.js'
import { figureSearch, SEARCH_ID } from './figure-search.js'
import { lineParts } from './indicator-line.js'
import { triangleParts } from './indicator-triangle.js'
import { rangeControls } from './range-controls.js'

/** @type {ConsoleView} */
export async function indicatorsView(container, context) {
  const { facts, signal } = context
  const head = h('div', { class: 'view-head' }, h('h1', {}, 'Indicators'))
  const place = h('div', {}, waitingNote('Reading the catalogue …'))
  container.append(head, place)
  const all = await catalogue(context)
  const series = all.filter(({ is_served }) => is_served)
  if (signal.aborted) return
  const unserved = unservedNote(series, context)
  if (unserved) return place.replaceChildren(unserved)
  const chosen = chosenSeries(series, context.params)
  const indicator = facts.indicators.find(({ code }) => code === chosen?.indicator)
  if (!chosen || !indicator)
    return place.replaceChildren(
      h(
        'p',
        { class: 'lead' },
        'No figure is on record yet. The service ingests them by its schedule, or by ./almanac ingest.',
      ),
    )

  const figure = indicator.figures.find((name) => name === context.params.figure) ?? indicator.figures[0] ?? ''
  const { country } = chosen
  /** @type {Record<string, string>} */
  let params = { ...context.params, country, indicator: indicator.code }
  if (indicator.figures.length > 1) params = { ...params, figure }
  head.replaceChildren(...controls(context, series, chosen, indicator, params))
  place.replaceChildren(waitingNote('Reading all prints …'))
  const frequency = frequencyOf(series, chosen, params)
  const prints = await allPrints(context, country, indicator, frequency)
  if (signal.aborted) return
  const rows = prints.filter((row) => figureOfRow(row, indicator.figures) === figure)
  if (rows.length === 0 && prints.length > 0) {
    const published = indicator.figures.filter((name) =>
      prints.some((row) => figureOfRow(row, indicator.figures) === name),
    )
    return place.replaceChildren(
      refusedNote(
        `${indicator.code} of ${country} is published without ${figure}.`,
        published.map((name) => h('a', { href: viewAddress('indicators', { ...params, figure: name }) }, name)),
      ),
    )
  }
  const vintages = vintagesOf(rows, { start: params.start, end: params.end })
  if (params.period && vintages.periods.length > 0 && !vintages.periods.includes(params.period)) {
    const rest = h('a', { href: viewAddress('indicators', { ...params, period: undefined }) }, 'this view without it')
    return place.replaceChildren(refusedNote(`period is ${params.period}, which has no figure here.`, [rest]))
  }
  if (vintages.periods.length === 0) {
    return place.replaceChildren(h('p', { class: 'lead' }, 'Nothing is on record in this range. Choose a longer one.'))
  }
  /** @type {Readonly<Record<string, string | undefined>>} */
  let state = params
  const explorer = {
    context,
    params,
    indicator,
    country,
    figure,
    frequency,
    title: comparedTitle({ country, indicator, figure }, facts),
    keep: (/** @type {Readonly<Record<string, string | undefined>>} */ changed) => {
      state = { ...state, ...changed }
      context.replace(state)
    },
    toRange: (/** @type {Readonly<Record<string, string | undefined>>} */ range) =>
      context.go('indicators', { ...state, ...range, period: undefined }, CURSOR_ID),
  }
  context.replace(params)
  const parts = params.show === 'triangle' ? triangleParts(explorer, vintages) : lineParts(explorer, vintages)
  const lines = seriesLines(all, seriesShown(vintages)).map((line) => h('p', { class: 'series-line' }, line))
  const own = columnName(country, indicator, figure)
  const search = figureSearch(context, {
    shown: [{ country, indicator, figure }],
    isServed: (code, name) => series.some((one) => one.country === code && one.indicator === name),
    onChoice: (name) => context.go('compare', { series: `${own},${name}` }, SEARCH_ID),
  })
  const compare = h('a', { href: viewAddress('compare', { series: own }) }, 'show it as changes or an index')
  search.append(h('small', {}, compare))
  place.replaceChildren(search, ...lines, ...frequencyLinks(series, params, vintages.periods[0]), ...parts)
  if (context.focus === CURSOR_ID) document.getElementById(CURSOR_ID)?.focus()
}

/**
 * Links to the figures of other frequencies, which may be newer than those that are drawn.
 *
 * @param {readonly CatalogEntry[]} series those that are served
 * @param {Readonly<Record<string, string>>} params
 * @param {string | undefined} period one that is drawn
 */
function frequencyLinks(series, params, period = '') {
  const { country = '', indicator = '' } = params
  const links = otherFrequencies(series, { country, indicator, frequency: periodFrequency(period) }).map(
    ({ frequency, text }, i) => {
      const href = viewAddress('indicators', { ...params, frequency, period: undefined, as_of: undefined })
      return [i > 0 && ' · ', h('a', { href }, text)]
    },
  )
  return links.length > 0 ? [h('p', { class: 'series-line' }, 'Also published: ', links.flat())] : []
}

/**
 * A series of the country and indicator that the address names. Where it names neither, the one that was revised most: it shows
 * best what this view is for.
 *
 * @param {readonly CatalogEntry[]} series
 * @param {Readonly<Record<string, string>>} params
 */
function chosenSeries(series, params) {
  const { country, indicator } = params
  const own = series.filter(
    (one) => (country ?? one.country) === one.country && (indicator ?? one.indicator) === one.indicator,
  )
  if (country === undefined && indicator === undefined) return mostRevised(own)
  return (
    own.find((one) => one.country === 'USA' && one.indicator === 'cpi') ??
    own.find((one) => one.indicator === 'cpi') ??
    own.find((one) => one.country === 'USA') ??
    own[0]
  )
}

/** @param {readonly CatalogEntry[]} series */
const mostRevised = (series) => {
  const revisions = (/** @type {CatalogEntry} */ { vintages, observations }) => vintages - observations
  return series.toSorted((a, b) => revisions(b) - revisions(a))[0]
}

/**
 * The frequency to ask for: that of the address, or else that of its period, because a link from the journal may name a quarter or
 * a year of what is drawn by months. Undefined where only one is served.
 *
 * @param {readonly CatalogEntry[]} series those that are served
 * @param {CatalogEntry} chosen
 * @param {Readonly<Record<string, string>>} params
 */
function frequencyOf(series, { country, indicator }, { frequency, period }) {
  const served = series.filter((one) => one.country === country && one.indicator === indicator)
  const wanted = frequency ?? (period && periodFrequency(period))
  return served.length > 1 ? served.find(({ frequency }) => frequency === wanted)?.frequency : undefined
}

/**
 * Says what the address names and the service does not have, with links to what is nearest. Nothing is drawn instead.
 *
 * @param {readonly CatalogEntry[]} series
 * @param {ViewContext} context
 */
function unservedNote(series, { params, facts }) {
  const { country, indicator, figure, frequency } = params
  const to = (/** @type {Readonly<Record<string, string | undefined>>} */ changed, /** @type {string} */ name) =>
    h('a', { href: viewAddress('indicators', { ...params, figure: undefined, ...changed }) }, name)
  const known = facts.indicators.find(({ code }) => code === indicator)
  if (indicator !== undefined && !known) {
    const near = similarCodes(
      indicator,
      facts.indicators.map(({ code }) => code),
    )
    return refusedNote(
      `There is no indicator ${indicator}.`,
      near.length > 0
        ? near.map((code) => to({ indicator: code }, code))
        : [to({ indicator: undefined }, 'this view without it')],
    )
  }
  const countries = [...new Set(series.flatMap((one) => (known && one.indicator !== known.code ? [] : [one.country])))]
  if (country !== undefined && !countries.includes(country)) {
    const name = facts.countries[country]
    const others = [...new Set(series.flatMap((one) => (one.country === country ? [one.indicator] : [])))]
    const what = `${known ? known.code : 'No indicator'} of ${name ? `${country} (${name})` : country} is ${known ? 'not ' : ''}on record.`
    if (others.length > 0)
      return refusedNote(
        what,
        others.map((code) => to({ indicator: code }, code)),
      )
    const near = similarCodes(country, countries, facts.countries)
    return refusedNote(
      what,
      near.length > 0
        ? near.map((code) => to({ country: code }, facts.countries[code] ?? code))
        : [to({ country: undefined }, 'this view without it')],
    )
  }
  const own = series.filter((one) => one.country === country && one.indicator === indicator)
  if (frequency !== undefined && own.length > 0 && !own.some((one) => one.frequency === frequency))
    return refusedNote(`${indicator} of ${country} is not published with the frequency ${frequency}.`, [
      to({ frequency: undefined, period: undefined }, 'this view without it'),
    ])
  if (known && figure !== undefined && !known.figures.includes(figure))
    return refusedNote(
      `${known.code} has no figure ${figure}.`,
      known.figures.map((name) => to({ figure: name }, name)),
    )
  return undefined
}

/**
 * @param {ViewContext} context
 * @param {readonly CatalogEntry[]} series
 * @param {CatalogEntry} chosen
 * @param {IndicatorFacts} indicator
 * @param {Readonly<Record<string, string>>} params
 */
function controls({ facts, go }, series, chosen, indicator, params) {
  const countries = new Map(series.map(({ country, country_name }) => [country, country_name]))
  const own = series.filter(({ country }) => country === chosen.country).map((one) => one.indicator)
  const indicators = facts.indicators.filter(({ code }) => own.includes(code))
  const to = (/** @type {Readonly<Record<string, string | undefined>>} */ changed) =>
    go('indicators', { ...params, ...changed })
  const reset = { figure: undefined, frequency: undefined, as_of: undefined, period: undefined }
  const shows = /** @type {const} */ ([
    ['line', 'Plot'],
    ['triangle', 'Revision triangle'],
  ])
  const shown = params.show ?? 'line'
  return [
    h('h1', { tabindex: -1 }, 'Indicators'),
    h(
      'div',
      { class: 'controls' },
      field(
        'Country',
        choice(
          [...countries].sort(([, a], [, b]) => (a < b ? -1 : 1)),
          chosen.country,
          (country) => {
            const has = series.some((one) => one.country === country && one.indicator === indicator.code)
            to({ ...reset, country, indicator: has ? indicator.code : undefined })
          },
        ),
      ),
      field(
        'Indicator',
        choice(
          indicators.map(({ code, name }) => [code, name.split(':')[0] ?? name]),
          indicator.code,
          (code) => to({ ...reset, indicator: code }),
        ),
      ),
      indicator.figures.length > 1 &&
        field(
          'Figure',
          choice(
            indicator.figures.map((name) => [name, name.replaceAll('_', ' ')]),
            params.figure ?? '',
            (figure) => to({ figure }),
          ),
        ),
      ...rangeControls(params, params.frequency ?? chosen.frequency, (range) =>
        to({ ...range, as_of: undefined, period: undefined }),
      ),
      h(
        'span',
        { class: 'shows' },
        shows.map(([show, name]) =>
          h(
            'a',
            {
              href: viewAddress('indicators', { ...params, show: show === 'line' ? undefined : show }),
              'aria-current': show === shown && 'true',
            },
            name,
          ),
        ),
      ),
    ),
  ]
}
