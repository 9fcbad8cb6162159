import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { exportsCountries } from '../../contracts/indicators.ts'
import { compareForServing, latestOrder } from '../../domain/served-series.ts'
import type { Figure } from '../../ingest/source.ts'
import { parseFile } from '../../ingest/sources/file/parse.ts'
import { documentOf } from '../../ingest/sources/shared/document.ts'

/**
 * The table of docs/sample-cells.md: what answers "latest" for each country and indicator of the sample, read from the
 * sample itself. `node sample/make/cells.ts` writes it anew.
 */
const sample = resolve(import.meta.dirname, '..')
export const tablePath = resolve(sample, '../docs/sample-cells.md')

/** Indicators by column, and for a derived one the indicator whose published series it comes from. */
const columns: readonly (readonly [shown: string, from: readonly string[]])[] = [
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

/** Files whose rows a person typed from longer originals. */
const typedByHand = new Set([
  ...['DEU', 'FRA', 'JPN', 'NLD'].map((country) => `gdp-${country}-fred.csv`),
  'gdp-MYS-dosm.csv',
  'gdp-volume-MYS-dosm.csv',
  ...['exports', 'imports'].flatMap((flow) => [
    `trade-${flow}-wb.csv`,
    `trade-${flow}-CAN-statcan.csv`,
    ...['DEU', 'GBR', 'JPN', 'USA'].map((country) => `trade-${flow}-${country}-fred.csv`),
  ]),
  'labour-force-participation-wb.csv',
])
/** Files made from a series that somebody had written anew, without the publisher's document. */
const writtenAnew = new Set([
  'labour-force-participation-CAN-statcan.csv',
  'trade-exports-AUS-abs.csv',
  'trade-imports-AUS-abs.csv',
])

type Known = { readonly file: string; readonly publisher: string; readonly figures: readonly Figure[] }

const handOf = ({ file, publisher }: Known): string => {
  if (typedByHand.has(file)) return 'typed by hand'
  return publisher.endsWith('through FRED') ? 'through FRED' : writtenAnew.has(file) ? 'written anew' : 'first-hand'
}

function knownSeries(): Map<string, Known[]> {
  const cells = new Map<string, Known[]>()
  for (const file of readdirSync(join(sample, 'figures')).sort()) {
    const bytes = readFileSync(join(sample, 'figures', file))
    const publisher = /^# publisher: (.*)$/m.exec(bytes.toString())?.[1] ?? ''
    const known = { source: 'FILE', dataset: file, publisher, licence: '', url: '', retrievedAt: '' }
    const figures = [...parseFile(documentOf(bytes, known))].filter((item) => item.kind === 'figure')
    for (const of of Map.groupBy(figures, ({ series }) => series.id).values()) {
      const { country, indicator } = of[0]!.series
      const key = `${country} ${indicator}`
      cells.set(key, [...(cells.get(key) ?? []), { file, publisher, figures: of }])
    }
  }
  return cells
}

/** The series that answers "latest" comes first, then those of other frequencies and sources. */
const inOrder = (country: string, indicator: string, series: readonly Known[]): Known[] => {
  const order = latestOrder(country, indicator)
  const frequencyRank = (known: Known) => order.indexOf(known.figures[0]!.series.frequency)
  return series.toSorted(
    (a, b) => frequencyRank(a) - frequencyRank(b) || compareForServing(a.figures[0]!.series, b.figures[0]!.series),
  )
}

function rowOf(country: string, shown: string, from: readonly string[], cells: ReadonlyMap<string, Known[]>) {
  const indicator = from.find((name) => cells.has(`${country} ${name}`))
  const ordered = inOrder(country, shown, cells.get(`${country} ${indicator}`) ?? [])
  const [served] = ordered
  if (!served) return [country, shown, 'none at hand', 'empty', '', '', '', '', '']
  const sourceOf = ({ figures }: Known) => figures[0]!.series.source
  const second = ordered.find((known) => sourceOf(known) !== sourceOf(served))
  const periods = [...new Set(served.figures.map(({ period }) => period))].sort()
  const dates = new Set(served.figures.map(({ released }) => released?.on ?? ''))
  const bases = [...new Set(served.figures.map(({ released }) => released?.basis ?? 'none'))].sort()
  const name = (of: Known) => `${of.publisher}, ${of.figures[0]!.series.dataset}`
  return [
    country,
    indicator === shown ? shown : `${shown} (from ${indicator})`,
    name(served),
    handOf(served),
    `${served.figures[0]!.series.frequency} ${periods[0]} to ${periods.at(-1)}`,
    String(dates.size),
    [...dates].sort().at(-1) ?? '',
    bases.join(', '),
    second ? `${name(second)} (${second.figures[0]!.series.frequency})` : '',
  ]
}

export function cellsPage(): string {
  const cells = knownSeries()
  const rows = exportsCountries.flatMap((country) => columns.map(([shown, from]) => rowOf(country, shown, from, cells)))
  const counts = Map.groupBy(rows, (row) => row[3] ?? '')
  const summary = [...counts].map(([hand, of]) => `${of.length} ${hand}`).join(', ')
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    '# What the bundled sample is made of',
    '',
    '<!-- Written by `node sample/make/cells.ts`; do not edit. -->',
    '',
    'One row is one cell of country and indicator: the series that answers "latest" and where its figures come from.',
    `Of ${rows.length} cells: ${summary}.`,
    '',
    '- **first-hand**: made by a program from a document as the publisher gave it, held by a public repository.',
    '- **through FRED**: the same, but from a document of FRED, which passes the figures on.',
    '- **written anew**: from a file in which somebody else had written the publisher’s figures.',
    '- **typed by hand**: a person typed them from a longer file.',
    '',
    'The date basis `dataset` is the dataset’s own last update, or the day on which the copy was taken in where the',
    'document states none. `none` means that no date is known.',
    '',
    line([
      'country',
      'indicator',
      'publisher, dataset',
      'how',
      'periods',
      'dates',
      'newest date',
      'basis',
      'second source',
    ]),
    line(Array.from({ length: 9 }, () => '---')),
    ...rows.map(line),
    '',
  ].join('\n')
}

if (process.argv[1] === import.meta.filename) writeFileSync(tablePath, cellsPage())
