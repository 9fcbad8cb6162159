import type { MappedPublisher } from '../mapping.ts'
import { absMapping } from './abs.ts'
import { blsMapping } from './bls.ts'
import { cbsMapping } from './cbs.ts'
import { censusMapping } from './census.ts'
import { destatisMapping } from './destatis.ts'
import { dosmMapping } from './dosm.ts'
import { eurostatMapping } from './eurostat.ts'
import { iloMapping } from './ilo.ts'
import { inseeMapping } from './insee.ts'
import { oecdMapping } from './oecd.ts'
import { onsMapping } from './ons.ts'
import { singStatMapping } from './singstat.ts'
import { statCanMapping } from './statcan.ts'
import { unctadMapping } from './unctad.ts'

/** The publishers of the mapping. */
export const mappedPublishers: readonly MappedPublisher[] = [
  ...[oecdMapping, eurostatMapping, iloMapping, unctadMapping],
  ...[blsMapping, absMapping, statCanMapping],
  ...[censusMapping],
  ...[dosmMapping, onsMapping, singStatMapping],
  ...[inseeMapping, cbsMapping, destatisMapping],
]
