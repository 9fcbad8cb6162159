import { parse as parseCsv } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { exportsCountries } from '../contracts/indicators.ts'
import type { Release } from '../contracts/records.ts'
import { subtract } from '../domain/decimal.ts'
import { shiftPeriod } from '../domain/period.ts'
import { seriesOf } from '../domain/series.ts'
import { oecdMapping } from '../ingest/map/publishers/oecd.ts'
import { documentOf, type Figure, type Source } from '../ingest/source.ts'
import { bis } from '../ingest/sources/bis/index.ts'
import { mappedSource } from '../ingest/sources/mapped-source.ts'
import { fixture } from './ingest/sources/fixture.ts'
import { derivedFrom } from './support/derived-figures.ts'

const BIS = 'bis/ten-countries.csv'
const OECD = 'oecd/QGDP-countries.csv'
const ONS = 'ons/MRET-goods.csv'

const rowsOf = (path: string): string[][] =>
  parseCsv(Buffer.from(fixture(path).bytes), { bom: true, relax_column_count: true })
const figuresOf = (source: Source, path: string, dataset: string): Figure[] => {
  const document = documentOf(fixture(path).bytes, {
    source: source.name,
    dataset,
    publisher: source.publisher,
    licence: source.licence,
    url: path,
    retrievedAt: '2026-01-01T00:00:00.000Z',
  })
  return [...source.parse(document)].filter((item): item is Figure => item.kind === 'figure')
}

type Comparison = { compared: number; largest: number; at: string; beyondRounding: string[] }
/** Largest difference that rounding alone makes between a derived figure of one decimal and a published one of more. */
const ROUNDING = 0.05

type Pair = [place: string, derived: string, published: string, tolerance?: number]
function compare(pairs: Iterable<Pair>): Comparison {
  const result: Comparison = { compared: 0, largest: 0, at: '', beyondRounding: [] }
  for (const [place, derived, published, tolerance = ROUNDING] of pairs) {
    result.compared++
    const difference = Math.abs(Number(subtract(derived, published)))
    if (difference > result.largest)
      Object.assign(result, { largest: difference, at: `${place}: ${derived} for ${published}` })
    if (difference > tolerance + 1e-9) result.beyondRounding.push(`${place}: ${derived} for ${published}`)
  }
  return result
}

describe('derived figures agree with published ones', () => {
  it('inflation against a year before, with the rates that the BIS publishes beside its index', () => {
    const derived = new Map(
      derivedFrom(
        figuresOf(bis(), BIS, 'WS_LONG_CPI').filter((f) => exportsCountries.includes(f.series.country as never)),
      ).map((r) => [`${r.series.country} ${r.period}`, r.figures.year_over_year ?? '']),
    )
    const [head = [], ...rows] = rowsOf(BIS)
    const iso: Record<string, string> = {
      US: 'USA',
      GB: 'GBR',
      DE: 'DEU',
      FR: 'FRA',
      JP: 'JPN',
      CA: 'CAN',
      AU: 'AUS',
      NL: 'NLD',
      SG: 'SGP',
      MY: 'MYS',
    }
    const pairs = rows
      .filter((row) => row[0] === 'M:Monthly' && row[2]?.startsWith('771:'))
      .flatMap((row) => {
        const country = iso[row[1]?.slice(0, 2) ?? '']
        return head.flatMap((period, i): Pair[] => {
          const ours = derived.get(`${country} ${period}`)
          const theirs = row[i] ?? ''
          return ours !== undefined && /^-?\d/.test(theirs) ? [[`${country} ${period}`, ours, theirs]] : []
        })
      })
    const result = compare(pairs)
    expect(result).toMatchObject({ compared: 180, beyondRounding: [] })
  })
  it('growth, with the rates that the OECD publishes beside its volume index', () => {
    const figures = figuresOf(mappedSource(oecdMapping), OECD, 'QGDP')
    const published = new Map(
      figures
        .filter((f) => f.series.indicator === 'gdp-growth')
        .map((f) => [`${f.series.country} ${f.period}`, f.figures]),
    )
    const volumes = figures.filter((f) => f.series.indicator === 'gdp-volume')
    const levels = new Map(volumes.map((f) => [`${f.series.country} ${f.period}`, Number(f.figures.value?.printed)]))
    // The index is printed with one decimal, so early levels such as 13.1 are coarse: what that does to a rate.
    const indexRounding = ({ series, period }: Release, member: 'year_over_year' | 'quarter_over_quarter'): number => {
      const now = levels.get(`${series.country} ${period}`) ?? 0
      const before = levels.get(`${series.country} ${shiftPeriod(period, member === 'year_over_year' ? -4 : -1)}`) ?? 0
      return 100 * ((now + 0.05) / (before - 0.05) - now / before)
    }
    const derived = derivedFrom(volumes)
    for (const member of ['year_over_year', 'quarter_over_quarter'] as const) {
      const pairs = derived.flatMap((r): Pair[] => {
        const theirs = published.get(`${r.series.country} ${r.period}`)?.[member]?.printed
        return theirs === undefined
          ? []
          : [[`${r.series.country} ${r.period}`, r.figures[member] ?? '', theirs, ROUNDING + indexRounding(r, member)]]
      })
      const result = compare(pairs)
      expect(result).toMatchObject({ compared: 44, beyondRounding: [] })
    }
  })
  it('a year of exports and imports, with the totals that the ONS publishes beside the months', () => {
    const [, codes = [], ...rows] = rowsOf(ONS)
    const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
    for (const [code, indicator] of [
      ['BOKG', 'trade-exports'],
      ['BOKH', 'trade-imports'],
    ] as const) {
      const column = codes.indexOf(code)
      const series = seriesOf({
        indicator,
        country: 'GBR',
        frequency: 'M',
        source: 'ONS',
        dataset: code,
        unit: 'GBP',
        seasonal_adjustment: 'seasonally_adjusted',
        annualization: 'not_annualized',
        base_period: '',
        base_value: '',
        derivation: '',
      })
      const figures = rows.flatMap((row): Figure[] => {
        const [year, month] = (row[0] ?? '').split(' ')
        const number = months.indexOf(month ?? '') + 1
        if (number === 0 || !row[column]) return []
        const period = `${year}-${String(number).padStart(2, '0')}`
        return [
          {
            kind: 'figure',
            series,
            period,
            figures: { value: { printed: row[column], multiplier: '1000000' } },
            location: period,
          },
        ]
      })
      const totals = new Map(
        rows.filter((row) => /^\d{4}$/.test(row[0] ?? '') && row[column]).map((row) => [row[0], row[column] ?? '']),
      )
      const pairs = derivedFrom(figures)
        .filter((r) => r.series.frequency === 'A' && totals.has(r.period))
        .map((r): Pair => [r.period, r.figures.value ?? '', `${totals.get(r.period)}000000`])
      const result = compare(pairs)
      expect(result).toMatchObject({ compared: 19, largest: 0, beyondRounding: [] })
    }
  })
})
