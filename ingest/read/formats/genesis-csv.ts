import type { Frequency } from '../../../contracts/records.ts'
import type { Reject } from '../../source.ts'
import { datasetsOfAgency, type FormatReader, type MessageObservation, observationsOfTable } from './observation.ts'

/**
 * Flat CSV of GENESIS, the database of the Federal Statistical Office of Germany, as it is since 2025. Each row names its
 * statistic, which is the dataset, and its classifying variables, which are the dimensions, beside `CONTENT`, the variable that
 * is measured. An index and its changes in percent have the same variable, so the unit is a dimension, too: `INDEX` for an index,
 * whose base is an attribute. A month or quarter is a variable, too, and belongs to the period. Decimals have a comma, which
 * becomes a point. Source: https://www-genesis.destatis.de/
 */
export const genesisCsv: FormatReader = {
  name: 'GENESIS flat CSV',
  recognises: (head) => /^statistics_code;statistics_label;time_code;time_label;time;/.test(head),
  read: readFlatCsv,
}

const required = ['statistics_code', 'time_code', 'time', 'value', 'value_unit', 'value_variable_code'] as const

function readFlatCsv(text: Iterable<string>): Iterable<MessageObservation | Reject> {
  const datasetOf = datasetsOfAgency(genesisCsv.name, 'DESTATIS')
  let variables: readonly string[] | undefined
  return observationsOfTable(text, ';', required, ({ header, cell }) => {
    variables ??= header.flatMap((column) => /^(\d+)_variable_code$/.exec(column)?.[1] ?? [])
    const classified: Record<string, string> = {}
    for (const variable of variables)
      if (cell(`${variable}_variable_code`) !== '')
        classified[cell(`${variable}_variable_code`)] = cell(`${variable}_variable_attribute_code`)
    const { MONAT: month = '', QUARTG: quarter = '', ...codes } = classified
    const unit = cell('value_unit')
    const [, base] = /^(\d{4})=100$/.exec(unit) ?? []
    const { period, frequency } = periodOf(cell('time'), month, quarter)
    return {
      dataset: datasetOf(cell('statistics_code')),
      codes: {
        CONTENT: cell('value_variable_code'),
        UNIT: base === undefined ? unit : 'INDEX',
        ...codes,
        FREQ: frequency,
      },
      period,
      value: figureIn(cell('value')),
      attributes: { TIME: cell('time_code'), ...(base === undefined ? {} : { BASE: base }) },
    }
  })
}

/** Joins a year and its month (`MONAT01`) or quarter (`QUART1`). */
function periodOf(
  time: string,
  monthCode: string,
  quarterCode: string,
): { readonly period: string; readonly frequency: Frequency } {
  const [, month] = /^MONAT(\d{2})$/.exec(monthCode) ?? []
  if (month !== undefined) return { period: `${time}-${month}`, frequency: 'M' }
  const [, quarter] = /^QUART([1-4])$/.exec(quarterCode) ?? []
  return quarter === undefined ? { period: time, frequency: 'A' } : { period: `${time}-Q${quarter}`, frequency: 'Q' }
}

/** `-` is nothing, `.` unknown or secret, `...` to come, `/` unreliable, and `x` senseless: none is a figure. */
const figureIn = (printed: string): string | null =>
  /^(?:-|\.|\.\.\.|\/|x|)$/.test(printed) ? null : printed.replace(/^(-?\d+),(\d+)$/, '$1.$2')
