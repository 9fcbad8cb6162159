import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { cellsPage, tablePath } from './make/cells.ts'

it('the page of cells is what the sample says of itself', () => {
  expect(readFileSync(tablePath, 'utf8')).toBe(cellsPage())
})
