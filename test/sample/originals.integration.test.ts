import { expect, it } from 'vitest'
import { describeShared, sharedData, sharedPath } from '../support/shared-data.ts'
import { makeSample } from './make/sample.ts'
import { readXlsSheet, xlsDate } from './make/xls.ts'
import { checks } from './published.ts'
import { paths, servedAt, textOf } from './support.ts'

/** Made from originals that aren't among the recorded files; sample/README.md says where they are. */
const originalsElsewhere = [
  'figures/cpi-bis.csv',
  ...['gdp', 'gdp-volume', 'labour-force-participation'].map((indicator) => `figures/${indicator}-SGP-singstat.csv`),
  'figures/gdp-volume-GBR-ons.csv',
  'figures/unemployment-GBR-ons.csv',
  'figures/unemployment-eurostat.csv',
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

describeShared('the sample against the originals', () => {
  it.each(checks)('%s %s stands in the original', (_cell, _period, _expected, path, words) => {
    expect(Buffer.from(sharedData(path)).includes(words)).toBe(true)
  })

  it('is made again byte for byte', () => {
    const made = makeSample(sharedPath('.'))
    expect(paths).toEqual(expect.arrayContaining([...made.keys()]))
    expect(originalsElsewhere).toEqual(expect.arrayContaining(paths.filter((path) => !made.has(path))))
    for (const [path, text] of made) expect(text, path).toBe(textOf(path))
  })

  it('has Australian goods, not goods and services: as in the workbook of 2017 up to later revisions', () => {
    const rows = readXlsSheet(sharedData('USStudiesCentre+FDI-Analysis/data/536801.xls'), 'Data1')
    const column = rows[9]?.indexOf('A2718577A') ?? -1
    expect(rows[0]?.[column]).toBe('Credits, Total goods ;')
    const settled = rows
      .slice(10)
      .map((row) => ({ month: xlsDate(Number(row[0])).slice(0, 7), millions: Number(row[column]) }))
      .filter(({ month }) => month >= '2000' && month < '2005')
    expect(settled).toHaveLength(60)
    for (const { month, millions } of settled) {
      const value = Number(servedAt('AUS trade-exports', month)?.value)
      expect(Math.abs(value / millions / 1e6 - 1), month).toBeLessThan(0.001)
    }
  })
})
