import { fred } from '../../../ingest/sources/fred/index.ts'
import { newsIn } from './news.ts'
import type { Recorded } from './recorded.ts'
import { figuresPath, type Origin, type SampleFile } from './sample-file.ts'
import { seriesInCache } from './series-cache.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough } from './through-reader.ts'

/** FRED passes on what others publish: those are named as publishers, and theirs are the terms. */
const bea = { publisher: 'U.S. Bureau of Economic Analysis, through FRED', licence: 'Public domain' }
const bls = { publisher: 'U.S. Bureau of Labor Statistics, through FRED', licence: 'Public domain' }
const ons = { publisher: 'Office for National Statistics, through FRED', licence: 'Open Government Licence v3.0' }
const oecd = { publisher: 'OECD, through FRED', licence: 'CC BY 4.0' }
const cabinetOffice = {
  publisher: 'Cabinet Office of Japan, through FRED',
  licence: 'Government of Japan Standard Terms of Use, compatible with CC BY 4.0',
}

type FredFile = {
  readonly dataset: string
  readonly owner: Omit<Origin, 'url'>
  /** Oldest first. Of several, each makes a file with the day of its newest figures in its name. */
  readonly paths: readonly string[]
  /** Makes FRED's CSV of what a holder keeps in a form of its own. */
  readonly read?: (text: string, dataset: string) => string
}

const MACRO = 'frankietaylor2311-maker+Mt5-swing/data/macro'
const NJUETTNER = 'njuettner+fed'
const SHADOW = 'opxie1+usd/vintages'

const files: readonly FredFile[] = [
  {
    dataset: 'GDP',
    owner: bea,
    paths: [
      // Every vintage to 2024-10-30 with its date of release, then snapshots.
      'gw-moore+pyfredapi/tests/vhs/test_series/test_get_series_all_releases_json.01.json',
      `${NJUETTNER}/vintages/gdp/2024-11-28_c49aef8a.json`,
      `${NJUETTNER}/vintages/gdp/2024-12-20_918a0be7.json`,
      `${NJUETTNER}/data/gdp.json`,
    ],
  },
  {
    dataset: 'GDPC1',
    owner: bea,
    paths: [
      'sivamsapingali+Codex_Macro-Monitor/data/GDPC1.csv',
      `${SHADOW}/2026-06-05_c27b84f7.csv`,
      `${SHADOW}/2026-06-25_f024ceeb.csv`,
    ],
  },
  {
    dataset: 'UNRATE',
    owner: bls,
    paths: [
      `${NJUETTNER}/vintages/unemployment/2023-03-27_3218da76.json`,
      `${NJUETTNER}/vintages/unemployment/2023-06-03_d324ec17.json`,
      `${NJUETTNER}/vintages/unemployment/2023-09-02_838bff16.json`,
      `${NJUETTNER}/vintages/unemployment/2023-12-09_dd837ebb.json`,
      `${NJUETTNER}/vintages/unemployment/2024-02-03_d3ccce0c.json`,
      `${NJUETTNER}/vintages/unemployment/2024-05-04_860940b6.json`,
      `${NJUETTNER}/vintages/unemployment/2024-08-03_7075908c.json`,
      `${NJUETTNER}/vintages/unemployment/2024-11-02_57c04888.json`,
      `${NJUETTNER}/data/unemployment.json`,
    ],
  },
  {
    dataset: 'CIVPART',
    owner: bls,
    paths: ['sivamsapingali+Codex_Macro-Monitor/data/CIVPART.csv'],
  },
  {
    dataset: 'UKNGDP',
    owner: ons,
    paths: ['avagreyyy4+FX_Trading/data/UKNGDP.csv'],
  },
  {
    dataset: 'JPNRGDPEXP',
    owner: cabinetOffice,
    paths: ['tsvetoslavtsachev+jp-macro-dashboard/data/fred_cache.json'],
    read: seriesInCache,
  },
  {
    dataset: 'LRHUTTTTJPM156S',
    owner: oecd,
    paths: ['wyf-gh+Big-Data-Project/macro_economic_data/Japan_Unemployment_Rate_Monthly_LRHUTTTTJPM156S.csv'],
  },
  // Ends of files, typed by hand.
  ...['GB', 'US'].flatMap((country) =>
    [`XTEXVA01${country}M667S`, `XTIMVA01${country}M667S`].map((dataset) => ({
      dataset,
      owner: oecd,
      paths: [`${MACRO}/fred_${dataset}.TRANSCRIBED-TAIL.csv`],
    })),
  ),
]

export const fredFiles = (recorded: Recorded): SampleFile[] =>
  files.flatMap(({ dataset, owner, paths, read = (text) => text }) => {
    // With a part of them, revisions would be taken for first prints.
    if (!paths.every((path) => recorded.has(path))) return []
    const known = new Map<string, string>()
    return paths.flatMap((path): SampleFile[] => {
      // One copy's header was changed by its keeper; which series it is, is known here.
      const bytes = Buffer.from(read(recorded.text(path), dataset).replace(/^date,[a-z]\w*/, 'date,value'))
      const figures = newsIn(figuresThrough(fred(), { bytes, dataset }), known)
      const [first] = figures
      if (!first) return []
      const taken = takenFrom(recorded, path)
      // The files are loaded by name, and vintages are accepted by date.
      const dated = figures.reduce((max, { released }) => (released && released.on > max ? released.on : max), '')
      const newest = dated || taken.copy?.held_on
      const day = paths.length > 1 ? `-${newest}` : ''
      return [
        {
          path: figuresPath(first.series).replace('.csv', `${day}.csv`),
          origin: { ...owner, url: `https://fred.stlouisfed.org/series/${dataset}`, ...taken },
          figures,
        },
      ]
    })
  })
