import type { VintageLayout } from '../contracts/operation.ts'
import type { Frequency } from '../contracts/records.ts'
import { periodOfDay, startOfPeriod } from '../domain/period.ts'
import {
  type DatedValue,
  MAX_VINTAGE_VALUES,
  observationsByVintage,
  realTimeObservations,
  vintageDates,
} from '../domain/real-time.ts'
import { csvHeader, csvRow } from './csv.ts'
import { invalidQuery } from './history-question.ts'
import { inTurns } from './render.ts'

type Form = NonNullable<Parameters<typeof csvRow>[2]>

/** Lays out vintages as CSV. `values` are by id of series and figure, in the order of the columns. */
export const laidOut = (
  layout: VintageLayout,
  values: ReadonlyMap<string, readonly DatedValue[]>,
  { frequency, style }: { readonly frequency: Frequency } & Pick<Form, 'style'>,
): Promise<string> => (layout === 'long' ? long(values, style) : matrix(values, frequency, style))

/** A row for each value, with the columns that R's package reviser reads. */
async function long(values: ReadonlyMap<string, readonly DatedValue[]>, style: Form['style']): Promise<string> {
  const columns = ['time', 'pub_date', 'value', 'id']
  const rows = [...values].flatMap(([id, own]) =>
    own.map(({ period, value, valid_from }) => ({ time: startOfPeriod(period), pub_date: valid_from, value, id })),
  )
  return table(columns, rows, { style, decimals: new Set(['value']) })
}

/** A row for each period, and a column for each day on which a value of an id changed. Columns are named as by FRED. */
async function matrix(
  values: ReadonlyMap<string, readonly DatedValue[]>,
  frequency: Frequency,
  style: Form['style'],
): Promise<string> {
  const ids = [...values].map(([id, own]) => {
    const observations = realTimeObservations(own)
    const days = vintageDates(observations)
    return { observations, days, names: days.map((day) => `${id}_${day.replaceAll('-', '')}`) }
  })
  const columns = ids.flatMap(({ names }) => names)
  const dates = [...new Set(ids.flatMap(({ observations }) => observations.map(({ date }) => date)))].sort()
  const periods = dates.map((date) => periodOfDay(frequency, date))
  if (periods.length * columns.length > MAX_VINTAGE_VALUES) throw tooLarge(periods, columns.length)
  const rows = new Map(periods.map((period) => [period, { period } as Record<string, string | null>]))
  for (const { observations, days, names } of ids) {
    for (const { date, values: cells } of observationsByVintage(observations, days)) {
      const row = rows.get(periodOfDay(frequency, date))
      for (const [i, name] of names.entries()) if (row) row[name] = cells[i] ?? null
    }
  }
  return table(['period', ...columns], [...rows.values()], { style, decimals: new Set(columns) })
}

async function table(columns: readonly string[], rows: readonly object[], form: Form): Promise<string> {
  const lines = await inTurns(rows, (row) => csvRow(columns, row, form))
  return [csvHeader(columns, form), ...lines].join('')
}

function tooLarge(periods: readonly string[], columns: number) {
  const last = periods[Math.max(1, Math.floor(MAX_VINTAGE_VALUES / columns)) - 1]
  return invalidQuery(
    `the matrix would have ${periods.length} periods of ${columns} vintages, more than ${MAX_VINTAGE_VALUES} values: ask for a range, such as start=${periods[0]}&end=${last}, or for layout=long`,
  )
}
