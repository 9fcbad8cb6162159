import { describe, expect, it } from 'vitest'
import { makeSample } from '../sample/make/sample.ts'
import { checks } from '../sample/published.ts'
import { paths, textOf } from '../sample/support.ts'
import { sharedData, sharedPath } from '../support/shared-data.ts'

/** Made from originals that aren't among the recorded files; sample/README.md says where they are. */
const originalsElsewhere = [
  'figures/cpi-bis.csv',
  ...['gdp', 'gdp-volume', 'labour-force-participation'].map((indicator) => `figures/${indicator}-SGP-singstat.csv`),
  'figures/gdp-volume-GBR-ons.csv',
  'figures/gdp-volume-JPN-fred.csv',
  ...['2026-01-02', '2026-06-05', '2026-06-25'].map((day) => `figures/gdp-volume-USA-fred-${day}.csv`),
  'figures/gdp-volume-eurostat-2020.csv',
  'figures/unemployment-GBR-ons.csv',
  ...['2024-12-19', '2025-06-06'].map((day) => `figures/unemployment-eurostat-${day}.csv`),
  ...['GBR', 'JPN'].map((country) => `figures/labour-force-participation-${country}-wb.csv`),
  ...['AUS-abs', 'CAN-statcan', 'eurostat'].flatMap((of) => [`figures/gdp-${of}.csv`, `figures/gdp-volume-${of}.csv`]),
  ...['AUS-abs', 'CAN-statcan'].flatMap((of) => [
    `figures/unemployment-${of}.csv`,
    `figures/labour-force-participation-${of}.csv`,
  ]),
  ...['DEU', 'FRA', 'JPN', 'NLD'].map((country) => `figures/gdp-${country}-fred.csv`),
  ...['gdp', 'gdp-volume'].map((indicator) => `figures/${indicator}-MYS-dosm.csv`),
  ...['unemployment', 'labour-force-participation', 'trade-exports', 'trade-imports'].map(
    (indicator) => `figures/${indicator}-NLD-cbs.csv`,
  ),
  ...['trade-exports', 'trade-imports'].flatMap((flow) =>
    ['2025-05-06', '2026-03-12'].map((day) => `figures/${flow}-USA-census-${day}.csv`),
  ),
  ...['labour-force-participation', 'trade-exports', 'trade-imports'].map((name) => `figures/${name}-wb.csv`),
  ...['trade-exports', 'trade-imports'].map((flow) => `figures/${flow}-FRA-unctad.csv`),
  ...['CAN', 'DEU', 'JPN', 'SGP'].flatMap((country) =>
    ['trade-exports', 'trade-imports'].map((flow) => `figures/${flow}-${country}-wb.csv`),
  ),
]

describe('the sample against the originals in ../shared/data', () => {
  it.each(checks)('%s %s stands in the original', (_cell, _period, _expected, path, words) => {
    expect(Buffer.from(sharedData(path)).includes(words)).toBe(true)
  })

  it('is made again byte for byte', () => {
    const made = makeSample(sharedPath('.'))
    expect(paths).toEqual(expect.arrayContaining([...made.keys()]))
    expect(originalsElsewhere).toEqual(expect.arrayContaining(paths.filter((path) => !made.has(path))))
    for (const [path, text] of made) expect(text, path).toBe(textOf(path))
  })
})
