import { describe, expect, it } from 'vitest'
import type { Series } from '../../contracts/records.ts'
import { readPublishersIds } from '../../ingest/publishers-ids.ts'
import { testSeries } from '../support/releases.ts'
import { itemsOfFixture, nationalFixtures } from './map/national.ts'
import { figuresOf } from './sources/fixture.ts'

const ids = await readPublishersIds()

/** Recorded documents of every way to a series: the national ones, and sources with a parser of their own. */
const documents = [
  ...nationalFixtures,
  ['fred', 'fred/GDP-vintages.json', 'GDP'],
  ['fred', 'fred/XTIMVA01USM667S.csv', ''],
  ['bis', 'bis/ten-countries.csv', ''],
  ['comtrade', 'comtrade/totals.json', ''],
  ['world-bank', 'world-bank/exports.json', 'TX.VAL.MRCH.CD.WT'],
  ['oecd', 'oecd/LFS.csv', 'DSD_LFS@DF_IALFS_UNE_M'],
].map(([source = '', path = '', dataset = '']) => [source, path, dataset] as const)

const seriesIn = (source: string, path: string, dataset = ''): Series[] => {
  const all = figuresOf(itemsOfFixture(source, path, dataset)).map(({ series }) => series)
  return [...new Map(all.map((series) => [series.id, series])).values()]
}
const recorded = (...all: readonly Series[]) => all.map((series) => ({ series }))
const found = (id: string, all: readonly Series[]) => ids.seriesOf(id, recorded(...all)).map(({ series }) => series.id)

describe('the ids of publishers', () => {
  it.each(documents)('name every series that ingest reads: %s of %s', (source, path, dataset) => {
    const series = seriesIn(source, path, dataset)
    expect(series).not.toEqual([])
    for (const one of series) {
      const naming = ids.all.filter(({ names }) => names(one))
      expect(naming, one.id).not.toEqual([])
      for (const { id } of naming) expect(found(id, [one]), `${id} of ${one.id}`).toEqual([one.id])
    }
  })

  it('are those that people know', () => {
    const gdp = seriesIn('fred', 'fred/GDP-vintages.json', 'GDP')
    expect(found('gdp', gdp)).toEqual(['USA.gdp.Q.FRED.GDP.USD.SA.annualized'])
    const jobless = seriesIn('insee', 'insee/001688527.csv')
    expect(found('001688527', jobless)).toEqual(jobless.map(({ id }) => id))
    expect(found('001769682', jobless)).toEqual([])
    for (const id of [
      'CPIAUCSL',
      'LNS14000000',
      'UNRATE',
      'A84423050A',
      'SL.UEM.TOTL.ZS',
      'une_rt_m',
      'DF_IALFS_UNE_M',
    ])
      expect(ids.readAs(id), id).not.toEqual([])
    expect(ids.readAs('LNS14000000')).toMatchObject([{ source: 'BLS', indicator: 'unemployment', frequency: 'M' }])
    expect(ids.readAs('NO_SUCH_ID')).toEqual([])
  })

  it('name each base of an index, the newest first, and no other series of its dataset', () => {
    const based = (base_period: string, over: Partial<Omit<Series, 'id'>> = {}) =>
      testSeries({
        source: 'FRED',
        dataset: 'CPIAUCSL',
        seasonal_adjustment: 'seasonally_adjusted',
        base_period,
        ...over,
      })
    const [old, now, unadjusted] = [
      based('1967'),
      based('1982/1984'),
      based('1982/1984', { seasonal_adjustment: 'not_seasonally_adjusted', dataset: 'CPIAUCNS' }),
    ]
    expect(found('CPIAUCSL', [old, now, unadjusted])).toEqual([now.id, old.id])
  })
})
