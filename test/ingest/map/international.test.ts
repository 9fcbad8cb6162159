import { describe, expect, it } from 'vitest'
import { observationsOf } from '../read/formats/observations.ts'
import { altered, figuresOf, fixture, rejectsOf, summary } from '../sources/fixture.ts'
import { itemsBy, itemsOfFixture, refusalBy } from './national.ts'

describe('Eurostat', () => {
  const path = 'eurostat/UNE_RT_M.json'

  it('states the codes of the mapping in a recorded answer', () => {
    const found = observationsOf(fixture(path).bytes)
    expect(found).toHaveLength(19)
    expect(found[13]).toMatchObject({
      dataset: { dataflow: { agency: 'ESTAT', id: 'UNE_RT_M' }, updated: '2026-09-04' },
      codes: { freq: 'M', s_adj: 'SA', age: 'TOTAL', unit: 'PC_ACT', sex: 'T', geo: 'EA21' },
      period: '2026-02',
      value: '6.4',
    })
  })

  it('gives no figure of the euro area, and one for each month if the answer is of a country', () => {
    expect(itemsOfFixture('eurostat', path)).toEqual([])
    const items = itemsBy('eurostat', altered(path, '"index":{"EA21":0}', '"index":{"DE":0}').bytes)
    const id = 'DEU.unemployment.M.EUROSTAT.UNE_RT_M.percent.SA'
    expect(summary(items)).toHaveLength(19)
    expect(summary(items)[0]).toEqual([id, '2025-01', { rate: '6.3' }])
    expect(summary(items).at(-1)).toEqual([id, '2026-07', { rate: '6.4' }])
    expect(figuresOf(items)[0]?.released).toEqual({ on: '2026-09-04', basis: 'dataset' })
    expect(rejectsOf(items)).toEqual([])
  })
})

describe('UNCTAD', () => {
  const path = 'unctad/US_TradeMerchTotal.csv'
  const DATASET = 'US.TradeMerchTotal'
  const id = (country: string, flow: string) => `${country}.trade-${flow}.A.UNCTAD.${DATASET}.USD.NSA`
  const changed = (from: string, to: string) => itemsBy('unctad', altered(path, from, to).bytes, DATASET)

  it('gives years of countries, without groups, former states and the customs union of South Africa', () => {
    expect(summary(itemsOfFixture('unctad', path, DATASET))).toEqual([
      [id('FRA', 'exports'), '2000', { value: '326801954000' }],
      [id('FRA', 'imports'), '2000', { value: '338102669000' }],
      [id('FRA', 'exports'), '2024', { value: '640247348000' }],
      [id('FRA', 'imports'), '2024', { value: '750230362000' }],
      [id('SGP', 'exports'), '2024', { value: '505657696000' }],
      [id('SGP', 'imports'), '2024', { value: '458686116000' }],
    ])
    expect(itemsOfFixture('unctad', path, DATASET)).toHaveLength(6)
  })

  it('is refused without its name', () => {
    expect(refusalBy('unctad', fixture(path).bytes)).toMatchObject({
      reason: 'dataset_not_named',
      message: expect.stringContaining(`Name it: --dataset and one of: ${DATASET}.`),
    })
  })

  it.each([
    ['an economy that it does not know', '2024,250,"France",02', '2024,999,"France",02', 'unknown_country', '"999"'],
    [
      'a flow whose code has another label',
      '250,"France",02,"Exports"',
      '250,"France",01,"Exports"',
      'changed_series',
      'Exports',
    ],
    [
      'a figure of another area',
      '338102.669,,',
      '338102.669,"Estimated. Data refers to France and Monaco",',
      'unknown_dimension',
      'SCOPE=Data refers to France and Monaco',
    ],
    ['another flow', '2000,250,"France",02', '2000,250,"France",03', 'unknown_series', 'FLOW=03'],
    ['a quarter', '2024,250,"France",02', '2024Q1,250,"France",02', 'bad_period', '2024Q1'],
    ['a figure that is none', '640247.348', 'n.a.', 'not_a_decimal', 'n.a.'],
  ])('rejects %s', (_, from, to, reason, detail) => {
    const items = changed(from, to)
    expect(rejectsOf(items)).toMatchObject([{ reason, detail: expect.stringContaining(detail) }])
    expect(figuresOf(items)).toHaveLength(5)
  })

  it('rejects the rows of a further dimension', () => {
    const text = new TextDecoder().decode(fixture(path).bytes)
    const withPartner = text.replace(/$/gm, (_, at: number) => (at === text.length ? '' : ',Germany'))
    const items = itemsBy('unctad', withPartner.replace('value,Germany', 'value,Partner'), DATASET)
    expect(figuresOf(items)).toEqual([])
    expect(new Set(rejectsOf(items).map(({ reason }) => reason))).toEqual(new Set(['unknown_dimension']))
  })

  it('refuses another measure', () => {
    const shares =
      'Year,Economy,Economy Label,Flow,Flow Label,Concentration Index\n2024,250,"France",02,"Exports",0.1\n'
    expect(refusalBy('unctad', shares, DATASET)).toMatchObject({
      reason: 'missing_column',
      message: expect.stringContaining('US$ at current prices in millions'),
    })
  })
})

describe('the ILO', () => {
  const path = 'ilo/UNE_DEAP_SEX_AGE_RT_Q.csv'
  const DATASET = 'UNE_DEAP_SEX_AGE_RT_Q'
  const id = (country: string) => `${country}.unemployment.Q.ILO.${DATASET}.percent.NSA`

  it('gives quarters of all countries of its explorer', () => {
    const items = summary(itemsOfFixture('ilo', path, DATASET))
    expect(items).toHaveLength(244)
    expect(items).toContainEqual([id('SGP'), '2021-Q1', { rate: '3.5' }])
    expect(items).toContainEqual([id('SGP'), '2022-Q4', { rate: '2.4' }])
    expect(items).toContainEqual([id('JPN'), '1968-Q1', { rate: '1.6' }])
    expect(items).toContainEqual([id('KOR'), '2021-Q1', { rate: '4.9' }])
  })

  it('is refused without its name', () => {
    expect(refusalBy('ilo', fixture(path).bytes)).toMatchObject({
      reason: 'dataset_not_named',
      message: expect.stringContaining(`Name it: --dataset and one of: ${DATASET}.`),
    })
  })

  it('refuses one sex or age, and a column twice', () => {
    const women = new TextDecoder().decode(fixture(path).bytes).replaceAll('"Total","Total"', '"Female","Total"')
    expect(refusalBy('ilo', women, DATASET)?.reason).toBe('no_mapped_series')
    expect(refusalBy('ilo', altered(path, '"Japan"', '"Kenya"').bytes, DATASET)?.reason).toBe('duplicate_column')
  })

  it('rejects a name that is no country, and a month', () => {
    const unknown = rejectsOf(itemsBy('ilo', altered(path, '"Singapore"', '"Singapur"').bytes, DATASET))
    expect(unknown.map(({ reason, location }) => `${reason} ${location}`)).toEqual([
      'unknown_country line 3, Singapur',
      'unknown_country line 4, Singapur',
    ])
    const month = rejectsOf(itemsBy('ilo', altered(path, '1968Q1', '1968M01').bytes, DATASET))
    expect(month).toMatchObject([{ reason: 'bad_period' }, { reason: 'bad_period' }])
  })

  // The figures are made up, in the form that the ILO describes.
  const head =
    'ref_area,source,indicator,sex,classif1,time,obs_value,obs_status,note_classif,note_indicator,note_source'
  const row = (area: string, time: string, value: string, more = 'SEX_T,AGE_YTHADULT_YGE15') =>
    `"${area}","BA:147","UNE_DEAP_SEX_AGE_RT",${more},"${time}",${value},"B",,,"R1:3513"`

  it('reads CSV with codes, whose rows name the dataset', () => {
    const text = [head, row('SGP', '2026Q1', '2.12'), row('SGP', '2026Q2', ''), row('X01', '2026Q1', '5.5'), ''].join(
      '\n',
    )
    const items = itemsBy('ilo', text)
    expect(summary(items)).toEqual([[id('SGP'), '2026-Q1', { rate: '2.12' }]])
    expect(items).toHaveLength(1)
  })

  it.each([
    [
      'of months, which are another dataset',
      row('SGP', '2026M01', '2.1'),
      'dataset_not_supported',
      'ILO:UNE_DEAP_SEX_AGE_RT_M',
    ],
    ['of women alone', row('SGP', '2026Q1', '2.1', 'SEX_F,AGE_YTHADULT_YGE15'), 'no_mapped_series', 'SEX=SEX_F'],
  ])('refuses CSV %s', (_, line, reason, detail) => {
    expect(refusalBy('ilo', `${head}\n${line}\n`)).toMatchObject({ reason, message: expect.stringContaining(detail) })
  })

  it('rejects CSV with a further classification, and a quarter that two surveys state', () => {
    const further = `${head},classif2\n${row('SGP', '2026Q1', '2.1')},GEO_COV_NAT\n`
    expect(rejectsOf(itemsBy('ilo', further))).toMatchObject([{ reason: 'unknown_dimension' }])
    const other = row('SGP', '2026Q1', '2.3').replace('BA:147', 'BB:9')
    const twice = itemsBy('ilo', `${head}\n${row('SGP', '2026Q1', '2.1')}\n${other}\n`)
    expect(figuresOf(twice)).toEqual([])
    expect(rejectsOf(twice)).toHaveLength(2)
  })
})
