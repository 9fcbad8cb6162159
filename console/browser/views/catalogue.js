/**
 * The catalogue: what is served, as a matrix of countries and indicators. On a narrow screen it is a list by country.
 *
 * @import { CatalogEntry } from '../bodies.d.ts'
 * @import { CatalogueCell } from '../catalogue-cells.js'
 * @import { ConsoleView } from '../view.d.ts'
 */
import { catalogueCells, catalogueShows, catalogueTable, shortName } from '../catalogue-cells.js'
import { writeCsv } from '../csv-table.js'
import { choice, field, h } from '../dom.js'
import { filterWords, hasWords } from '../filter-words.js'
import { waitingNote } from '../notes.js'
import { dayName, instantName, periodName } from '../periods.js'
import { plotFiles } from '../plot-panel.js'
import { otherFrequencies } from '../series-lines.js'
import { catalogue } from '../series-store.js'
import { viewAddress } from '../view-address.js'

/** @type {ConsoleView} */
export async function catalogueView(container, context) {
  const { facts, params, replace, signal } = context
  const head = h('div', { class: 'view-head' }, h('h1', {}, 'Catalogue'))
  const place = h('div', {}, waitingNote('Reading the catalogue …'))
  container.append(head, place)
  const series = await catalogue(context)
  if (signal.aborted) return
  const cells = catalogueCells(series, facts)
  if (cells.size === 0) {
    const advice = 'No figure is on record yet. The service ingests them by its schedule, or by ./almanac ingest.'
    return place.replaceChildren(h('p', { class: 'lead' }, advice))
  }
  const names = new Map([...cells.values()].map(({ entry }) => [entry.country, entry.country_name]))
  const countries = [...names].sort(([, a], [, b]) => a.localeCompare(b))
  const indicators = facts.indicators.filter(({ code }) =>
    countries.some(([country]) => cells.has(`${country}/${code}`)),
  )
  const matrix = countries.map(([country, name]) => ({
    name,
    country,
    cells: indicators.map(({ code }) => cells.get(`${country}/${code}`)),
  }))

  let { find = '', show = 'span' } = params
  /** @type {CatalogueCell[]} */
  let shown = []
  const count = h('p', { class: 'colophon', role: 'status' })
  const results = h('div', {})
  const draw = () => {
    replace({ find, show: show === 'span' ? undefined : show })
    const isShown = (/** @type {CatalogueCell | undefined} */ cell) =>
      cell === undefined ? find === '' : hasWords(cell, find)
    const rows = matrix.filter((row) => row.cells.some(isShown))
    const columns = indicators.flatMap((indicator, i) =>
      rows.some((row) => isShown(row.cells[i])) ? [{ indicator, i }] : [],
    )
    shown = rows.flatMap((row) => row.cells.flatMap((cell) => (cell && isShown(cell) ? [cell] : [])))
    const [newest] = shown.map(({ entry }) => entry.last_recorded_at).toSorted((a, b) => b.localeCompare(a))
    count.textContent = newest
      ? `${shown.length} of ${cells.size} cells, of ${countries.length} countries and ${indicators.length} indicators. The newest of these figures was recorded ${instantName(newest)}.`
      : `Nothing matches “${find}”. What matches are words of a country, an indicator, a publisher, a frequency or a kind of date, and “current”, “old” and “late”.`
    const cellOf = (/** @type {CatalogueCell | undefined} */ cell, /** @type {string} */ name) =>
      isShown(cell) ? cellElement(series, cell, name, show) : h('td', { class: 'left-out' })
    const heads = columns.map(({ indicator }) =>
      h('th', { scope: 'col' }, shortName(indicator), ' ', h('code', {}, indicator.code)),
    )
    const body = rows.map((row) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, row.name, ' ', h('code', {}, row.country)),
        columns.map(({ indicator, i }) => cellOf(row.cells[i], shortName(indicator))),
      ),
    )
    const table = h(
      'table',
      { class: 'catalogue-table' },
      h('caption', { class: 'unseen' }, 'Figures that are served, by country and indicator'),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Country'), heads)),
      h('tbody', {}, body),
    )
    results.replaceChildren(...(shown.length > 0 ? [table] : []))
  }
  const input = h('input', {
    type: 'search',
    value: find,
    placeholder: 'such as Germany prices',
    size: 24,
    autocomplete: 'off',
    spellcheck: 'false',
  })
  input.addEventListener('input', () => {
    find = filterWords(input.value)
    draw()
  })
  const shows = Object.entries(catalogueShows).map(([name, one]) => /** @type {const} */ ([name, one.name]))
  const chooser = choice([...shows, ['all', 'All of it']], show, (chosen) => {
    show = chosen
    draw()
  })
  head.append(h('div', { class: 'controls' }, field('Find', input), field('Show', chooser)))
  draw()
  const table = () => catalogueTable(shown, show)
  const files = plotFiles({
    name: 'catalogue',
    rows: () => table().rows,
    csv: () => writeCsv(table().columns, table().rows),
  })
  place.replaceChildren(
    count,
    results,
    h('div', { class: 'catalogue-foot' }, h('p', { class: 'colophon' }, LEGEND), files),
  )
}

const LEGEND =
  'A cell has the newest period, which leads to the plot, and says how many periods have ended since. Old: more than three. Probably ended: by the rule of the calendar, so that no further figure is expected. Late: the day on which the next figure was expected has passed. Recorded: when this service wrote the newest figure down. Fetched: when the publisher’s dataset was last read without error, news or not. Asking for this costs nothing.'

/**
 * @param {readonly CatalogEntry[]} series
 * @param {CatalogueCell | undefined} cell
 * @param {string} name of the indicator
 * @param {string} show
 */
function cellElement(series, cell, name, show) {
  if (!cell) return h('td', { class: 'none', 'data-column': name }, 'not served')
  const { entry, state, age, span, basis, fetched } = cell
  const { country, indicator, last_released_on, last_recorded_at } = entry
  const link = (/** @type {string} */ text, /** @type {string | undefined} */ frequency = undefined) =>
    h('a', { href: viewAddress('indicators', { country, indicator, frequency }) }, text)
  const also = otherFrequencies(series, entry).flatMap(({ frequency, text }, i) => [
    i === 0 ? 'also ' : ', ',
    link(text, frequency),
  ])
  /** @type {Readonly<Record<string, readonly (Node | string)[]>>} */
  const lines = {
    span: [span],
    publisher: [entry.publisher],
    dates: [`${dayName(last_released_on)}, ${basis}`],
    recorded: [`recorded ${dayName(last_recorded_at.slice(0, 10))}`],
    fetched: [fetched],
    frequencies: also,
  }
  const chosen = lines[show]
  return h(
    'td',
    { class: state, 'data-column': name },
    h(
      'div',
      {},
      h('p', {}, link(periodName(entry.latest_period ?? entry.last_period))),
      h('p', { class: 'age' }, age),
      (chosen ? [chosen] : Object.values(lines)).flatMap((line) => (line.length > 0 ? [h('p', {}, [...line])] : [])),
    ),
  )
}
