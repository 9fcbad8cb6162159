import { expect, it } from 'vitest'
import { fixture } from '../ingest/sources/fixture.ts'
import { servedAt } from './support.ts'

it('Australian trade is of goods, not goods and services: as in the workbook of 2017 up to later revisions', () => {
  const [head, ...rows] = new TextDecoder().decode(fixture('abs/A2718577A.csv').bytes).trimEnd().split('\n')
  expect(head).toBe('month,Credits Total goods')
  expect(rows).toHaveLength(60)
  for (const row of rows) {
    const [month = '', millions] = row.split(',')
    const value = Number(servedAt('AUS trade-exports', month)?.value)
    expect(Math.abs(value / Number(millions) / 1e6 - 1), month).toBeLessThan(0.001)
  }
})
