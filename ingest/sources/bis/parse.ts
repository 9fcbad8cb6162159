import { countryByAlpha2 } from '../../../contracts/countries.ts'
import { frequencyOf } from '../../../domain/period.ts'
import { seriesOfMeaning } from '../../map/mapping.ts'
import { readSeriesRows } from '../../map/read-rows.ts'
import { readTable, refuseEmpty, type TableRow } from '../../read/csv.ts'
import { figureOrReject, inOrderOfRelease, rejectOf } from '../../read/items.ts'
import { textOf } from '../../read/text.ts'
import { isZip, readZip } from '../../read/zip.ts'
import { type Document, DocumentError, type Item, supported } from '../../source.ts'

export const DATASET = 'WS_LONG_CPI'
const { meaning: prices } = supported(DATASET, readSeriesRows('bis'))

/** Codes of areas that are no country. */
const aggregates = new Set(['XM'])

/** Unit codes of the BIS: the index, and its change on the year before, which is skipped because it is derived. */
const INDEX = '628'
const YEAR_ON_YEAR = '771'

/**
 * Parses monthly consumer price indices of the BIS's long series: CSV with a column per period, or the zip with it.
 * Skips annual rows, rows of changes and areas that are no country; an empty cell and `NaN` are no figures. Each row
 * states its base (`Index, 2010 = 100`). Codes have columns of their own (`FREQ`), or in older files stand before a
 * colon (`M:Monthly` in `Frequency`). The name of a row's series proves the dataset, because in other datasets of the
 * BIS, whose files have the same columns and some more, it has other parts.
 * Throws `DocumentError` `wrong_dataset` if no row is of the dataset, `malformed_document`, or what reading CSV and zip throws.
 * Source: https://data.bis.org/bulkdownload
 */
export function* parseBis(document: Document): Iterable<Item> {
  const { header, rows } = readTable(textOf({ bytes: csvOf(document.bytes) }), ['Reference area', 'Unit of measure'], {
    endsWithNewline: true,
  })
  const periods = periodColumns(header)
  refuseEmpty(rows)
  const named = rows.filter((row) => row.kind === 'row')
  if (named.length > 0 && !named.some((row) => isOfDataset(row, header))) {
    const detail = `The first row is of ${JSON.stringify(named[0]?.cell(seriesColumn(header)))}, no series of ${DATASET}.`
    throw new DocumentError('wrong_dataset', detail, `line ${named[0]?.line}`)
  }
  const items = rows.flatMap((row) => (row.kind === 'reject' ? row : itemsOf(row, header, periods)))
  yield* inOrderOfRelease(items)
}

function csvOf(bytes: Uint8Array): Uint8Array {
  if (!isZip(bytes)) return bytes
  const tables = readZip(bytes).filter(({ name }) => name.endsWith('.csv'))
  const [table] = tables
  if (!table || tables.length > 1)
    throw new DocumentError('malformed_document', `The archive has ${tables.length} CSV files, not one.`)
  return table.read()
}

/** Columns from the first period on. Throws unless each is a period and occurs once: it doesn't guess. */
function periodColumns(header: readonly string[]): readonly string[] {
  const periods = header.slice(header.findIndex((name) => frequencyOf(name) !== undefined))
  const odd = periods.find((name, i) => frequencyOf(name) === undefined || periods.indexOf(name) !== i)
  if (frequencyOf(periods[0] ?? '') === undefined || odd !== undefined)
    throw new DocumentError('malformed_document', `The header has no plain row of periods: ${odd ?? 'none'}.`, 'line 1')
  return periods.filter((name) => frequencyOf(name) === 'M')
}

/** Column with the names of series. Older files name it after the columns of periods behind it. */
const seriesColumn = (header: readonly string[]): string => (header.includes('Series') ? 'Series' : 'Time Period')

function codesOf(row: TableRow, header: readonly string[]) {
  const code = (codes: string, labels: string) =>
    header.includes(codes) ? row.cell(codes) : (row.cell(labels).split(':')[0] ?? '')
  return {
    frequency: code('FREQ', 'Frequency'),
    area: code('REF_AREA', 'Reference area'),
    unit: code('UNIT_MEASURE', 'Unit of measure'),
  }
}

/** A series is named by its frequency, area and unit: `M:AU:628`. */
function isOfDataset(row: TableRow, header: readonly string[]): boolean {
  const { frequency, area, unit } = codesOf(row, header)
  return row.cell(seriesColumn(header)) === `${frequency}:${area}:${unit}`
}

function itemsOf(row: TableRow, header: readonly string[], months: readonly string[]): Item[] {
  const reject = (reason: string, detail: string) => [rejectOf(reason, detail, `line ${row.line}`, row.text)]
  const { frequency, area, unit } = codesOf(row, header)
  if (frequency === 'A' || unit === YEAR_ON_YEAR || aggregates.has(area)) return []
  if (frequency !== 'M') return reject('unknown_frequency', `Frequency is ${JSON.stringify(frequency)}.`)
  const base = /\bIndex, (\d{4}) = (\d+)$/.exec(row.cell('Unit of measure'))
  if (unit !== INDEX || !base) return reject('unknown_unit', `Unit is ${JSON.stringify(row.cell('Unit of measure'))}.`)
  const country = countryByAlpha2.get(area)
  if (!country) return reject('unknown_country', `Area is ${JSON.stringify(row.cell('Reference area'))}.`)
  if (!isOfDataset(row, header))
    return reject('wrong_dataset', `The row is of ${JSON.stringify(row.cell(seriesColumn(header)))}.`)

  const [, period = '', value = ''] = base
  const place = { source: 'BIS', dataset: DATASET, country: country.alpha3 }
  const series = seriesOfMeaning(prices, place, { period, value })
  return months.flatMap((period): Item | [] => {
    const value = row.cell(period)
    if (value === '' || value === 'NaN') return []
    const location = `line ${row.line}, column ${period}`
    return figureOrReject({ series, period, figures: { [prices.figure]: { printed: value } }, location }, value)
  })
}
