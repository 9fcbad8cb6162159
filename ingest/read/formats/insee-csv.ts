import { DocumentError, type Reject } from '../../source.ts'
import { csvRowsOf } from '../csv.ts'
import { rejectOf } from '../items.ts'
import { dayFirst, statedDay, unambiguousDays } from '../printed-days.ts'
import {
  type Dataset,
  type FormatReader,
  type MessageObservation,
  type ObservedSeries,
  valueOrMissing,
} from './observation.ts'

/**
 * Series of INSEE's macroeconomic database (BDM) as its pages give them: for each series a column of values and one of codes,
 * newest first. The idBank names the series; the dataset is `SERIES_BDM`, as in the SDMX of the database. A row above the periods
 * that INSEE does not write may be a dimension. Source: https://www.insee.fr/fr/statistiques
 */
export const inseeCsv: FormatReader = {
  name: 'INSEE series CSV',
  recognises: (head) => /^"?Libellé"?;[^\n]*\n"?idBank"?;/.test(head),
  read: readSeries,
}

type SeriesColumn = ObservedSeries & { readonly at: number; readonly dataset: Dataset }

function* readSeries(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const stated = new Map<string, readonly string[]>()
  let columns: readonly SeriesColumn[] | undefined
  let width = 0
  for (const { cells, line, text: row } of csvRowsOf(text, ';')) {
    const location = `line ${line}`
    const [label = ''] = cells
    if (!columns) {
      if (stated.has(label))
        throw new DocumentError('malformed_document', `The row ${label} is stated twice.`, location)
      stated.set(label, cells)
      width = cells.length
      if (label === 'Période') columns = columnsOf(stated, location)
      continue
    }
    if (cells.length !== width) {
      yield rejectOf('wrong_cell_count', `The row has ${cells.length} cells, the head ${width}.`, location, row)
      continue
    }
    // INSEE's quarters are trimesters: 2025-T1.
    const period = label.replace(/^(\d{4})-T([1-4])$/, '$1-Q$2')
    for (const { at, dataset, codes, attributes } of columns) {
      const value = valueOrMissing(cells[at]?.trim() ?? '')
      const status = cells[at + 1] ?? ''
      // A blank cell without a status states nothing, not even that there is no figure.
      if (value === null && status === '') continue
      yield {
        kind: 'observation',
        dataset,
        codes,
        period,
        value,
        attributes: { ...attributes, ...(status === '' ? {} : { OBS_STATUS: status }) },
        location,
        text: row,
      }
    }
  }
  if (!columns) throw new DocumentError('truncated', 'The file ends before its row “Période”.')
}

const UPDATED = 'Dernière mise à jour'
const heads: ReadonlySet<string> = new Set(['Libellé', 'idBank', UPDATED, 'Période'])
/** The day stands before a time: 16/05/2025 07:30. */
const updateForms = [dayFirst, ...unambiguousDays]

function columnsOf(stated: ReadonlyMap<string, readonly string[]>, location: string): readonly SeriesColumn[] {
  const titles = stated.get('Libellé') ?? []
  const ids = stated.get('idBank') ?? []
  const updates = stated.get(UPDATED) ?? []
  const columns = titles.flatMap((title, at): SeriesColumn[] => {
    if (at === 0 || title === 'Codes') return []
    const idBank = ids[at] ?? ''
    if (!/^\d{9}$/.test(idBank))
      throw new DocumentError('malformed_document', `${JSON.stringify(idBank)} is no idBank.`, location)
    const updated = statedDay(updates[at], { name: `${UPDATED} of ${idBank}`, forms: updateForms })
    const dataset: Dataset = {
      format: inseeCsv.name,
      dataflow: { agency: '', id: 'SERIES_BDM' },
      updated,
    }
    const base = /\bBase (\d{4})\b/.exec(title)?.[1]
    const attributes = { TITLE_FR: title, ...(base === undefined ? {} : { BASE: base }) }
    const codes: Record<string, string> = { IDBANK: idBank }
    for (const [label, { [at]: cell = '' }] of stated) if (!heads.has(label) && cell !== '') codes[label] = cell
    return [{ at, dataset, codes, attributes }]
  })
  if (new Set(columns.map(({ codes }) => codes.IDBANK)).size !== columns.length)
    throw new DocumentError('duplicate_column', 'The head names a series twice.', location)
  if (columns.length === 0) throw new DocumentError('malformed_document', 'The head names no series.', location)
  return columns
}
