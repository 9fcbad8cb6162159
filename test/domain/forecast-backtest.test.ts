import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { servedIndicators, servingOf } from '../../contracts/indicators.ts'
import { backtestTable } from '../support/backtest.ts'
import { sampleBoard } from '../support/sample-figures.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/predictions.md'), 'utf8')

it('docs/predictions.md says what the back-test gives', () => {
  // The page may be aligned by hand or by a formatter: cells are compared.
  const cells = (text: string): string[][] =>
    text
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
      .map((line) => line.split('|').map((cell) => cell.trim()))
  const heading = '## How well it does'
  expect(cells(page.slice(page.indexOf(heading)))).toEqual(cells(backtestTable(sampleBoard())))
})

it('docs/predictions.md names the figure of every indicator', () => {
  for (const indicator of servedIndicators) {
    const { figure } = servingOf(indicator).predicted
    expect(page).toMatch(new RegExp(`^\\| ${indicator} +\\| \`${figure}\``, 'm'))
  }
})
