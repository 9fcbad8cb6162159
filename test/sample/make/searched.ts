import type { Indicator } from '../../../contracts/indicators.ts'
import type { Frequency } from '../../../contracts/records.ts'

/** Day of the last search in public repositories for newer documents of the cells below. */
export const SEARCHED_ON = '2026-11-27'

/** What was looked for, and the newest that was found and is not served. */
type Search = { readonly sought: string; readonly found: string }

const nothing = 'nothing newer'
const undated = 'in a repository of which no copy could be had, so nothing dates it'

const australia: Search = {
  sought: 'workbooks of 5206.0 by several names, `A2304402X`, FRED’s `NGDPRSAXDCAUQ`',
  found: nothing,
}
const britain = 'files `ABMI`, `PN2`, `QNA` and `UKEA` of the ONS, FRED’s'
const rates = (country: string, found: string): Search => ({
  sought: `\`une_rt_m\` as CSV, TSV and JSON by several names, FRED’s \`LRHUTTTT${country}M156S\``,
  found: `${found}; rates by age to 2026-01, from which the total cannot be computed`,
})
const trade = (found: string): Search => ({
  sought: 'workbooks of the Global Economic Monitor, FRED’s `XTEXVA01…M667S` and `XTIMVA01…M667S`',
  found,
})

/** By `COUNTRY indicator`. The table fails for an old cell that is missing here, and for one that is not old any more. */
const searches: ReadonlyMap<string, Search> = new Map(
  Object.entries({
    'AUS gdp': australia,
    'AUS gdp-growth': australia,
    'DEU unemployment': rates('DE', 'the OECD’s months to 2025-07, which would come before Eurostat’s own'),
    'FRA unemployment': rates('FR', 'the OECD’s months to 2023-02'),
    'GBR gdp': { sought: `${britain} \`UKNGDP\``, found: nothing },
    'GBR gdp-growth': { sought: `${britain} \`NGDPRSAXDCGBQ\``, found: `the IMF’s volume to 2026-Q1, ${undated}` },
    'GBR labour-force-participation': {
      sought: 'files `SL.TLF.CACT.NE.ZS` of the World Bank, FRED’s `LRACTTTTGBQ156S`',
      found: '2024, only typed by hand',
    },
    'JPN unemployment': {
      sought: 'FRED’s `LRHUTTTTJPM156S` by several names',
      found: `months to 2026-07, ${undated}`,
    },
    'SGP unemployment': {
      sought: 'tables `M182…` of SingStat, files of data.gov.sg and of the ILO',
      found: 'years of residents to 2025, which no quarter follows from',
    },
    ...Object.fromEntries(
      [
        ['CAN', 'months to 2026-04, only typed by hand and in Canadian dollars'],
        ['DEU', 'months to 2026-05, only typed by hand and adjusted for seasons'],
        ['JPN', 'months to 2026-06, adjusted for seasons, of which the imports only typed by hand'],
        ['SGP', nothing],
      ].flatMap(([country = '', found = '']) =>
        ['trade-exports', 'trade-imports', 'trade'].map((flow) => [`${country} ${flow}`, trade(found)]),
      ),
    ),
  }),
)

const monthsOf: Readonly<Record<Frequency, number>> = { M: 1, Q: 3, A: 12 }

/**
 * What was searched for a cell whose newest period ended more than one period and twelve months ago; empty for others.
 * Throws if the facts above do not say it, or say it of a cell that is newer.
 */
export function searchedFor(country: string, indicator: Indicator, frequency: Frequency, age: number): string {
  const isOld = age > 12 + monthsOf[frequency]
  const search = searches.get(`${country} ${indicator}`)
  if (isOld !== (search !== undefined))
    throw new Error(
      `searched.ts ${search ? 'speaks' : 'says nothing'} of ${country} ${indicator}, ${age} months old (${frequency}).`,
    )
  return search ? `${SEARCHED_ON}: ${search.sought}. Found: ${search.found}` : ''
}
