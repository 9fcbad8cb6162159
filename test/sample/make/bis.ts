import { bis } from '../../../ingest/sources/bis/index.ts'
import { type Recorded, tableOf } from './recorded.ts'
import type { SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, originOf } from './through-reader.ts'

/** The ten countries whose exports are served, as the BIS codes them. */
const areas = ['AU', 'CA', 'DE', 'FR', 'GB', 'JP', 'MY', 'NL', 'SG', 'US']

const PATH = 'Burak-Bozkurt18+Master-s-Thesis/data/raw/WS_LONG_CPI_csv_col.csv'

/** Consumer prices. Australia's are quarterly: the BIS gives each month its quarter's index. */
export function bisFiles(recorded: Recorded): SampleFile[] {
  if (!recorded.has(PATH)) return []
  const table = recorded.text(PATH)
  const figures = areas.flatMap((area) => {
    const bytes = tableOf(table, (row) => row.split(',')[2] === area)
    return figuresThrough(bis(), { bytes, dataset: 'WS_LONG_CPI' })
  })
  const origin = { ...originOf(bis(), 'https://data.bis.org/topics/CPI'), ...takenFrom(recorded, PATH) }
  return [{ path: 'figures/cpi-bis.csv', origin, figures }]
}
