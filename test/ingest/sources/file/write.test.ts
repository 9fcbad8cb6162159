import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Indicator, indicators } from '../../../../contracts/indicators.ts'
import { shiftPeriod } from '../../../../domain/period.ts'
import { seriesOf } from '../../../../domain/series.ts'
import type { Figure, Price } from '../../../../ingest/source.ts'
import { parseFile } from '../../../../ingest/sources/file/parse.ts'
import { writeFigures, writePrices } from '../../../sample/make/write-file.ts'
import { testDocument } from '../../../support/documents.ts'
import { testSeries } from '../../../support/releases.ts'

const origin = { publisher: 'Office of Examples, "OoE"', licence: 'CC0 # really', url: 'https://example.org/a?b=c' }
const copy = {
  holder: 'github.com/office/data',
  url: 'https://github.com/office/data/blob/1a2b/cpi.csv',
  revision: '1a2b',
  held_on: '2026-08-27',
  is_transcribed: true,
}
const figure = (over: Partial<Figure> = {}): Figure => ({
  kind: 'figure',
  series: testSeries(),
  period: '2026-07',
  figures: { value: { printed: '131.20' } },
  location: '',
  ...over,
})

it('puts into the head what all rows have in common', () => {
  const released = { on: '2026-08-26', basis: 'publisher' } as const
  const text = writeFigures(origin, [figure({ released }), figure({ released, period: '2026-08' })])
  expect(text).toBe(`# almanac: figures 1
# rows: 2
# publisher: Office of Examples, "OoE"
# licence: CC0 # really
# url: https://example.org/a?b=c
# source: TEST
# dataset: T1
# indicator: cpi
# country: USA
# unit: index
# seasonal_adjustment: not_seasonally_adjusted
# base_period: 2015
# base_value: 100
# released_on: 2026-08-26
period,value
2026-07,131.20
2026-08,131.20
`)
})

it('states in the head where the figures were taken from', () => {
  const taken = { retrievedAt: '2026-08-27T10:00:00.000Z', sha256: 'a'.repeat(64), copy }
  const released = { on: copy.held_on, basis: 'copy' } as const
  const text = writeFigures({ ...origin, ...taken }, [figure({ released })])
  expect(text.slice(text.indexOf('# url'), text.indexOf('# source'))).toBe(`# url: https://example.org/a?b=c
# retrieved_at: 2026-08-27T10:00:00.000Z
# sha256: ${taken.sha256}
# copy_holder: github.com/office/data
# copy_url: https://github.com/office/data/blob/1a2b/cpi.csv
# copy_revision: 1a2b
# copy_date: 2026-08-27
# copy_transcribed: yes
`)
  expect([...parseFile(testDocument(text))]).toMatchObject([{ released, origin: taken }])
})

it('puts into columns what differs', () => {
  const text = writeFigures(origin, [
    figure(),
    figure({
      series: testSeries({ indicator: 'gdp-growth', frequency: 'Q', unit: 'percent', base_period: '', base_value: '' }),
      period: '2026-Q2',
      figures: { year_over_year: { printed: '1.9' }, quarter_over_quarter: { printed: '-0.1' } },
      released: { on: '2026-08-29', basis: 'dataset' },
    }),
  ])
  expect(text.slice(text.indexOf('# country'))).toBe(`# country: USA
# seasonal_adjustment: not_seasonally_adjusted
indicator,unit,base_period,base_value,last_updated,period,value,year_over_year,quarter_over_quarter
cpi,index,2015,100,,2026-07,131.20,,
gdp-growth,percent,,,2026-08-29,2026-Q2,,1.9,-0.1
`)
})

it.each([
  ['nothing', [], 'nothing to write'],
  ['a derived series', [figure({ series: testSeries({ derivation: 'from monthly' }) })], 'is derived'],
  ['a dataset the format can’t name', [figure({ series: testSeries({ dataset: 'A B' }) })], 'dataset is "A B"'],
  [
    'figures with different multipliers or decimals',
    [
      figure({
        series: testSeries({ indicator: 'trade', unit: 'USD', base_period: '', base_value: '' }),
        figures: { exports: { printed: '1' }, imports: { printed: '1', multiplier: '1000' } },
      }),
    ],
    'different multipliers or decimals',
  ],
])('refuses %s', (_, figures, message) => {
  expect(() => writeFigures(origin, figures)).toThrow(message)
})

it('keeps a figure that is no decimal in its cell', () => {
  const text = writeFigures(origin, [figure({ figures: { value: { printed: '1,5 "e"' } } })])
  expect([...parseFile(testDocument(text))]).toMatchObject([{ reason: 'not_a_decimal', text: '2026-07,"1,5 ""e"""' }])
})

it.each([undefined, { ...copy, held_on: '2026-08-28' }])('refuses a date of another copy', (copy) => {
  const released = { on: '2026-08-27', basis: 'copy' } as const
  expect(() => writeFigures({ ...origin, ...(copy ? { copy } : {}) }, [figure({ released })])).toThrow('2026-08-27')
})

it('refuses a publisher of two lines', () => {
  expect(() => writeFigures({ ...origin, publisher: 'a\nb' }, [figure()])).toThrow('publisher is "a\\nb"')
})

describe('what is written is read back', () => {
  const decimal = fc
    .tuple(fc.boolean(), fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.nat(6))
    .map(([negative, digits, decimals]) => {
      const text = digits.toString().padStart(decimals + 1, '0')
      const whole = text.slice(0, text.length - decimals)
      return `${negative ? '-' : ''}${whole}${decimals === 0 ? '' : `.${text.slice(-decimals)}`}`
    })
  const positive = decimal.map((text) => text.replace('-', ''))
  const day = fc
    .integer({ min: 0, max: 9_000 })
    .map((n) => new Date(Date.UTC(2000, 0, 1 + n)).toISOString().slice(0, 10))
  const kinds: readonly (readonly [Indicator, 'A' | 'Q' | 'M', string])[] = [
    ['cpi', 'M', 'index'],
    ['unemployment', 'A', 'percent'],
    ['unemployment', 'M', 'percent'],
    ['gdp', 'Q', 'EUR'],
    ['gdp-volume', 'Q', 'index'],
    ['trade-exports', 'M', 'USD'],
    ['inflation', 'M', 'percent'],
  ]
  const starts = { A: '1999', Q: '1999-Q2', M: '1999-05' }

  const figures = fc.uniqueArray(
    fc
      .record({
        kind: fc.constantFrom(...kinds),
        country: fc.constantFrom('AUS', 'DEU', 'MYS'),
        dataset: fc.stringMatching(/^[A-Za-z0-9_@:/.-]{1,12}$/),
        adjusted: fc.boolean(),
        annualized: fc.boolean(),
        shift: fc.nat(100),
        printed: positive,
        reading: fc.constantFrom({}, { multiplier: '1000000' }, { multiplier: '0.01', decimals: 4 }, { decimals: 2 }),
        released: fc.option(fc.record({ on: day, basis: fc.constantFrom('publisher', 'dataset') }), { nil: undefined }),
        taken: fc.record({
          retrievedAt: fc.option(day.map((on) => `${on}T14:15:00.123Z`)),
          sha256: fc.option(fc.constantFrom('0'.repeat(64), '1'.repeat(64))),
          copy: fc.option(
            fc.record({
              holder: fc.constantFrom('github.com/a/b', 'Office of "Copies", Ltd'),
              url: fc.option(fc.constant('https://example.org/copy?x=1,2')),
              revision: fc.option(fc.stringMatching(/^[0-9a-f]{4}$/)),
              held_on: fc.option(day),
              is_transcribed: fc.boolean(),
            }),
          ),
        }),
      })
      .map(({ kind, released, reading, taken, ...over }): Figure => {
        const held_on = taken.copy?.held_on
        const byCopy = held_on ? { released: { on: held_on, basis: 'copy' as const } } : {}
        const [indicator, frequency, unit] = kind
        return {
          kind: 'figure',
          series: seriesOf({
            indicator,
            frequency,
            unit,
            country: over.country,
            source: 'TEST',
            dataset: over.dataset,
            seasonal_adjustment: over.adjusted ? 'seasonally_adjusted' : 'not_seasonally_adjusted',
            annualization: over.annualized ? 'annualized' : 'not_annualized',
            base_period: unit === 'index' ? '1982/1984' : '',
            base_value: unit === 'index' ? '100' : '',
            derivation: '',
          }),
          period: shiftPeriod(starts[frequency], over.shift),
          figures: Object.fromEntries(
            indicators[indicator].figures.map((name) => [name, { printed: over.printed, ...reading }]),
          ),
          ...(released ? { released } : byCopy),
          location: '',
          origin: taken,
        }
      }),
    {
      minLength: 1,
      maxLength: 30,
      selector: ({ series, period, released }) => `${series.id} ${period} ${released?.on}`,
    },
  )

  /** The same for the same content, in whatever order its members were set. */
  const canonical = (item: object): string =>
    JSON.stringify(item, (_, value) =>
      value !== null && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    )
  const sorted = (items: readonly object[]): unknown[] =>
    items.map((item) => ({ ...item, location: '' })).toSorted((a, b) => (canonical(a) < canonical(b) ? -1 : 1))

  it('figures of any series', () => {
    fc.assert(
      fc.property(figures, (figures) => {
        const text = writeFigures(origin, figures)
        const read = [...parseFile(testDocument(text))]
        expect(sorted(read)).toEqual(sorted(figures))
      }),
      { numRuns: 200 },
    )
  })

  it('prices', () => {
    const prices = fc.array(
      fc
        .record({
          symbol: fc.constantFrom('XAU-USD', 'EUR-USD', 'IRON_ORE-USD'),
          printed: positive,
          multiplier: fc.constantFrom(undefined, '1000'),
          observedAt: day.map((on) => `${on}T14:15:00.123Z`),
          edition: fc.option(day),
        })
        .map(({ multiplier, edition, ...price }): Price => {
          const dated = edition === null ? {} : { released: { on: edition, basis: 'dataset' } as const }
          return { kind: 'price', ...price, ...(multiplier ? { multiplier } : {}), ...dated, location: '' }
        }),
      { minLength: 1, maxLength: 30 },
    )
    const twin: Price = {
      kind: 'price',
      symbol: 'EUR-USD',
      printed: '0.16',
      observedAt: '2000-01-01T14:15:00.123Z',
      location: '',
    }
    fc.assert(
      fc.property(prices, (prices) => {
        const read = [...parseFile(testDocument(writePrices({ ...origin, source: 'TEST' }, prices)))]
        expect(sorted(read)).toEqual(sorted(prices))
        const times = read.map((item) => (item.kind === 'price' ? item.observedAt : ''))
        expect(times).toEqual(times.toSorted())
      }),
      // Two of one symbol and time that differ in their multiplier only.
      { numRuns: 200, examples: [[[twin, { ...twin, multiplier: '1000' }]]] },
    )
  })
})
