/**
 * What stands above a plot about the series in it.
 *
 * @import { CatalogEntry } from './bodies.d.ts'
 */
import { adjective, dayName, frequencyWords, periodName } from './periods.js'
import { words } from './series-facts.js'

/** Periods after which a figure is called old: most come out within three of theirs. */
export const MANY_PERIODS = 3

/**
 * A line for each series that is drawn. If there are several, each says of which periods it is, and the last line says how old
 * the newest figure of all of them is: what the catalogue says of one series alone isn't true of the plot.
 *
 * @param {readonly CatalogEntry[]} catalogue
 * @param {readonly { readonly id: string, readonly first: string, readonly last: string }[]} shown in order of time
 * @returns {string[]}
 */
export function seriesLines(catalogue, shown) {
  const entryOf = (/** @type {string} */ id) => catalogue.find(({ series }) => series === id)
  const isOne = shown.length === 1
  /** @type {(string | false | null)[][]} */
  const lines = shown.map(({ id, first, last }) => {
    const entry = entryOf(id)
    const span = !isOne && [...new Set([first, last])].map(periodName).join(' to ')
    return [span, ...(entry ? seriesParts(entry, isOne) : [id])]
  })
  const drawn = entryOf(shown[0]?.id ?? '')
  const served =
    drawn && catalogue.find((one) => one.is_served && isSameIndicator(one, drawn) && one.frequency === drawn.frequency)
  const age = served ? ageParts(served) : []
  if (isOne) lines[0]?.push(...age)
  else lines.push(age)
  return lines.map((parts) => parts.filter(Boolean).join(' · ')).filter((line) => line !== '')
}

/**
 * The other frequencies in which figures are published, each with its latest period.
 *
 * @param {readonly CatalogEntry[]} catalogue
 * @param {{ readonly country: string, readonly indicator: string, readonly frequency: string }} shown
 * @returns {{ readonly frequency: string, readonly text: string }[]}
 */
export const otherFrequencies = (catalogue, shown) =>
  catalogue
    .filter((one) => one.is_served && isSameIndicator(one, shown) && one.frequency !== shown.frequency)
    .map(({ frequency, latest_period }) => ({
      frequency,
      text: `${adjective(frequency)} figures${latest_period ? `, to ${periodName(latest_period)}` : ''}`,
    }))

/**
 * @param {{ readonly country: string, readonly indicator: string }} a
 * @param {{ readonly country: string, readonly indicator: string }} b
 */
const isSameIndicator = (a, b) => a.country === b.country && a.indicator === b.indicator

/**
 * @param {CatalogEntry} entry
 * @param {boolean} isAlone whether every period that is drawn is of it
 */
const seriesParts = (entry, isAlone) => [
  entry.publisher,
  entry.dataset,
  adjective(entry.frequency),
  words(entry.seasonal_adjustment),
  entry.annualization === 'annualized' && 'annualized',
  entry.unit,
  entry.base_period && entry.base_value === '' && `at prices of ${entry.base_period}`,
  entry.base_period && entry.unit === 'index' && `${entry.base_period} = ${entry.base_value}`,
  entry.derivation && `computed here (${words(entry.derivation)})`,
  isAlone && `${entry.observations.toLocaleString('en-US')} periods, ${entry.vintages.toLocaleString('en-US')} prints`,
  `newest print ${dayName(entry.last_released_on)} (${words(entry.last_released_on_basis)})`,
]

/** @param {CatalogEntry} served */
const ageParts = ({ frequency, periods_ended_since, next_period, next_expected_on, days_late }) => [
  periods_ended_since > MANY_PERIODS &&
    `nothing newer for ${periods_ended_since} ${frequencyWords[frequency]?.periods ?? 'periods'}`,
  next_expected_on &&
    next_period &&
    `${periodName(next_period)} expected about ${dayName(next_expected_on)}${days_late ? ', and not on record' : ''}`,
]
