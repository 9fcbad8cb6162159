/**
 * The figures of several countries and indicators in one plot, as the address names them: `USA.cpi` or
 * `DEU.inflation.month_over_month`, which are the names of the columns of a panel.
 *
 * @import { CatalogEntry, Facts, IndicatorFacts } from './bodies.d.ts'
 *
 * @typedef {{
 *   readonly name: string,
 *   readonly country: string,
 *   readonly indicator: IndicatorFacts,
 *   readonly figure: string,
 *   readonly frequency: string,
 *   readonly published: string,
 * }} Compared `frequency`: of the periods that are drawn; `published`: of those that they are made of
 * @typedef {{ readonly frequency: string, readonly countries: readonly string[], readonly indicators: readonly string[] }} PanelPart
 */
import { words } from './series-facts.js'

/** Most figures in one plot: more lines can't be told apart. */
export const MOST_COMPARED = 8

/** The shortest periods first. */
const frequencies = ['M', 'Q', 'A']

/**
 * The name of a figure's column. An indicator with one figure leaves it out.
 *
 * @param {string} country
 * @param {IndicatorFacts} indicator
 * @param {string} figure
 */
export const columnName = (country, { code, figures }, figure) =>
  [country, code, ...(figures.length > 1 ? [figure] : [])].join('.')

/**
 * Reads names. Without a figure, the first one of the indicator is meant.
 *
 * @param {string} names with commas between
 * @param {Facts} facts
 * @param {readonly CatalogEntry[]} served
 * @param {string | undefined} wanted frequency to draw where there are figures of it or of shorter periods
 * @returns {{ readonly compared: readonly Compared[], readonly unknown: readonly string[] }}
 */
export function readCompared(names, facts, served, wanted) {
  /** @type {Map<string, Compared>} */
  const compared = new Map()
  /** @type {string[]} */
  const unknown = []
  for (const text of names.split(',')) {
    const [country = '', code = '', figure, ...more] = text.split('.')
    const indicator = facts.indicators.find((one) => one.code === code)
    const own = served.filter((one) => one.country === country && one.indicator === code).map((one) => one.frequency)
    const shortest = frequencies.find((frequency) => own.includes(frequency))
    const named = figure ?? indicator?.figures[0] ?? ''
    if (!indicator?.figures.includes(named) || shortest === undefined || more.length > 0) unknown.push(text)
    else {
      const name = columnName(country, indicator, named)
      const isLonger = wanted !== undefined && frequencies.indexOf(wanted) > frequencies.indexOf(shortest)
      compared.set(name, {
        name,
        country,
        indicator,
        figure: named,
        frequency: isLonger ? wanted : shortest,
        published: shortest,
      })
    }
  }
  return { compared: [...compared.values()], unknown }
}

/**
 * The panels that hold the figures, one for each frequency.
 *
 * @param {readonly Compared[]} compared
 * @returns {readonly PanelPart[]}
 */
export const panelParts = (compared) =>
  [...Map.groupBy(compared, ({ frequency }) => frequency)].map(([frequency, own]) => ({
    frequency,
    countries: [...new Set(own.map(({ country }) => country))],
    indicators: [...new Set(own.map(({ indicator }) => indicator.code))],
  }))

/**
 * `Germany: Inflation, month over month`.
 *
 * @param {Pick<Compared, 'country' | 'indicator' | 'figure'>} one
 * @param {Facts} facts
 */
export const comparedTitle = ({ country, indicator, figure }, facts) =>
  `${facts.countries[country] ?? country}: ${figureTitle(indicator, figure)}`

/**
 * @param {IndicatorFacts} indicator
 * @param {string} figure
 */
export const figureTitle = ({ name, figures }, figure) =>
  `${name.split(':')[0] ?? name}${figures.length > 1 ? `, ${words(figure)}` : ''}`
