import { describe, expect, it } from 'vitest'
import { countryByAlpha3 } from '../../../contracts/countries.ts'
import { indicators } from '../../../contracts/indicators.ts'
import { sourceOrder } from '../../../contracts/serving.ts'
import { gemMapping } from '../../../ingest/map/publishers/gem.ts'
import { mappedPublishers } from '../../../ingest/sources/index.ts'

const mapped = await Promise.all(Object.values(mappedPublishers).map((load) => load()))
const all = [...mapped, gemMapping]

describe.each(all.map((publisher) => [publisher.name, publisher] as const))('%s', (name, publisher) => {
  const rows = [...publisher.rows.values()].flat()

  it('has a place in the order of sources', () => {
    expect(sourceOrder).toContain(name)
  })

  it('describes the datasets that its rows name, and no others', () => {
    expect([...publisher.rows.keys()].sort()).toEqual(Object.keys(publisher.datasets).sort())
  })

  it('says of each dataset what its reading was checked against', () => {
    for (const { checked } of Object.values(publisher.datasets)) expect(checked).toMatch(/^(?!none$)./)
  })

  it('says why a component may have any code, and names none of them in a row', () => {
    for (const [dataset, { free = {} }] of Object.entries(publisher.datasets))
      for (const [component, reason] of Object.entries(free)) {
        expect(reason).not.toBe('')
        for (const { names } of publisher.rows.get(dataset) ?? []) expect(names).not.toContain(component)
      }
  })

  it('says in each row which series of the dataset it is', () => {
    for (const { key, title, dataset } of rows) expect(Object.keys(key), `${dataset} ${title}`).not.toEqual([])
  })

  it('maps a series to one figure', () => {
    const keys = rows.map(({ dataset, key, countries }) => `${dataset} ${JSON.stringify(key)} ${String(countries)}`)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('has rows for all figures that an indicator needs', () => {
    const read = rows.flatMap(({ dataset, meaning }) => (meaning ? [{ dataset, ...meaning }] : []))
    for (const { dataset, indicator, frequency } of read) {
      const { figures } = indicators[indicator]
      const optional: readonly string[] = 'optionalFigures' in indicators[indicator] ? ['year_to_date'] : []
      const found = read.filter(
        (row) => row.dataset === dataset && row.indicator === indicator && row.frequency === frequency,
      )
      for (const figure of figures)
        if (!optional.includes(figure))
          expect(
            found.map((row) => row.figure),
            `${dataset} ${indicator}`,
          ).toContain(figure)
    }
  })
})

/** Countries besides the ten whose export totals are public. */
const more =
  'AUT BEL BGR CHE CHL COL CRI CZE DNK ESP EST FIN GRC HRV HUN IRL ISL ISR ITA KOR LTU LUX LVA MEX NOR NZL POL PRT ROU SVK SVN SWE TUR'.split(
    ' ',
  )

it.each(['unemployment', 'gdp', 'gdp-growth'] as const)('%s of 33 more countries is a row', (indicator) => {
  const isRead = (country: string): boolean =>
    mapped.some(({ rows }) =>
      [...rows.values()]
        .flat()
        .some(
          ({ meaning, countries }) => meaning?.indicator === indicator && (countries === '*' || countries.has(country)),
        ),
    )
  expect(more.filter((country) => !countryByAlpha3.has(country) || !isRead(country))).toEqual([])
})

describe('areas', () => {
  const areaOf = (name: string, area: string) => all.find((publisher) => publisher.name === name)?.countryOf?.(area)

  it.each([
    ['EUROSTAT', 'DE', 'DEU'],
    ['EUROSTAT', 'EL', 'GRC'],
    ['EUROSTAT', 'UK', 'GBR'],
    ['EUROSTAT', 'EA20', null],
    ['EUROSTAT', 'EU27_2020', null],
    ['EUROSTAT', 'DE1', null],
    ['EUROSTAT', 'DEU', undefined],
    ['EUROSTAT', 'Germany', undefined],
    ['EUROSTAT', 'XK', null],
    ['EUROSTAT', 'QQ', undefined],
    ['OECD', 'KOR', 'KOR'],
    ['OECD', 'EA20', null],
    ['OECD', 'OECX', undefined],
    ['ILO', 'SGP', 'SGP'],
    ['ILO', 'Korea, Republic of', 'KOR'],
    ['ILO', 'X01', null],
    ['ILO', 'Kosovo', null],
    ['ILO', 'XYZ', undefined],
    ['UNCTAD', '250', 'FRA'],
    ['UNCTAD', '036', 'AUS'],
    ['UNCTAD', '36', undefined],
    ['UNCTAD', '810', null],
    ['UNCTAD', '5100', null],
    ['WB', 'Korea, Rep.', 'KOR'],
    ['WB', 'High Income Countries', null],
    ['WB', 'Korea', undefined],
  ])('%s %s is %s', (name, area, country) => {
    expect(areaOf(name, area)).toBe(country)
  })
})
