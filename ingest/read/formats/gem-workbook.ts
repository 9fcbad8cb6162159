import { DocumentError, type Reject } from '../../source.ts'
import { refuseRepeatedColumn } from '../csv.ts'
import type { Workbook } from '../xlsx.ts'
import { type Dataset, type MessageObservation, periodOf, type WorkbookReader } from './observation.ts'
import { labelOf, refuseGap } from './workbook-rows.ts'

/**
 * The World Bank's Global Economic Monitor: a workbook for each indicator, in it a sheet for each frequency, with a
 * column for each country by its English name and a row for each period (`2025M07`). `NA` stands where there is no
 * figure. Only the name of the file says which indicator and unit it has.
 * Source: https://datacatalog.worldbank.org/search/dataset/0037798/Global-Economic-Monitor
 */
export const gemWorkbook: WorkbookReader = {
  name: 'workbook of the Global Economic Monitor',
  recognises: ({ sheets }) => sheets.length > 0 && sheets.every((sheet) => Object.hasOwn(frequencies, sheet)),
  read: readGemWorkbook,
}

const frequencies = { annual: 'A', quarterly: 'Q', monthly: 'M' } as const

function* readGemWorkbook(workbook: Workbook): Generator<MessageObservation | Reject> {
  const dataset: Dataset = {
    format: gemWorkbook.name,
    structure: { agency: 'WB', id: 'GEM' },
  }
  for (const [sheet, frequency] of Object.entries(frequencies)) {
    if (!workbook.sheets.includes(sheet)) continue
    const [header, ...rows] = workbook.rowsOf(sheet)
    const countries = header?.cells ?? new Map<string, string>()
    if (header?.number !== 1 || countries.has('A') || countries.size === 0)
      throw new DocumentError('missing_row', 'The first row does not name countries from column B on.', sheet)
    refuseRepeatedColumn([...countries.values()], `${sheet}, row 1`)
    const filled = rows
      .filter(({ cells }) => cells.size > 0)
      .map((row) => ({ row, period: periodOf(frequency, labelOf(row)) ?? labelOf(row) }))
    refuseGap(filled, sheet, frequency)
    for (const { row, period } of filled)
      for (const [letters, value] of row.cells) {
        if (letters === 'A') continue
        const location = `${sheet}, ${letters}${row.number}`
        const country = countries.get(letters)
        if (country === undefined)
          throw new DocumentError('malformed_document', 'The cell has no country above it.', location)
        yield {
          kind: 'observation',
          dataset,
          codes: { FREQ: frequency, COUNTRY: country },
          period,
          value: value === 'NA' ? null : value,
          attributes: {},
          location,
          text: `${country}\t${labelOf(row)}\t${value}`,
        }
      }
  }
}
