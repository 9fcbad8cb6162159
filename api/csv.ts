/**
 * CSV (RFC 4180): fields separated by commas, lines by CR LF. A field that has a comma, a quotation mark or a line break is
 * put in quotation marks. Null and absent members are empty fields.
 */

const special = /[",\r\n]/

export const csvHeader = (columns: readonly string[]): string => line(columns)

/**
 * The header that names the next page (RFC 8288), because CSV has no place for a cursor. The address keeps the limit: without
 * one it would ask for all the rest, which can be too long for one answer. No link if the cursor is null.
 */
export const nextLink = (path: string, limit: number, cursor: string | null): string[] =>
  cursor === null ? [] : [`<${path}?format=csv&limit=${limit}&cursor=${cursor}>; rel="next"`]

/** The header with the links of an answer (RFC 8288); none without links. */
export const linked = (links: readonly string[]): Readonly<Record<string, string>> =>
  links.length === 0 ? {} : { link: links.join(', ') }

/** The members of an entry in the order of the columns. A list of texts becomes one field, its entries joined by semicolons. */
export const csvRow = (columns: readonly string[], entry: object): string => {
  // The cast: an entry's members are read by the names in its schema.
  const members = entry as Readonly<Record<string, unknown>>
  return line(columns.map((column) => textOf(members[column])))
}

const line = (fields: readonly string[]): string => `${fields.map(quoted).join(',')}\r\n`

const quoted = (field: string): string => (special.test(field) ? `"${field.replaceAll('"', '""')}"` : field)

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join(';')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
