import { countryByAlpha3 } from '../contracts/countries.ts'
import type { ServedIndicator } from '../contracts/indicators.ts'
import { frequencyOf } from './period.ts'

/** Indicators as the heading of a news item names them. */
const names: Readonly<Record<ServedIndicator, string>> = {
  cpi: 'Consumer prices',
  inflation: 'Inflation',
  unemployment: 'Unemployment rate',
  'labour-force-participation': 'Labour force participation',
  gdp: 'GDP',
  'gdp-growth': 'GDP growth',
  trade: 'Trade balance',
  'trade-exports': 'Goods exports',
  'trade-imports': 'Goods imports',
}

const monthName = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })

/** A release as a person would write it: `Consumer prices, Germany, October 2026`. */
export function releaseTitle(indicator: string, country: string, period: string): string {
  // The cast: only indicators that are served are in the calendar.
  const name = names[indicator as ServedIndicator]
  return `${name}, ${countryByAlpha3.get(country)?.name ?? country}, ${periodTitle(period)}`
}

/** `2026-10` is `October 2026`, `2026-Q3` is `Q3 2026`. */
function periodTitle(period: string): string {
  const [year = '', part = ''] = period.split('-')
  if (frequencyOf(period) === 'M') return `${monthName.format(Date.parse(`${period}-01T00:00:00Z`))} ${year}`
  return part === '' ? year : `${part} ${year}`
}
