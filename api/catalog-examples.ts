import type { Example } from './example.ts'

const at = '2026-10-17T09:00:00.000Z'
const unemployment = {
  series: 'USA.unemployment.M.FRED.UNRATE.percent.SA',
  country: 'USA',
  country_name: 'United States',
  indicator: 'unemployment',
  indicator_name: 'Unemployment rate',
  publisher: 'U.S. Bureau of Labor Statistics, through FRED',
  source: 'FRED',
  dataset: 'UNRATE',
  licence: 'Public domain',
  unit: 'percent',
  multiplier: '1',
  frequency: 'M',
  seasonal_adjustment: 'seasonally_adjusted',
  annualization: 'not_annualized',
  base_period: '',
  base_value: '',
  derivation: '',
  is_served: true,
  first_period: '2000-01',
  last_period: '2026-07',
  observations: 318,
  vintages: 345,
  last_released_on: '2026-08-07',
  last_released_on_basis: 'copy',
  last_recorded_at: at,
  next_period: '2026-08',
  next_expected_on: null,
  days_late: null,
  link: '/v1/economics/USA/unemployment/observations?frequency=M',
}

/** Examples of the catalogue's operations, from the bundled sample. */
export const catalogExamples: Readonly<Record<string, Example>> = {
  catalog_list: {
    query: { country: 'USA', indicator: 'unemployment' },
    body: { series: [unemployment], as_of: at },
  },
  catalog_countries: {
    body: {
      countries: [
        {
          code: 'SGP',
          alpha2: 'SG',
          numeric: '702',
          name: 'Singapore',
          indicators: [
            'cpi',
            'inflation',
            'unemployment',
            'labour-force-participation',
            'trade',
            'trade-exports',
            'trade-imports',
          ],
        },
      ],
    },
  },
  catalog_indicators: {
    body: {
      indicators: [
        {
          code: 'gdp',
          name: 'Gross domestic product at current prices',
          description: 'The size of the economy in a quarter, in whole units of `currency` …',
          family: 'output',
          figures: ['value'],
          unit: 'currency',
          path: '/v1/economics/{country}/gdp',
          countries: ['AUS', 'CAN', 'DEU', 'FRA', 'GBR', 'JPN', 'MYS', 'NLD', 'USA'],
        },
      ],
    },
  },
  catalog_instruments: {
    body: {
      instruments: [
        {
          code: 'XAU',
          kind: 'commodity',
          name: 'Gold',
          unit: 'troy_ounce',
          currency: 'USD',
          stale_after_seconds: 60,
          market: 'COMMODITIES',
        },
        {
          code: 'EUR',
          kind: 'currency',
          name: 'Euro',
          unit: null,
          currency: null,
          stale_after_seconds: 60,
          market: 'FX',
        },
      ],
    },
  },
  catalog_plans: {
    body: {
      plans: [
        {
          code: 'free',
          calls_per_month: 5000,
          calls_per_minute: 30,
          concurrent_streams: 1,
          prices_stream: false,
          families: ['inflation', 'labour', 'output', 'trade', 'predictions'],
        },
      ],
    },
  },
}
