/**
 * Several figures in one plot, all as they were known on one day. What is drawn are panels of the service, so that the plot, its
 * files and the commands beside it say the same.
 *
 * @import { Compared } from '../compared.js'
 * @import { ConsoleView, ViewContext } from '../view.d.ts'
 */
import { MOST_COMPARED, panelParts, readCompared } from '../compared.js'
import { comparison, firstShared, rangeWithBase, shortest } from '../comparison.js'
import { h } from '../dom.js'
import { refusedNote, waitingNote } from '../notes.js'
import { panelAddress } from '../panel-address.js'
import { CURSOR_ID } from '../plot.js'
import { allPrints, catalogue, panelAt } from '../series-store.js'
import { viewAddress } from '../view-address.js'
import { figureOfRow } from '../vintages.js'
import { compareControls } from './compare-controls.js'
import { comparePlot } from './compare-plot.js'
import { figureSearch, SEARCH_ID } from './figure-search.js'
import { vintageSlider } from './vintage-slider.js'

/** Time for which the slider has to rest before the panels of its day are asked for: each is a call of the key. */
const REST_MS = 120
/** Most days that are shown by playing through all. */
const MOST_PLAYED = 60
const FIRST = 'USA.inflation,DEU.inflation,JPN.inflation'

/** @type {ConsoleView} */
export async function compareView(container, context) {
  const { facts, signal, go } = context
  const head = h('div', { class: 'view-head' }, h('h1', {}, 'Compare'))
  const place = h('div', {}, waitingNote('Reading the catalogue …'))
  container.append(head, place)
  const known = await catalogue(context)
  const served = known.filter(({ is_served }) => is_served)
  if (signal.aborted) return
  const series = context.params.series ?? FIRST
  /** @type {Readonly<Record<string, string>>} */
  const params = { ...context.params, series }
  const { compared, unknown } = readCompared(series, facts, served, params.frequency)
  const shown = compared.slice(0, MOST_COMPARED)
  /** @type {Readonly<Record<string, string | undefined>>} */
  let state = params
  /** @type {(changed: Readonly<Record<string, string | undefined>>, focus?: string) => void} */
  const to = (changed, focus) => go('compare', { ...params, as_of: state.as_of, ...changed }, focus)
  const withNames = (/** @type {readonly string[]} */ names) => names.join(',') || undefined
  const names = shown.map(({ name }) => name)
  const search = figureSearch(context, {
    shown,
    isServed: (country, indicator) => served.some((one) => one.country === country && one.indicator === indicator),
    onChoice: (name) => to({ series: withNames([...names, name]) }, SEARCH_ID),
  })
  head.replaceChildren(h('h1', { tabindex: -1 }, 'Compare'), compareControls(context, params, shortest(shown), to))
  const refusals = [
    ...unknown.map((text) => `${text} is no figure that is served here.`),
    compared.length > MOST_COMPARED && `A plot has at most ${MOST_COMPARED} figures: the others are left out.`,
  ].filter((text) => text !== false)
  const said = refusals.length > 0 && h('div', { class: 'note refused', role: 'alert' }, refusals.join(' '))
  const drawing = h('div', { class: 'comparison' }, waitingNote('Reading the panel …'))
  place.replaceChildren(...(shown.length < MOST_COMPARED ? [search] : []), ...(said ? [said] : []), drawing)
  if (context.focus) document.getElementById(context.focus)?.focus()
  if (shown.length === 0) {
    const first = h('a', { href: viewAddress('compare', { series: FIRST }) }, 'inflation of three countries')
    return drawing.replaceChildren(refusedNote('No figure is chosen.', [first]))
  }

  const { as_of, units, base, ...rest } = params
  const isIndex = units === 'index'
  const asked = { ...rest, ...(isIndex ? rangeWithBase(params) : {}), units: isIndex ? undefined : units }
  const panelsOf = async (/** @type {string | undefined} */ day) => {
    const parts = panelParts(shown)
    const read = await Promise.all(parts.map((part) => panelAt(context, panelAddress(part, { ...asked, as_of: day }))))
    const byFrequency = new Map(parts.map(({ frequency }, i) => [frequency, read[i] ?? []]))
    return (/** @type {string} */ frequency) => byFrequency.get(frequency) ?? []
  }
  const now = await panelsOf(undefined)
  if (signal.aborted) return
  const from = isIndex ? (base ?? firstShared(shown, now)) : undefined
  if (from !== base) context.replace({ ...params, base: from })
  state = { ...params, base: from }
  const drawn = { start: rest.start, end: rest.end, base: from }
  const newest = comparison(shown, now, drawn)
  const plot = comparePlot(context, {
    shown,
    series: known,
    newest,
    state: () => state,
    remove: (one) => to({ series: withNames(names.filter((name) => name !== one)) }, SEARCH_ID),
    to,
  })
  drawing.replaceChildren(...plot.parts)
  if (context.focus === CURSOR_ID) document.getElementById(CURSOR_ID)?.focus()
  let turn = 0
  const showDay = async (/** @type {string | undefined} */ day) => {
    const own = ++turn
    await new Promise((resolve) => setTimeout(resolve, REST_MS))
    if (own !== turn || signal.aborted) return
    const then = day === undefined ? newest : comparison(shown, await panelsOf(day), drawn)
    if (own !== turn || signal.aborted) return
    state = { ...state, as_of: day }
    context.replace(state)
    plot.show(then, day)
  }
  if (as_of !== undefined) await showDay(as_of)
  const dates = await changeDays(context, shown)
  if (signal.aborted) return
  if (dates.length < 2)
    return plot.slider.replaceChildren(h('small', {}, 'No figure was revised, so that there is one day alone.'))
  const last = dates.at(-1)
  const step = Math.ceil(dates.length / MOST_PLAYED)
  plot.slider.replaceChildren(
    vintageSlider(dates, as_of ?? last ?? '', (day) => showDay(day === last ? undefined : day), signal, step),
  )
}

/**
 * The days on which any of the figures changed.
 *
 * @param {ViewContext} context
 * @param {readonly Compared[]} shown
 */
async function changeDays(context, shown) {
  const days = await Promise.all(
    shown.map(async ({ country, indicator, figure, published }) => {
      const rows = await allPrints(context, country, indicator, published)
      return rows.filter((row) => figureOfRow(row, indicator.figures) === figure).map(({ valid_from }) => valid_from)
    }),
  )
  return [...new Set(days.flat())].sort()
}
