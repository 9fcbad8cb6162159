import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { cellsPage, tablePath } from './make/cells.ts'
import { searchedFor } from './make/searched.ts'

it('the page of cells is what the sample says of itself', () => {
  expect(readFileSync(tablePath, 'utf8')).toBe(cellsPage())
})

it('the page says of each cell older than a period and twelve months what was searched, and of no other', () => {
  const page = readFileSync(tablePath, 'utf8')
  const [, ...rows] = page
    .slice(page.indexOf('| country |'))
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('| ---'))
    .map((line) => line.slice(2, -2).split(' | '))
  const limits: Readonly<Record<string, number>> = { M: 13, Q: 15, A: 24 }
  const isOld = ([, , , , , periods = '', age = '']: string[]) => Number(age) > (limits[periods.charAt(0)] ?? 0)
  const wrong = rows.filter((row) => isOld(row) !== /^\d{4}-\d{2}-\d{2}: .+ Found: .+/.test(row.at(-1) ?? ''))
  expect(rows).toHaveLength(90)
  expect(wrong.map(([country, indicator]) => `${country} ${indicator}`)).toEqual([])
})

it('a cell that became old or new again does not pass without a word', () => {
  expect(() => searchedFor('USA', 'cpi', 'M', 14)).toThrow('says nothing of USA cpi')
  expect(searchedFor('USA', 'cpi', 'M', 13)).toBe('')
  expect(() => searchedFor('SGP', 'unemployment', 'Q', 15)).toThrow('speaks of SGP unemployment')
})
