import { cbsMapping } from '../../../ingest/map/publishers/cbs.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import type { Recorded } from './recorded.ts'
import type { SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, filesByIndicator, originOf } from './through-reader.ts'

const cbs = mappedSource(cbsMapping)

/** Answers of the OData service of Statistics Netherlands, which their holder wrote again with other white space. */
const PATH = 'Stefan7168+checkdecijfers/tests/fixtures/cbs'

/**
 * Labour force of 15 to 75 years, and trade in goods that cross the border. Rates come adjusted and unadjusted; the
 * adjusted ones are taken, as for other countries.
 */
const tables = {
  '80590ned': 'seasonally_adjusted',
  '85429NED': 'not_seasonally_adjusted',
} as const

export const cbsFiles = (recorded: Recorded): SampleFile[] =>
  Object.entries(tables).flatMap(([table, adjustment]) => {
    const path = `${PATH}/${table}/observations-page-1.json`
    if (!recorded.has(path)) return []
    const origin = {
      ...originOf(cbs, `https://opendata.cbs.nl/statline/#/CBS/nl/dataset/${table}/table`),
      ...takenFrom(recorded, path),
    }
    const wanted = figuresThrough(cbs, { bytes: recorded.bytes(path), dataset: table }).filter(
      ({ series }) => series.seasonal_adjustment === adjustment,
    )
    return filesByIndicator(origin, wanted)
  })
