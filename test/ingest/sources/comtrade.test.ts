import { describe, expect, it } from 'vitest'
import { comtrade } from '../../../ingest/sources/comtrade/index.ts'
import { reporterCode } from '../../../ingest/sources/comtrade/reporters.ts'
import { altered, document, figuresOf, fixture, rejectsOf, summary } from './fixture.ts'

const { parse } = comtrade()

describe('Comtrade', () => {
  it('gives world totals of the API, not rows of a partner', () => {
    const items = [...parse(fixture('comtrade/totals.json'))]
    expect(items).toHaveLength(1)
    expect(summary(items)).toEqual([['IND.trade-exports.A.UNSD.C/A/HS.USD.NSA', '2022', { value: '452684213646.747' }]])
    expect(figuresOf(items)[0]?.location).toBe('data[1]')
  })

  it('gives imports and exports of the download, not re-exports and re-imports', () => {
    const items = [...parse(fixture('comtrade/2017.csv'))]
    expect(items).toHaveLength(6)
    expect(summary(items).filter(([id]) => id.startsWith('SGP'))).toEqual([
      ['SGP.trade-imports.A.UNSD.C/A/HS.USD.NSA', '2017', { value: '327709713161' }],
      ['SGP.trade-exports.A.UNSD.C/A/HS.USD.NSA', '2017', { value: '373254554420' }],
    ])
  })

  it('has months, floats and former states', () => {
    const row = {
      typeCode: 'C',
      freqCode: 'M',
      period: '202401',
      reporterISO: 'DEU',
      flowCode: 'M',
      partnerCode: 0,
      cmdCode: 'TOTAL',
    }
    const text = JSON.stringify({
      count: 2,
      data: [
        { ...row, primaryValue: 'VALUE' },
        { ...row, reporterISO: 'DDR', primaryValue: 1 },
      ],
    })
    expect(summary(parse(document(text.replace('"VALUE"', '6804128143.0'))))).toEqual([
      ['DEU.trade-imports.M.UNSD.C/M/HS.USD.NSA', '2024-01', { value: '6804128143' }],
    ])
  })

  it.each([
    ['a partner', '"partnerCode":0,', '"partnerCode":36,'],
    [
      'a second partner',
      '"partnerCode":0,"partnerISO":"W00","partnerDesc":"World","partner2Code":0',
      '"partnerCode":0,"partner2Code":36',
    ],
    [
      'a product',
      '"cmdCode":"TOTAL","cmdDesc":"All Commodities","aggrLevel":0,"isLeaf":false,"customsCode":"C00","customsDesc":"TOTAL CPC","mosCode":"0","motCode":0,"motDesc":"TOTAL MOT","qtyUnitCode":-1,"qtyUnitAbbr":"N/A","qty":null,"isQtyEstimated":false,"altQtyUnitCode":-1,"altQtyUnitAbbr":"N/A","altQty":null,"isAltQtyEstimated":false,"netWgt":null,"isNetWgtEstimated":false,"grossWgt":null,"isGrossWgtEstimated":false,"cifvalue":null',
      '"cmdCode":"27"',
    ],
  ])('skips rows of %s', (_, from, to) => {
    expect([...parse(altered('comtrade/totals.json', from, to))]).toEqual([])
  })

  it.each([
    [
      'comtrade/totals.json',
      'a value that is no decimal',
      '"primaryValue":452684213646.747',
      '"primaryValue":"n/a"',
      'not_a_decimal',
      'data[1]',
    ],
    [
      'comtrade/totals.json',
      'no value',
      '"primaryValue":452684213646.747',
      '"primaryValue":null',
      'missing_member',
      'data[1]',
    ],
    ['comtrade/totals.json', 'a flow', '"flowCode":"X"', '"flowCode":"Y"', 'unknown_flow', 'data[1]'],
    [
      'comtrade/totals.json',
      'a frequency',
      '"freqCode":"A","refPeriodId":20220101',
      '"freqCode":"D","refPeriodId":20220101',
      'unknown_frequency',
      'data[1]',
    ],
    ['comtrade/totals.json', 'a month that is none', '"period":"2022"', '"period":"202213"', 'bad_period', 'data[1]'],
    ['comtrade/2017.csv', 'a reporter', 'Singapore,SGP', 'Singapore,SGX', 'unknown_country', 'line 7'],
    ['comtrade/2017.csv', 'a row with a cell too many', '327709713161', '327709713161,', 'wrong_cell_count', 'line 7'],
    ['comtrade/2017.csv', 'a value with separators', '327709713161', '327 709 713 161', 'not_a_decimal', 'line 7'],
  ])('%s: rejects %s', (name, _, from, to, reason, location) => {
    expect(rejectsOf(parse(altered(name, from, to)))).toMatchObject([{ reason, location }])
  })

  it.each([
    ['an error', document('{"elapsedTime":"0","count":0,"data":[],"error":"Invalid key"}'), 'publisher_error'],
    ['an error of its gateway', document('{"statusCode":401,"message":"Access denied"}'), 'publisher_error'],
    ['fewer rows than it counts', altered('comtrade/totals.json', '"count":2', '"count":3'), 'truncated'],
    ['no data', document('{"count":0}'), 'malformed_document'],
    ['of the former interface', document('{"validation":{"status":{"value":0}},"dataset":[]}'), 'unknown_format'],
    ['a file without rows', document('{"elapsedTime":"1","count":0,"data":[]}', { retrievedAt: null }), 'empty'],
    ['a table without values', altered('comtrade/2017.csv', 'Trade Value (US$)', 'Value'), 'missing_column'],
  ])('refuses a document that is %s', (_, refused, reason) => {
    expect(() => [...parse(refused)]).toThrow(expect.objectContaining({ name: 'DocumentError', reason }))
  })

  it('takes an answer without rows to the service’s own question for no news', () => {
    expect([...parse(document('{"elapsedTime":"1","count":0,"data":[]}'))]).toEqual([])
  })

  it('numbers reporters as UN Comtrade does', () => {
    const countries = ['AUS', 'CAN', 'DEU', 'FRA', 'GBR', 'JPN', 'MYS', 'NLD', 'SGP', 'USA']
    expect(countries.map(reporterCode)).toEqual(['36', '124', '276', '251', '826', '392', '458', '528', '702', '842'])
  })
})

describe('totals of 2017 of all reporters', () => {
  it('are of a country each', () => {
    const items = [...parse(fixture('comtrade/2017-reporters.csv'))]
    expect(rejectsOf(items)).toEqual([])
    expect(figuresOf(items)).toHaveLength(113)
    expect(new Set(summary(items).map(([id]) => id)).size).toBe(113)
    expect(summary(items)).toContainEqual([
      'HKG.trade-exports.A.UNSD.C/A/HS.USD.NSA',
      '2017',
      { value: '550239645863' },
    ])
  })
})
