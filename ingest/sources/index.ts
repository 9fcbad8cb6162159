import { mappedSource } from '../mapping/mapped-source.ts'
import { absMapping } from '../mapping/publishers/abs.ts'
import { beaMapping } from '../mapping/publishers/bea.ts'
import { blsMapping } from '../mapping/publishers/bls.ts'
import { censusMapping } from '../mapping/publishers/census.ts'
import { eurostatMapping } from '../mapping/publishers/eurostat.ts'
import { imfMapping } from '../mapping/publishers/imf.ts'
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
import { worldBank } from './world-bank/index.ts'

type SourceSettings = { readonly fredApiKey?: string; readonly comtradeApiKey?: string }

/** Every source by the name that `almanac ingest` and the schedule know it under. */
export const openSources = ({ fredApiKey, comtradeApiKey }: SourceSettings = {}): Readonly<Record<string, Source>> => ({
  abs: mappedSource(absMapping, 'data.api.abs.gov.au'),
  bea: mappedSource(beaMapping, 'apps.bea.gov'),
  bis: bis(),
  bls: mappedSource(blsMapping, 'api.bls.gov'),
  census: mappedSource(censusMapping, 'api.census.gov'),
  comtrade: comtrade(comtradeApiKey ? { apiKey: comtradeApiKey } : {}),
  ecb: ecb(),
  eurostat: mappedSource(eurostatMapping, 'ec.europa.eu'),
  file: file(),
  fred: fred(fredApiKey ? { apiKey: fredApiKey } : {}),
  imf: mappedSource(imfMapping, 'api.imf.org'),
  oecd: oecd(),
  'pink-sheet': pinkSheet(),
  statcan: mappedSource(statCanMapping, 'www150.statcan.gc.ca'),
  statsnz: mappedSource(statsNzMapping, 'www.stats.govt.nz'),
  'world-bank': worldBank(),
})
