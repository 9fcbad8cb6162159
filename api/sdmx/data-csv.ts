import { csvHeader, csvRow } from '../csv.ts'
import { inTurns } from '../render.ts'
import { type DataQuestion, showsAttributes, showsObservations } from './data-question.ts'
import type { Action, DataSet } from './data-sets.ts'
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
    ...(showsAttributes(detail) ? attributes : []),
  ]
  const rows = sets.flatMap(({ action, attributesOf, series }) =>
    series.flatMap(({ key, attributes: ofSeries, observations }) => {
      const head = isNewer ? { STRUCTURE: 'dataflow', STRUCTURE_ID: name, ACTION: actions[action] } : { DATAFLOW: name }
      const common = { ...head, ...Object.fromEntries([...key, ...ofSeries]) }
      const shown: readonly (FlowObservation | undefined)[] = showsObservations(detail) ? observations : [undefined]
      return shown.map((observation) => ({ common, attributesOf, observation }))
    }),
  )
  const lines = await inTurns(rows, ({ common, attributesOf, observation }) =>
    csvRow(columns, {
      ...common,
      TIME_PERIOD: observation?.period,
      OBS_VALUE: observation?.value,
      ...Object.fromEntries(observation ? attributesOf(observation) : []),
    }),
  )
  return [csvHeader(columns), ...lines].join('')
}
