/** Made documents of many vintages: five indicators of ten countries, one file each. The same call writes the same bytes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Series } from '../../contracts/records.ts'
import { addDays } from '../../domain/day.ts'
import { endOfPeriod, shiftPeriod } from '../../domain/period.ts'
import { randomFrom } from '../support/random.ts'
import { testDocument, testSeries } from '../support/releases.ts'

/** The newest month, and how often each was printed: once when it was new, and again in each of the months after it. */
const LAST = '2026-09'
const VINTAGES = 20
/** Releases that the journal has in the end for each figure, derived ones included. */
const RELEASES_OF_FIGURE = 1.4

const countries = ['USA', 'DEU', 'JPN', 'FRA', 'GBR', 'CAN', 'AUS', 'NLD', 'MYS', 'SGP']

/** A value without noise by country and month, and the shares of it by which a month and a print of it differ from that. */
type Indicator = {
  readonly name: Series['indicator']
  readonly unit: string
  readonly figure: 'value' | 'rate'
  readonly level: (country: number, month: number) => number
  readonly ofMonth: number
  readonly ofPrint: number
}

const flow = (name: Series['indicator'], phase: number): Indicator => ({
  name,
  unit: 'USD',
  figure: 'value',
  level: (country, month) =>
    5e9 * (1 + country / 3) * Math.exp(0.004 * month + 0.1 * Math.sin(month / 13 + country * 1.3 + phase)),
  ofMonth: 0.04,
  ofPrint: 0.008,
})

const indicators: readonly Indicator[] = [
  {
    name: 'cpi',
    unit: 'index',
    figure: 'value',
    level: (country, month) => 20 * Math.exp(0.0022 * month + 0.02 * Math.sin(month / 17 + country)),
    ofMonth: 0.002,
    ofPrint: 0.0006,
  },
  {
    name: 'unemployment',
    unit: 'percent',
    figure: 'rate',
    level: (country, month) => 6 + 1.5 * Math.sin(month / 31 + country),
    ofMonth: 0.02,
    ofPrint: 0.008,
  },
  {
    name: 'labour-force-participation',
    unit: 'percent',
    figure: 'rate',
    level: (country, month) => 62 + 3 * Math.sin(month / 101 + country),
    ofMonth: 0.003,
    ofPrint: 0.001,
  },
  flow('trade-exports', 1.7),
  flow('trade-imports', 0),
]

/** The series that are printed. `number` counts them. */
export const printedSeries = countries.flatMap((country, c) =>
  indicators.map((indicator, i) => ({ country, indicator, place: c, number: c * indicators.length + i })),
)
type PrintedSeries = (typeof printedSeries)[number]

/** A print of a month, which lies `back` months before the newest. `print` counts those of the month. */
export function valueOfPrint({ indicator, place, number }: PrintedSeries, back: number, print: number): string {
  const month = 776 - back
  const noise = (of: number) => randomFrom((number * 1_000 + month) * 1_000 + of)() - 0.5
  const factor = 1 + indicator.ofMonth * noise(0) + indicator.ofPrint * noise(print + 1)
  return (indicator.level(place, month) * factor).toFixed(3)
}

/** Rows of a file. */
export type Print = { readonly back: number; readonly value: string; readonly on: string }

/** The text of a document in Almanac's own format. */
export function documentOf(
  { country, indicator: { name, unit, figure } }: PrintedSeries,
  prints: readonly Print[],
): string {
  const base = unit === 'index' ? '# base_period: 2015\n# base_value: 100\n' : ''
  return `# almanac: figures 1
# rows: ${prints.length}
# publisher: Office of growth
# licence: CC0
# url: https://growth.example/${country}/${name}
# source: GROWTH
# dataset: ${country}.${name}
# indicator: ${name}
# country: ${country}
# unit: ${unit}
# seasonal_adjustment: seasonally_adjusted
${base}period,${figure},released_on
${prints.map(({ back, value, on }) => `${shiftPeriod(LAST, -back)},${value},${on}\n`).join('')}`
}

/** The day of what is printed after the documents. */
const REVISED_ON = '2026-11-20'

/** A further print of a month. Each `round` gives another value. */
export const revised = (series: PrintedSeries, back: number, round: number): Print => ({
  back,
  value: valueOfPrint(series, back, VINTAGES + round),
  on: REVISED_ON,
})

/** A document of one print, as the acceptor gets it. */
export function acceptedPrint(
  { country, indicator: { name, unit, figure } }: PrintedSeries,
  print: Print,
  number: number,
) {
  const series = testSeries({
    country,
    indicator: name,
    unit,
    source: 'GROWTH',
    dataset: `${country}.${name}`,
    seasonal_adjustment: 'seasonally_adjusted',
  })
  const sha256 = String(number).padStart(64, '0')
  const document = {
    ...testDocument,
    source: series.source,
    dataset: series.dataset,
    retrievedAt: new Date().toISOString(),
    sha256,
  }
  const item = {
    kind: 'figure' as const,
    series,
    period: shiftPeriod(LAST, -print.back),
    figures: { [figure]: { printed: print.value } },
    released: { on: print.on, basis: 'publisher' as const },
    location: 'row 1',
  }
  return { document, item }
}

/** Writes the documents from which about `releases` releases follow. */
export function writeDocuments(
  directory: string,
  releases: number,
): { readonly files: string[]; readonly figures: number } {
  const months = Math.ceil(releases / RELEASES_OF_FIGURE / printedSeries.length / VINTAGES) + VINTAGES / 2
  let figures = 0
  const files = printedSeries.map((series) => {
    const prints = Array.from({ length: months }, (_, i) => {
      const newest = months - 1 - i
      const on = addDays(endOfPeriod(shiftPeriod(LAST, -newest)), 20 + (series.place % 5))
      const known = Math.min(VINTAGES, i + 1)
      return Array.from({ length: known }, (_, n) => {
        const print = known - 1 - n
        return { back: newest + print, value: valueOfPrint(series, newest + print, print), on }
      })
    }).flat()
    figures += prints.length
    const file = join(directory, `${series.country}-${series.indicator.name}.csv`)
    writeFileSync(file, documentOf(series, prints))
    return file
  })
  return { files, figures }
}
