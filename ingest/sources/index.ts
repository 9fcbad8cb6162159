import { mappedPublishers } from '../map/publishers/index.ts'
import { withNamedBodies } from '../read/named-body.ts'
import type { Source } from '../source.ts'
import { bis } from './bis/index.ts'
import { comtrade } from './comtrade/index.ts'
import { ecb } from './ecb/index.ts'
import { file } from './file/index.ts'
import { fred } from './fred/index.ts'
import { mappedSource } from './mapped-source.ts'
import { pinkSheet } from './pink-sheet/index.ts'
import { worldBank } from './world-bank/index.ts'

type SourceSettings = { readonly fredApiKey?: string; readonly comtradeApiKey?: string }

/** Every source by the name that `almanac ingest` and the schedule know it under, in the order of the names. */
export const openSources = (settings: SourceSettings = {}): Readonly<Record<string, Source>> =>
  Object.fromEntries(
    Object.entries({ ...ownSources(settings), ...mappedSources() })
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, source]) => [name, withNamedBodies(source)]),
  )

const mappedSources = (): Readonly<Record<string, Source>> =>
  Object.fromEntries(mappedPublishers.map((mapping) => [mapping.name.toLowerCase(), mappedSource(mapping)]))

/** The sources with a parser of their own. */
const ownSources = ({ fredApiKey, comtradeApiKey }: SourceSettings): Readonly<Record<string, Source>> => ({
  bis: bis(),
  comtrade: comtrade(comtradeApiKey ? { apiKey: comtradeApiKey } : {}),
  ecb: ecb(),
  file: file(),
  fred: fred(fredApiKey ? { apiKey: fredApiKey } : {}),
  'pink-sheet': pinkSheet(),
  'world-bank': worldBank(),
})
