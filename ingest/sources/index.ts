import { mappedSource } from '../mapping/mapped-source.ts'
import { absMapping } from '../mapping/publishers/abs.ts'
import { beaMapping } from '../mapping/publishers/bea.ts'
import { blsMapping } from '../mapping/publishers/bls.ts'
import { cbsMapping } from '../mapping/publishers/cbs.ts'
import { censusMapping } from '../mapping/publishers/census.ts'
import { destatisMapping } from '../mapping/publishers/destatis.ts'
import { dosmMapping } from '../mapping/publishers/dosm.ts'
import { eurostatMapping } from '../mapping/publishers/eurostat.ts'
import { imfMapping } from '../mapping/publishers/imf.ts'
import { inseeMapping } from '../mapping/publishers/insee.ts'
import { onsMapping } from '../mapping/publishers/ons.ts'
import { singStatMapping } from '../mapping/publishers/singstat.ts'
import { statCanMapping } from '../mapping/publishers/statcan.ts'
import { statsNzMapping } from '../mapping/publishers/stats-nz.ts'
import type { Source } from '../source.ts'
import { bis } from './bis/index.ts'
import { comtrade } from './comtrade/index.ts'
import { ecb } from './ecb/index.ts'
import { file } from './file/index.ts'
import { fred } from './fred/index.ts'
import { oecd } from './oecd/index.ts'
import { pinkSheet } from './pink-sheet/index.ts'
import { withNamedBodies } from './shared/named-body.ts'
import { worldBank } from './world-bank/index.ts'

type SourceSettings = { readonly fredApiKey?: string; readonly comtradeApiKey?: string }

/** Every source by the name that `almanac ingest` and the schedule know it under. */
export const openSources = (settings: SourceSettings = {}): Readonly<Record<string, Source>> =>
  Object.fromEntries(Object.entries(sourcesOf(settings)).map(([name, source]) => [name, withNamedBodies(source)]))

const sourcesOf = ({ fredApiKey, comtradeApiKey }: SourceSettings): Readonly<Record<string, Source>> => ({
  abs: mappedSource(absMapping, 'data.api.abs.gov.au'),
  bea: mappedSource(beaMapping, 'apps.bea.gov'),
  bis: bis(),
  cbs: mappedSource(cbsMapping, 'datasets.cbs.nl'),
  bls: mappedSource(blsMapping, 'api.bls.gov'),
  census: mappedSource(censusMapping, 'api.census.gov'),
  comtrade: comtrade(comtradeApiKey ? { apiKey: comtradeApiKey } : {}),
  destatis: mappedSource(destatisMapping, 'www-genesis.destatis.de'),
  dosm: mappedSource(dosmMapping, 'storage.dosm.gov.my'),
  ecb: ecb(),
  eurostat: mappedSource(eurostatMapping, 'ec.europa.eu'),
  file: file(),
  fred: fred(fredApiKey ? { apiKey: fredApiKey } : {}),
  imf: mappedSource(imfMapping, 'api.imf.org'),
  insee: mappedSource(inseeMapping, 'bdm.insee.fr'),
  oecd: oecd(),
  ons: mappedSource(onsMapping, 'www.ons.gov.uk'),
  'pink-sheet': pinkSheet(),
  singstat: mappedSource(singStatMapping, 'tablebuilder.singstat.gov.sg'),
  statcan: mappedSource(statCanMapping, 'www150.statcan.gc.ca'),
  statsnz: mappedSource(statsNzMapping, 'www.stats.govt.nz'),
  'world-bank': worldBank(),
})
