/**
 * The cells of the catalogue: what is served of each country and indicator, in words.
 *
 * @import { CatalogEntry, Facts } from './bodies.d.ts'
 *
 * @typedef {{
 *   readonly entry: CatalogEntry,
 *   readonly others: readonly CatalogEntry[],
 *   readonly state: 'current' | 'old' | 'late' | 'ended',
 *   readonly age: string,
 *   readonly span: string,
 *   readonly basis: string,
 *   readonly fetched: string,
 *   readonly words: readonly string[],
 * }} CatalogueCell `entry`: of the newest figure; `others`: of the other frequencies; `words`: what the filter looks in
 */
import { lowerCaseWords } from './filter-words.js'
import { adjective, dayName, daysName, lastDayOf, periodName, thisDay } from './periods.js'
import { MANY_PERIODS } from './series-lines.js'

/** @type {Readonly<Record<string, string>>} */
const units = { M: 'month', Q: 'quarter', A: 'year' }
/** @type {Readonly<Record<string, string>>} */
const bases = {
  publisher: 'publisher’s own date',
  dataset: 'date of the dataset',
  copy: 'date of a copy',
  first_seen: 'date first seen here',
}

/** An indicator's name without its explanation. @param {{ readonly name: string }} indicator */
export const shortName = ({ name }) => name.split(':')[0] ?? name

/** Last day of the newest figure. @param {CatalogEntry} entry */
const newestDay = ({ latest_period, last_period }) => lastDayOf(latest_period ?? last_period)

/**
 * The cells of all series that are served, by `COUNTRY/indicator`. Of several frequencies the one with the newest figure stands
 * first, as in the plot; of equal ones the finest.
 *
 * @param {readonly CatalogEntry[]} series
 * @param {Pick<Facts, 'indicators' | 'endedUndatedDays'>} facts
 * @param {string} today
 * @returns {Map<string, CatalogueCell>}
 */
export function catalogueCells(series, { indicators, endedUndatedDays }, today = thisDay()) {
  const served = series.filter(({ is_served }) => is_served)
  const groups = Map.groupBy(served, ({ country, indicator }) => `${country}/${indicator}`)
  return new Map(
    [...groups].flatMap(([key, group]) => {
      const [entry, ...others] = group.toSorted(
        (a, b) => newestDay(b).localeCompare(newestDay(a)) || 'MQA'.indexOf(a.frequency) - 'MQA'.indexOf(b.frequency),
      )
      const indicator = indicators.find(({ code }) => code === entry?.indicator)
      if (!entry || !indicator) return []
      const sinceNext = (Date.parse(today) - Date.parse(lastDayOf(entry.next_period))) / 86_400_000
      // The service gives no day where it can't tell one, and where the series has probably ended.
      const isEnded = entry.next_expected_on === null && sinceNext > (endedUndatedDays[entry.frequency] ?? Infinity)
      return [[key, cellOf(entry, others, shortName(indicator), isEnded)]]
    }),
  )
}

/**
 * @param {CatalogEntry} entry
 * @param {readonly CatalogEntry[]} others
 * @param {string} name of the indicator
 * @param {boolean} isEnded whether the series has probably ended
 * @returns {CatalogueCell}
 */
function cellOf(entry, others, name, isEnded) {
  const { periods_ended_since: ended, days_late, frequency, vintages, first_period, last_fetched_at } = entry
  const isLate = days_late !== null && days_late > 0
  const unit = units[frequency] ?? 'period'
  const state = isEnded ? 'ended' : isLate ? 'late' : ended > MANY_PERIODS ? 'old' : 'current'
  const old = ended === 0 ? `the last full ${unit}` : `${ended} ${unit}${ended === 1 ? '' : 's'} old`
  const age = isLate ? `${old}, next ${daysName(days_late)} late` : isEnded ? `${old}, probably ended` : old
  const basis = bases[entry.last_released_on_basis] ?? entry.last_released_on_basis
  const said = [entry.country, entry.country_name, entry.indicator, name, entry.publisher, entry.source, state, basis]
  return {
    entry,
    others,
    state,
    age,
    span: `since ${periodName(first_period)}, ${vintages.toLocaleString('en-US')} prints`,
    basis,
    fetched: last_fetched_at ? `fetched ${dayName(last_fetched_at.slice(0, 10))}` : 'no fetch on record',
    words: lowerCaseWords(
      [...said, adjective(frequency), ...others.map((other) => adjective(other.frequency))].join(' '),
    ),
  }
}

/** What the cells show beside period and age: its name, and the members of the series that it is made of. */
export const catalogueShows = /** @type {const} */ ({
  span: { name: 'Span and prints', members: ['first_period', 'vintages'] },
  publisher: { name: 'Publisher', members: ['publisher', 'source'] },
  dates: { name: 'Date of the newest print', members: ['last_released_on', 'last_released_on_basis'] },
  recorded: { name: 'When it was recorded', members: ['last_recorded_at'] },
  fetched: { name: 'When it was last fetched', members: ['last_fetched_at'] },
  frequencies: { name: 'Other frequencies', members: [] },
})

/** Members that every cell shows. */
const always = /** @type {const} */ ([
  'country',
  'country_name',
  'indicator',
  'frequency',
  'latest_period',
  'periods_ended_since',
  'days_late',
])

/**
 * What the cells show, as a table for a file. Where they show other frequencies, these have rows of their own.
 *
 * @param {readonly CatalogueCell[]} cells
 * @param {string} show a name of `catalogueShows`; any other: all
 */
export function catalogueTable(cells, show) {
  const shows = Object.entries(catalogueShows).filter(([name]) => !(show in catalogueShows) || name === show)
  const columns = [...always, ...shows.flatMap(([, { members }]) => members)]
  const hasOthers = shows.some(([name]) => name === 'frequencies')
  const rows = cells.flatMap(({ entry, others }) =>
    [entry, ...(hasOthers ? others : [])].map((one) => Object.fromEntries(columns.map((name) => [name, one[name]]))),
  )
  return { columns, rows }
}
