import { readFileSync } from 'node:fs'
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { percentChange, subtract } from '../../../domain/decimal.ts'
import { yearBefore } from '../../../domain/period.ts'
import { readTable } from '../../../ingest/read/csv.ts'
import { textOf } from '../../../ingest/read/text.ts'
import { bis } from '../../../ingest/sources/bis/index.ts'
import { altered, document, figuresOf, fixture, fixturePath, rejectsOf, summary } from './fixture.ts'

const { parse } = bis()
const name = 'bis/WS_LONG_CPI_csv_col.csv'
const zipped = (files: Record<string, Uint8Array>) => document(zipSync(files))

describe('BIS consumer prices', () => {
  it('are monthly indices, not years, changes or the euro area', () => {
    const figures = figuresOf(parse(fixture(name)))
    expect(figures.find((f) => f.series.country === 'DEU' && f.period === '2022-03')).toEqual({
      kind: 'figure',
      series: {
        id: 'DEU.cpi.M.BIS.WS_LONG_CPI.index.NSA.2010=100',
        indicator: 'cpi',
        country: 'DEU',
        frequency: 'M',
        source: 'BIS',
        dataset: 'WS_LONG_CPI',
        unit: 'index',
        seasonal_adjustment: 'not_seasonally_adjusted',
        annualization: 'not_annualized',
        base_period: '2010',
        base_value: '100',
        derivation: '',
      },
      period: '2022-03',
      figures: { value: { printed: '123.657163' } },
      location: 'line 11, column 2022-03',
    })
    const count = (country: string) => figures.filter((f) => f.series.country === country).length
    expect(['AUS', 'CHL', 'DEU', 'USA'].map(count)).toEqual([13, 16, 15, 16])
    expect(figures).toHaveLength(60)
    expect(rejectsOf(parse(fixture(name)))).toEqual([])
  })

  it('take their base from the row', () => {
    const rebased = altered(
      name,
      '"M:Monthly","AU:Australia","628:Index, 2010 = 100"',
      '"M:Monthly","AU:Australia","628:Index, 2020 = 100"',
    )
    const bases = new Map(figuresOf(parse(rebased)).map(({ series }) => [series.country, series.base_period]))
    expect(bases).toEqual(new Map(Object.entries({ AUS: '2020', CHL: '2010', USA: '2010', DEU: '2010' })))
  })

  it('are read from the zip of the bulk download', () => {
    const items = [...parse(zipped({ 'WS_LONG_CPI_csv_col.csv': readFileSync(fixturePath(name)) }))]
    expect(items).toEqual([...parse(fixture(name))])
  })

  it('are read where codes have columns of their own', () => {
    const text =
      '"FREQ","Frequency","REF_AREA","Reference area","UNIT_MEASURE","Unit of measure","Series","2024","2024-01"\n'
        .concat('"M","Monthly","MY","Malaysia","628","Index, 2010 = 100","M:MY:628","","131.8"\n')
        .concat('"M","Monthly","MY","Malaysia","771","Year-on-year changes, in per cent","M:MY:771","","1.5"\n')
    expect(summary(parse(document(text)))).toEqual([
      ['MYS.cpi.M.BIS.WS_LONG_CPI.index.NSA.2010=100', '2024-01', { value: '131.8' }],
    ])
  })

  it('printed with an exponent, or not there at all', () => {
    const printed = summary(parse(altered(name, '"123.657163"', '"8.428268412E-13"'))).map(([, ...figure]) => figure)
    expect(printed).toContainEqual(['2022-03', { value: '0.0000000000008428268412' }])
    expect([...parse(altered(name, '"123.657163"', '"NaN"'))]).toHaveLength(59)
  })
})

describe('a BIS document is refused', () => {
  const csv = readFileSync(fixturePath(name))
  it.each([
    ['with a faulty period in its header', altered(name, '"2021-07"', '"2021-77"'), 'malformed_document'],
    ['with a period twice', altered(name, '"2021-07"', '"2021-06"'), 'malformed_document'],
    ['without periods', document('Frequency,Reference area,Unit of measure\n'), 'malformed_document'],
    ['without units', altered(name, '"Unit of measure"', '"Unit"'), 'missing_column'],
    [
      'of effective exchange rates, whose series are named by more',
      document(
        '"FREQ","Frequency","EER_TYPE","Type","REF_AREA","Reference area","UNIT_MEASURE","Unit of measure","Series","2024-01"\n'.concat(
          '"M","Monthly","N","Nominal","MY","Malaysia","628","Index, 2020 = 100","M:N:MY","98.1"\n',
        ),
      ),
      'wrong_dataset',
    ],
    ['that is cut between two cells', document(csv.subarray(0, csv.length - 5)), 'truncated'],
    ['that is a zip of two tables', zipped({ 'a.csv': csv, 'b.csv': csv }), 'malformed_document'],
    ['that is a zip, cut', document(zipSync({ 'a.csv': csv }).subarray(0, 900)), 'malformed_zip'],
  ])('%s', (_, refused, reason) => {
    expect(() => [...parse(refused)]).toThrow(expect.objectContaining({ name: 'DocumentError', reason }))
  })
})

describe('a part of a BIS document is rejected', () => {
  it.each([
    ['a value that is no decimal', '"123.657163"', '"123,657"', 'not_a_decimal', 'line 11, column 2022-03', '123,657'],
    ['an area that is no country', '"DE:Germany"', '"DX:Germany"', 'unknown_country', undefined, undefined],
    [
      'an unknown unit',
      '"M:Monthly","DE:Germany","628:',
      '"M:Monthly","DE:Germany","629:',
      'unknown_unit',
      'line 11',
      undefined,
    ],
    ['a series of another dataset', '"M:DE:628"', '"M:N:B:DE"', 'wrong_dataset', 'line 11', undefined],
    ['an unknown frequency', '"M:Monthly","DE', '"X:Monthly","DE', 'unknown_frequency', 'line 11', undefined],
  ])('%s', (_, from, to, reason, location, text) => {
    // The row of years comes first in the file: it is the monthly one that counts.
    const table = readFileSync(fixturePath(name), 'utf8')
    const at = table.indexOf(from, table.indexOf('"M:Monthly","DE') - 1)
    const rejects = rejectsOf(parse(document(table.slice(0, at) + to + table.slice(at + from.length))))
    expect(rejects).toMatchObject([{ reason, ...(location ? { location } : {}), ...(text ? { text } : {}) }])
  })
})

describe('BIS figures beside what the publisher states', () => {
  it('are of every country that the publisher names, and not of the euro area', () => {
    const areas = figuresOf(parse(fixture('bis/WS_LONG_CPI-areas.csv')))
    expect(rejectsOf(parse(fixture('bis/WS_LONG_CPI-areas.csv')))).toEqual([])
    expect(new Set(areas.map(({ series }) => series.country)).size).toBe(59)
    expect(areas).toHaveLength(59)
    expect(summary(parse(fixture('bis/WS_LONG_CPI-areas.csv')))).toContainEqual([
      'SGP.cpi.M.BIS.WS_LONG_CPI.index.NSA.2010=100',
      '2021-11',
      { value: '118.935111' },
    ])
  })

  it('agree with the changes on the year before that stand beside them', () => {
    const values = new Map(
      figuresOf(parse(fixture(name))).map((f) => [`${f.series.country} ${f.period}`, f.figures.value?.printed ?? '']),
    )
    const { rows } = readTable(textOf(fixture(name)), [])
    const compared: string[] = []
    for (const [area, country] of [
      ['CL', 'CHL'],
      ['DE', 'DEU'],
      ['US', 'USA'],
    ]) {
      const stated = rows.find((row) => row.kind === 'row' && row.cell('Time Period') === `M:${area}:771`)
      for (const [place, value] of values) {
        const [of, period = ''] = place.split(' ')
        const before = values.get(`${of} ${yearBefore(period)}`)
        if (of !== country || before === undefined) continue
        const change = stated?.kind === 'row' ? stated.cell(period) : ''
        const difference = Math.abs(Number(subtract(percentChange(value, before) ?? '0', change)))
        expect(difference, place).toBeLessThan(0.0501)
        compared.push(place)
      }
    }
    expect(compared).toEqual(
      ['CHL', 'DEU', 'USA'].flatMap((country) =>
        ['2022-01', '2022-02', '2022-03'].map((period) => `${country} ${period}`),
      ),
    )
  })
})
