import { type DayWindow, type RealTimeObservation, withinWindow } from '../../domain/real-time.ts'
import { type Answer, textAnswer } from '../answer.ts'
import { csvHeader, csvRow } from '../csv.ts'
import { handler, type OperationInput } from '../execute.ts'
import type { KeptAnswers } from '../kept-answers.ts'
import { invalidQuery } from '../refusals.ts'
import { CSV_WITH_HEADER } from '../render.ts'
import { day, fieldsOf, observationDays, requireCome, today } from './fields.ts'
import { MISSING } from './observations.ts'
import { type FredDeps, readRealTimeObservations } from './read-real-time.ts'
import { figureOfId } from './series-id.ts'

const known = ['id', 'cosd', 'coed', 'vintage_date']
const DATE = 'observation_date'
/** Most series of one file. */
const MAX_SERIES = 10

type Question = { readonly ids: readonly string[]; readonly days: DayWindow; readonly vintage: string }

/** Answers `fredgraph.csv`: the observations of series of one frequency as of a day, a column each. */
export const graphHandler = (deps: FredDeps, kept: KeptAnswers) =>
  handler<OperationInput, Question>({
    needsSlot: true,
    ask: (input) => {
      const fields = fieldsOf(input, known)
      const ids = [...new Set(fields.required('id').split(','))]
      if (ids.length > MAX_SERIES)
        throw invalidQuery(`The variable id names ${ids.length} series; at most ${MAX_SERIES}.`)
      const vintage = day(fields, 'vintage_date', today(deps.clock()).end)
      requireCome('vintage_date', vintage, deps.clock())
      return { ids, days: observationDays(fields, 'cosd', 'coed'), vintage }
    },
    ...kept.keeping('graph', async ({ ids, days, vintage }: Question) => {
      const figures = ids.map((id) => figureOfId(deps, id))
      const frequencies = new Set(figures.map(({ record }) => record.series.frequency))
      if (frequencies.size > 1)
        throw invalidQuery('The series have different frequencies. Ask for each frequency alone.')
      const columns = new Map<string, readonly RealTimeObservation[]>()
      for (const figure of figures) {
        const all = await readRealTimeObservations(deps, figure, days)
        columns.set(figure.id, withinWindow(all, { start: vintage, end: vintage }))
      }
      return csvOf(columns)
    }),
  })

/** One row for each date of any series. */
function csvOf(columns: ReadonlyMap<string, readonly RealTimeObservation[]>): Answer {
  const rows = new Map<string, Record<string, string>>()
  const names = [...columns.keys()]
  const missing = Object.fromEntries(names.map((name) => [name, MISSING]))
  for (const [name, observations] of columns) {
    for (const { date, value } of observations) {
      const row = rows.get(date) ?? { [DATE]: date, ...missing }
      row[name] = value ?? MISSING
      rows.set(date, row)
    }
  }
  const header = [DATE, ...names]
  const dates = [...rows.keys()].sort()
  const body = [csvHeader(header), ...dates.map((date) => csvRow(header, rows.get(date) ?? {}))].join('')
  return textAnswer(body, CSV_WITH_HEADER)
}
