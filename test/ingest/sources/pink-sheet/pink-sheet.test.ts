import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { commodities } from '../../../../contracts/instruments.ts'
import type { Item, Price } from '../../../../ingest/source.ts'
import { columns } from '../../../../ingest/sources/pink-sheet/columns.ts'
import { pinkSheet } from '../../../../ingest/sources/pink-sheet/index.ts'
import { parsePinkSheet } from '../../../../ingest/sources/pink-sheet/parse.ts'
import { expectEveryCutRefused, expectToSurviveDamage } from '../../../support/damage.ts'
import { allDocuments, lineOf, testDocument } from '../../../support/documents.ts'
import { temporaryDirectory } from '../../../support/journal.ts'
import { publisher } from '../../../support/publisher.ts'
import { type Cell, workbook } from '../../../support/workbook.ts'
import { fixturePath } from '../fixture.ts'

const parse = (bytes: Uint8Array): readonly Item[] => parsePinkSheet(testDocument(bytes))
const linesOf = (items: readonly Item[]): string[] =>
  items.map((item) => (item.kind === 'reject' ? `${item.reason} at ${item.location}` : lineOf(item as Price)))

/** The sheet as the World Bank lays it out: titles, names, units, codes, months. All prices are invented. */
function sheet(
  months: readonly (readonly Cell[])[],
  change: Readonly<Record<string, string | undefined>> = {},
): Cell[][] {
  const names = columns.map(({ name }) => (name in change ? change[name] : name))
  return [
    ['World Bank Commodity Price Data (The Pink Sheet)'],
    [],
    [undefined, 'Crude oil, average', ...names],
    [undefined, '($/bbl)', ...columns.map(({ printedUnit }) => printedUnit)],
    [undefined, 'CRUDE_PETRO', ...columns.map(({ code }) => `${code}_`)],
    ...months.map((cells) => [...cells]),
    [undefined, undefined],
  ]
}
const filled = (month: string, prices: Readonly<Record<string, Cell>>): Cell[] => [
  month,
  { number: '1' },
  ...columns.map(({ code }): Cell => (code in prices ? prices[code] : '..')),
]
const book = (rows: Cell[][]): Uint8Array => workbook({ AFOSHEET: [], 'Monthly Prices': rows, 'Monthly Indices': [] })

describe('the Pink Sheet', () => {
  it('gives monthly averages at the end of their month, as the sheet shows them', () => {
    const items = parse(
      book(
        sheet([
          filled('2020M02', { XAU: { number: '1597.1000000000001' }, BRENT: { number: '54.966666666666697' } }),
          filled('2020M12', {
            XAU: { number: '1858.42' },
            SUGAR: { number: '6.6600000000000006E-2' },
            TIN: { number: '35024' },
          }),
        ]),
      ),
    )
    expect(linesOf(items)).toEqual([
      'XAU-USD 1597.1 2020-02-29T23:59:59.999Z',
      'BRENT-USD 54.9666666666667 2020-02-29T23:59:59.999Z',
      'XAU-USD 1858.42 2020-12-31T23:59:59.999Z',
      'TIN-USD 35024 2020-12-31T23:59:59.999Z',
      'SUGAR-USD 0.0666 2020-12-31T23:59:59.999Z',
    ])
    expect(items[1]).toHaveProperty('location', 'Monthly Prices, M6')
  })

  it('is in the units of our instruments, and lacks only palladium and gasoline', () => {
    for (const { code, unit } of columns) expect(`${code} ${commodities[code]?.unit}`).toBe(`${code} ${unit}`)
    const codes = new Set(columns.map(({ code }) => code))
    expect(Object.keys(commodities).filter((code) => !codes.has(code))).toEqual(['XPD', 'GASOLINE'])
  })

  it('knows a column by its name with asterisks and spaces', () => {
    const rows = sheet([filled('2024M01', { COFFEE: { number: '4.5' }, RICE: '…', TIN: '...' })], {
      'Coffee, Arabica': 'Coffee,  Arabica **',
      'Rice, Thai 5%': 'Rice, Thai 5% ',
    })
    expect(linesOf(parse(book(rows)))).toEqual(['COFFEE-USD 4.5 2024-01-31T23:59:59.999Z'])
  })

  it.each([
    ['of the sheet', 'Updated on February 04, 2024', '2024-02-04'],
    ['of its newest price, if the sheet states none', undefined, '2024-01-31'],
  ])('dates the edition by the day %s', (_, line, day) => {
    const rows = sheet([filled('2023M12', { XAU: { number: '2026' } }), filled('2024M01', { XAU: { number: '2034' } })])
    rows[1] = [line]
    const released = { on: day, basis: 'dataset' }
    expect(parse(book(rows))).toMatchObject([{ released }, { released }])
  })

  it('is refused if its prices are real', () => {
    const rows = sheet([filled('2024M01', { XAU: { number: '2034' } })])
    for (const prices of ['real 2010 US dollars', 'constant 2010 US dollars']) {
      rows[1] = [`monthly prices in ${prices}, 1960 to present`]
      expect(() => parse(book(rows))).toThrow(expect.objectContaining({ reason: 'other_series' }))
    }
    for (const prices of ['nominal US dollars', 'US dollars']) {
      rows[1] = [`monthly prices in ${prices}, 1960 to present`]
      expect(linesOf(parse(book(rows)))).toHaveLength(1)
    }
  })

  it('is refused if its day of update is none', () => {
    const rows = sheet([filled('2024M01', { XAU: { number: '2034' } })])
    rows[1] = ['Updated on February 30, 2024']
    expect(() => parse(book(rows))).toThrow(expect.objectContaining({ reason: 'bad_date' }))
  })

  it('rejects a column that is missing, twice there or in another unit, and goes on', () => {
    const rows = sheet([filled('2024M01', { XAU: { number: '2034' }, LEAD: { number: '1' }, TIN: { number: '2' } })], {
      Lead: undefined,
      Zinc: 'Nickel',
    })
    const units = rows[3] ?? []
    units[columns.findIndex(({ code }) => code === 'TIN') + 2] = '(cents/kg)'
    expect(linesOf(parse(book(rows)))).toEqual([
      'missing_column at Monthly Prices, row 3, Zinc',
      'duplicate_column at Monthly Prices, row 3, Nickel',
      'missing_column at Monthly Prices, row 3, Lead',
      'unexpected_unit at Monthly Prices, row 3, Tin',
      'XAU-USD 2034 2024-01-31T23:59:59.999Z',
    ])
  })

  it('rejects a cell that is no price and a row of prices that is no month', () => {
    const rows = sheet([
      filled('2024M13', { XAU: { number: '1' } }),
      filled('2024M01', { XAU: 'n.a.', XAG: { number: '0' }, XPT: { number: '900' } }),
      ['Note: a made-up footnote'],
    ])
    expect(linesOf(parse(book(rows)))).toEqual([
      'bad_period at Monthly Prices, row 6',
      'not_a_decimal at Monthly Prices, C7',
      'not_positive at Monthly Prices, D7',
      'XPT-USD 900 2024-01-31T23:59:59.999Z',
    ])
  })

  it.each([
    ['no such sheet', workbook({ 'Annual Prices (Nominal)': [], Index: [] }), 'no_such_sheet'],
    ['no known column', book([['Month', 'Bananas']]), 'missing_column'],
    ['no months', book(sheet([])), 'empty'],
    ['a zip of something else', workbook({}).slice(0, 0), 'malformed_zip'],
    ['no zip', Buffer.from('<html>Not found</html>'), 'malformed_zip'],
  ])('refuses a document with %s', (_, bytes, reason) => {
    expect(() => parse(bytes)).toThrow(expect.objectContaining({ reason }))
  })

  it('names the sheets there are', () => {
    expect(() => parse(workbook({ 'Annual Prices (Nominal)': [], 'A & B': [] }))).toThrow(
      'There is no sheet "Monthly Prices"; there are: "Annual Prices (Nominal)", "A & B".',
    )
  })

  const whole = book(sheet([filled('2024M01', { XAU: { number: '2034.0999999999999' } })]))

  it('survives damage, and is refused when cut anywhere', () => {
    expectToSurviveDamage(parsePinkSheet, whole, 200)
    expectEveryCutRefused(parsePinkSheet, whole)
  })

  it.each(['xl/workbook.xml', 'xl/_rels/workbook.xml.rels', 'xl/sharedStrings.xml', 'xl/worksheets/sheet2.xml'])(
    'survives damage of %s within a sound archive',
    (part) => {
      const parts = unzipSync(whole)
      const repacked = (bytes: Uint8Array) => zipSync({ ...parts, [part]: bytes }, { level: 0 })
      expectToSurviveDamage(({ bytes }) => parse(repacked(bytes)), parts[part] ?? new Uint8Array(), 100)
    },
  )
})

describe('fetching', () => {
  const bytes = book(sheet([filled('2024M01', { XAU: { number: '2034' } })]))

  it('follows the link of the World Bank’s page, whose address changes', async () => {
    const link = '/en/doc/18675f1d-0050012026/related/CMO-Historical-Data-Monthly.xlsx'
    const { address, asked } = await publisher({
      '/en/research/commodity-markets': `<a href="/a.pdf">Pink Sheet</a><a href='${link}'>Monthly prices</a>`,
      [link]: bytes,
    })
    const source = pinkSheet({ address })
    const documents = await allDocuments(source, {})
    expect(documents).toMatchObject([{ source: 'WB', dataset: 'pink-sheet', url: address + link }])
    expect(documents.flatMap((document) => linesOf([...source.parse(document)]))).toEqual([
      'XAU-USD 2034 2024-01-31T23:59:59.999Z',
    ])
    expect(asked.map(({ path }) => path)).toEqual(['/en/research/commodity-markets', link])
  })

  it('says that the page has no link', async () => {
    const { address } = await publisher({ '/en/research/commodity-markets': '<p>Moved</p>' })
    await expect(allDocuments(pinkSheet({ address }), {})).rejects.toMatchObject({ reason: 'link_not_found' })
  })

  it('reads a local file', async () => {
    const path = join(await temporaryDirectory(), 'CMO-Historical-Data-Monthly.xlsx')
    writeFileSync(path, bytes)
    expect(await allDocuments(pinkSheet(), { files: [path] })).toMatchObject([
      { url: 'file:CMO-Historical-Data-Monthly.xlsx' },
    ])
  })
})

describe('the Pink Sheet of 2021-09-02', () => {
  const items = parse(readFileSync(fixturePath('pink-sheet/CMO-Historical-Data-Monthly.xlsx')))
  const lines = linesOf(items)

  it('gives the 22 commodities of its newest month', () => {
    expect(lines.slice(-22)).toEqual(
      [
        'XAU-USD 1785.28',
        'XAG-USD 23.986',
        'XPT-USD 1008.73',
        'COPPER-USD 9370.14',
        'ALUMINIUM-USD 2602.99',
        'ZINC-USD 2987.95',
        'NICKEL-USD 19141.3',
        'LEAD-USD 2414.47',
        'TIN-USD 35024',
        'IRON_ORE-USD 162.16',
        'BRENT-USD 70.02',
        'WTI-USD 67.73',
        'NATGAS-USD 4.0508',
        'COAL-USD 168.75',
        'WHEAT-USD 276.183795555',
        'CORN-USD 256.6124344',
        'SOYBEANS-USD 592.03',
        'RICE-USD 403',
        'COFFEE-USD 4.767270288',
        'COCOA-USD 2.48431',
        'SUGAR-USD 0.429459976',
        'COTTON-USD 2.23328006',
      ].map((line) => `${line} 2021-08-31T23:59:59.999Z`),
    )
    expect(items.at(-1)).toHaveProperty('released', { on: '2021-09-02', basis: 'dataset' })
  })

  it('leaves out months without a price, and iron ore in other units before 2006', () => {
    const countOf = (month: string) => lines.filter((line) => line.includes(` ${month}-`)).length
    // `..` stands for Brent, WTI, coal and wheat in 1960, and for WTI in 1979 as well.
    expect(['1960-01', '1979-01', '2005-12', '2006-01', '2010-10', '2021-08'].map(countOf)).toEqual([
      17, 20, 21, 22, 22, 22,
    ])
    expect(lines).toHaveLength(17 + 20 + 21 + 14 * 22)
    expect(lines[0]).toBe('XAU-USD 35.27 1960-01-31T23:59:59.999Z')
    expect(lines.find((line) => line.startsWith('IRON_ORE-USD'))).toMatch(/ 2006-01-31T/)
  })

  it('is read to the fifteen digits that the sheet shows', () => {
    expect(lines).toContain('BRENT-USD 18.9500007629395 1979-01-31T23:59:59.999Z')
    expect(lines).toContain('IRON_ORE-USD 148.480952380952 2010-10-31T23:59:59.999Z')
  })
})
