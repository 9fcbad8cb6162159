import { type Indicator, indicatorCodes } from '../contracts/indicators.ts'

/** What people call the indicators, comma separated, besides their codes and names. */
export const synonymsOfIndicators: Readonly<Record<Indicator, string>> = {
  cpi: 'Consumer prices, CPI-U, Cost of living, Price level, Harmonised prices, Harmonized prices',
  inflation:
    'Inflation rate, Consumer price inflation, CPI inflation, Price growth, Change of consumer prices, Rising prices',
  unemployment:
    'Unemployment, Unemployment rate, Unemployed, Jobless rate, Jobless, Joblessness, Out of work, People out of work',
  'labour-force-participation':
    'Labour force participation, Labor force participation rate, Labor force participation, Participation rate, Participation, Labour force, Labor force, Activity rate, Workforce, LFPR',
  gdp: 'Gross domestic product, Nominal GDP, GDP at current prices, Economic output, Economy size',
  'gdp-growth': 'GDP growth, Economic growth, Real GDP growth, Growth of GDP, Growth rate, Growth, Recession',
  'gdp-volume': 'Real GDP, GDP at constant prices, GDP volume, Real gross domestic product, Chained GDP',
  trade:
    'Trade balance, Balance of trade, Foreign trade, External trade, Merchandise trade, Trade deficit, Trade surplus',
  'trade-exports': 'Exports, Goods exports, Exports of goods',
  'trade-imports': 'Imports, Goods imports, Imports of goods',
}

/** An indicator as people call it, however its words are put together: `Jobless rate` as `jobless-rate`. Undefined if none is. */
export const indicatorCalled = (text: string): Indicator | undefined =>
  indicatorCodes.find((code) => synonymsOfIndicators[code].split(', ').some((name) => joined(name) === joined(text)))

const joined = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]+/g, ' ')
