import { type CsvStyle, MAX_MATRIX_VALUES } from '../contracts/operation.ts'
import { observationsByVintage, vintageDates } from '../domain/real-time.ts'
import { type VintageEntry, type VintagesOfId, vintagesById } from '../domain/vintage-layout.ts'
import { csvHeader, csvRow } from './csv.ts'
import { invalidQuery } from './refusals.ts'
import { inTurns, rowsATurn } from './render.ts'

type Table = {
  readonly columns: readonly string[]
  readonly decimals: readonly string[]
  /** A row is made when it is written: a matrix may have 500,000 values. */
  readonly rows: readonly (() => Row)[]
}
type Row = Readonly<Record<string, string | null>>

/** Vintages as CSV, in one of the layouts for programs that analyse revisions. */
export async function vintageTable(
  entries: readonly VintageEntry[],
  idOf: (entry: VintageEntry) => string,
  { layout, style }: { readonly layout: 'long' | 'matrix'; readonly style: CsvStyle },
): Promise<string> {
  const ids = vintagesById(entries, idOf)
  const { columns, decimals, rows } = layout === 'long' ? long(ids) : matrix(ids)
  const form = { style, decimals: new Set(decimals) }
  const lines = await inTurns(rows, (row) => csvRow(columns, row(), form), rowsATurn(columns.length))
  return [csvHeader(columns, form), ...lines].join('')
}

/** A row for each value and the day on which it was released, as the package reviser of R reads it. */
const long = (ids: readonly VintagesOfId[]): Table => ({
  columns: ['time', 'pub_date', 'value', 'id'],
  decimals: ['value'],
  rows: ids.flatMap(({ id, observations }) =>
    observations.map(({ date, realtimeStart, value }) => () => ({ time: date, pub_date: realtimeStart, value, id })),
  ),
})

/** A row for each period, with a column for each day on which something changed: the value as of that day. */
function matrix(ids: readonly VintagesOfId[]): Table {
  const days = vintageDates(ids.flatMap(({ observations }) => observations))
  const dates = ids.flatMap(({ observations }) => [...new Set(observations.map(({ date }) => date))]).sort()
  const size = dates.length * days.length
  if (size > MAX_MATRIX_VALUES) {
    const last = dates[Math.floor(MAX_MATRIX_VALUES / days.length) - 1]
    throw invalidQuery(
      `the matrix would have ${dates.length} rows of ${days.length} days, which is ${size} values, and at most ${MAX_MATRIX_VALUES} come in one answer: ask for a range, such as start=${dates[0]?.slice(0, 7)}&end=${last?.slice(0, 7)}, or for layout=long`,
    )
  }
  const rows = ids.flatMap(({ id, observations }) =>
    observationsByVintage(observations, days).map(({ date, values }) => () => ({
      time: date,
      id,
      ...Object.fromEntries(values.map((value, i) => [days[i] ?? '', value])),
    })),
  )
  return { columns: ['time', 'id', ...days], decimals: days, rows }
}
