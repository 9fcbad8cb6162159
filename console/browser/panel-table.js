/**
 * Reads a panel: CSV whose rows above the header say of each column what it is.
 *
 * @typedef {{
 *   readonly name: string,
 *   readonly about: Readonly<Record<string, string>>,
 *   readonly values: ReadonlyMap<string, string>,
 * }} PanelColumn `about`: by what is said, such as `unit` or `source`; `values`: decimals by period
 */
import { csvRecords } from './csv-table.js'

const ABOUT = '# '

/**
 * @param {string} text
 * @returns {readonly PanelColumn[]}
 */
export function readPanel(text) {
  const records = csvRecords(text)
  const at = records.findIndex(([first]) => !first?.startsWith(ABOUT))
  const [header = [], ...rows] = records.slice(at)
  const about = records.slice(0, at)
  return header.slice(1).map((name, i) => ({
    name,
    about: Object.fromEntries(about.map((row) => [(row[0] ?? '').slice(ABOUT.length), row[i + 1] ?? ''])),
    values: new Map(rows.flatMap((row) => (row[i + 1] ? [[row[0] ?? '', row[i + 1] ?? '']] : []))),
  }))
}

/**
 * The columns of a figure. Values of another base, unit or adjustment have a column of their own, such as `USA.cpi (2010=100)`.
 *
 * @param {readonly PanelColumn[]} columns
 * @param {string} figure
 */
export const figureColumns = (columns, figure) =>
  columns.filter(({ name, values }) => values.size > 0 && (name === figure || name.startsWith(`${figure} (`)))
