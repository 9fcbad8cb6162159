import type { MappedPublisher } from '../map/mapping.ts'
import type { Source } from '../source.ts'
import { withExplainedRefusals } from './explained-refusals.ts'

type SourceSettings = {
  readonly fredApiKey?: string
  readonly comtradeApiKey?: string
  /** See `fred`. */
  readonly vintages?: boolean
}
type Open = (settings: SourceSettings) => Promise<Source>

/** The publishers of the mapping by the names of their sources. Each is loaded only where it is used. */
export const mappedPublishers = {
  oecd: async () => (await import('../map/publishers/oecd.ts')).oecdMapping,
  eurostat: async () => (await import('../map/publishers/eurostat.ts')).eurostatMapping,
  ilo: async () => (await import('../map/publishers/ilo.ts')).iloMapping,
  unctad: async () => (await import('../map/publishers/unctad.ts')).unctadMapping,
  bls: async () => (await import('../map/publishers/bls.ts')).blsMapping,
  abs: async () => (await import('../map/publishers/abs.ts')).absMapping,
  statcan: async () => (await import('../map/publishers/statcan.ts')).statCanMapping,
  census: async () => (await import('../map/publishers/census.ts')).censusMapping,
  dosm: async () => (await import('../map/publishers/dosm.ts')).dosmMapping,
  ons: async () => (await import('../map/publishers/ons.ts')).onsMapping,
  singstat: async () => (await import('../map/publishers/singstat.ts')).singStatMapping,
  insee: async () => (await import('../map/publishers/insee.ts')).inseeMapping,
  cbs: async () => (await import('../map/publishers/cbs.ts')).cbsMapping,
  destatis: async () => (await import('../map/publishers/destatis.ts')).destatisMapping,
} satisfies Readonly<Record<string, () => Promise<MappedPublisher>>>

const mapped =
  (load: () => Promise<MappedPublisher>): Open =>
  async () => {
    const { mappedSource } = await import('./mapped-source.ts')
    return mappedSource(await load())
  }

/** Opens each source by the name that `almanac ingest` and the schedule know it under. */
const sources: Readonly<Record<string, Open>> = {
  ...Object.fromEntries(Object.entries(mappedPublishers).map(([name, load]) => [name, mapped(load)])),
  bis: async () => (await import('./bis/index.ts')).bis(),
  comtrade: async ({ comtradeApiKey: apiKey }) =>
    (await import('./comtrade/index.ts')).comtrade(apiKey ? { apiKey } : {}),
  ecb: async () => (await import('./ecb/index.ts')).ecb(),
  file: async () => (await import('./file/index.ts')).file(),
  fred: async ({ fredApiKey: apiKey, vintages }) =>
    (await import('./fred/index.ts')).fred(apiKey ? { apiKey, vintages: vintages === true } : {}),
  'pink-sheet': async () => (await import('./pink-sheet/index.ts')).pinkSheet(),
  'world-bank': async () => (await import('./world-bank/index.ts')).worldBank(),
}

export const sourceNames: readonly string[] = Object.keys(sources).sort()

/** Opens the source of a name; undefined if there is none. Loads the code of this source only, so that a command starts fast. */
export async function openSource(name: string, settings: SourceSettings = {}): Promise<Source | undefined> {
  const open = Object.hasOwn(sources, name) ? sources[name] : undefined
  return open && withExplainedRefusals(await open(settings))
}

/** Opens every source, by name, in the order of the names. */
export async function openSources(settings: SourceSettings = {}): Promise<Readonly<Record<string, Source>>> {
  const all = sourceNames.map(async (name) => [name, await openSource(name, settings)] as const)
  return Object.fromEntries((await Promise.all(all)).flatMap(([name, source]) => (source ? [[name, source]] : [])))
}
