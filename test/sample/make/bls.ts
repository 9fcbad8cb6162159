import { blsMapping } from '../../../ingest/map/publishers/bls.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { type Recorded, tableOf } from './recorded.ts'
import type { SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, filesByIndicator, originOf } from './through-reader.ts'

/** All items in U.S. city average, all urban consumers. The adjusted series of the same file is left out. */
const UNADJUSTED = 'CUUR0000SA0'
const PATH = 'nolan-cummins+is445_final/data/cu.data.1.AllItems.txt'

export function blsFiles(recorded: Recorded): SampleFile[] {
  const bls = mappedSource(blsMapping)
  const bytes = tableOf(recorded.text(PATH), (row) => row.startsWith(`${UNADJUSTED} `))
  const url = 'https://download.bls.gov/pub/time.series/cu/cu.data.1.AllItems'
  const origin = { ...originOf(bls, url), ...takenFrom(recorded, PATH) }
  return filesByIndicator(origin, figuresThrough(bls, { bytes, dataset: 'CU' }))
}
