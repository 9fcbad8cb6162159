import type { CsvStyle } from '../contracts/operation.ts'

/**
 * CSV (RFC 4180): fields separated by commas, lines by CR LF. A field that has a comma, a quotation mark or a line break is
 * put in quotation marks. Null and absent members are empty fields. The style `semicolon` is for spreadsheets whose language
 * writes decimals with a comma: its fields are separated by semicolons.
 */

/** A request for CSV. `isWhole`: no limit is given, so the answer has all entries. */
export type CsvRequest = { readonly isWhole: boolean; readonly style: CsvStyle }

/** How a table is written. `decimals`: the columns that hold decimals. */
type CsvForm = { readonly style: CsvStyle; readonly decimals: ReadonlySet<string> }

const byDefault: CsvForm = { style: 'comma', decimals: new Set() }

/** The separator of a style, and the characters for which a field is put in quotation marks. */
const styles = {
  comma: { separator: ',', special: /[",\r\n]/ },
  semicolon: { separator: ';', special: /[";\r\n]/ },
} as const

export const csvHeader = (columns: readonly string[], { style }: CsvForm = byDefault): string => line(columns, style)

/**
 * The header that names the next page (RFC 8288), because CSV has no place for a cursor. The address keeps the limit: without
 * one it would ask for all the rest, which can be too long for one answer. No link if the cursor is null.
 */
export function nextLink(path: string, limit: number, cursor: string | null, { style }: CsvRequest): string[] {
  const styled = style === 'comma' ? '' : `&csv_style=${style}`
  return cursor === null ? [] : [`<${path}?format=csv${styled}&limit=${limit}&cursor=${cursor}>; rel="next"`]
}

/** The header with the links of an answer (RFC 8288); none without links. */
export const linked = (links: readonly string[]): Readonly<Record<string, string>> =>
  links.length === 0 ? {} : { link: links.join(', ') }

/** The members of an entry in the order of the columns. A list of texts becomes one field, its entries joined by semicolons. */
export function csvRow(columns: readonly string[], entry: object, { style, decimals }: CsvForm = byDefault): string {
  // The cast: an entry's members are read by the names in its schema.
  const members = entry as Readonly<Record<string, unknown>>
  const hasComma = style === 'semicolon'
  const fields = columns.map((column) => {
    const text = textOf(members[column])
    return hasComma && decimals.has(column) ? text.replace('.', ',') : text
  })
  return line(fields, style)
}

function line(fields: readonly string[], style: CsvStyle): string {
  const { separator, special } = styles[style]
  return `${fields.map((field) => (special.test(field) ? quoted(field) : field)).join(separator)}\r\n`
}

const quoted = (field: string): string => `"${field.replaceAll('"', '""')}"`

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join(';')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
