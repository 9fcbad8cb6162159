import { countryByAlpha3 } from '../contracts/countries.ts'
import { indicators, isPublic, isServed } from '../contracts/indicators.ts'

/** The fault of a list of figures, `USA.cpi` or `DEU.inflation.month_over_month`; undefined if there is none. */
export function faultOfFigures(list: string): string | undefined {
  for (const name of list.split(',').map((item) => item.trim())) {
    if (name === '') return 'has a comma without a figure beside it'
    const [country = '', indicator = '', figure, ...more] = name.split('.')
    if (!countryByAlpha3.has(country)) return `names ${name}, and must name a country of three letters, such as USA.cpi`
    if (!isServed(indicator) || !isPublic(indicator, country))
      return `names ${name}, and ${indicator || 'nothing'} is no indicator that is served of ${country}`
    const figures: readonly string[] = indicators[indicator].figures
    if (more.length > 0 || (figure !== undefined && !figures.includes(figure)))
      return `names ${name}, and the figures of ${indicator} are ${figures.join(', ')}`
  }
  return undefined
}
