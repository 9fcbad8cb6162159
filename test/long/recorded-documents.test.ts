import { describe, expect, it } from 'vitest'
import { itemsBy } from '../ingest/map/national.ts'
import { figuresOf, rejectsOf, summary } from '../ingest/sources/fixture.ts'
import { sharedData } from '../support/shared-data.ts'

/** Whole documents of publishers. They need `../shared/data`; the suite has lines of each in `test/fixtures/`. */
describe('a whole document in ../shared/data', () => {
  it.each([
    [
      'dosm',
      'mazwaniabu+PMA-Forecasting-Malaysia-Unemployment-rate/data/raw/lfs_month.csv',
      392,
      ['MYS.unemployment.M.DOSM.lfs_month.percent.NSA', '2020-05', { rate: '5.3' }],
    ],
    [
      'dosm',
      'ooi-darren+malaysia-ecommerce-market-intelligence/data/raw/trade_headline.csv',
      632,
      ['MYS.trade-exports.M.DOSM.trade_headline.MYR.NSA', '2000-09', { value: '34941150362' }],
    ],
    [
      'ons',
      'snowdj+projects-uk_import_export/csv/mret.csv',
      472,
      ['GBR.trade-exports.M.ONS.BOKG.GBP.SA', '2017-08', { value: '28155000000' }],
    ],
  ] as const)('of %s is read: %s', (name, path, count, figure) => {
    const items = itemsBy(name, sharedData(path))
    expect(rejectsOf(items)).toEqual([])
    expect(items).toHaveLength(count)
    expect(summary(items)).toContainEqual(figure)
  })

  it('of the ILO has 100 countries, and Kosovo', () => {
    const items = itemsBy(
      'ilo',
      sharedData('mvanaltvorst+seminar/assets/unemployment-ilo.csv'),
      'UNE_DEAP_SEX_AGE_RT_Q',
    )
    expect(rejectsOf(items)).toEqual([])
    expect(items).toHaveLength(6831)
    expect(new Set(figuresOf(items).map(({ series }) => series.country)).size).toBe(100)
  })
})
