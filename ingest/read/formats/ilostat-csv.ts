import type { Frequency } from '../../../contracts/records.ts'
import type { Reject } from '../../source.ts'
import { otherCells, refuseRepeatedColumn, tableRowsOf } from '../csv.ts'
import {
  type Dataset,
  datasetsOfAgency,
  type FormatReader,
  type MessageObservation,
  observationsOfTable,
  valueOrMissing,
} from './observation.ts'

/**
 * CSV of ILOSTAT's bulk download with codes. A row names its indicator; with its frequency, which its time shows, that is
 * the name of the dataset. `source` is the survey. Source: https://ilostat.ilo.org/data/bulk/
 */
export const iloStatCsv: FormatReader = {
  name: 'CSV of ILOSTAT',
  recognises: (head) => /^"?ref_area"?,"?source"?,"?indicator"?,/.test(head),
  read: readBulk,
}

const required = ['ref_area', 'source', 'indicator', 'time', 'obs_value']
const notDimensions: ReadonlySet<string> = new Set(
  'ref_area sex indicator time obs_value obs_status note_classif note_indicator note_source'.split(' '),
)

function readBulk(text: Iterable<string>): Iterable<MessageObservation | Reject> {
  const datasetOf = datasetsOfAgency(iloStatCsv.name, 'ILO')
  return observationsOfTable(text, ',', required, (row) => {
    const { cell } = row
    const frequency = frequencyOf(cell('time'))
    return {
      dataset: datasetOf(`${cell('indicator')}_${frequency}`),
      codes: { ...otherCells(row, notDimensions), REF_AREA: cell('ref_area'), SEX: cell('sex'), FREQ: frequency },
      period: cell('time'),
      value: valueOrMissing(cell('obs_value')),
      attributes: { OBS_STATUS: cell('obs_status') },
    }
  })
}

/** `2025`, `2025Q1` and `2025M01`; any other time is that of a year, which it will not be found to be. */
const frequencyOf = (time: string): Frequency => (/^\d{4}Q/.test(time) ? 'Q' : /^\d{4}M/.test(time) ? 'M' : 'A')

/**
 * Tables of ILOSTAT's data explorer by sex, age and quarter, with a column for each country by its English name. The file
 * names no indicator. Source: https://rshiny.ilo.org/dataexplorer/
 */
export const iloExplorerCsv: FormatReader = {
  name: 'table of ILOSTAT’s data explorer',
  recognises: (head) => /^"?Sex"?,"?Age"?,"?Quarter"?,/.test(head),
  read: readExplorer,
}

const heads = ['Sex', 'Age', 'Quarter'] as const

function* readExplorer(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const dataset: Dataset = {
    format: iloExplorerCsv.name,
    structure: { agency: 'ILO', id: heads.join(', ') },
  }
  for (const row of tableRowsOf(text, ',', refuseRepeatedColumn)) {
    if (row.kind === 'reject') {
      yield row
      continue
    }
    const { header, cell, line } = row
    const [sex = '', age = '', quarter = ''] = heads.map(cell)
    for (const country of header.slice(heads.length)) {
      const value = cell(country)
      // An empty cell states nothing: the columns have the quarters of all countries.
      if (value === '') continue
      yield {
        kind: 'observation',
        dataset,
        codes: { SEX: sex, AGE: age, FREQ: 'Q', REF_AREA: country },
        period: quarter,
        value,
        attributes: {},
        location: `line ${line}, ${country}`,
        text: `${sex},${age},${quarter},${country},${value}`,
      }
    }
  }
}
