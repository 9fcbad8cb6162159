import { describe, expect, it } from 'vitest'
import { absMapping } from '../../../ingest/map/publishers/abs.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { type Cell, workbook } from '../../support/workbook.ts'
import { document, figuresOf, fixture, rejectsOf, summary } from './fixture.ts'

const { parse } = mappedSource(absMapping)

/** Figures of the 6202.0 of March 2026, in the cells of its workbook. */
const index: Cell[][] = [
  [],
  [undefined, 'Time Series Workbook'],
  [],
  [],
  [undefined, '6202.0 Labour Force, Australia'],
  [undefined, 'Table 1. Labour force status by Sex, Australia'],
]
const data: Cell[][] = [
  [undefined, 'Employed total ;  Persons ;', 'Unemployment rate ;  Persons ;', 'Participation rate ;  Persons ;'],
  ['Unit', '000', 'Percent', 'Percent'],
  ['Series Type', 'Trend', 'Seasonally Adjusted', 'Seasonally Adjusted'],
  ['Data Type', 'STOCK', 'PERCENT', 'PERCENT'],
  ['Frequency', 'Month', 'Month', 'Month'],
  ['Collection Month', '1', '1', '1'],
  ['Series Start', { number: '45992' }, { number: '45992' }, { number: '45992' }],
  ['Series End', { number: '46054' }, { number: '46054' }, { number: '46054' }],
  ['No. Obs', { number: '3' }, { number: '3' }, { number: '3' }],
  ['Series ID', 'A84423127L', 'A84423050A', 'A84423051C'],
  [{ number: '45992' }, undefined, { number: '4.1138624' }, { number: '66.7189588' }],
  [{ number: '46023' }, undefined, { number: '4.0732679' }, { number: '66.666015700000003' }],
  [{ number: '46054' }, undefined, { number: '4.2779783' }, { number: '66.8876945' }],
]
const made = (more: readonly Cell[][] = data, sheets = { Index: index }) =>
  document(workbook({ ...sheets, Data1: more }))
/** The sheet with one cell replaced. */
const changed = (row: number, column: number, cell: Cell): Cell[][] =>
  data.map((cells, at) => (at === row ? cells.map((old, i) => (i === column ? cell : old)) : cells))

const unemployment = 'AUS.unemployment.M.ABS.A84423050A.percent.SA'
const participation = 'AUS.labour-force-participation.M.ABS.A84423051C.percent.SA'

describe('a workbook of the ABS', () => {
  it('gives the mapped series, named by their numbers', () => {
    const items = [...parse(made())]
    expect(summary(items)).toEqual([
      [unemployment, '2025-12', { rate: '4.1138624' }],
      [participation, '2025-12', { rate: '66.7189588' }],
      [unemployment, '2026-01', { rate: '4.0732679' }],
      [participation, '2026-01', { rate: '66.6660157' }],
      [unemployment, '2026-02', { rate: '4.2779783' }],
      [participation, '2026-02', { rate: '66.8876945' }],
    ])
    expect(items).toHaveLength(6)
    expect(figuresOf(items)[0]?.location).toBe('Data1, C11')
  })

  it('that counts its days from 1904 is refused, because its periods would be four years early', () => {
    const saved = (properties: string) => document(workbook({ Index: index, Data1: data }, { properties }))
    expect(() => [...parse(saved('<workbookPr date1904="1"/>'))]).toThrow(
      expect.objectContaining({ reason: 'unknown_dates', message: expect.stringContaining('from 1904') }),
    )
    expect(parse(saved('<workbookPr date1904="0"/>'))).toHaveLength(6)
  })

  it('whose series has another unit or adjustment than expected is rejected cell by cell', () => {
    for (const [row, cell, detail] of [
      [1, '000', 'UNIT is "000", not Percent.'],
      [2, 'Trend', 'SERIES_TYPE is "Trend", not Seasonally Adjusted.'],
    ] as const) {
      const items = [...parse(made(changed(row, 2, cell)))]
      expect(rejectsOf(items).map((reject) => [reject.reason, reject.detail, reject.location])).toEqual(
        ['C11', 'C12', 'C13'].map((place) => ['changed_series', detail, `Data1, ${place}`]),
      )
      expect(new Set(figuresOf(items).map(({ series }) => series.id))).toEqual(new Set([participation]))
    }
  })

  it('whose columns are swapped below their numbers is rejected, because the text above them is another', () => {
    const swapped = data.map((cells, at): Cell[] => (at === 9 ? cells : [cells[0], cells[1], cells[3], cells[2]]))
    const items = [...parse(made(swapped))]
    expect(figuresOf(items)).toEqual([])
    expect(new Set(rejectsOf(items).map(({ reason, detail }) => `${reason}: ${detail}`))).toEqual(
      new Set([
        'changed_series: DATA_ITEM is "participation rate / persons", not unemployment rate / persons.',
        'changed_series: DATA_ITEM is "unemployment rate / persons", not participation rate / persons.',
      ]),
    )
  })

  it('that says what a series is in capitals, as some tables do, is read', () => {
    expect(figuresOf(parse(made(changed(0, 2, 'UNEMPLOYMENT RATE ;  Persons ;'))))).toHaveLength(6)
  })

  it.each([
    ['that lacks its last month', data.slice(0, -1), undefined, 'truncated', 'up to day 46054; there are 2'],
    ['that lacks a month within', data.toSpliced(11, 1), undefined, 'truncated', 'states 3 periods'],
    ['whose series have no numbers', data.toSpliced(9, 1), undefined, 'missing_row', '"Series ID"'],
    [
      'of another publication',
      data,
      '6291.0.55.001 Labour Force, Detailed',
      'dataset_not_supported',
      'ABS:6291.0.55.001',
    ],
    ['that is no time series', data, 'Labour Force', 'unknown_format', 'no time series workbook'],
  ])('%s is refused', (_, rows, heading, reason, detail) => {
    const headings = heading === undefined ? index : index.toSpliced(4, 1, [undefined, heading])
    expect(() => [...parse(made(rows, { Index: headings }))]).toThrow(
      expect.objectContaining({ name: 'DocumentError', reason, message: expect.stringContaining(detail) }),
    )
  })

  it('of another layout is refused with the names of its sheets', () => {
    expect(() => [...parse(document(workbook({ Annual: [], Quarterly: [] })))]).toThrow(
      expect.objectContaining({ reason: 'unknown_format', message: expect.stringContaining('"Annual", "Quarterly"') }),
    )
  })

  it('cut anywhere is refused', () => {
    const { bytes } = made()
    for (let length = 1; length < bytes.length; length += 7)
      expect(() => [...parse(document(bytes.subarray(0, length)))]).toThrow(
        expect.objectContaining({ name: 'DocumentError' }),
      )
  })
})

it('SDMX-JSON of the data API is read from a recorded answer, which names its data structure alone', () => {
  const items = [...parse(fixture('abs/LF.json'))]
  expect(summary(items)).toEqual([['AUS.unemployment.M.ABS.LF.percent.SA', '2019-12', { rate: '5.04210808' }]])
  expect(items).toHaveLength(1)
})
