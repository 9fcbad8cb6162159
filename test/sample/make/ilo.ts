import { iloMapping } from '../../../ingest/map/publishers/ilo.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import type { Recorded } from './recorded.ts'
import type { SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, filesByIndicator, originOf } from './through-reader.ts'

const ilo = mappedSource(iloMapping)
const PATH = 'mvanaltvorst+seminar/assets/unemployment-ilo.csv'
const DATASET = 'UNE_DEAP_SEX_AGE_RT_Q'

/** Singapore's quarters. The table has its rows in no order of time. */
export function iloFiles(recorded: Recorded): SampleFile[] {
  const figures = figuresThrough(ilo, { bytes: recorded.bytes(PATH), dataset: DATASET })
    .filter(({ series }) => series.country === 'SGP')
    .sort((a, b) => (a.period < b.period ? -1 : 1))
  const address = `https://rshiny.ilo.org/dataexplorer/?id=${DATASET}`
  return filesByIndicator({ ...originOf(ilo, address), ...takenFrom(recorded, PATH) }, figures)
}
