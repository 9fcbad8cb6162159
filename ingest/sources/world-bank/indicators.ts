import type { Series } from '../../../contracts/records.ts'

type WorldBankIndicator = Pick<Series, 'indicator'> & {
  readonly unit: 'percent' | 'USD'
  readonly title: string
  /** Decimals to keep. The trade figures come from the WTO in millions of dollars; further digits are noise. */
  readonly decimals?: number
}

/**
 * Description of the annual figures by World Bank indicator code. Annual GDP, CPI and inflation are left out, because
 * this service publishes them by quarter or month. Source: https://data.worldbank.org/indicator
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
