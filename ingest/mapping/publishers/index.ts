import type { MappedPublisher } from '../mapping.ts'
import { absMapping } from './abs.ts'
import { beaMapping } from './bea.ts'
import { blsMapping } from './bls.ts'
import { censusMapping } from './census.ts'
import { eurostatMapping } from './eurostat.ts'
import { imfMapping } from './imf.ts'
import { oecdMapping } from './oecd.ts'
import { statCanMapping } from './statcan.ts'
import { statsNzMapping } from './stats-nz.ts'

/** The publishers of the mapping. */
export const mappedPublishers: readonly MappedPublisher[] = [
  ...[oecdMapping, eurostatMapping, imfMapping],
  ...[blsMapping, absMapping, statCanMapping],
  ...[censusMapping, beaMapping, statsNzMapping],
]
