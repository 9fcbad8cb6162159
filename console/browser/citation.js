/**
 * What a reader writes under a figure or a plot that is taken from here, so that another finds the same again.
 *
 * @import { Facts, ReleaseDetail } from './bodies.d.ts'
 */
import { groupedDecimal } from './decimal-text.js'
import { dayName, periodName } from './periods.js'
import { words } from './series-facts.js'

const list = new Intl.ListFormat('en')

/**
 * @param {ReleaseDetail} release
 * @param {Facts} facts
 * @param {string} address of its page
 * @param {string} today YYYY-MM-DD
 */
export function releaseCitation(release, { countries, indicators }, address, today) {
  const { country, indicator, period, figures, series, released_on, release_id, provenance, derivation } = release
  const name = indicators.find(({ code }) => code === indicator)?.name.split(':')[0] ?? indicator
  const several = Object.keys(figures).length > 1
  const amounts = Object.entries(figures).map(
    ([figure, value]) => `${several ? `${words(figure)} ` : ''}${groupedDecimal(value)} ${series.unit}`,
  )
  const author = provenance?.publisher ?? `Almanac (computed: ${words(derivation)})`
  const hash = provenance?.sha256 ? ` Document with the SHA-256 ${provenance.sha256}.` : ''
  const what = `${name}, ${countries[country] ?? country}, ${periodName(period)}`
  const said = amounts.length > 0 ? list.format(amounts) : 'withdrawn'
  return `${author} (${released_on.slice(0, 4)}). ${what}: ${said}. As released on ${dayName(released_on)}, ${release_id}.${hash} Retrieved on ${dayName(today)} from ${address}`
}

/**
 * The address gets the day on which the figures were known, because they may be revised later.
 *
 * @param {object} plot
 * @param {string} plot.title
 * @param {string} plot.unit
 * @param {readonly string[]} plot.sources each begins with `Source: `
 * @param {string | undefined} plot.day on which it was known; undefined: now
 * @param {string} address of its page
 * @param {string} today YYYY-MM-DD
 */
export function plotCitation({ title, unit, sources, day = undefined }, address, today) {
  const dated = new URL(address)
  dated.searchParams.set('as_of', day ?? today)
  return `${title} (${unit}), as known on ${dayName(day ?? today)}. ${sources.join('; ')}. Retrieved on ${dayName(today)} from ${dated}`
}
