import { readSeriesRows } from '../../map/read-rows.ts'

/**
 * The rows of the annual figures by World Bank indicator code. Annual GDP, CPI and inflation are left out, because this
 * service publishes them by quarter or month. The trade figures come from the WTO in millions of dollars; their decimals
 * are noise. Source: https://data.worldbank.org/indicator
 */
export const worldBankIndicators = readSeriesRows('world-bank')
