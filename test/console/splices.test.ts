import { expect, it } from 'vitest'

import { nextPeriod, periodFrequency, periodName, periodSeconds } from '../../console/browser/periods.js'
import { plotSvg } from '../../console/browser/plot-svg.js'
import { similarCodes } from '../../console/browser/similar-codes.js'
import { comparedSplices, partsOn, splicesOf, spliceText } from '../../console/browser/splices.js'
import { unitsText } from '../../console/browser/unit-text.js'
import { seriesShown, valuesOn, vintagesOf } from '../../console/browser/vintages.js'

const row = (period: string, value: string, base: string, source = 'BLS') => ({
  country: 'USA',
  measure: 'cpi',
  value,
  unit: 'index',
  transformation: '',
  period,
  series: `USA.cpi.M.${source}.C.index.NSA.${base}=100`,
  source,
  base_period: base,
  base_value: '100',
  seasonal_adjustment: 'not_seasonally_adjusted',
  annualization: 'not_annualized',
  valid_from: '2026-04-10',
  released_on: '2026-04-10',
  released_on_basis: 'copy',
  release_id: `rel_${period}`,
  revises: '',
  recorded_at: '2026-04-11T00:00:00.000Z',
})
const vintages = vintagesOf([
  row('2025-12', '320', '1982'),
  row('2026-01', '321', '1982', 'OECD'),
  row('2026-03', '150', '2010', 'BIS'),
  row('2026-04', '151', '2010', 'BIS'),
])
const newest = '2026-12-31'

it('a period without a figure is a gap, and stands in the list of periods', () => {
  expect(vintages.periods).toEqual(['2025-12', '2026-01', '2026-02', '2026-03', '2026-04'])
  expect(valuesOn(vintages, newest)).toEqual(['320', '321', null, '150', '151'])
  expect(['2025', '2025-Q3', '2025-Q4', '2025-09', '2025-12', '0999'].map(nextPeriod)).toEqual([
    ...['2026', '2025-Q4', '2026-Q1', '2025-10', '2026-01', '1000'],
  ])
  expect(['2026', '2026-Q1', '2026-01'].map(periodFrequency)).toEqual(['A', 'Q', 'M'])
})

it('every series that is drawn is named with its periods, and marked where it begins', () => {
  expect(seriesShown(vintages).map(({ first, last }) => [first, last])).toEqual([
    ['2025-12', '2025-12'],
    ['2026-01', '2026-01'],
    ['2026-03', '2026-04'],
  ])
  expect(splicesOf(vintages).map(({ at, row: { source } }) => [at, source])).toEqual([
    [1, 'OECD'],
    [3, 'BIS'],
  ])
  const file = plotSvg({
    title: '',
    unit: vintages.unit,
    note: '',
    xs: [0, 1, 2, 3, 4],
    xNames: vintages.periods,
    series: partsOn(vintages, newest).map((own) => ({ values: own, kind: 'main' as const })),
    splices: splicesOf(vintages).map(({ at, row: { source } }) => ({ at, name: source })),
  })
  expect(file.match(/stroke-dasharray="2 4"/g)).toHaveLength(2)
  expect(file).toContain('>BIS</text>')
})

it('a series that goes on after another one is named twice', () => {
  const mixed = vintagesOf([
    row('2026-01', '1', '1982'),
    row('2026-02', '2', '2010', 'BIS'),
    row('2026-03', '3', '1982'),
  ])
  expect(seriesShown(mixed).map(({ first, last }) => [first, last])).toEqual([
    ['2026-01', '2026-01'],
    ['2026-02', '2026-02'],
    ['2026-03', '2026-03'],
  ])
})

it('a figure between gaps is a dot', () => {
  const file = plotSvg({
    title: '',
    unit: '',
    note: '',
    xs: [0, 1, 2, 3],
    xNames: ['a', 'b', 'c', 'd'],
    series: [{ values: [1, 2, null, 3], kind: 'main' }],
  })
  expect(file.match(/<circle/g)).toHaveLength(1)
})

it('a line ends where the next figures are on another base, and goes on where only the source is another', () => {
  expect(partsOn(vintages, newest)).toEqual([
    [320, 321, null, null, null],
    [null, null, null, 150, 151],
  ])
  expect(vintages.unit).toBe('index, 1982 = 100; index, 2010 = 100')
  expect(unitsText([{ ...row('2026-Q1', '1', ''), unit: 'USD', annualization: 'annualized' }])).toBe(
    'USD, at the rate for a year',
  )
})

it('what another series had said on a day is cut by the bases of that day', () => {
  const moved = vintagesOf([
    { ...row('2026-01', '321', '1982'), valid_from: '2026-02-10' },
    { ...row('2026-01', '149', '2010', 'BIS'), valid_from: '2026-05-10' },
    { ...row('2026-02', '150', '2010', 'BIS'), valid_from: '2026-03-10' },
  ])
  expect(partsOn(moved, '2026-04-01')).toEqual([
    [321, null],
    [null, 150],
  ])
  expect(partsOn(moved, newest)).toEqual([[149, 150]])
})

it('a series that has no figure left is not named', () => {
  const gone = vintagesOf([row('2026-01', '1', '1982'), row('2026-02', '', '2010', 'BIS'), row('2026-03', '3', '1982')])
  expect(seriesShown(gone).map(({ first, last }) => [first, last])).toEqual([['2026-01', '2026-03']])
  expect(splicesOf(gone)).toEqual([])
  expect(partsOn(gone, newest)).toEqual([[1, null, 3]])
})

it('the base of the index behind a rate does not matter', () => {
  const rates = vintagesOf([
    { ...row('2026-03', '2', '1982'), unit: 'percent' },
    { ...row('2026-04', '3', '2010'), unit: 'percent' },
  ])
  expect(partsOn(rates, newest)).toEqual([[2, 3]])
  expect(splicesOf(rates)).toHaveLength(1)
})

it('what was mistyped is near to what begins alike', () => {
  expect(similarCodes('gdb', ['cpi', 'gdp', 'gdp-growth'])).toEqual(['gdp', 'gdp-growth'])
  expect(similarCodes('XYZ', ['USA', 'DEU'])).toEqual([])
  expect(similarCodes('x', [])).toEqual([])
  expect(similarCodes('GER', ['GBR', 'DEU'], { DEU: 'Germany', GBR: 'United Kingdom' })).toEqual(['DEU'])
})

type Lines = Parameters<typeof comparedSplices>[0]
type Known = Parameters<typeof comparedSplices>[3]
// Casts: of a line and an entry of the catalogue these members are read.
const figures = ['USA.cpi', 'DEU.cpi'].map((name) => ({ name })) as unknown as Known['shown']
const served = ['S1', 'S2', 'S3'].map((series) => ({ series, source: `of ${series}` })) as unknown as Known['series']
const line = (figure: number, since: string, ...periods: string[]) =>
  ({
    of: figures[figure],
    column: { about: { series_since: since } },
    texts: new Map(periods.map((period) => [period, '1'])),
  }) as unknown as Lines[number]
const xNames = ['2026-01', '2026-02', '2026-03', '2026-04']
const marks = (lines: Lines, shown = figures) =>
  comparedSplices(
    lines,
    lines.map(({ of }) => of.name.slice(0, 3)),
    xNames.map(periodSeconds),
    { shown, series: served },
  )

it('a comparison is marked where a figure goes on with another series, on its line or on one of another base', () => {
  const turns = '2026-01 S1 | 2026-03 S2 | 2026-04 S1'
  const [usa] = figures
  expect(marks([line(0, turns, ...xNames)], usa ? [usa] : [])).toEqual([
    { at: 2, name: 'of S2', colour: 0 },
    { at: 3, name: 'of S1', colour: 0 },
  ])
  const rebased = [line(0, '2026-01 S1', '2026-01', '2026-04'), line(0, '2026-02 S3', '2026-02', '2026-03')]
  expect(marks(rebased).map(({ at, name }) => [at, name])).toEqual([
    [1, 'USA: of S3'],
    [3, 'USA: of S1'],
  ])
})

it('a comparison has one mark where several figures go on with others, and none where its range begins or without any', () => {
  const both = marks([
    line(0, '2026-01 S1 | 2026-03 S2', ...xNames),
    line(1, '2026-01 S2 | 2026-03 S3 | 2026-04 S1', ...xNames),
  ])
  expect(both).toEqual([
    { at: 2, name: 'USA: of S2, DEU: of S3', colour: undefined },
    { at: 3, name: 'DEU: of S1', colour: 1 },
  ])
  expect(spliceText({ splices: both, xNames: xNames.map(periodName) })).toBe(
    'Dotted: another series from Mar 2026 (USA: of S2, DEU: of S3), Apr 2026 (DEU: of S1) on.',
  )
  expect(marks([line(0, '2026-01 S1 | 2026-03 S2', '2026-03', '2026-04'), line(1, '', ...xNames)])).toEqual([])
  expect(spliceText({ xNames })).toBe('')
})

it('names of marks that are near each other stand in rows, and none goes beyond the edge', () => {
  const file = plotSvg({
    title: '',
    unit: '',
    note: '',
    xs: [0, 1, 2, 3],
    xNames,
    series: [{ values: [1, 2, 3, 4], kind: 'main' }],
    splices: [
      { at: 2, name: 'x'.repeat(60), colour: 1 },
      { at: 3, name: 'y'.repeat(60) },
    ],
  })
  const names = [...file.matchAll(/<text x="([\d.]+)" y="(\d+)" font-size="11" fill="(#\w+)"/g)].map(
    ([, ...own]) => own,
  )
  expect(names.map(([, , colour]) => colour)).toEqual(['#a8331a', '#6b6153'])
  expect(Number(names[1]?.[1])).toBeGreaterThan(Number(names[0]?.[1]))
  expect(Number(names[1]?.[0])).toBeLessThanOrEqual(960 - 60 * 3)
})
