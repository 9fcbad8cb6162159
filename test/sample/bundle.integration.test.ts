import { describe, expect, it } from 'vitest'
import { exportsCountries, type ServedIndicator } from '../../contracts/indicators.ts'
import { isServedSymbol } from '../../contracts/instruments.ts'
import { shiftPeriod } from '../../domain/period.ts'
import { board, figures, items, paths, prices, rejected, revised, textOf } from './support.ts'

const served: readonly ServedIndicator[] = [
  'cpi',
  'inflation',
  'unemployment',
  'labour-force-participation',
  'gdp',
  'gdp-growth',
  'trade',
  'trade-exports',
  'trade-imports',
]

describe('the bundled sample', () => {
  it('reads without a reject, and is small', () => {
    expect(items.filter(({ kind }) => kind === 'reject')).toEqual([])
    expect(figures.length).toBeGreaterThan(8_000)
    expect(paths.reduce((bytes, path) => bytes + Buffer.byteLength(textOf(path)), 0)).toBeLessThan(3_000_000)
  })

  it.each(paths)('%s names its publisher, licence and address in its head, and stands in the README', (path) => {
    const head = textOf(path)
      .split('\n')
      .filter((line) => line.startsWith('# '))
    for (const member of ['publisher', 'licence', 'url', 'source']) {
      expect(head.filter((line) => line.startsWith(`# ${member}: `))).toHaveLength(1)
    }
    expect(head.find((line) => line.startsWith('# url: '))).toMatch(/^# url: https:\/\//)
    expect(textOf('README.md')).toContain(path.split('/')[1])
  })

  it('dates every figure by publisher, dataset or copy, never by the day on which it is loaded', () => {
    const bases = Map.groupBy(figures, ({ released }) => released?.basis)
    expect([...bases.keys()].sort()).toEqual(['copy', 'dataset', 'publisher'])
    expect(figures.filter(({ released, origin }) => !released || released.on > (origin?.copy?.held_on ?? ''))).toEqual(
      [],
    )
    const other = figures.filter(
      ({ released, origin }) => released?.basis === 'copy' && released.on !== origin?.copy?.held_on,
    )
    expect(other).toEqual([])
  })

  it('names for every figure the copy, and the SHA-256 of its document unless they were typed', () => {
    const origins = new Set(figures.map(({ origin }) => origin))
    for (const origin of origins) {
      expect(origin?.retrievedAt).toBeNull()
      expect(origin?.copy).toMatchObject({
        holder: expect.stringMatching(/^github\.com\/[^/]+\/[^/]+$/),
        revision: expect.stringMatching(/^[0-9a-f]{40}$/),
        url: expect.stringContaining(`/blob/${origin?.copy?.revision}/`),
      })
      if (origin?.copy?.is_transcribed) expect(origin.sha256).toBeNull()
    }
    expect([...origins].filter((origin) => !origin?.copy?.is_transcribed && origin?.sha256 === null)).toEqual([])
  })

  it('is accepted whole, and no figure stands in it twice', () => {
    expect(rejected).toEqual([])
    const prints = figures.map(({ series, period, released }) => `${series.id} ${period} ${released?.on}`)
    expect(prints).toHaveLength(new Set(prints).size)
  })

  it('gives every cell of country and indicator', () => {
    const empty = exportsCountries.flatMap((country) =>
      served.filter((indicator) => !board.latest(country, indicator)).map((indicator) => `${country} ${indicator}`),
    )
    expect(empty).toEqual([])
  })

  it('has one series of each frequency, but for second sources and bases, which serve what the first one lacks', () => {
    const series = new Map(figures.map(({ series }) => [series.id, series]))
    const cells = Map.groupBy(series.values(), (of) => `${of.country} ${of.indicator} ${of.frequency}`)
    const several = [...cells].filter(([, of]) => of.length > 1)
    const servedOf = (cell: string) => {
      const [country = '', indicator, frequency] = cell.split(' ')
      return board.servedSeries(country, indicator as ServedIndicator, frequency as 'M' | 'Q')?.source
    }
    expect(several.map(([cell]) => `${cell} ${servedOf(cell)}`).sort()).toEqual([
      'CAN unemployment M STATCAN',
      'DEU gdp Q FRED',
      'DEU gdp-volume Q EUROSTAT',
      'FRA gdp Q FRED',
      'FRA gdp-volume Q EUROSTAT',
      'FRA trade-exports A UNCTAD',
      'FRA trade-imports A UNCTAD',
      'GBR unemployment A ONS',
      'GBR unemployment Q ONS',
      'NLD gdp Q FRED',
      'NLD gdp-volume Q EUROSTAT',
      'NLD unemployment M CBS',
      'SGP labour-force-participation A SINGSTAT',
      'USA cpi M BLS',
      'USA trade-exports M CENSUS',
      'USA trade-imports M CENSUS',
    ])
  })

  it('holds true revisions', () => {
    expect([...revised].sort()).toEqual([
      'DEU unemployment',
      'FRA unemployment',
      'USA gdp',
      'USA gdp-volume',
      'USA trade-exports',
      'USA trade-imports',
      'USA unemployment',
    ])
  })

  it('has no gap but the months that the United States did not survey', () => {
    const series = Map.groupBy(figures, ({ series }) => series.id)
    const gaps = [...series].flatMap(([id, of]) => {
      const periods = new Set(of.map(({ period }) => period))
      const last = [...periods].sort().at(-1)!
      const absent: string[] = []
      for (let period = [...periods].sort()[0]!; period < last; period = shiftPeriod(period, 1)) {
        if (!periods.has(period)) absent.push(`${id} ${period}`)
      }
      return absent
    })
    expect(gaps.sort()).toEqual([
      'USA.cpi.M.BIS.WS_LONG_CPI.index.NSA.2010=100 2025-10',
      'USA.cpi.M.BLS.CUUR0000SA0.index.NSA.1982/1984=100 2025-10',
      'USA.labour-force-participation.M.FRED.CIVPART.percent.SA 2025-10',
      'USA.unemployment.M.FRED.UNRATE.percent.SA 2025-10',
    ])
  })

  it('prices served instruments only, at least 20 commodities and 25 currencies', () => {
    const symbols = new Set(prices.map(({ symbol }) => symbol))
    expect([...symbols].filter((symbol) => !isServedSymbol(symbol))).toEqual([])
    expect([...symbols].filter((symbol) => symbol.endsWith('-USD') && symbol !== 'EUR-USD').length).toBeGreaterThan(20)
    expect([...symbols].filter((symbol) => symbol.startsWith('EUR-')).length).toBeGreaterThan(25)
  })
})
