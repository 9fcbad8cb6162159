import type { Random } from '../random.ts'

/** Figures as files for `almanac ingest file`, and what must stand on record once all of them were acknowledged. */
export const countries = ['AUS', 'CAN', 'DEU'] as const
export const indicators = ['cpi', 'trade-exports', 'trade-imports'] as const
export type Indicator = (typeof indicators)[number]

const FIRST_YEAR = 2000
const MONTHS_AT_FIRST = 24
const DAY_MS = 86_400_000

export const monthName = (index: number): string =>
  `${FIRST_YEAR + Math.floor(index / 12)}-${String(1 + (index % 12)).padStart(2, '0')}`

/** Values are kept as whole tenths: 1234 is printed as 123.4. */
export const printed = (tenths: number): string => `${Math.floor(tenths / 10)}.${tenths % 10}`
/** Value that the service must hold for a printed one: trade is printed in millions, and held in units. */
export const held = (indicator: string, tenths: number): string =>
  indicator === 'cpi' ? printed(tenths) : String(tenths * 100_000)

export const placeOf = (country: string, indicator: string, period: string): string =>
  `${country}/${indicator}/${period}`

/** Everything that publishers have printed so far: by COUNTRY/INDICATOR/PERIOD each value in tenths, oldest first. */
export class Ledger {
  readonly chains = new Map<string, number[]>()
  readonly #months = new Map<string, number>()
  #day = 0

  /** The next file of one series: new months, and revisions of old ones. It counts as printed at once: the driver repeats the
   * command until it is acknowledged. */
  nextFile(random: Random): FigureFile {
    const country = random.pick(countries)
    const indicator = random.pick(indicators)
    const series = `${country}/${indicator}`
    const known = this.#months.get(series) ?? 0
    const added = known === 0 ? MONTHS_AT_FIRST : random.below(4)
    const rows = Array.from({ length: added }, (_, i) => ({ period: monthName(known + i), tenths: drawTenths(random) }))
    if (known > 0) {
      const revised = new Set(Array.from({ length: 1 + random.below(12) }, () => random.below(known)))
      for (const month of revised) {
        const period = monthName(month)
        const chain = this.chains.get(placeOf(country, indicator, period)) ?? []
        let tenths = drawTenths(random)
        // A value of its own tells which print an answer is from.
        while (chain.includes(tenths)) tenths++
        rows.push({ period, tenths })
      }
    }
    this.#months.set(series, known + added)
    for (const { period, tenths } of rows) {
      const place = placeOf(country, indicator, period)
      this.chains.set(place, [...(this.chains.get(place) ?? []), tenths])
    }
    const releasedOn = new Date(Date.UTC(2015, 0, 1) + this.#day++ * DAY_MS).toISOString().slice(0, 10)
    return { country, indicator, text: textOf({ country, indicator, rows, releasedOn }) }
  }

  /** The months of a series that have a figure, oldest first. */
  months(country: string, indicator: string): string[] {
    return Array.from({ length: this.#months.get(`${country}/${indicator}`) ?? 0 }, (_, i) => monthName(i))
  }

  /** The newest value of a month, in tenths. */
  current(country: string, indicator: string, period: string): number | undefined {
    return this.chains.get(placeOf(country, indicator, period))?.at(-1)
  }
}

export type FigureFile = { readonly country: string; readonly indicator: Indicator; readonly text: string }

const drawTenths = (random: Random): number => 900 + random.below(400)

function textOf({
  country,
  indicator,
  rows,
  releasedOn,
}: {
  country: string
  indicator: Indicator
  rows: readonly { readonly period: string; readonly tenths: number }[]
  releasedOn: string
}): string {
  const head = [
    'almanac: figures 1',
    `rows: ${rows.length}`,
    'source: TEST',
    'dataset: CHAOS',
    'publisher: Test office',
    'licence: none',
    'url: file:chaos',
    `indicator: ${indicator}`,
    `country: ${country}`,
    `released_on: ${releasedOn}`,
    'seasonal_adjustment: not_seasonally_adjusted',
    ...(indicator === 'cpi'
      ? ['unit: index', 'base_period: 2015', 'base_value: 100']
      : ['unit: USD', 'multiplier: 1000000']),
  ]
  const lines = rows.map(({ period, tenths }) => `${period},${printed(tenths)}`)
  return `${head.map((line) => `# ${line}`).join('\n')}\nperiod,value\n${lines.join('\n')}\n`
}
