import { describe, expect, it } from 'vitest'
import { seriesOf } from '../../../domain/series.ts'
import { periodBeginning } from '../../../ingest/read/frequency.ts'
import { figureOrReject, inOrderOfRelease, rejectOf } from '../../../ingest/read/items.ts'
import type { Figure, Item } from '../../../ingest/source.ts'

const series = seriesOf({
  indicator: 'unemployment',
  country: 'USA',
  frequency: 'M',
  source: 'TEST',
  dataset: 'D',
  unit: 'percent',
  seasonal_adjustment: 'seasonally_adjusted',
  annualization: 'not_annualized',
  base_period: '',
  base_value: '',
  derivation: '',
})
const figure = (more: Partial<Figure>): Figure => ({
  kind: 'figure',
  series,
  period: '2024-01',
  figures: { rate: { printed: '3.7' } },
  location: 'line 2',
  ...more,
})

describe('a figure', () => {
  it('is one if its period and values are what they claim', () => {
    expect(figureOrReject(figure({}), 'row')).toEqual(figure({}))
  })

  it.each([
    ['bad_period', figure({ period: '2024-Q1' })],
    ['not_a_decimal', figure({ figures: { rate: { printed: '3,7' } } })],
    ['not_a_decimal', figure({ figures: { rate: { printed: '' } } })],
    ['decimal_too_long', figure({ figures: { rate: { printed: '1'.repeat(65) } } })],
  ])('is rejected otherwise: %s', (reason, faulty) => {
    expect(figureOrReject(faulty, 'row')).toMatchObject({ kind: 'reject', reason, location: 'line 2', text: 'row' })
  })
})

describe('items in order of release', () => {
  const at = (on: string, period: string, location: string) =>
    figure({ released: { on, basis: 'publisher' }, period, location })

  it('are rejects first, then figures by release and period', () => {
    const reject = rejectOf('bad_date', 'd', 'l', 't')
    const items = [
      at('2024-03-01', '2024-01', 'a'),
      at('2024-02-01', '2024-02', 'b'),
      reject,
      at('2024-02-01', '2024-01', 'c'),
    ]
    expect(inOrderOfRelease(items).map(({ location }) => location)).toEqual(['l', 'c', 'b', 'a'])
  })

  it('have each figure once, and its repetition as a reject that names where it stands', () => {
    const items = inOrderOfRelease([at('2024-02-01', '2024-01', 'a'), at('2024-02-01', '2024-01', 'b')])
    expect(items).toMatchObject([
      { kind: 'reject', reason: 'stated_twice', location: 'b' },
      { kind: 'figure', location: 'a' },
    ])
    expect(items[0]).toHaveProperty('detail', expect.stringContaining('at a'))
  })

  const stated = (printed: string, location: string) => figure({ figures: { rate: { printed } }, location })
  const missing: Item = { kind: 'missing', series, period: '2024-01', location: 'b' }
  it.each<[string, Item[]]>([
    ['another value', [stated('3.7', 'a'), stated('3.8', 'b')]],
    ['none', [stated('3.7', 'a'), missing]],
    ['another value, after a repetition', [stated('3.7', 'a'), stated('3.7', 'b'), stated('3.8', 'c')]],
  ])('do not have a figure for which the document also states %s', (_, items) => {
    const ordered = inOrderOfRelease(items)
    expect(ordered.map(({ kind }) => kind)).toEqual(items.map(() => 'reject'))
    expect(ordered).toMatchObject(items.map(({ location }) => ({ reason: 'stated_twice', location })))
  })

  it('have a figure that is repeated with other digits', () => {
    const items = inOrderOfRelease([stated('3.7', 'a'), stated('3.70', 'b')])
    expect(items).toMatchObject([
      { reason: 'stated_twice', location: 'b' },
      { kind: 'figure', location: 'a' },
    ])
  })
})

it('a period begins on its first day only', () => {
  expect(periodBeginning('A', '2024-01-01')).toBe('2024')
  expect(periodBeginning('Q', '2024-10-01')).toBe('2024-Q4')
  expect(periodBeginning('M', '2024-12-01')).toBe('2024-12')
  for (const [frequency, date] of [
    ['A', '2024-02-01'],
    ['Q', '2024-02-01'],
    ['Q', '2024-13-01'],
    ['M', '2024-13-01'],
    ['M', '2024-01-02'],
    ['M', '2024-01'],
    ['M', 'x'],
  ] as const)
    expect(periodBeginning(frequency, date), date).toBeUndefined()
})
