/**
 * What a search offers to add to a plot.
 *
 * @import { Facts, IndicatorFacts, SearchHit } from './bodies.d.ts'
 * @import { Compared } from './compared.js'
 *
 * @typedef {{ readonly name: string, readonly title: string }} Offer `name`: that of the figure's column
 */
import { columnName, comparedTitle } from './compared.js'

/** A longer list is not read. */
const MOST_OFFERS = 8

/**
 * Figures of a country are offered as they are. A country alone offers the indicators that are shown already, and an indicator
 * alone the countries that are.
 *
 * @param {readonly SearchHit[]} hits
 * @param {readonly Pick<Compared, 'country' | 'indicator' | 'figure'>[]} shown
 * @param {Facts} facts
 * @param {(country: string, indicator: string) => boolean} isServed
 * @returns {readonly Offer[]}
 */
export function figureOffers(hits, shown, facts, isServed) {
  const all = hits.flatMap(({ kind, country, indicator }) => {
    const named = facts.indicators.find(({ code }) => code === indicator)
    if (country && named) return everyFigure(country, named)
    if (kind === 'country' && country) return shown.map(({ indicator, figure }) => ({ country, indicator, figure }))
    if (kind === 'indicator' && named)
      return [...new Set(shown.map((one) => one.country))].flatMap((country) => everyFigure(country, named))
    return []
  })
  const taken = new Set(shown.map(nameOf))
  const offers = new Map(
    all
      .filter((one) => isServed(one.country, one.indicator.code) && !taken.has(nameOf(one)))
      .map((one) => [nameOf(one), { name: nameOf(one), title: comparedTitle(one, facts) }]),
  )
  return [...offers.values()].slice(0, MOST_OFFERS)
}

/**
 * @param {string} country
 * @param {IndicatorFacts} indicator
 */
const everyFigure = (country, indicator) => indicator.figures.map((figure) => ({ country, indicator, figure }))

/** @param {Pick<Compared, 'country' | 'indicator' | 'figure'>} one */
const nameOf = ({ country, indicator, figure }) => columnName(country, indicator, figure)
