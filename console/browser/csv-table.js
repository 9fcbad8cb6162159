/**
 * Reads CSV (RFC 4180) with a header row. Every value stays text.
 *
 * @param {string} text
 * @returns {Record<string, string>[]}
 */
export function readCsvTable(text) {
  const [header = [], ...rows] = csvRecords(text)
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ''])))
}

/**
 * The rows, that of the header among them.
 *
 * @param {string} text
 * @returns {string[][]}
 */
export function csvRecords(text) {
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|$)/y
  /** @type {string[][]} */
  const rows = []
  /** @type {string[]} */
  let row = []
  while (cell.lastIndex < text.length) {
    const [, value = '', end] = cell.exec(text) ?? []
    if (end === undefined) throw new Error(`not CSV after ${rows.length} rows`)
    row.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value)
    if (end === ',') {
      // A last, empty value has no character of its own.
      if (cell.lastIndex === text.length) row.push('')
    } else {
      rows.push(row)
      row = []
    }
  }
  if (row.length > 0) rows.push(row)
  return rows
}

/**
 * Writes CSV with a header row.
 *
 * @param {readonly string[]} columns
 * @param {readonly Readonly<Record<string, unknown>>[]} rows
 */
export function writeCsv(columns, rows) {
  const quoted = (/** @type {unknown} */ value) => {
    const text = value === null || value === undefined ? '' : String(value)
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name]))]
  return lines.map((line) => `${line.map(quoted).join(',')}\r\n`).join('')
}
