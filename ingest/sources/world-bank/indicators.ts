import type { Series } from '../../../contracts/records.ts'

type WorldBankIndicator = Pick<Series, 'indicator' | 'unit'> & {
  readonly title: string
  /** The WTO, whose figures these are, gives millions of dollars: what stands behind the point is binary noise. */
  readonly decimals?: number
}

/**
 * World Bank indicator code → what its annual figures are. Its annual GDP, CPI and inflation are not here: this service
 * publishes those by quarter or month. Source: https://data.worldbank.org/indicator
 */
export const worldBankIndicators: Readonly<Record<string, WorldBankIndicator>> = {
  'SL.UEM.TOTL.ZS': { title: 'Unemployment rate, ILO estimate', indicator: 'unemployment', unit: 'percent' },
  'SL.UEM.TOTL.NE.ZS': { title: 'Unemployment rate, national estimate', indicator: 'unemployment', unit: 'percent' },
  'SL.TLF.CACT.ZS': {
    title: 'Participation rate, 15 and over, ILO estimate',
    indicator: 'labour-force-participation',
    unit: 'percent',
  },
  'SL.TLF.CACT.NE.ZS': {
    title: 'Participation rate, 15 and over, national estimate',
    indicator: 'labour-force-participation',
    unit: 'percent',
  },
  'TX.VAL.MRCH.CD.WT': { title: 'Merchandise exports', indicator: 'trade-exports', unit: 'USD', decimals: 0 },
  'TM.VAL.MRCH.CD.WT': { title: 'Merchandise imports', indicator: 'trade-imports', unit: 'USD', decimals: 0 },
}
