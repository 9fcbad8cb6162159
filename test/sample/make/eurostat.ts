import { eurostatMapping } from '../../../ingest/map/publishers/eurostat.ts'
import { dayFirst, dayIn, isoDay } from '../../../ingest/read/printed-days.ts'
import { openWorkbook } from '../../../ingest/read/xlsx.ts'
import type { Figure } from '../../../ingest/source.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { newsIn } from './news.ts'
import { type Recorded, tableOf } from './recorded.ts'
import { figuresOf, type Origin, type Print, type SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, originOf } from './through-reader.ts'

const eurostat = mappedSource(eurostatMapping)

/** Quarterly GDP of all countries; those of the sample are taken. Adjusted for seasons and working days (SCA). */
const PRODUCT = 'jrenne+MRT_codes/data/EA/raw/namq_10_gdp__custom_11613122_linear.csv'
const wanted = /,SCA,B1GQ,(?:DE|FR|NL),/

/** Documents of the data browser with labels instead of codes: what the wanted rows have for freq to sex, and geo. */
type Labelled = { readonly path: string; readonly dataset: string; readonly labels: string; readonly codes: string }

/** The volume at prices of 2020, from 2022 on. */
const volume2020: Labelled = {
  path: 'LoikoM+EU-Economic-Monitor/data/namq_10_gdp.csv',
  dataset: 'NAMQ_10_GDP',
  labels:
    'Quarterly,"Chain linked volumes (2020), million euro",Seasonally and calendar adjusted data,Gross domestic product at market prices',
  codes: 'Q,CLV20_MEUR,SCA,B1GQ',
}
/** Monthly unemployment rates from 2019 on, half a year newer than the spreadsheet. */
const rates2025: Labelled = {
  path: 'AhmedNaouar+eu-banking-credit-risk/estat_une_rt_m_filtered_en.csv',
  dataset: 'UNE_RT_M',
  labels:
    'Monthly,"Seasonally adjusted data, not calendar adjusted data",Total,Percentage of population in the labour force,Total',
  codes: 'M,SA,TOTAL,PC_ACT,T',
}

/** Monthly unemployment rates of all countries, as a spreadsheet of the data browser. */
const UNEMPLOYMENT = 'Pablo-source+Eurostat_labour_market/data/une_rt_m__custom_14874053_page_spreadsheet_long.xlsx'
/** Countries whose rates are read here, by their labels. Those of the others come from their offices. */
const ratesHere = { Germany: 'DEU', France: 'FRA' }
/** What the spreadsheet has to state of its rates. */
const stated = {
  'Time frequency': 'Monthly',
  'Seasonal adjustment': 'Seasonally adjusted data, not calendar adjusted data',
  'Age class': 'Total',
  'Unit of measure': 'Percentage of population in the labour force',
  Sex: 'Total',
}

export const eurostatFiles = (recorded: Recorded): SampleFile[] => [
  ...(recorded.has(PRODUCT) ? productFiles(recorded) : []),
  ...(recorded.has(volume2020.path) ? [volumeFile(recorded)] : []),
  ...([UNEMPLOYMENT, rates2025.path].every((path) => recorded.has(path)) ? unemploymentFiles(recorded) : []),
]

/** At current prices, for comparison with the figures through FRED, and the volume, from which growth is derived. */
function productFiles(recorded: Recorded): SampleFile[] {
  const bytes = tableOf(recorded.text(PRODUCT), (row) => wanted.test(row))
  const figures = figuresThrough(eurostat, { bytes, dataset: 'NAMQ_10_GDP' })
  const origin = originAt(recorded, PRODUCT, 'namq_10_gdp')
  return ['gdp', 'gdp-volume'].map((indicator) => ({
    path: `figures/${indicator}-eurostat.csv`,
    origin,
    figures: figures.filter(({ series }) => series.indicator === indicator),
  }))
}

const volumeFile = (recorded: Recorded): SampleFile => ({
  path: 'figures/gdp-volume-eurostat-2020.csv',
  origin: originAt(recorded, volume2020.path, 'namq_10_gdp'),
  figures: ['Germany', 'France', 'Netherlands'].flatMap((country) => figuresLabelled(recorded, volume2020, country)),
})

const alpha2: Readonly<Record<string, string>> = { Germany: 'DE', France: 'FR', Netherlands: 'NL' }

/** The figures of a country, from rows whose labels are replaced by codes. */
function figuresLabelled(recorded: Recorded, { path, dataset, labels, codes }: Labelled, country: string): Figure[] {
  const [before, after] = [`,${labels},${country},`, `,${codes},${alpha2[country]},`]
  const rows = tableOf(recorded.text(path), (row) => row.includes(before))
  const bytes = Buffer.from(Buffer.from(rows).toString().replaceAll(before, after))
  return figuresThrough(eurostat, { bytes, dataset })
}

/** The rates of both documents; of the newer one those that are new or revised. */
function unemploymentFiles(recorded: Recorded): SampleFile[] {
  const first = unemploymentFile(recorded)
  const news = Object.entries(ratesHere).flatMap(([label, country]) => {
    const older = first.figures.filter(({ series }) => series.country === country)
    const known = new Map(older.map(({ period, figures: { rate } }) => [period, rate?.printed ?? '']))
    return newsIn(figuresLabelled(recorded, rates2025, label), known)
  })
  const day = news[0]?.released?.on
  const origin = originAt(recorded, rates2025.path, 'une_rt_m')
  return [first, { path: `figures/unemployment-eurostat-${day}.csv`, origin, figures: news }]
}

/** The spreadsheet has a column a country and a row a month, newest first; `:` stands for a missing rate. */
function unemploymentFile(recorded: Recorded): SampleFile & { readonly figures: readonly Figure[] } {
  const rows = openWorkbook(recorded.bytes(UNEMPLOYMENT))
    .rowsOf('Sheet 1')
    .map(({ cells }) => cells)
  const labelled = (label: string) => rows.find((cells) => cells.get('A')?.trim() === label)
  for (const [label, text] of Object.entries(stated))
    if (labelled(label)?.get('C') !== text) throw new Error(`The spreadsheet doesn't state ${label}: ${text}.`)
  const on = dayIn(labelled('Last updated:')?.get('B') ?? '', [dayFirst, isoDay])
  const countries = labelled('GEO (Labels)')
  if (on === undefined || !countries) throw new Error('The spreadsheet has no day of its update, or no countries.')
  const months = rows.filter((cells) => /^\d{4}-\d{2}$/.test(cells.get('A') ?? '')).toReversed()
  const figures = Object.entries(ratesHere).flatMap(([label, country]) => {
    const [letters] = [...countries].find(([, text]) => text === label) ?? []
    if (letters === undefined) throw new Error(`The spreadsheet doesn't have ${label}.`)
    const prints = months.map((cells): Print => {
      const rate = cells.get(letters) ?? ''
      return { period: cells.get('A') ?? '', printed: rate === ':' ? '' : rate, released: { on, basis: 'dataset' } }
    })
    return figuresOf(
      {
        indicator: 'unemployment',
        country,
        source: 'EUROSTAT',
        dataset: 'UNE_RT_M',
        unit: 'percent',
        seasonal_adjustment: 'seasonally_adjusted',
      },
      prints,
    )
  })
  const origin = originAt(recorded, UNEMPLOYMENT, 'une_rt_m')
  return { path: `figures/unemployment-eurostat-${on}.csv`, origin, figures }
}

const originAt = (recorded: Recorded, path: string, dataset: string): Origin => ({
  ...originOf(eurostat, `https://ec.europa.eu/eurostat/databrowser/view/${dataset}/default/table`),
  ...takenFrom(recorded, path),
})
