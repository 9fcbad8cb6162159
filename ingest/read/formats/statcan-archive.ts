import { documentLimits } from '../../limits.ts'
import { DocumentError, type Reject } from '../../source.ts'
import { statCanMetadata } from '../body.ts'
import { otherCells, readCsv } from '../csv.ts'
import { decoded } from '../text.ts'
import type { ZipEntry } from '../zip.ts'
import { type Dataset, type MessageObservation, observationsOfTable } from './observation.ts'
import { tableOfProduct } from './statcan-vectors.ts'

/**
 * Whole tables of Statistics Canada: a zip archive of the table as CSV, with a row an observation, and of a file that names
 * the table and its frequency. Source: https://www.statcan.gc.ca/en/developers/csv/user-guide
 */
export const statCanArchive = {
  name: 'archive of a table of Statistics Canada',
  recognises: (entries: readonly ZipEntry[]): boolean => entries.some(({ name }) => statCanMetadata.test(name)),
  read: readStatCanArchive,
} as const

/** Columns of every table. The others are its dimensions. */
const required = 'REF_DATE GEO DGUID UOM UOM_ID SCALAR_FACTOR SCALAR_ID VECTOR COORDINATE VALUE STATUS'.split(' ')
const notDimensions: ReadonlySet<string> = new Set(required.concat('DECIMALS', 'SYMBOL', 'TERMINATED'))

function* readStatCanArchive(entries: readonly ZipEntry[]): Generator<MessageObservation | Reject> {
  const [about, ...others] = entries.filter(({ name }) => statCanMetadata.test(name))
  if (about && others.length > 0) throw severalTables([about, ...others])
  const product = statCanMetadata.exec(about?.name ?? '')?.[1] ?? ''
  const table = entries.find(({ name }) => name === `${product}.csv`)
  if (!about || !table) throw new DocumentError('malformed_document', `The archive has no ${product}.csv.`)
  const { dataset, frequency } = tableOf(product, about)
  yield* observationsOfTable(decoded(table.pieces()), ',', required, (row) => {
    return {
      dataset,
      codes: {
        ...otherCells(row, notDimensions),
        Geography: row.cell('GEO'),
        UNIT: row.cell('UOM'),
        FREQ: frequency,
      },
      period: periodOf(row.cell('REF_DATE'), frequency),
      value: row.cell('VALUE') || null,
      // No OBS_STATUS, because its letters are no codes of SDMX: A to F grade the quality.
      attributes: { STATUS: row.cell('STATUS'), UNIT_MULT: row.cell('SCALAR_ID') },
    }
  })
}

/** Statistics Canada offers each table as an archive of its own, so somebody has put this one together. */
function severalTables(about: readonly ZipEntry[]): DocumentError {
  const names = about.map(({ name }) => name).join(', ')
  const detail = `The archive is about ${about.length} tables: ${names}. Make an archive of each with its own two files.`
  return new DocumentError('malformed_document', detail)
}

/**
 * The first two lines of the metadata that are not blank are a header and the table; the others are of other tables, and are not
 * read.
 */
function tableOf(product: string, about: ZipEntry): { readonly dataset: Dataset; readonly frequency: string } {
  let [start, rest]: [string, string] = ['', '']
  let rows: readonly string[] = []
  for (const piece of decoded(about.pieces())) {
    start += piece
    const lines = start.split(/\r?\n/)
    rest = lines.pop() ?? ''
    rows = lines.filter((line) => line.trim() !== '')
    if (rows.length >= 2) break
    if (start.length > documentLimits.csvRowBytes) {
      const detail = `The first two rows have more than ${documentLimits.csvRowBytes} bytes.`
      throw new DocumentError('too_large', detail, about.name)
    }
  }
  if (rows.length < 2 && rest.trim() !== '') {
    const detail = 'The last row has no line end, so it may be cut; add one if it is whole.'
    throw new DocumentError('truncated', detail, about.name)
  }
  const [names = '', values = ''] = rows
  // The French file separates its columns by semicolons, so that it is no CSV for `readCsv`.
  if (!names.includes('Product Id')) {
    const detail = 'The file has no column "Product Id". Archives are read in English.'
    throw new DocumentError('malformed_document', detail, about.name)
  }
  const [header, row] = readCsv(`${names}\n${values}`)
  const stated = (name: string): string => row?.cells[header?.cells.indexOf(name) ?? -1] ?? ''
  if (stated('Product Id') !== product)
    throw new DocumentError('malformed_document', `The file is about the table ${stated('Product Id')}.`, about.name)
  const dataflow = { agency: 'StatCan', id: tableOfProduct(product) }
  return { dataset: { format: statCanArchive.name, dataflow }, frequency: stated('Frequency') }
}

/** A quarter is stated by its first month. */
function periodOf(printed: string, frequency: string): string {
  const [, year, month] = /^(\d{4})-(01|04|07|10)$/.exec(printed) ?? []
  return frequency === 'Quarterly' && year !== undefined ? `${year}-Q${Math.ceil(Number(month) / 3)}` : printed
}
