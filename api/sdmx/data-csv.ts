import { csvHeader, csvRow } from '../csv.ts'
import { inTurns } from '../render.ts'
import { type DataQuestion, showsObservations } from './data-question.ts'
import { type Action, type DataSet, observationValues, seriesValues } from './data-sets.ts'
import { AGENCY, dimensionsOf, observationAttributes, seriesAttributes, VERSION } from './flows.ts'
import type { FlowObservation } from './read-data.ts'

/** Codes of the actions in SDMX-CSV 2.0. */
const actions: Readonly<Record<Action, string>> = { Information: 'I', Replace: 'R', Delete: 'D' }

/** Writes data sets as SDMX-CSV 1.0 or 2.0. Source: https://github.com/sdmx-twg/sdmx-csv */
export async function dataCsv({ flow, format, detail }: DataQuestion, sets: readonly DataSet[]): Promise<string> {
  const dimensions = dimensionsOf(flow)
  const isNewer = format.encoding === 'csv2'
  const name = `${AGENCY}:${flow.id}(${VERSION})`
  const attributes = [...seriesAttributes, ...(detail === 'nodata' ? [] : observationAttributes)]
  const columns = [
    ...(isNewer ? ['STRUCTURE', 'STRUCTURE_ID', 'ACTION'] : ['DATAFLOW']),
    ...dimensions,
    'TIME_PERIOD',
    'OBS_VALUE',
    ...(detail === 'full' || detail === 'nodata' ? attributes : []),
  ]
  const rows = sets.flatMap(({ action, series }) =>
    series.flatMap(({ key, of, observations }) => {
      const codes = dimensions.map((dimension, i) => [dimension, key[i] ?? ''] as const)
      const head = isNewer ? { STRUCTURE: 'dataflow', STRUCTURE_ID: name, ACTION: actions[action] } : { DATAFLOW: name }
      // A deletion names what is deleted; with attributes it would delete those only.
      const isDeletion = action === 'Delete'
      const common = { ...head, ...Object.fromEntries([...codes, ...(isDeletion ? [] : seriesValues(of))]) }
      const shown: readonly (FlowObservation | undefined)[] = showsObservations(detail) ? observations : [undefined]
      return shown.map((observation) => ({ common, isDeletion, observation }))
    }),
  )
  const lines = await inTurns(rows, ({ common, isDeletion, observation }) =>
    csvRow(columns, {
      ...common,
      TIME_PERIOD: observation?.period,
      OBS_VALUE: observation?.value,
      ...Object.fromEntries(observation && !isDeletion ? observationValues(observation) : []),
    }),
  )
  return [csvHeader(columns), ...lines].join('')
}
