import type { Reject } from '../../source.ts'
import { otherCells } from '../csv.ts'
import {
  type Dataset,
  type FormatReader,
  type MessageObservation,
  observationsOfTable,
  valueOrMissing,
} from './observation.ts'

/**
 * CSV of UNCTADstat of economies and flows, with a column for each measure and two behind it, for its notes and for the
 * reason why a value is missing. A note such as `Break. Data refers to South Africa Customs Union` says that the figure is
 * not that of the economy, but of what it names. The file names no dataset. Source: https://unctadstat.unctad.org/datacentre/
 */
export const unctadCsv: FormatReader = {
  name: 'CSV of UNCTADstat',
  recognises: (head) => /^"?Year"?,"?Economy"?,"?Economy Label"?,"?Flow"?,"?Flow Label"?,/.test(head),
  read: readUnctadCsv,
}

const VALUE = 'US$ at current prices in millions'
const SHARE = 'Percentage of total world'
const withNotes = (measure: string): string[] => [measure, `${measure} Footnote`, `${measure} Missing value`]
const required = ['Year', 'Economy', 'Flow', 'Flow Label', VALUE]
const notDimensions: ReadonlySet<string> = new Set(required.concat('Economy Label', withNotes(VALUE), withNotes(SHARE)))

function readUnctadCsv(text: Iterable<string>): Iterable<MessageObservation | Reject> {
  const dataset: Dataset = {
    format: unctadCsv.name,
    structure: { agency: 'UNCTAD', id: `Economy, Flow: ${VALUE}` },
  }
  return observationsOfTable(text, ',', required, (row) => {
    const { cell } = row
    const [SCOPE] = /Data refers to .+/.exec(cell(`${VALUE} Footnote`)) ?? []
    const [ECONOMY, FLOW] = [cell('Economy'), cell('Flow')]
    return {
      dataset,
      codes: { ...otherCells(row, notDimensions), ECONOMY, FLOW, MEASURE: VALUE, ...(SCOPE ? { SCOPE } : {}) },
      period: cell('Year'),
      value: valueOrMissing(cell(VALUE)),
      attributes: { FLOW_LABEL: cell('Flow Label') },
    }
  })
}
