import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { documentLimits } from '../../../../ingest/limits.ts'
import { itemsBy, refusalBy } from '../../map/national.ts'
import { rejectsOf, summary } from '../../sources/fixture.ts'

/** The files about a table are as Statistics Canada wrote them in 2023; the figures are made up. */
const about = (
  product: string,
  frequency: string,
): string => `\ufeff"Cube Title","Product Id","CANSIM Id",URL,"Cube Notes","Archive Status",Frequency,"Start Reference Period","End Reference Period","Total number of dimensions"
"Consumer Price Index, monthly, not seasonally adjusted","${product}","326-0020","https://www150.statcan.gc.ca/t1/tbl1/en/tv.action?pid=${product}01",2;9;36,"CURRENT - a cube available to the public and that is current","${frequency}","1914-01-01","2023-07-01","2",

"Dimension ID","Dimension name","Dimension Notes","Dimension Definitions"
"1","Geography",,""
`
const header = (...dimensions: string[]): string =>
  `\ufeff${['REF_DATE', 'GEO', 'DGUID', ...dimensions, 'UOM', 'UOM_ID', 'SCALAR_FACTOR', 'SCALAR_ID', 'VECTOR', 'COORDINATE', 'VALUE', 'STATUS', 'SYMBOL', 'TERMINATED', 'DECIMALS'].map((name) => `"${name}"`).join()}\n`
const prices = (
  month: string,
  value: string,
  { area = 'Canada', product = 'All-items', unit = '2002=100' } = {},
): string =>
  `"${month}","${area}","2016A000011124","${product}","${unit}","17","units ","0","v41690973","2.2","${value}","","","","1"\n`
const zipped = (files: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])), { level: 1 })
const archive = (...rows: string[]): Uint8Array =>
  zipped({
    '18100004.csv': header('Products and product groups') + rows.join(''),
    '18100004_MetaData.csv': about('18100004', 'Monthly'),
  })

const CPI = 'CAN.cpi.M.STATCAN.18-10-0004-01.index.NSA.2002=100'

describe('an archive of a table of Statistics Canada', () => {
  it('gives the mapped series', () => {
    const others = [prices('2001-01', '98', { area: 'Quebec' }), prices('2001-01', '97', { product: 'Food' })]
    const items = itemsBy('statcan', archive(...others, prices('2001-01', '96.3'), prices('2001-02', '')))
    expect(items).toHaveLength(1)
    expect(summary(items)).toEqual([[CPI, '2001-01', { value: '96.3' }]])
  })

  it('gives quarters, which are stated by their first month, in the multiplier that each row states', () => {
    const row = (month: string, estimate: string) =>
      `"${month}","Canada","2016A000011124","Current prices","Seasonally adjusted at annual rates","${estimate}","Dollars","81","millions","6","v62305783","1.2.1.30","1234567","","","","0"\n`
    const items = itemsBy(
      'statcan',
      zipped({
        '36100104.csv':
          header('Prices', 'Seasonal adjustment', 'Estimates') +
          row('2001-04', 'Gross domestic product at market prices') +
          row('2001-04', 'Compensation of employees'),
        '36100104_MetaData.csv': about('36100104', 'Quarterly'),
      }),
    )
    expect(summary(items)).toEqual([
      ['CAN.gdp.Q.STATCAN.36-10-0104-01.CAD.SA.annualized', '2001-Q2', { value: '1234567000000' }],
    ])
  })

  it('is read in pieces, however large it is unpacked', () => {
    const others = prices('2001-01', '98', { area: 'Quebec '.repeat(150) }).repeat(70_000)
    expect(others.length).toBeGreaterThan(documentLimits.unpackedBytes)
    expect(summary(itemsBy('statcan', archive(others, prices('2001-01', '96.3'))))).toEqual([
      [CPI, '2001-01', { value: '96.3' }],
    ])
  })

  it('may have line ends of CR LF', () => {
    const files = {
      '18100004.csv': header('Products and product groups') + prices('2001-01', '96.3'),
      '18100004_MetaData.csv': about('18100004', 'Monthly').replace('"2",\n', '"2"\n'),
    }
    const windows = Object.entries(files).map(([name, text]) => [name, text.replaceAll('\n', '\r\n')])
    expect(summary(itemsBy('statcan', zipped(Object.fromEntries(windows))))).toEqual([
      [CPI, '2001-01', { value: '96.3' }],
    ])
  })

  it('in French is refused with what to do, and not with the advice to unpack it', () => {
    const french = zipped({
      '18100004.csv': '\ufeff"PÉRIODE DE RÉFÉRENCE";"GÉO"\n',
      '18100004_MetaData.csv': '\ufeff"Titre du cube";"Identificateur du produit"\n"IPC";"18100004"\n',
    })
    expect(refusalBy('statcan', french)).toMatchObject({
      reason: 'malformed_document',
      location: '18100004_MetaData.csv',
      message: expect.stringMatching(/has no column "Product Id".* in English.* of a table of Statistics Canada\.$/),
    })
  })

  it('has a new base rejected', () => {
    const items = itemsBy('statcan', archive(prices('2001-01', '96.3'), prices('2001-02', '50', { unit: '2020=100' })))
    expect(rejectsOf(items)).toMatchObject([{ reason: 'changed_series', location: 'line 3' }])
  })

  it.each([
    [
      'a table that is not mapped',
      { '18100005.csv': header(), '18100005_MetaData.csv': about('18100005', 'Annual') },
      'empty',
    ],
    [
      'a file about another table',
      { '18100004.csv': header(), '18100004_MetaData.csv': about('18100005', 'Annual') },
      'malformed_document',
    ],
    ['no table', { '18100004_MetaData.csv': about('18100004', 'Monthly') }, 'malformed_document'],
    [
      'a table without its columns',
      { '18100004.csv': '"REF_DATE"\n', '18100004_MetaData.csv': about('18100004', 'Monthly') },
      'missing_column',
    ],
    [
      'a last row without its end',
      {
        '18100004.csv': header('Products and product groups') + prices('2001-01', '96.3').trim(),
        '18100004_MetaData.csv': about('18100004', 'Monthly'),
      },
      'truncated',
    ],
  ])('with %s is refused', (_, files, reason) => {
    expect(refusalBy('statcan', zipped(files))).toMatchObject({ reason })
  })

  it('whose file about the table begins with a line without an end is refused, before the rest of it is unpacked', () => {
    const start = about('18100004', 'Monthly').split('\n', 1).join()
    const endless = start + ',"x"'.repeat(documentLimits.csvRowBytes)
    const files = { '18100004.csv': header() + prices('2001-01', '96.3'), '18100004_MetaData.csv': endless }
    expect(refusalBy('statcan', zipped(files))).toMatchObject({ reason: 'too_large' })
  })

  it('of two tables is refused with what to do, in whichever order they are', () => {
    const table = header('Products and product groups') + prices('2001-01', '96.3')
    const first = { '18100004.csv': table, '18100004_MetaData.csv': about('18100004', 'Monthly') }
    const second = { '36100104.csv': table, '36100104_MetaData.csv': about('36100104', 'Quarterly') }
    for (const files of [
      { ...first, ...second },
      { ...second, ...first },
      { ...first, '36100104_MetaData.csv': about('36100104', 'Quarterly') },
    ]) {
      expect(refusalBy('statcan', zipped(files))).toMatchObject({
        reason: 'malformed_document',
        message: expect.stringMatching(
          /^The archive is about 2 tables: .*18100004_MetaData\.csv.*\. Make an archive of each with its own two files\./,
        ),
      })
    }
  })

  it('of another table is refused as what it is', () => {
    const other = zipped({
      '18100005.csv': header('Products and product groups') + prices('2001', '96.3'),
      '18100005_MetaData.csv': about('18100005', 'Annual'),
    })
    expect(refusalBy('statcan', other)?.message).toContain('StatCan:18-10-0005-01')
  })

  it.each([
    ['in a folder', { '18100004-eng/18100004.csv': '', '18100004-eng/18100004_MetaData.csv': '' }],
    ['without the file about its table', { '18100004.csv': '' }],
  ])('%s is refused as the archive that it is', (_, files) => {
    const names = Object.keys(files).map((name) => JSON.stringify(name))
    expect(refusalBy('statcan', zipped(files))).toMatchObject({
      reason: 'unknown_format',
      message: expect.stringContaining(
        `The document is a zip archive of ${names.join(', ')}; what is in it is not read either: The document `,
      ),
    })
  })

  it('with a flipped bit is refused', () => {
    const bytes = archive(prices('2001-01', '96.3'), prices('2001-02', '96.4'))
    bytes[60] = (bytes[60] ?? 0) ^ 1
    expect(refusalBy('statcan', bytes)).toMatchObject({ reason: 'malformed_zip' })
  })
})
