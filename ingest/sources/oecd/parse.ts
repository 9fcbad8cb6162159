import { countryByAlpha3 } from '../../../contracts/countries.ts'
import { frequencies, type Series } from '../../../contracts/records.ts'
import { seriesOf } from '../../../domain/series.ts'
import type { Document, Figure, Item, Reject } from '../../source.ts'
import { readTable, type TableRow } from '../shared/csv.ts'
import { textOf } from '../shared/document.ts'
import { supported } from '../shared/fetch-documents.ts'
import { figureOrReject, inOrderOfRelease, rejectOf } from '../shared/figure.ts'
import { type Measure, oecdAggregates, structures } from './datasets.ts'

/** The columns of the SDMX-CSV of sdmx.oecd.org, and of the files of the data portal before it (until 2024). */
const layouts = {
  sdmx: { dataset: 'DATAFLOW', area: 'REF_AREA', frequency: 'FREQ', period: 'TIME_PERIOD', value: 'OBS_VALUE' },
  portal: { dataset: 'INDICATOR', area: 'LOCATION', frequency: 'FREQUENCY', period: 'TIME', value: 'Value' },
} as const
type Layout = (typeof layouts)[keyof typeof layouts]

/** A usable row: one member of a figure, whose other members may stand in other rows. */
type Part = {
  readonly kind: 'part'
  readonly series: Series
  readonly period: string
  readonly member: Measure['member']
  readonly printed: string
  readonly row: TableRow
}

/**
 * Parses OECD CSV. The two growth rates of a quarter stand in two rows and make one figure; a quarter with only one of
 * them (the first of a series) makes none. Skips aggregates, other frequencies and missing values.
 * Throws `DocumentError`: `missing_column`, `dataset_not_supported`, or what reading CSV throws.
 */
export function* parseOecd(document: Document): Iterable<Item> {
  const text = textOf(document)
  const firstLine = text.slice(0, text.indexOf('\n') + 1)
  const layout = /\bREF_AREA\b/.test(firstLine) ? layouts.sdmx : layouts.portal
  const { header, rows } = readTable(text, Object.values(layout), { endsWithNewline: true })
  const first = rows.find((row) => row.kind === 'row')
  if (!first) return
  const dataset = datasetOf(layout, first)
  supported(dataset, structures)
  const parts = rows.flatMap((row) => (row.kind === 'reject' ? row : partOf(dataset, layout, header, row)))
  yield* inOrderOfRelease(figuresOf(parts))
}

/** Name of a row's dataset: `QGDP`, or the middle of `OECD.SDD.TPS:DSD_LFS@DF_IALFS_UNE_M(1.0)`. */
function datasetOf(layout: Layout, row: TableRow): string {
  const cell = row.cell(layout.dataset)
  const name = cell.slice(cell.indexOf(':') + 1)
  const version = name.endsWith(')') ? name.lastIndexOf('(') : -1
  return version < 0 ? name : name.slice(0, version)
}

function partOf(dataset: string, layout: Layout, header: readonly string[], row: TableRow): Part | Reject | [] {
  const reject = (reason: string, detail: string) => rejectOf(reason, detail, `line ${row.line}`, row.text)
  const { dimensions, measures } = supported(dataset, structures)
  if (datasetOf(layout, row) !== dataset)
    return reject('wrong_dataset', `The row is of another dataset than ${dataset}.`)
  const key = dimensions.map((dimension) => row.cell(dimension)).join('.')
  const measure = Object.hasOwn(measures, key) ? measures[key] : undefined
  if (measure === undefined) return reject('unknown_series', `${dimensions.join('.')} is ${key}.`)
  const frequency = frequencies.find((code) => code === row.cell(layout.frequency))
  if (!frequency) return reject('unknown_frequency', `Frequency is ${JSON.stringify(row.cell(layout.frequency))}.`)
  const area = row.cell(layout.area)
  const printed = row.cell(layout.value)
  if (measure === null || oecdAggregates.has(area) || !measure.frequencies.includes(frequency) || printed === '')
    return []
  if (!countryByAlpha3.has(area)) return reject('unknown_country', `Area is ${JSON.stringify(area)}.`)
  if (header.includes('UNIT_MULT') && row.cell('UNIT_MULT') !== '0')
    return reject('unknown_unit', `UNIT_MULT is ${JSON.stringify(row.cell('UNIT_MULT'))}; rates and indices have 0.`)

  const { indicator, unit, member, base } = measure
  const series = seriesOf({
    indicator,
    country: area,
    frequency,
    source: 'OECD',
    dataset,
    unit,
    seasonal_adjustment: 'seasonally_adjusted',
    annualization: 'not_annualized',
    base_period: base ?? '',
    base_value: base === undefined ? '' : '100',
    derivation: '',
  })
  return { kind: 'part', series, period: row.cell(layout.period), member, printed, row }
}

/** Joins the parts of one series and period into a figure. A repeated part becomes a `Reject`. */
function figuresOf(parts: readonly (Part | Reject)[]): Item[] {
  const items: Item[] = []
  const figures = new Map<string, Map<string, Part>>()
  for (const part of parts) {
    if (part.kind === 'reject') {
      items.push(part)
      continue
    }
    const key = `${part.series.id} ${part.period}`
    const members = figures.get(key) ?? new Map<string, Part>()
    figures.set(key, members)
    const before = members.get(part.member)
    if (!before) members.set(part.member, part)
    else {
      const detail = `${part.member} of ${key} stands already on line ${before.row.line}.`
      items.push(rejectOf('stated_twice', detail, `line ${part.row.line}`, part.row.text))
    }
  }
  for (const members of figures.values()) items.push(...figureOf([...members.values()]))
  return items
}

function figureOf(parts: readonly Part[]): Item[] {
  const [first] = parts
  if (!first || (first.series.indicator === 'gdp-growth' && parts.length < 2)) return []
  const figures: Figure['figures'] = Object.fromEntries(parts.map(({ member, printed }) => [member, { printed }]))
  const location = `line ${parts.map(({ row }) => row.line).join(' and ')}`
  const text = parts.map(({ row }) => row.text).join('\n')
  const { series, period } = first
  return [figureOrReject({ series, period, figures, location }, text)]
}
