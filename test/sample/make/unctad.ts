import { unctadMapping } from '../../../ingest/map/publishers/unctad.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import type { Recorded } from './recorded.ts'
import type { SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, filesByIndicator, originOf } from './through-reader.ts'

const unctad = mappedSource(unctadMapping)
const PATH = 'Kvon260+International_Trade/US_TradeMerchTotal.csv'
const DATASET = 'US.TradeMerchTotal'

/** The years of France, of which no months are at hand. */
export function unctadFiles(recorded: Recorded): SampleFile[] {
  if (!recorded.has(PATH)) return []
  const figures = figuresThrough(unctad, { bytes: recorded.bytes(PATH), dataset: DATASET })
  const address = `https://unctadstat.unctad.org/datacentre/dataviewer/${DATASET}`
  return filesByIndicator(
    { ...originOf(unctad, address), ...takenFrom(recorded, PATH) },
    figures.filter(({ series }) => series.country === 'FRA'),
  )
}
