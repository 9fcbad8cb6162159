import { DocumentError, type Item } from '../../../ingest/source.ts'
import { openSources } from '../../../ingest/sources/index.ts'
import { document, fixture } from '../sources/fixture.ts'

/** Lines of files as their publishers gave them, the source that reads each, and the dataset if the file does not say. */
export const nationalFixtures: readonly (readonly [source: string, path: string, dataset?: string])[] = [
  ['dosm', 'dosm/lfs_month.csv'],
  ['dosm', 'dosm/trade_headline.csv'],
  ['ons', 'ons/MRET.csv'],
  ['ons', 'ons/MGSX.json'],
  ['singstat', 'singstat/gdp-chained-2015-quarterly-sa.csv'],
  ['singstat', 'singstat/M015651.json'],
  ['singstat', 'singstat/M213751.json'],
  ['insee', 'insee/001688527.csv'],
  ['insee', 'insee/001769682.csv'],
  ['cbs', 'cbs/80590ned.json'],
  ['cbs', 'cbs/85429NED.json'],
  ['cbs', 'cbs/86141NED.json'],
  ['unctad', 'unctad/US_TradeMerchTotal.csv', 'US.TradeMerchTotal'],
  ['ilo', 'ilo/UNE_DEAP_SEX_AGE_RT_Q.csv', 'UNE_DEAP_SEX_AGE_RT_Q'],
]

const sources = await openSources()

/** Items of a document by the source of this name. */
export function itemsBy(name: string, content: Uint8Array | string, dataset = ''): Item[] {
  const source = sources[name]
  if (!source) throw new Error(`There is no source ${name}`)
  return [...source.parse(document(content, { dataset }))]
}

export const itemsOfFixture = (name: string, path: string, dataset = ''): Item[] =>
  itemsBy(name, fixture(path).bytes, dataset)

/** Refusal of a document; undefined if it is read. */
export function refusalBy(name: string, content: Uint8Array | string, dataset = ''): DocumentError | undefined {
  try {
    itemsBy(name, content, dataset)
    return undefined
  } catch (error) {
    if (error instanceof DocumentError) return error
    throw error
  }
}
