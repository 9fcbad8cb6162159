import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Compared, columnName, panelParts, readCompared } from '../../console/browser/compared.js'
import {
  comparison,
  figureAt,
  firstShared,
  lastShared,
  rangeWithBase,
  valuesAt,
} from '../../console/browser/comparison.js'
import { axisTitle, comparisonTitle, lineLabels, placedText, placeText } from '../../console/browser/comparison-text.js'
import { decimalInWords, inPercentOf } from '../../console/browser/decimal-text.js'
import { figureOffers } from '../../console/browser/figure-offers.js'
import { figureColumns, type PanelColumn, readPanel } from '../../console/browser/panel-table.js'
import { periodAt, periodSeconds } from '../../console/browser/periods.js'
import { plotSvg, shortLabels, spread } from '../../console/browser/plot-svg.js'
import { facts } from '../../console/facts.ts'

// Cast: of an entry of the catalogue these members are read.
const served = [
  ['USA', 'cpi', 'M'],
  ['DEU', 'cpi', 'M'],
  ['USA', 'unemployment', 'A'],
  ['USA', 'unemployment', 'M'],
  ['USA', 'gdp', 'Q'],
  ['USA', 'inflation', 'M'],
].map(([country, indicator, frequency]) => ({ country, indicator, frequency })) as unknown as Parameters<
  typeof readCompared
>[2]
const read = (names: string, wanted?: string) => readCompared(names, facts, served, wanted)
const of = (name: string, wanted?: string): Compared => {
  const [one] = read(name, wanted).compared
  if (!one) throw new Error(`no ${name}`)
  return one
}
const about = { unit: 'index', transformation: '', base: '2010=100', seasonal_adjustment: 'not_seasonally_adjusted' }
const column = (name: string, values: Record<string, string>, more: Record<string, string> = {}): PanelColumn => ({
  name,
  about: { ...about, ...more },
  values: new Map(Object.entries(values)),
})
const cpi = (country: string, values: Record<string, string>) => column(`${country}.cpi`, values)

describe('figures that an address names', () => {
  it('are drawn in their shortest periods, or in longer ones that are asked for', () => {
    expect(of('USA.unemployment')).toMatchObject({ frequency: 'M', published: 'M' })
    expect(of('USA.unemployment', 'A')).toMatchObject({ frequency: 'A', published: 'M' })
    expect(of('USA.gdp', 'M')).toMatchObject({ frequency: 'Q' })
  })

  it('mean the first figure of an indicator, once', () => {
    const { compared, unknown } = read('USA.inflation,USA.inflation.year_over_year,USA.inflation.foo,FRA.cpi,USA.foo')
    expect(compared.map(({ name }) => name)).toEqual(['USA.inflation.year_over_year'])
    expect(unknown).toEqual(['USA.inflation.foo', 'FRA.cpi', 'USA.foo'])
  })

  it('are read by one panel for each frequency', () => {
    expect(panelParts(read('USA.cpi,USA.gdp,DEU.cpi,USA.unemployment').compared)).toEqual([
      { frequency: 'M', countries: ['USA', 'DEU'], indicators: ['cpi', 'unemployment'] },
      { frequency: 'Q', countries: ['USA'], indicators: ['gdp'] },
    ])
  })
})

describe('a panel', () => {
  it('says of each column what it is, and keeps decimals as they were printed', () => {
    const text = [
      '# unit,index,index,percent',
      '# base,2010=100,1982/1984=100,',
      'period,USA.cpi,USA.cpi (1982/1984=100),USA.unemployment',
      '2024-01,,308.417,3.70',
      '2024-02,150.10,,',
      '',
    ].join('\r\n')
    const columns = readPanel(text)
    expect(columns.map(({ about }) => about)).toEqual([
      { unit: 'index', base: '2010=100' },
      { unit: 'index', base: '1982/1984=100' },
      { unit: 'percent', base: '' },
    ])
    expect(figureColumns(columns, 'USA.cpi').map(({ values }) => [...values])).toEqual([
      [['2024-02', '150.10']],
      [['2024-01', '308.417']],
    ])
  })

  it('without rows about its columns is read, too', () => {
    expect(readPanel('period,USA.gdp\r\n2024-Q1,1\r\n')).toEqual([
      { name: 'USA.gdp', about: {}, values: new Map([['2024-Q1', '1']]) },
    ])
  })
})

describe('a comparison', () => {
  it('has a gap where a figure is missing, and none between the quarters beside months', () => {
    const compared = [of('USA.cpi'), of('USA.gdp')]
    const panels: Record<string, PanelColumn[]> = {
      M: [cpi('USA', { '2024-01': '1', '2024-03': '3', '2024-04': '4' })],
      Q: [column('USA.gdp', { '2024-Q1': '10', '2024-Q2': '20' }, { unit: 'USD', base: '' })],
    }
    const { lines, xs, periods } = comparison(compared, (frequency) => panels[frequency] ?? [], undefined)
    expect(xs.map((x) => periodAt(x, 'M'))).toEqual(['2024-01', '2024-02', '2024-03', '2024-04'])
    expect(periods).toEqual(['2024-01', '2024-Q1', '2024-02', '2024-03', '2024-04', '2024-Q2'])
    expect(lines.map((line) => valuesAt(line, xs))).toEqual([
      [1, null, 3, 4],
      [10, undefined, undefined, 20],
    ])
    expect(lines.map((line) => figureAt(line, periodSeconds('2024-03')))).toEqual([
      { period: '2024-03', text: '3' },
      { period: '2024-Q1', text: '10' },
    ])
  })

  it('has two axes where units differ, and says why it leaves out a third unit', () => {
    const compared = [of('USA.cpi'), of('USA.unemployment'), of('USA.gdp'), of('DEU.cpi')]
    const panel = [
      cpi('USA', { '2024-01': '1' }),
      column('USA.unemployment', { '2024-01': '2' }, { unit: 'percent', base: '' }),
      column('USA.gdp', { '2024-Q1': '3' }, { unit: 'USD', base: '', annualization: 'annualized' }),
    ]
    const drawn = comparison(compared, () => panel, undefined)
    expect(drawn.axes).toEqual(['index', 'percent'])
    expect(drawn.lines.map(({ axis }) => axis)).toEqual([0, 1])
    expect(drawn.left.map(({ of, why }) => `${of.name}: ${why}`)).toEqual([
      'USA.gdp: it is in USD, at the rate for a year, and a plot has two axes at most',
      'DEU.cpi: nothing is known',
    ])
    expect(axisTitle(drawn, 0, '')).toBe('index, 2010 = 100, not seasonally adjusted')
    expect(axisTitle(drawn, 1, 'change from a year before')).toBe(
      'percent, change from a year before, not seasonally adjusted',
    )
    expect(axisTitle(drawn, 1, 'percent change from a year before')).toBe(
      'percent change from a year before, not seasonally adjusted',
    )
  })

  describe('set to 100 in a period', () => {
    const monthly = cpi('USA', { '2024-01': '199', '2024-02': '200', '2024-03': '201', '2024-04': '203.3' })
    const panels: Record<string, PanelColumn[]> = {
      M: [monthly, cpi('DEU', { '2024-02': '5', '2024-03': '6' })],
      Q: [column('USA.gdp', { '2024-Q1': '3', '2024-Q2': '2' }, { unit: 'USD' })],
    }
    const panel = (frequency: string) => panels[frequency] ?? []
    const lines = (names: readonly string[], shown: Parameters<typeof comparison>[2]) => {
      const drawn = comparison(
        names.map((name) => of(name)),
        panel,
        shown,
      )
      return { ...drawn, texts: drawn.lines.map(({ texts }) => [...texts.values()]) }
    }

    it('leaves out what has no figure then, and says so', () => {
      const { axes, texts, left } = lines(['USA.cpi', 'DEU.cpi'], { base: '2024-01' })
      expect(axes).toEqual(['index, Jan 2024 = 100'])
      expect(texts).toEqual([['100.0000', '100.5025', '101.0050', '102.1608']])
      expect(left.map(({ why }) => why)).toEqual(['it has no figure above zero for all of Jan 2024'])
    })

    it('takes the mean of a longer period, and names the period that all figures can have', () => {
      const { axes, texts } = lines(['USA.cpi', 'USA.gdp'], { base: '2024-02' })
      expect(axes).toEqual(['index, Q1 2024 = 100'])
      expect(texts).toEqual([
        ['99.5000', '100.0000', '100.5000', '101.6500'],
        ['100.0000', '66.6667'],
      ])
      expect(lines(['DEU.cpi'], { base: '2024-Q1' }).left).toHaveLength(1)
      expect(lines(['USA.gdp'], { base: '2024' }).left.map(({ why }) => why)).toEqual([
        'it has no figure above zero for all of 2024',
      ])
    })

    it('has no index of a base below zero', () => {
      const rate = [column('USA.inflation.year_over_year', { '2020-05': '-0.2', '2020-06': '1' }, { unit: 'percent' })]
      const drawn = comparison([of('USA.inflation')], () => rate, { base: '2020-05' })
      expect(drawn.lines).toEqual([])
      expect(drawn.left).toHaveLength(1)
    })

    it('may have its base outside of the range that is drawn', () => {
      const asked = { base: '2024-01', start: '2024-03', end: '2024-Q1' }
      expect(rangeWithBase(asked)).toEqual({ start: '2024', end: '2024-Q1' })
      expect(rangeWithBase({ base: '2024-01', start: '2020', end: '2023' })).toEqual({ start: '2020', end: '2024' })
      expect(lines(['USA.cpi'], asked).texts).toEqual([['101.0050']])
      expect(lines(['DEU.cpi'], { start: '2025' }).left.map(({ why }) => why)).toEqual([
        'nothing is known in this range',
      ])
    })

    it('is in the first period that all have as a whole, if no other is asked for', () => {
      const shared = (...names: string[]) =>
        firstShared(
          names.map((name) => of(name)),
          panel,
        )
      expect(shared('USA.cpi', 'DEU.cpi')).toBe('2024-02')
      expect(shared('USA.cpi', 'USA.gdp')).toBe('2024-Q1')
      expect(shared('DEU.cpi', 'USA.gdp')).toBe('2024-Q2')
    })
  })

  it('names its lines as short as they can be told apart', () => {
    const labels = (...names: string[]) => {
      const compared = names.map((name) => of(name))
      const panel = compared.map(({ name }) => column(name, { '2024-01': '1' }))
      const { lines } = comparison(compared, () => panel)
      return [lineLabels(lines), comparisonTitle(compared, facts)]
    }
    expect(labels('USA.cpi', 'DEU.cpi')).toEqual([['USA', 'DEU'], 'Consumer price index: United States and Germany'])
    expect(labels('USA.cpi', 'USA.unemployment')[0]).toEqual(['cpi', 'unemployment'])
    expect(labels('USA.cpi', 'USA.inflation.month_over_month')[0]).toEqual(['cpi', 'inflation'])
    expect(labels('USA.inflation', 'USA.inflation.month_over_month')[0]).toEqual(['year over year', 'month over month'])
    expect(labels('USA.cpi', 'USA.inflation', 'USA.inflation.month_over_month')[0]).toEqual([
      'cpi',
      'inflation year over year',
      'inflation month over month',
    ])
    expect(labels('DEU.cpi', 'USA.unemployment')).toEqual([
      ['DEU cpi', 'USA unemployment'],
      'Germany: Consumer price index and United States: Unemployment rate',
    ])
    const rebased = [cpi('USA', { '2024-01': '1' }), column('USA.cpi (1982/1984=100)', { '2023-01': '300' })]
    const { lines } = comparison([of('USA.cpi')], () => rebased)
    expect(lineLabels(lines)).toEqual(['USA', 'USA (1982/1984=100)'])
  })

  it('says large numbers in words, with their unit and the period that is longer than a month', () => {
    const panel = [column('USA.gdp', { '2024-Q1': '32529700000000' }, { unit: 'USD', annualization: 'annualized' })]
    const [line] = comparison([of('USA.gdp')], () => panel).lines
    if (!line) throw new Error('no line')
    expect(placedText(line, periodSeconds('2024-02'))).toBe('32.53 trillion\u00a0USD in Q1 2024')
    expect(placedText(line, periodSeconds('2024-05'))).toBe('no figure in Q2 2024')
    // Beside other quarters, the quarter is said once.
    expect(placeText([line], ['USA'], periodSeconds('2024-02'))).toBe('Q1 2024   USA\u00a032.53 trillion\u00a0USD')
  })

  it('is said once for a figure whose base changes, and begins where all figures have a value', () => {
    const ended = { '2023-11': '299', '2023-12': '300' }
    const next = column('USA.cpi (2010=100)', { '2024-01': '1', '2024-02': '2' })
    const both = [cpi('USA', ended), next, cpi('DEU', { '2023-11': '3', '2024-01': '4' })]
    const all = comparison([of('USA.cpi'), of('DEU.cpi')], () => both)
    const { lines, xs } = all
    const said = (period: string) => placeText(lines, ['A', 'B', 'C'], periodSeconds(period))
    expect(said('2023-12')).toBe('Dec 2023   A\u00a0300   C\u00a0no figure')
    expect(said('2024-02')).toBe('Feb 2024   B\u00a02   C\u00a0no figure')
    expect(said('2025-01')).toBe('Jan 2025   A\u00a0no figure   C\u00a0no figure')
    expect(xs[lastShared(all)]).toBe(periodSeconds('2024-01'))
    const apart = comparison([of('USA.cpi'), of('DEU.cpi')], () => [cpi('USA', ended), cpi('DEU', { '2024-01': '4' })])
    expect(apart.xs[lastShared(apart)]).toBe(periodSeconds('2024-01'))
  })
})

describe('decimals', () => {
  it('are in percent of another as exact as four places allow', () => {
    expect(inPercentOf('1', ['3'])).toBe('33.3333')
    expect(inPercentOf('2', ['2', '4.0'])).toBe('66.6667')
    expect(inPercentOf('-0.001', ['20'])).toBe('-0.0050')
    expect(inPercentOf('-0.0000001', ['2'])).toBe('0.0000')
    expect(inPercentOf('1', ['0.00'])).toBeUndefined()
    expect(inPercentOf('5', ['-4', '1'])).toBeUndefined()
    const decimal = fc.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 6 }))
    fc.assert(
      fc.property(decimal, decimal, ([a, i], [b, j]) => {
        fc.pre(b > 0)
        const text = (n: number, places: number) => (n / 10 ** places).toFixed(places)
        const ratio = (100 * Number(text(a, i))) / Number(text(b, j))
        expect(Number(inPercentOf(text(a, i), [text(b, j)]))).toBeCloseTo(ratio, Math.abs(ratio) < 1e6 ? 3 : -6)
      }),
    )
  })

  it('are said in words from a million on, and rounded to six digits below', () => {
    const said = ['32529700000000', '-46900000000', '1000000', '999999', '3.81084502608', '-0.5', '313.5480'].map(
      decimalInWords,
    )
    expect(said).toEqual(['32.53 trillion', '−46.9 billion', '1 million', '999\u202f999', '3.81085', '−0.5', '313.548'])
  })
})

describe('what a search offers', () => {
  // Cast: of a hit these members are read.
  const hit = (kind: string, country: string | null, indicator: string | null) =>
    ({ kind, country, indicator }) as Parameters<typeof figureOffers>[0][number]
  const offers = (hits: Parameters<typeof figureOffers>[0], ...shown: string[]) =>
    figureOffers(
      hits,
      shown.map((name) => of(name)),
      facts,
      (country, indicator) => !(country === 'JPN' && indicator === 'gdp'),
    ).map(({ name }) => name)

  it('is the figure of a country, or of each country or indicator that is shown', () => {
    expect(offers([hit('figures', 'DEU', 'unemployment')], 'USA.cpi')).toEqual(['DEU.unemployment'])
    expect(offers([hit('country', 'JPN', null)], 'USA.cpi', 'USA.gdp', 'USA.unemployment')).toEqual([
      'JPN.cpi',
      'JPN.unemployment',
    ])
    expect(offers([hit('indicator', null, 'gdp')], 'USA.cpi', 'DEU.cpi')).toEqual(['USA.gdp', 'DEU.gdp'])
  })

  it('is nothing twice, nothing that is shown, and nothing that is no figure of a country', () => {
    const hits = [hit('figures', 'USA', 'cpi'), hit('figures', 'DEU', 'cpi'), hit('country', 'DEU', null)]
    expect(offers([...hits, hit('commodity', null, null)], 'USA.cpi')).toEqual(['DEU.cpi'])
    expect(columnName('USA', of('USA.inflation').indicator, 'year_to_date')).toBe('USA.inflation.year_to_date')
  })
})

it('labels are moved apart, and stay within the drawing', () => {
  expect(spread([10, 12, 50], 10, [0, 100])).toEqual([10, 20, 50])
  expect(spread([98, 97, 5], 10, [0, 100])).toEqual([100, 90, 5])
  fc.assert(
    fc.property(fc.array(fc.double({ min: -50, max: 150, noNaN: true }), { maxLength: 8 }), (heights) => {
      const placed = spread(heights, 10, [0, 100]).sort((a, b) => a - b)
      for (const [i, height] of placed.entries()) {
        expect(height).toBeGreaterThanOrEqual(0)
        expect(height).toBeLessThanOrEqual(100)
        if (i > 0) expect(height - (placed[i - 1] ?? 0)).toBeGreaterThanOrEqual(10 - 1e-9)
      }
    }),
  )
})

it('the file of a plot has both axes, the labels and each line of its note', () => {
  const drawing = plotSvg({
    title: 'a < b',
    unit: 'percent',
    secondUnit: 'USD',
    note: 'Source: A & B\nhttp://x.test/',
    xs: [0, 86_400, 172_800],
    xNames: ['a', 'b', 'c'],
    series: [
      { values: [1, 2, null], kind: 'main', colour: 1, label: 'USA' },
      { values: [1e12, undefined, 3e12], kind: 'main', colour: 2, axis: 1, label: 'DEU' },
    ],
  })
  expect(drawing).toContain('>USA</text>')
  expect(drawing).toContain('>USD</text>')
  expect(drawing).toContain('>3T</text>')
  expect(drawing).toContain('>Source: A &amp; B</text>')
  expect(drawing).toContain('>http://x.test/</text>')
  // A place between two periods is no gap.
  expect(drawing.match(/<path fill="none" stroke="#2a5d84"[^>]*d="M[^M]*"/)).not.toBeNull()
})

it('names a line of several pieces once in a narrow plot, at the end of the last one', () => {
  const piece = (label: string, colour: number, ...values: (number | null)[]) => ({
    label,
    colour,
    values,
    kind: 'main' as const,
  })
  expect(
    shortLabels([
      piece('USA', 0, 1, null, null),
      piece('USA (2010=100)', 0, null, 1, 1),
      piece('USA gdp', 1, 1, 1, null),
      piece('DEU cpi', 2, 1, null, null),
    ]),
  ).toEqual(['', 'USA', 'USA', 'DEU'])
})
