import { countryNamed } from '../ilo-gem-country-names.ts'
import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/** Columns of the monitor that are no country. */
const aggregates: ReadonlySet<string> = new Set(
  `
Advanced Economies
EMDE East Asia & Pacific
EMDE Europe & Central Asia
EMDE Latin America & Caribbean
EMDE Middle East, North Africa, Afghanistan & Pakistan
EMDE South Asia
EMDE Sub-Saharan Africa
Emerging Market and Developing Economies (EMDEs)
High Income Countries
Low-Income Countries (LIC)
Middle-Income Countries (MIC)
World (WBG members)
`
    .trim()
    .split('\n'),
)

/** Names of the files of the datasets, as the publisher gives them. */
export const gemFileNames: Readonly<Record<string, string>> = {
  DXGSRMRCHNSCD: 'Exports Merchandise, Customs, current US$, millions, not seas. adj.',
  DXGSRMRCHSACD: 'Exports Merchandise, Customs, current US$, millions, seas. adj.',
  DMGSRMRCHNSCD: 'Imports Merchandise, Customs, current US$, millions, not seas. adj.',
  DMGSRMRCHSACD: 'Imports Merchandise, Customs, current US$, millions, seas. adj.',
}

const workbook = (flow: string, adjustment: string) => ({
  title: `Merchandise ${flow}, monthly, ${adjustment}: workbook of the Global Economic Monitor (files)`,
  area: 'COUNTRY',
  sharedStructures: ['GEM'],
  checked: 'workbook of 360 months',
})

/**
 * Workbooks of the World Bank's Global Economic Monitor, which `sources/world-bank/` reads beside the answers of its API. They do
 * not name their indicator, so the user must.
 *
 * The rows name the countries whose months add up to the year that UNCTAD prints, within 5 percent in every year from 1996 to
 * 2024, ten years at least. The monitor's other columns are not all millions of US dollars, as their heading says. Exports of the
 * United Kingdom are millions of pounds. Those of France are off by the euro's rate in dollars, as if converted twice. Those of
 * Croatia, Kuwait, Slovakia and Uruguay are billions. Others count otherwise (docs/decisions/0106-countries-of-the-monitor.md).
 */
export const gemMapping: MappedPublisher = {
  name: 'WB',
  publisher: 'World Bank',
  licence: 'CC BY 4.0',
  host: 'datacatalog.worldbank.org',
  countryOf: (name) => (aggregates.has(name) ? null : countryNamed(name)),
  datasets: {
    DXGSRMRCHNSCD: workbook('exports', 'not seasonally adjusted'),
    DXGSRMRCHSACD: workbook('exports', 'seasonally adjusted'),
    DMGSRMRCHNSCD: workbook('imports', 'not seasonally adjusted'),
    DMGSRMRCHSACD: workbook('imports', 'seasonally adjusted'),
  },
  rows: readMappingRows('gem'),
}
