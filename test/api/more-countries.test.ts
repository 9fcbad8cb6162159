import { beforeAll, describe, expect, it } from 'vitest'
import { exportsCountries } from '../../contracts/indicators.ts'
import { canonicalDecimal } from '../../domain/decimal.ts'
import { deriveFrom, nothingDerived } from '../../domain/derive/fold.ts'
import { oecdMapping } from '../../ingest/map/publishers/oecd.ts'
import { bis } from '../../ingest/sources/bis/index.ts'
import { mappedSource } from '../../ingest/sources/mapped-source.ts'
import { figuresOf, fixture } from '../ingest/sources/fixture.ts'
import { ask, type World, world } from './support.ts'

/** Countries other than the ten of the sample, from recorded documents of harmonised collections to the answers of REST. */
const GROWTH = 'oecd/QGDP-countries.csv'
const UNEMPLOYMENT = 'oecd/HUR-countries.csv'
const PRICES = 'bis/all-areas.csv'
/** Earlier figures say nothing about other countries. */
const FIRST = '2020'

describe('GET /v1/economics/{country}', () => {
  let served: World
  const countriesOf = new Map<string, Set<string>>()

  beforeAll(async () => {
    served = await world()
    const derivations = nothingDerived()
    const documents = [
      [mappedSource(oecdMapping), GROWTH],
      [mappedSource(oecdMapping), UNEMPLOYMENT],
      [bis(), PRICES],
    ] as const
    for (const [source, path] of documents)
      for (const { series, period, figures } of figuresOf(source.parse(fixture(path)))) {
        if (period < FIRST) continue
        const values = Object.entries(figures).map(([member, { printed }]) => [member, canonicalDecimal(printed)])
        const release = served.releases.accept(series, period, Object.fromEntries(values))
        for (const derived of deriveFrom(derivations, [release])) served.releases.board.apply(derived)
        const countries = countriesOf.get(series.indicator) ?? new Set()
        countriesOf.set(series.indicator, countries.add(series.country))
      }
  })

  const others = (indicator: string): string[] =>
    [...(countriesOf.get(indicator) ?? [])].filter((country) => !exportsCountries.some((code) => code === country))

  it.each([
    ['cpi', 'cpi', 49],
    ['inflation', 'cpi', 49],
    ['unemployment', 'unemployment', 30],
    ['gdp-growth', 'gdp-growth', 40],
  ] as const)('%s answers for at least 30 more countries', async (path, indicator, count) => {
    const countries = others(indicator)
    expect(countries).toHaveLength(count)
    for (const country of countries) {
      const answer = await ask(served.app, `/v1/economics/${country}/${path}`)
      expect(answer.statusCode, country).toBe(200)
      expect(answer.json(), country).toMatchObject({ country })
    }
  })
  it.each([
    ['POL/gdp-growth?period=2021-Q2', { quarter_over_quarter: '2.05334547', year_over_year: '10.963778431' }],
    ['KOR/unemployment?period=2023-02', { rate: '2.6' }],
    ['BRA/cpi?period=2021-05', { value: '184.2853183542', base_period: '2010' }],
    ['BRA/inflation?period=2021-05', { year_over_year: '8.1' }],
  ] as const)('%s is what was published', async (asked, figures) => {
    expect((await ask(served.app, `/v1/economics/${asked}`)).json()).toMatchObject(figures)
  })
})
