import { expect, it } from 'vitest'
import { dateBehind, rowOfPeriods } from '../../sample/make/wide-table.ts'

const statcan = `\ufeff"Labour force characteristics 1 2 3"
"Release date: 2026-07-10"

"Labour force characteristics","Data type","January 1976","February 1976"
"Population 7 8","Seasonally adjusted","16,852.4","16,892.0"
,"Trend-cycle 9","..",".."

Footnotes:
1,"See <a href=https://example.org rel="external">here</a>."
`

it('reads a row of Statistics Canada whose label has footnotes, whatever the footnotes themselves hold', () => {
  expect(rowOfPeriods(statcan, 'Population')).toEqual([
    { period: '1976-01', printed: '16852.4' },
    { period: '1976-02', printed: '16892.0' },
  ])
  expect(dateBehind(statcan, 'Release date')).toBe('2026-07-10')
})

it('reads a row of the Table Builder, newest first, whose date begins with the day', () => {
  const table = 'Data last updated: 02/01/2026,,\nData Series,2025 4Q ,2025 3Q \n  GDP,3,2\n'
  expect(rowOfPeriods(table, 'GDP')).toEqual([
    { period: '2025-Q3', printed: '2' },
    { period: '2025-Q4', printed: '3' },
  ])
  expect(dateBehind(table, 'Data last updated')).toBe('2026-01-02')
})

it('throws for a row or a date that is not there', () => {
  expect(() => rowOfPeriods(statcan, 'Employment')).toThrow('no row Employment')
  expect(() => dateBehind('Data Series,2025 4Q', 'Release date')).toThrow('no Release date')
})
