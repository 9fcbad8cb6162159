import { describe, expect, it } from 'vitest'
import { altered, figuresOf, fixture, rejectsOf } from '../sources/fixture.ts'
import { itemsBy } from './national.ts'

const textOf = (path: string): string => new TextDecoder().decode(fixture(path).bytes)

describe('a description that is not that of the mapped series', () => {
  it('rejects British exports and imports whose identifiers are exchanged', () => {
    const swapped = textOf('ons/MRET.csv').replace(/"BOKG","LKVB","BOKH"/, '"BOKH","LKVB","BOKG"')
    const items = itemsBy('ons', swapped)
    expect(figuresOf(items)).toEqual([])
    expect(new Set(rejectsOf(items).map(({ reason }) => reason))).toEqual(new Set(['changed_series']))
  })

  it('reads them under the titles that the ONS prints since 2024', () => {
    const renamed = textOf('ons/MRET.csv')
      .replace('BOP:Exports:CP SA:Total Trade in Goods £m', 'Trade in Goods (T): WW: Exports: BOP: CP: SA')
      .replace(
        'Balance of Payments:Imports:CP SA:Total Trade in Goods £m',
        'Trade in Goods (T): WW: Imports: BOP: CP: SA',
      )
    expect(itemsBy('ons', renamed)).toEqual(itemsBy('ons', textOf('ons/MRET.csv')))
  })

  it.each([
    ['ons', 'ons/MGSX.json', 'aged 16 and over, seasonally adjusted', 'aged 16-64, males, seasonally adjusted'],
    ['ons', 'ons/MGSX.json', 'over, seasonally adjusted', 'over, NOT seasonally adjusted'],
    ['insee', 'insee/001688527.csv', 'Ensemble - France hors Mayotte', 'Femmes - Martinique'],
    ['insee', 'insee/001769682.csv', 'Ensemble des ménages', 'Tabac'],
  ])('rejects rows of %s: %s with %j as %j', (source, path, from, to) => {
    const items = itemsBy(source, altered(path, from, to).bytes)
    expect(figuresOf(items)).toEqual([])
    expect(rejectsOf(items)[0]).toMatchObject({
      reason: 'changed_series',
      detail: expect.stringMatching(/^TITLE(?:_FR)? is /),
    })
  })
})

it('a row of UN Comtrade whose codes contradict each other is rejected', () => {
  const text = textOf('comtrade/totals.json')
  const read = (from: RegExp, to: string) => rejectsOf(itemsBy('comtrade', text.replace(from, to)))
  expect(read(/"reporterISO":"[A-Z]+"/g, '"reporterISO":"FRA"')).toMatchObject([{ reason: 'contradictory_row' }])
  expect(read(/"refYear":\d+/g, '"refYear":2001')).toMatchObject([{ reason: 'contradictory_row' }])
})

it('a rate of the ECB whose key is that of another currency is rejected', () => {
  const items = itemsBy('ecb', altered('ecb/EXR.csv', 'EXR.D.GBP', 'EXR.D.CHF').bytes)
  expect(rejectsOf(items)).toMatchObject([{ reason: 'contradictory_row', detail: expect.stringContaining('D.GBP') }])
})
