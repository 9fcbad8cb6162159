import { describe, expect, it } from 'vitest'
import { readCsvTable, writeCsv } from '../../console/browser/csv-table.js'
import { changeText, printText } from '../../console/browser/decimal-text.js'
import { lastDayOf, periodName, periodSeconds } from '../../console/browser/periods.js'
import { axisSteps, plotSvg } from '../../console/browser/plot-svg.js'
import { triangleSvg } from '../../console/browser/triangle-svg.js'
import {
  figureOfRow,
  knownOn,
  revisionMatrix,
  typicalDistance,
  valuesOn,
  vintagesOf,
} from '../../console/browser/vintages.js'

const row = (period: string, released_on: string, value: string, transformation = '') => ({
  country: 'TST',
  measure: 'gdp',
  value,
  unit: 'TST',
  transformation,
  period,
  released_on,
  released_on_basis: 'publisher',
  recorded_at: `${released_on}T00:00:00.000Z`,
  valid_from: released_on,
  release_id: `rel_${period}_${released_on}`,
  revises: '',
  series: 'TST.gdp.Q.TST.T1.TST.SA',
  source: 'TST',
  base_period: '',
  base_value: '',
  seasonal_adjustment: 'seasonally_adjusted',
  annualization: 'not_annualized',
})
const rows = [
  row('2020-Q1', '2020-04-29', '100'),
  row('2020-Q2', '2020-07-30', '80'),
  row('2020-Q1', '2020-07-30', '90'),
  row('2020-Q2', '2020-08-27', '84'),
]

describe('vintages', () => {
  const vintages = vintagesOf(rows)

  it('have periods and days as their axes', () => {
    expect(vintages.periods).toEqual(['2020-Q1', '2020-Q2'])
    expect(vintages.dates).toEqual(['2020-04-29', '2020-07-30', '2020-08-27'])
  })

  it.each([
    ['2020-04-28', [null, null]],
    ['2020-04-29', ['100', null]],
    ['2020-07-29', ['100', null]],
    ['2020-07-30', ['90', '80']],
    ['2099-01-01', ['90', '84']],
  ])('tell what was known on %s', (day, values) => expect(valuesOn(vintages, day)).toEqual(values))

  it('show nothing from the day on which a figure was withdrawn until it comes back', () => {
    const gone = vintagesOf([
      row('2020-Q1', '2020-04-29', '2'),
      row('2020-Q1', '2020-05-01', ''),
      row('2020-Q1', '2020-06-01', '3'),
    ])
    expect(gone.dates.map((day) => valuesOn(gone, day))).toEqual([['2'], [null], ['3']])
    expect([...revisionMatrix(gone, false)]).toEqual([0, Number.NaN, 50])
    expect([printText('1000'), printText(''), changeText('3', '2'), changeText('', '2'), changeText('3', '')]).toEqual([
      '1\u202f000',
      'no figure',
      '+1',
      '',
      '',
    ])
  })

  it('take the later of two prints of one day', () => {
    const twice = vintagesOf([row('2020-Q1', '2020-04-29', '1'), row('2020-Q1', '2020-04-29', '2')])
    expect(knownOn(twice.prints[0] ?? [], '2020-04-29')?.value).toBe('2')
    expect([...revisionMatrix(twice, false)]).toEqual([100])
  })

  it('are narrowed to a range, in which a year means all of it', () => {
    const months = ['2019-12', '2020-01', '2020-12', '2021-01'].map((period) => row(period, '2022-01-01', '1'))
    const { periods } = vintagesOf(months, { start: '2020', end: '2020' })
    expect([periods[0], periods.at(-1), periods.length]).toEqual(['2020-01', '2020-12', 12])
    expect(vintagesOf(months, { end: '2020-01' }).periods).toEqual(['2019-12', '2020-01'])
  })

  it('make a triangle of distances from the first print', () => {
    expect([...revisionMatrix(vintages, false)]).toEqual([0, Number.NaN, -10, 0, -10, 5])
    expect([...revisionMatrix(vintages, true)]).toEqual([0, Number.NaN, -10, 0, -10, 4])
    expect(typicalDistance(revisionMatrix(vintages, false))).toBe(10)
    expect(typicalDistance(new Float64Array([0, Number.NaN]))).toBe(0)
  })

  it('compare a print with the first one of its series, because another series revises nothing', () => {
    const other = { ...row('2020-Q1', '2020-07-30', '50'), series: 'TST.gdp.Q.TST.T2.TST.SA' }
    const again = { ...row('2020-Q1', '2020-04-29', '110'), valid_from: '2020-09-30' }
    const taken = vintagesOf([row('2020-Q1', '2020-04-29', '100'), other, again])
    expect(taken.dates).toEqual(['2020-04-29', '2020-07-30', '2020-09-30'])
    expect([...revisionMatrix(taken, false)]).toEqual([0, 0, 10])
  })

  it('know which figure a row is', () => {
    const growth = ['year_over_year', 'quarter_over_quarter']
    expect(figureOfRow(row('2020-Q1', '2020-04-29', '1', 'quarter_over_quarter'), growth)).toBe('quarter_over_quarter')
    const flow = { measure: 'merchandise_imports', transformation: '' }
    expect(figureOfRow(flow, ['exports', 'imports', 'balance'])).toBe('imports')
    expect(figureOfRow(flow, ['value'])).toBe('value')
  })

  it('are drawn as a file with a rectangle for each print', () => {
    const file = triangleSvg(vintages, revisionMatrix(vintages, false), 10, { title: 'A & B', note: '' })
    expect(file.match(/<path/g)).toHaveLength(4)
    expect(file).toContain('A &#38; B')
    for (const name of ['29 Apr 2020', 'Q1 2020']) expect(file).toContain(`>${name}</text>`)
    expect(file).not.toMatch(/>\d{4}-/)
  })
})

describe('files', () => {
  it('are read and written as CSV, with every value as text', () => {
    const text = 'a,b,c\r\n1.10,"x, ""y""",\r\n,,"two\r\nlines"\r\n'
    const table = [
      { a: '1.10', b: 'x, "y"', c: '' },
      { a: '', b: '', c: 'two\r\nlines' },
    ]
    expect(readCsvTable(text)).toEqual(table)
    expect(readCsvTable(writeCsv(['a', 'b', 'c'], table))).toEqual(table)
    expect(readCsvTable('a,b\n1,')).toEqual([{ a: '1', b: '' }])
    expect(readCsvTable('')).toEqual([])
    expect(() => readCsvTable('a\n"open')).toThrow('not CSV')
  })

  it('draw a line that is interrupted where nothing is known', () => {
    const file = plotSvg({
      title: '<b>',
      unit: '',
      note: '',
      xs: [0, 1, 2, 3],
      xNames: ['a', 'b', 'c', 'd'],
      series: [{ values: [1, null, 2, 3], kind: 'main' }],
    })
    expect(/stroke-width="1.5" d="([^"]*)"/.exec(file)?.[1]?.match(/M/g)).toHaveLength(2)
    expect(file).toContain('&lt;b&gt;')
    expect(file).not.toContain('NaN')
  })
})

it.each([
  [0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [97, 101.5, [97, 98, 99, 100, 101, 102]],
  [-4.2e10, 3e10, [-6e10, -4e10, -2e10, 0, 2e10, 4e10]],
  [5, 5, [5, 6]],
])('an axis from %d to %d has round steps', (least, greatest, steps) => {
  const own = axisSteps(least, greatest)
  expect(own).toEqual(steps)
})

it('periods are placed at their beginning, and called by name', () => {
  expect(
    ['2020', '2020-Q2', '2020-04'].map((period) => new Date(periodSeconds(period) * 1000).toISOString().slice(0, 10)),
  ).toEqual(['2020-01-01', '2020-04-01', '2020-04-01'])
  expect(['2020', '2020-Q2', '2020-02'].map(lastDayOf)).toEqual(['2020-12-31', '2020-06-30', '2020-02-29'])
  expect(['2020', '2020-Q2', '2020-04'].map(periodName)).toEqual(['2020', 'Q2 2020', 'Apr 2020'])
})
