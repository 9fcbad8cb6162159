import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { censusMapping } from '../../../ingest/map/publishers/census.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { type Cell, workbook } from '../../support/workbook.ts'
import { document, figuresOf, fixturePath, rejectsOf, summary } from './fixture.ts'

const { parse } = mappedSource(censusMapping)

const textOf = (name: string): string => readFileSync(fixturePath(`ft900/${name}.tsv`), 'utf8')
const timeSeries = textOf('time-series')
const exhibit = textOf('exhibit-1')

/** A workbook whose sheet has the cells of a text, as strings in column A and as numbers elsewhere where they are numbers. */
const made = (text: string, sheet = 'Table 1') =>
  document(
    workbook({
      Readme: [],
      [sheet]: text.split('\n').map((line) =>
        line.split('\t').map((cell, column): Cell => {
          if (cell === '') return undefined
          return column > 0 && /^-?\d+$/.test(cell) ? { number: cell } : cell
        }),
      ),
    }),
  )

/** The text with a part of it replaced; fails if it isn't there, so that a test can't pass by a slip. */
function changed(text: string, from: string | RegExp, to: string): string {
  const after = text.replace(from, to)
  if (after === text) throw new Error(`There is no ${from}.`)
  return after
}

const exports = 'USA.trade-exports.M.CENSUS.FTD.USD.SA'
const imports = 'USA.trade-imports.M.CENSUS.FTD.USD.SA'

describe('the FT-900 as a workbook', () => {
  it('of the time series gives goods by month, dated by its last update', () => {
    const items = [...parse(made(timeSeries))]
    expect(items).toHaveLength(30)
    expect(summary(items).slice(0, 3)).toEqual([
      [exports, '2024-01', { value: '170571000000' }],
      [imports, '2024-01', { value: '262118000000' }],
      [exports, '2024-02', { value: '175817000000' }],
    ])
    expect(summary(items).slice(-4)).toEqual([
      [exports, '2025-02', { value: '181897000000' }],
      [imports, '2025-02', { value: '328939000000' }],
      [exports, '2025-03', { value: '183231000000' }],
      [imports, '2025-03', { value: '346752000000' }],
    ])
    expect(figuresOf(items).at(-1)).toMatchObject({
      location: 'Table 1, I27',
      released: { on: '2025-05-06', basis: 'dataset' },
    })
  })

  it('of exhibit 1 gives its months, and neither years to date nor what was published last month', () => {
    const items = [...parse(made(exhibit, '1'))]
    expect(items).toHaveLength(26)
    expect(summary(items).slice(0, 2)).toEqual([
      [exports, '2025-01', { value: '173411000000' }],
      [imports, '2025-01', { value: '329031000000' }],
    ])
    expect(summary(items).slice(-4)).toEqual([
      [exports, '2025-12', { value: '180864000000' }],
      [imports, '2025-12', { value: '280110000000' }],
      [exports, '2026-01', { value: '195492000000' }],
      [imports, '2026-01', { value: '277283000000' }],
    ])
    expect(figuresOf(items)[0]).toMatchObject({ location: '1, F10' })
    expect(figuresOf(items).filter(({ released }) => released)).toEqual([])
  })

  it.each([
    ['unit', timeSeries, 'Millions of dollars', 'Billions of dollars', 'UNIT is "billions of dollars", not millions'],
    ['unit', exhibit, 'In millions of dollars. ', '', 'UNIT is "", not millions of dollars.'],
    ['adjustment', timeSeries, 'months season', 'months not season', 'ADJUSTMENT is "not seasonally adjusted", not'],
    ['adjustment', exhibit, 'Seasonally Adjusted', 'Trend', 'ADJUSTMENT is "", not seasonally adjusted.'],
    ['basis', timeSeries, 'on a balance of payments', 'on a Census', 'BASIS is "Census", not balance of payments.'],
    ['basis, because it is cut above its notes', exhibit, /\n\(1\) .*/, '', 'BASIS is "", not balance of payments.'],
  ])('of another %s is rejected cell by cell', (_, text, from, to, detail) => {
    const sheet = text === exhibit ? '1' : 'Table 1'
    const items = [...parse(made(changed(text, from, to), sheet))]
    expect(figuresOf(items)).toEqual([])
    expect(rejectsOf(items)).toHaveLength(text === exhibit ? 26 : 30)
    expect(rejectsOf(items)[0]).toMatchObject({
      reason: 'changed_series',
      detail: expect.stringContaining(detail),
      location: text === exhibit ? '1, F10' : 'Table 1, F13',
    })
  })

  it.each([
    ['a month that it does not know', '2025 Mar', '2025 Mrz', 'bad_period', 'Table 1, F27'],
    ['a row without a month', '2025 Mar', '', 'bad_period', 'Table 1, F27'],
    ['a figure that is none', '183231', 'n.a.', 'not_a_decimal', 'Table 1, F27'],
    ['a cell without a figure', '183231', '', 'not_a_decimal', 'Table 1, F27'],
  ])('rejects %s', (_, from, to, reason, location) => {
    const items = [...parse(made(changed(timeSeries, from, to)))]
    expect(rejectsOf(items)[0]).toMatchObject({ reason, location })
    expect(figuresOf(items).filter(({ location: at }) => at === location)).toEqual([])
    expect(figuresOf(items).length).toBeGreaterThanOrEqual(28)
  })

  it.each([
    [
      'that lacks a month of the newest year',
      timeSeries,
      /2025 Feb.*\n/,
      '',
      'truncated',
      'The period after 2025-01 is 2025-03.',
      'Table 1, A26',
    ],
    [
      'that lacks the last month of a year',
      exhibit,
      /December \(R\).*\n/,
      '',
      'truncated',
      'The period after 2025-11 is 2026-01.',
      '1, A23',
    ],
    [
      'that lacks the first month of its years',
      timeSeries,
      /2024 Jan.*\n/,
      '',
      'wrong_total',
      'Balance, Total: the total of 2024 is -917835, and its months add up to',
      'Table 1, B11',
    ],
    [
      'with a month that somebody has changed',
      timeSeries,
      '170571',
      '170579',
      'wrong_total',
      'Exports, Goods: the total of 2024 is 2083247, and its months add up to 2083256.',
      'Table 1, F11',
    ],
    [
      'with a month that somebody has changed',
      exhibit,
      '276664',
      '276700',
      'wrong_total',
      'Imports, Goods: the total of 2025 is 3438331, and its months add up to 3438366.',
      '1, I8',
    ],
    ['without its columns', timeSeries, '\tTotal\tGoods 1', '\tSum\tGoods 1', 'missing_row', '"Total"', 'Table 1'],
    [
      'with a group of columns without a name',
      exhibit,
      '\tExports',
      '\t',
      'malformed_document',
      'has 0 headings',
      '1, E5',
    ],
    [
      'with a group of columns of two names',
      timeSeries,
      'Balance\t',
      'Balance\tNet',
      'malformed_document',
      'has 2 headings',
      'Table 1, B7',
    ],
    [
      'without a column of goods',
      timeSeries,
      /Goods 1/g,
      'Merchandise 1',
      'no_mapped_series',
      'FLOW=Balance ITEM=Total',
      'Table 1, B13',
    ],
    [
      'that names no day of its update',
      timeSeries,
      'May 6, 2025',
      'in May 2025',
      'bad_date',
      '"Last updated" is "in May 2025"',
      'Table 1, A1',
    ],
    ['whose day of update there is not', timeSeries, 'May 6', 'February 30', 'bad_date', 'February 30', 'Table 1, A1'],
    ['of another table', timeSeries, 'Table 1. U.S.', 'Table 2. U.S.', 'unknown_format', 'no format that is read', ''],
    [
      'of trade in services alone',
      exhibit,
      'in Goods and Services',
      'in Services',
      'unknown_format',
      'no format that is read',
      '',
    ],
  ])('%s is refused', (_, text, from, to, reason, detail, location) => {
    const document = made(changed(text, from, to), text === exhibit ? '1' : 'Table 1')
    expect(() => [...parse(document)]).toThrow(
      expect.objectContaining({ name: 'DocumentError', reason, location, message: expect.stringContaining(detail) }),
    )
  })

  it('may differ from a total by 6, because each month is rounded', () => {
    const adding = (to: string) => parse(made(changed(exhibit, '276664', to), '1'))
    expect(adding('276671')).toHaveLength(26)
    expect(() => adding('276672')).toThrow(expect.objectContaining({ reason: 'wrong_total' }))
  })
})
