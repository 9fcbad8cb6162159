import { mappedSource } from '../mapping/mapped-source.ts'
import { eurostatMapping } from '../mapping/publishers/eurostat.ts'
import { imfMapping } from '../mapping/publishers/imf.ts'
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
  bis: bis(),
  comtrade: comtrade(comtradeApiKey ? { apiKey: comtradeApiKey } : {}),
  ecb: ecb(),
  eurostat: mappedSource(eurostatMapping, 'ec.europa.eu'),
  file: file(),
  fred: fred(fredApiKey ? { apiKey: fredApiKey } : {}),
  imf: mappedSource(imfMapping, 'api.imf.org'),
  oecd: oecd(),
  'pink-sheet': pinkSheet(),
  'world-bank': worldBank(),
})
