import type { MappedPublisher } from '../mapping.ts'
import { cbsMapping } from './cbs.ts'
import { destatisMapping } from './destatis.ts'
import { dosmMapping } from './dosm.ts'
import { eurostatMapping } from './eurostat.ts'
import { imfMapping } from './imf.ts'
import { inseeMapping } from './insee.ts'
import { oecdMapping } from './oecd.ts'
import { onsMapping } from './ons.ts'
import { singStatMapping } from './singstat.ts'

/** The publishers of the mapping. */
export const mappedPublishers: readonly MappedPublisher[] = [
  oecdMapping,
  eurostatMapping,
  imfMapping,
  dosmMapping,
  onsMapping,
  singStatMapping,
  inseeMapping,
  cbsMapping,
  destatisMapping,
]
