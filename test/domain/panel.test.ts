import { describe, expect, it } from 'vitest'
import { type PanelColumn, panelColumns, panelPeriods, seriesInTurn } from '../../domain/panel.ts'
import { periodsOfYear } from '../../domain/period.ts'

type Print = Parameters<typeof panelColumns>[0][number]
type Rule = Parameters<typeof panelColumns>[1]

/** Prints in force as `PLACE PERIOD VALUE/VALUE`: the place of the series, best from 1, and its figures; none: withdrawn. */
const printsOf = (...lines: readonly string[]): Print[] =>
  lines.map((line) => {
    const [place, period = '', values = ''] = line.split(' ')
    const [year = '', quarter = ''] = values.split('/')
    const figures = { ...(year && { year }), ...(quarter && { quarter }) }
    return { place: Number(place), period, figures, released_on: '2025-08-01', released_on_basis: 'publisher' }
  })

const months: Rule = {
  figures: ['year'],
  needed: ['year'],
  frequency: 'M',
  units: 'lin',
  aggregation: undefined,
  bounds: { start: '', end: '' },
}
const oneKind = () => 'index'
const valuesOf = ({ values }: PanelColumn) => Object.fromEntries(values)
/** The columns of each figure, each as values by period. */
const shown = (prints: readonly Print[], over: Partial<Rule> = {}, kindOf: (place: number) => string = oneKind) =>
  panelColumns(prints, { ...months, ...over }, kindOf).map((columns) => columns.map(valuesOf))

describe('the columns of a panel', () => {
  it('are those of each figure, in the order of the figures', () => {
    const prints = printsOf('1 2025-01 2.0/0.1', '1 2025-02 3.0/0.2')
    const [year, quarter] = [
      { '2025-01': '2.0', '2025-02': '3.0' },
      { '2025-01': '0.1', '2025-02': '0.2' },
    ]
    expect(shown(prints, { figures: ['year', 'quarter'] })).toEqual([[year], [quarter]])
    expect(shown(prints, { figures: ['quarter', 'year'] })).toEqual([[quarter], [year]])
    expect(shown(prints, { figures: ['quarter'] })).toEqual([[quarter]])
  })

  it('have for each period the figures of the best series that has the needed ones', () => {
    const figures = ['year', 'quarter']
    const prints = printsOf('2 2025-01 9/9', '1 2025-01 1/1', '1 2025-02 2', '2 2025-02 8/8', '1 2025-03 3')
    expect(shown(prints, { figures, needed: figures })).toEqual([
      [{ '2025-01': '1', '2025-02': '8', '2025-03': '3' }],
      [{ '2025-01': '1', '2025-02': '8' }],
    ])
    expect(shown(prints, { figures })).toEqual([
      [{ '2025-01': '1', '2025-02': '2', '2025-03': '3' }],
      [{ '2025-01': '1' }],
    ])
  })

  it('have no value where the figures are withdrawn, unless another series has them', () => {
    expect(shown(printsOf('1 2025-01 1', '1 2025-02', '1 2025-03', '2 2025-03 3'))).toEqual([
      [{ '2025-01': '1', '2025-03': '3' }],
    ])
  })

  it('say which series and which bases of dates their values are from', () => {
    const prints = printsOf('2 2025-01 1', '1 2025-02 2', '2 2025-02 9')
    const dated = prints.map(
      (print, i) => ({ ...print, released_on_basis: i === 0 ? 'dataset' : 'publisher' }) as const,
    )
    const originOf = (prints: readonly Print[]) => {
      const column = panelColumns(prints, months, oneKind)[0]?.[0]
      return [Object.fromEntries(column?.places ?? []), [...(column?.bases ?? [])]]
    }
    expect(originOf(dated.slice(1))).toEqual([{ '2025-02': 1 }, ['publisher']])
    expect(originOf(dated)).toEqual([{ '2025-01': 2, '2025-02': 1 }, ['dataset', 'publisher']])
  })

  it('are one for each kind of value, such as a base, that with the most values first', () => {
    const base = (place: number) => (place === 1 ? '2015=100' : '2020=100')
    const prints = printsOf('1 2025-01 110', '2 2025-02 101', '3 2025-03 102')
    const [of2015, of2020] = [{ '2025-01': '110' }, { '2025-02': '101', '2025-03': '102' }]
    expect(shown(prints, {}, base)).toEqual([[of2020, of2015]])
    expect(shown(prints.toReversed(), {}, base)).toEqual([[of2020, of2015]])
    expect(shown(prints)).toEqual([[{ ...of2015, ...of2020 }]])
  })

  it('are one without values for a figure that has none', () => {
    const figures = ['year', 'quarter']
    expect(shown([], { figures })).toEqual([[{}], [{}]])
    expect(shown(printsOf('1 2025-01 1'), { figures })).toEqual([[{ '2025-01': '1' }], [{}]])
  })

  it('reach from the first to the last period that is asked for, and compare with periods before it', () => {
    const prints = printsOf('1 2025-01 1', '1 2025-02 3', '1 2025-03 6', '1 2025-04 10')
    const within = (start: string, end: string) => ({ bounds: { start, end } })
    expect(shown(prints, within('2025-02', '2025-03'))).toEqual([[{ '2025-02': '3', '2025-03': '6' }]])
    expect(shown(prints, within('2025-03', ''))).toEqual([[{ '2025-03': '6', '2025-04': '10' }]])
    expect(shown(prints, within('', '2025-01'))).toEqual([[{ '2025-01': '1' }]])
    const change = { units: 'chg' } as const
    expect(shown(prints, { ...change, ...within('2025-02', '2025-03') })).toEqual([
      [{ '2025-02': '2', '2025-03': '3' }],
    ])
    expect(shown(prints, { ...change, ...within('', '2025-02') })).toEqual([[{ '2025-02': '2' }]])
  })

  it('compare within one series, also where another one answers the period before', () => {
    const prints = printsOf('1 2025-01 100', '2 2025-01 50', '2 2025-02 51', '1 2025-03 102')
    expect(shown(prints, { units: 'chg' })).toEqual([[{ '2025-02': '1' }]])
  })

  it('have a lower frequency from whole quarters and years alone, and changes between these', () => {
    const prints = printsOf(...periodsOfYear('M', '2025').map((month, i) => `1 ${month} ${i + 1}`))
    const last = { aggregation: 'eop' } as const
    expect(shown(prints.slice(0, 8), { ...last, frequency: 'Q' })).toEqual([[{ '2025-Q1': '3', '2025-Q2': '6' }]])
    expect(shown(prints, { ...last, frequency: 'A' })).toEqual([[{ '2025': '12' }]])
    expect(shown(prints, { aggregation: 'sum', frequency: 'A' })).toEqual([[{ '2025': '78' }]])
    expect(shown(prints, { aggregation: 'sum', frequency: 'Q', units: 'chg' })).toEqual([
      [{ '2025-Q2': '9', '2025-Q3': '9', '2025-Q4': '9' }],
    ])
  })

  it('have a lower frequency from a worse series if only that has all months', () => {
    const prints = printsOf('1 2025-01 1', '1 2025-02 2', '2 2025-01 7', '2 2025-02 8', '2 2025-03 9')
    expect(shown(prints, { aggregation: 'eop', frequency: 'Q' })).toEqual([[{ '2025-Q1': '9' }]])
  })

  it('leave figures that are of the frequency of the panel as they are', () => {
    expect(shown(printsOf('1 2025-Q1 4', '1 2025-Q3 5'), { frequency: 'Q' })).toEqual([
      [{ '2025-Q1': '4', '2025-Q3': '5' }],
    ])
  })
})

const columnOf = (...periods: readonly string[]): PanelColumn => ({
  values: new Map(periods.map((period) => [period, '1'])),
  places: new Map(periods.map((period) => [period, 1])),
  bases: new Set(['publisher']),
})

describe('the series of a column', () => {
  const turns = (prints: readonly Print[], over: Partial<Rule> = {}) => {
    const [column] = panelColumns(prints, { ...months, ...over }, oneKind)[0] ?? []
    return column && seriesInTurn(column).map(({ since, place }) => `${since} ${place}`)
  }

  it('are named with the first period of each turn, in order of time, also where one goes on after another', () => {
    const prints = printsOf('1 2025-04 4', '2 2025-01 1', '1 2025-02 2', '2 2025-03 3', '1 2025-05 5')
    expect(turns(prints)).toEqual(['2025-01 2', '2025-02 1', '2025-03 2', '2025-04 1'])
    expect(turns(printsOf('1 2025-01 1', '1 2025-03 3'))).toEqual(['2025-01 1'])
    expect(turns([])).toEqual([])
  })

  it('are those of the values that are there: of a change where it is computed, of a quarter that which has its months', () => {
    const prints = printsOf('1 2025-01 1', '1 2025-02 2', '2 2025-03 3', '2 2025-04 4')
    expect(turns(prints, { units: 'chg' })).toEqual(['2025-02 1', '2025-04 2'])
    const year = periodsOfYear('M', '2025').map((month, i) => `${i < 5 ? 1 : 2} ${month} 1`)
    const both = printsOf(...year, '2 2025-04 1', '2 2025-05 1')
    expect(turns(both, { aggregation: 'avg', frequency: 'Q' })).toEqual(['2025-Q1 1', '2025-Q2 2'])
  })
})

describe('the periods of a panel', () => {
  it('go without a gap from the first to the last period that any column has', () => {
    const columns = [columnOf('2025-Q2', '2024-Q4'), columnOf(), columnOf('2024-Q3', '2025-Q2')]
    expect(panelPeriods(columns)).toEqual(['2024-Q3', '2024-Q4', '2025-Q1', '2025-Q2'])
    expect(panelPeriods([columnOf('2025')])).toEqual(['2025'])
  })

  it('are none if no column has a value', () => {
    expect(panelPeriods([])).toEqual([])
    expect(panelPeriods([columnOf(), columnOf()])).toEqual([])
  })
})
