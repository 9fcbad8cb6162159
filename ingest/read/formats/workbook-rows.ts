import type { Frequency } from '../../../contracts/records.ts'
import { isPeriodOf, shiftPeriod } from '../../../domain/period.ts'
import { DocumentError } from '../../source.ts'
import type { SheetRow } from '../xlsx.ts'

/** A row of figures, and the period of its label. A label that is no period stays as it is. */
export type PeriodRow = { readonly row: SheetRow; readonly period: string }

export const textIn = ({ cells }: SheetRow, letters: string): string => (cells.get(letters) ?? '').trim()

export const labelOf = (row: SheetRow): string => textIn(row, 'A')

/** Throws `DocumentError` `truncated` unless each period of the frequency follows the one above it. */
export function refuseGap(rows: readonly PeriodRow[], sheet: string, frequency: Frequency): void {
  for (const [i, { row, period }] of rows.entries()) {
    const before = rows[i - 1]?.period ?? ''
    if (!isPeriodOf(frequency, before) || !isPeriodOf(frequency, period) || shiftPeriod(before, 1) === period) continue
    throw new DocumentError('truncated', `The period after ${before} is ${period}.`, `${sheet}, A${row.number}`)
  }
}
