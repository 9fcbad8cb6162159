import { mappedSource } from '../../ingest/mapping/mapped-source.ts'
import { eurostatMapping } from '../../ingest/mapping/publishers/eurostat.ts'
import { type Recorded, tableOf } from './recorded.ts'
import type { SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, originOf } from './through-reader.ts'

/** Quarterly GDP of all countries; those of the sample are taken. Adjusted for seasons and working days (SCA). */
const PATH = 'jrenne+MRT_codes/data/EA/raw/namq_10_gdp__custom_11613122_linear.csv'
const wanted = /,SCA,B1GQ,(?:DE|FR|NL),/

/** At current prices, for comparison with the figures through FRED, and the volume, from which growth is derived. */
export function eurostatFiles(recorded: Recorded): SampleFile[] {
  if (!recorded.has(PATH)) return []
  const eurostat = mappedSource(eurostatMapping)
  const bytes = tableOf(recorded.text(PATH), (row) => wanted.test(row))
  const figures = figuresThrough(eurostat, { bytes, dataset: 'NAMQ_10_GDP' })
  const url = 'https://ec.europa.eu/eurostat/databrowser/view/namq_10_gdp/default/table'
  const origin = { ...originOf(eurostat, url), ...takenFrom(recorded, PATH) }
  return ['gdp', 'gdp-volume'].map((indicator) => ({
    path: `figures/${indicator}-eurostat.csv`,
    origin,
    figures: figures.filter(({ series }) => series.indicator === indicator),
  }))
}
