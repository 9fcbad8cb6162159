import { describe, expect, it } from 'vitest'
import { blsMapping } from '../../../ingest/map/publishers/bls.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { type Cell, workbook } from '../../support/workbook.ts'
import { document, rejectsOf, summary } from './fixture.ts'

const { parse } = mappedSource(blsMapping)

/** The last years of LNS14000000 as of April 2024, in the cells of the workbook. */
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const numbers = (...printed: readonly string[]): Cell[] => printed.map((number) => ({ number }))
const rows: readonly (readonly Cell[])[] = [
  ['Labor Force Statistics from the Current Population Survey'],
  ['Original Data Value'],
  [],
  ['Series Id:', 'LNS14000000'],
  ['Seasonally Adjusted'],
  ['Series title:', '(Seas) Unemployment Rate'],
  ['Years:', '2022 to 2024'],
  [],
  ['Year', ...months],
  numbers('2022.0', '4.0', '3.8', '3.6', '3.7', '3.6', '3.6', '3.5', '3.6', '3.5', '3.6', '3.6', '3.5'),
  numbers('2023.0', '3.4', '3.6', '3.5', '3.4', '3.7', '3.6', '3.5', '3.8', '3.8', '3.8', '3.7', '3.7'),
  numbers('2024.0', '3.7', '3.9', '3.8'),
]
const made = (of: readonly (readonly Cell[])[] = rows) => document(workbook({ 'BLS Data Series': of }))
/** The rows with another one in the place of that which begins so. */
const changed = (begin: string, row: readonly Cell[]) => rows.map((old) => (old[0] === begin ? row : old))

const unemployment = 'USA.unemployment.M.BLS.LNS14000000.percent.SA'

describe('a workbook of the BLS', () => {
  it('gives the months of its series up to the last one', () => {
    const items = [...parse(made())]
    expect(items).toHaveLength(27)
    expect(summary(items)[0]).toEqual([unemployment, '2022-01', { rate: '4.0' }])
    expect(summary(items).slice(-2)).toEqual([
      [unemployment, '2024-02', { rate: '3.9' }],
      [unemployment, '2024-03', { rate: '3.8' }],
    ])
    expect(items.at(-1)).toMatchObject({ location: 'BLS Data Series, D12' })
  })

  it('of another series is refused by its id', () => {
    const other = made(changed('Series Id:', ['Series Id:', 'LNS12300000']))
    expect(() => [...parse(other)]).toThrow('SERIES_ID=LNS12300000')
  })

  it('gives no figure of a column that is no month', () => {
    const items = [...parse(made(changed('Year', ['Year', ...months.with(2, 'Annual')])))]
    expect(summary(items)).toHaveLength(24)
    expect(rejectsOf(items)).toEqual([])
  })

  it.each([
    ['without its last year', rows.slice(0, -1), '"2022 to 2024"; there are 2 rows from 2022 to 2023'],
    ['without a year between', rows.toSpliced(-2, 1), 'there are 2 rows from 2022 to 2024'],
    ['that does not state its years', changed('Years:', []), 'there are 3 rows from 2022 to 2024'],
    ['without its series', changed('Series Id:', []), 'one row "Series Id:"'],
    ['of two series', changed('Seasonally Adjusted', ['Series Id:', 'LNS11300000']), 'one row "Series Id:"'],
    [
      'of changes instead of figures',
      changed('Original Data Value', ['12-Month Percent Change']),
      'must have "Original Data Value" above its series',
    ],
    ['without its columns', changed('Year', []), 'one row "Year"'],
  ])('%s is refused', (_, of, detail) => {
    expect(() => [...parse(made(of))]).toThrow(detail)
  })
})
