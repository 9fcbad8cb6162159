import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { exportsCountries, type Indicator } from '../../../contracts/indicators.ts'
import { frequencyOrder } from '../../../contracts/serving.ts'
import type { Derivation } from '../../../domain/derive/derivation.ts'
import { growthFromVolume } from '../../../domain/derive/growth.ts'
import { inflationFromCpi } from '../../../domain/derive/inflation.ts'
import { tradeFromFlows } from '../../../domain/derive/trade.ts'
import { shiftPeriod, startOfPeriod } from '../../../domain/period.ts'
import { compareForServing } from '../../../domain/served-series.ts'
import { openSources } from '../../../ingest/sources/index.ts'
import { explanationOf } from './explained.ts'
import { type SampleSeries, sampleSeries } from './sample-series.ts'
import { SEARCHED_ON, searchedFor } from './searched.ts'
import { compareSources } from './second-source.ts'
import { copyAt } from './taken-from.ts'

/**
 * The table of docs/sample-cells.md: what answers "latest" for each country and indicator of the sample, read from the
 * sample itself. `node test/sample/make/cells.ts` writes it anew.
 */
export const tablePath = resolve(import.meta.dirname, '../../../docs/sample-cells.md')

/** Ages are counted to this day, so that the page is the same on every day. */
const DAY = '2026-11-01'

/** Indicators by column, and for a derived one the indicators whose published series it may come from. */
const columns: readonly (readonly [shown: Indicator, from: readonly Indicator[]])[] = [
  ['cpi', ['cpi']],
  ['inflation', ['cpi']],
  ['unemployment', ['unemployment']],
  ['labour-force-participation', ['labour-force-participation']],
  ['gdp', ['gdp']],
  ['gdp-growth', ['gdp-growth', 'gdp-volume']],
  ['trade-exports', ['trade-exports']],
  ['trade-imports', ['trade-imports']],
  ['trade', ['trade', 'trade-imports']],
]

/** The rules that compute the derived indicators. The years of trade are not what answers "latest". */
const rules: Readonly<Partial<Record<Indicator, Derivation>>> = {
  inflation: inflationFromCpi,
  'gdp-growth': growthFromVolume,
  trade: tradeFromFlows,
}

const kinds = {
  'first-hand': 'made by a program from a document as the publisher gave it, which a public repository holds.',
  'through FRED': 'likewise, but from a document of FRED, which passes the publisher’s figures on.',
  rewritten: 'made from a file in which the holder keeps the publisher’s figures in a form of its own.',
  'typed by hand': 'a person typed them from a longer file of another publisher or holder.',
  empty: 'no official figures were at hand.',
}
type Kind = keyof typeof kinds

const kindOf = ({ origin: { copy }, publisher }: SampleSeries): Kind => {
  if (copy?.is_transcribed) return 'typed by hand'
  if (copyAt(copy?.url ?? '')?.made === 'rewritten') return 'rewritten'
  return publisher.endsWith('through FRED') ? 'through FRED' : 'first-hand'
}

const header = [
  'country',
  'indicator',
  'publisher, dataset',
  'reader',
  'how',
  'periods',
  'age',
  'vintages',
  'newest date',
  'basis',
  'second source',
  'difference',
  'searched',
]

type Row = { readonly kind: Kind; readonly age: number; readonly cells: readonly string[] }

/** Names under which `almanac ingest` reads documents of a publisher, by `Series.source`. */
const readers: ReadonlyMap<string, string> = new Map(
  Object.entries(await openSources()).map(([reader, { name }]) => [name, `\`${reader}\``]),
)

/** The best series of the frequency of the latest figure comes first, then those of other frequencies and sources. */
const inOrder = (known: readonly SampleSeries[]): SampleSeries[] =>
  known.toSorted(
    (a, b) =>
      frequencyOrder.indexOf(a.series.frequency) - frequencyOrder.indexOf(b.series.frequency) ||
      compareForServing(a.series, b.series),
  )

function rowOf(
  country: string,
  shown: Indicator,
  from: readonly Indicator[],
  all: ReadonlyMap<string, SampleSeries[]>,
): Row {
  const indicator = from.find((name) => all.has(`${country} ${name}`)) ?? shown
  const [served, ...others] = inOrder(all.get(`${country} ${indicator}`) ?? [])
  if (!served)
    return { kind: 'empty', age: 0, cells: [country, shown, 'none', '–', 'empty', ...header.slice(5).fill('')] }
  const { series, vintages, bases } = served
  const periods = servedPeriods(served, shown, all)
  const newest = periods.at(-1) ?? ''
  const age = monthsTo(DAY, startOfPeriod(shiftPeriod(newest, 1)))
  const second = others.find((other) => other.series.source !== series.source)
  const kind = kindOf(served)
  return {
    kind,
    age,
    cells: [
      country,
      indicator === shown ? shown : `${shown} (from ${indicator})`,
      nameOf(served),
      readers.get(series.source) ?? '–',
      kind,
      `${series.frequency} ${periods[0]} to ${newest}`,
      String(age),
      String(vintages.size),
      [...vintages].sort().at(-1) ?? '',
      [...bases].sort().join(', '),
      second ? `${nameOf(second)} (${second.series.frequency}, ${kindOf(second)})` : '',
      second ? differenceOf(served, second) : '',
      searchedFor(country, shown, series.frequency, age),
    ],
  }
}

const nameOf = ({ publisher, series }: SampleSeries): string => `${publisher}, ${series.dataset}`

/** The periods of a cell: those of its series, or those that can be computed from it and from the other inputs of its rule. */
function servedPeriods(
  { series, current }: SampleSeries,
  shown: Indicator,
  all: ReadonlyMap<string, SampleSeries[]>,
): string[] {
  const periods = [...current.keys()]
  const rule = shown === series.indicator ? undefined : rules[shown]
  if (!rule) return periods
  const { country } = series
  const read = (indicator: string) => inOrder(all.get(`${country} ${indicator}`) ?? [])[0]?.current
  const known = new Map(rule.needs(shown, periods[0] ?? '').map(({ indicator }) => [indicator, read(indicator)]))
  return periods.filter((period) =>
    rule.needs(shown, period).every((need) => known.get(need.indicator)?.has(need.period)),
  )
}

/** Whole months from the first day of one month to the first day of another. */
const monthsTo = (day: string, from: string): number =>
  (Number(day.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(day.slice(5, 7)) - Number(from.slice(5, 7))

function differenceOf(served: SampleSeries, second: SampleSeries): string {
  const found = compareSources(served, second)
  if (!found) return 'no period in common'
  const { compared, equal, largest } = found
  if (equal === compared) return `${compared} compared, none differs`
  return `${compared} compared, ${equal} equal, at most ${largest}. ${explanationOf(served.series, second.series)}`
}

export function cellsPage(): string {
  const all = sampleSeries()
  const rows = exportsCountries.flatMap((country) => columns.map(([shown, from]) => rowOf(country, shown, from, all)))
  const count = (kind: string) => rows.filter((row) => row.kind === kind).length
  const ages = rows.filter(({ kind }) => kind !== 'empty').map(({ age }) => age)
  const median = ages.toSorted((a, b) => a - b)[Math.floor(ages.length / 2)]
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return `# What the bundled sample is made of

<!-- Written by \`node test/sample/make/cells.ts\`; do not edit. -->

One row is one cell of country and indicator: the best series, and where its figures come from. [The bundled sample](../sample/README.md) says what was left out and why.

| of ${rows.length} cells | are | which means |
| --- | --- | --- |
${Object.entries(kinds)
  .map(([kind, meaning]) => line([String(count(kind)), kind, meaning]))
  .join('\n')}

- **reader**: the source of \`./almanac ingest\` that reads documents of this publisher, or of FRED. Files that are rewritten or typed by hand are read by small programs of \`test/sample/make\`.
- **periods**: of a derived indicator those that can be computed, which begin later than those of its input. [Growth of Germany, France and the Netherlands](../sample/README.md#what-is-in-it) is answered from 2001 on, by volumes on an older base.
- **age**: months from the end of the newest period to ${DAY}. The median is ${median}.
- **vintages**: days from which there are prints. **newest date** is the last of them, and **basis** says [on what it rests](where-a-figure-comes-from.md).
- **second source**: a series of another publisher in the sample. If it has the same frequency, it answers [the periods that the first one lacks](what-a-row-says.md). If it has another frequency, it may answer requests for that one. Rates are compared in points, amounts in percent, indices by their change from the year before, and months with quarters by their mean.
- **searched**: of a cell whose newest period ended more than one period and twelve months ago, what was looked for in public repositories on ${SEARCHED_ON}, and the newest that was found and is not served.

No first-hand document was found for the cells typed by hand, or only a much older one: trade of the United Kingdom, participation of Germany and France, and GDP of Germany, France, Japan and the Netherlands. Newer first-hand figures replace them as soon as they are ingested.

${[line(header), line(header.map(() => '---')), ...rows.map(({ cells }) => line(cells))].join('\n')}
`
}

if (process.argv[1] === import.meta.filename) writeFileSync(tablePath, cellsPage())
