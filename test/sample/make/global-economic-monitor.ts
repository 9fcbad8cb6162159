import { worldBank } from '../../../ingest/sources/world-bank/index.ts'
import type { Recorded } from './recorded.ts'
import type { SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, filesByIndicator, originOf } from './through-reader.ts'

const FOLDER = 'AGR19+GEMR-KG-Global-Emerging-Markets-Risk-Knowledge-Graph/data/raw/economy/GemDataEXTR'
const ADDRESS = 'https://datacatalog.worldbank.org/search/dataset/0037798/Global-Economic-Monitor'

/** Canada's imports are there with seasonal adjustment only. */
const asCounted = ['DEU', 'JPN', 'SGP']
const adjusted = ['CAN']

/** Workbooks of the World Bank's Global Economic Monitor, and the countries that are taken from each. */
const workbooks: readonly (readonly [dataset: string, name: string, countries: readonly string[]])[] = [
  ['DXGSRMRCHNSCD', 'Exports Merchandise, Customs, current US$, millions, not seas. adj.', asCounted],
  ['DMGSRMRCHNSCD', 'Imports Merchandise, Customs, current US$, millions, not seas. adj.', asCounted],
  ['DXGSRMRCHSACD', 'Exports Merchandise, Customs, current US$, millions, seas. adj.', adjusted],
  ['DMGSRMRCHSACD', 'Imports Merchandise, Customs, current US$, millions, seas. adj.', adjusted],
]

export const globalEconomicMonitorFiles = (recorded: Recorded): SampleFile[] =>
  workbooks.flatMap(([dataset, name, countries]) => {
    const path = `${FOLDER}/${name}.xlsx`
    if (!recorded.has(path)) return []
    const figures = figuresThrough(worldBank(), { bytes: recorded.bytes(path), dataset })
    const origin = { ...originOf(worldBank(), ADDRESS), ...takenFrom(recorded, path) }
    return filesByIndicator(
      origin,
      figures.filter(({ series }) => countries.includes(series.country)),
    )
  })
