import { strToU8, zipSync } from 'fflate'

/** A cell as the file stores it: a number by its text, or text. */
export type Cell = { readonly number: string } | string | undefined

/** An .xlsx workbook of the parts that Excel writes, with strings in the shared table. `properties` is its `workbookPr`. */
export function workbook(
  sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>,
  { properties = '' }: { readonly properties?: string } = {},
): Uint8Array {
  const names = Object.keys(sheets)
  const strings = [
    ...new Set(
      Object.values(sheets)
        .flat(2)
        .filter((cell) => typeof cell === 'string'),
    ),
  ]
  const cell = (value: Cell, row: number, column: number): string => {
    const place = `r="${lettersOf(column)}${row + 1}" s="1"`
    if (value === undefined) return `<c ${place}/>`
    if (typeof value === 'string') return `<c ${place} t="s"><v>${strings.indexOf(value)}</v></c>`
    return `<c ${place}><v>${value.number}</v></c>`
  }
  const sheet = (rows: readonly (readonly Cell[])[]): string => {
    const written = rows.map(
      (cells, row) => `<row r="${row + 1}">${cells.map((value, i) => cell(value, row, i)).join('')}</row>`,
    )
    return `<worksheet xmlns="${MAIN}"><sheetData>${written.join('')}</sheetData></worksheet>`
  }
  const parts: Record<string, string> = {
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}">${properties}<sheets>${names
      .map((name, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names
      .map((_, i) => `<Relationship Id="rId${i + 1}" Target="worksheets/sheet${i + 1}.xml"/>`)
      .join(
        '',
      )}<Relationship Id="rId0" Type="${RELATIONSHIPS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${strings
      // As Excel does for a string of two formats.
      .map(
        (text) =>
          `<si><r><t>${escaped(text.slice(0, 1))}</t></r><r><t xml:space="preserve">${escaped(text.slice(1))}</t></r></si>`,
      )
      .join('')}</sst>`,
    ...Object.fromEntries(names.map((name, i) => [`xl/worksheets/sheet${i + 1}.xml`, sheet(sheets[name] ?? [])])),
  }
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(`<?xml version="1.0"?>\n${xml}`)])),
  )
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const lettersOf = (column: number): string =>
  (column < 26 ? '' : lettersOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))
