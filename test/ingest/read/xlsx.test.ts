import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { openWorkbook } from '../../../ingest/read/xlsx.ts'
import { workbook } from '../../support/workbook.ts'

const cells = (bytes: Uint8Array, sheet: string) =>
  openWorkbook(bytes)
    .rowsOf(sheet)
    .map(({ number, cells }) => [number, Object.fromEntries(cells)])
/** A workbook of one sheet whose XML is given. */
const withSheet = (xml: string): Uint8Array =>
  zipSync({ ...unzipSync(workbook({ S: [['shared']] })), 'xl/worksheets/sheet1.xml': strToU8(xml) })
const data = (rows: string) => withSheet(`<worksheet><sheetData>${rows}</sheetData></worksheet>`)

it('reads the named sheet, whatever its position', () => {
  const wide = Array.from({ length: 28 }, (_, i) => `c${i}`)
  const bytes = workbook({ First: [['no']], 'R & D': [wide, [], ['x', undefined, { number: '-3' }]] })
  const rows = cells(bytes, 'R & D')
  expect(rows[0]?.[1]).toMatchObject({ A: 'c0', Z: 'c25', AA: 'c26', AB: 'c27' })
  expect(rows.slice(1)).toEqual([
    [2, {}],
    [3, { A: 'x', C: '-3' }],
  ])
})

it.each([
  ['24.483333330000002', '24.48333333'],
  ['70.019999999999996', '70.02'],
  ['66.666666666666671', '66.6666666666667'],
  ['6.6600000000000006E-2', '0.0666'],
  ['1.63000011444092', '1.63000011444092'],
  ['12345678901234567', '12345678901234600'],
  ['1E-10', '1E-10'],
  ['35024', '35024'],
])('shows the number that is stored as %s at 15 digits: %s', (stored, shown) => {
  expect(cells(workbook({ S: [[{ number: stored }]] }), 'S')).toEqual([[1, { A: shown }]])
})

it('reads text in the cell, the result of a formula and an error', () => {
  const row =
    '<row r="4"><c r="A4" t="inlineStr"><is><t>in</t></is></c><c r="B4" t="str"><f>A1</f><v>of</v></c>' +
    '<c r="C4"><f>1+1</f><v>2</v></c><c r="D4" t="e"><v>#N/A</v></c><c r="E4" t="s"><v>0</v></c><c r="F4" t="s"><v/></c></row>'
  expect(cells(data(row), 'S')).toEqual([[4, { A: 'in', B: 'of', C: '2', D: '#N/A', E: 'shared' }]])
})

it('takes a cell or row without a place to follow the one before it', () => {
  const value = (number: number, place = '') => `<c${place}><v>${number}</v></c>`
  const rows = `<row>${value(1)}${value(2, ' r="Z1"')}${value(3)}<c/>${value(4)}</row><row r="5">${value(5)}</row><row>${value(6)}</row>`
  expect(cells(data(rows), 'S')).toEqual([
    [1, { A: '1', Z: '2', AA: '3', AC: '4' }],
    [5, { A: '5' }],
    [6, { A: '6' }],
  ])
})

/** A workbook whose sheet and strings have other names, with these addresses of them. */
function renamed(sheet: string, strings: string, { directory = 'xl/' } = {}): Uint8Array {
  const parts = unzipSync(workbook({ S: [['shared', { number: '7' }]] }))
  const { 'xl/worksheets/sheet1.xml': rows, 'xl/sharedStrings.xml': texts, ...others } = parts
  const relations = `<Relationships><Relationship Id="rId1" Target="${sheet}"/><Relationship Id="a" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/sharedStrings" Target="${strings}"/></Relationships>`
  return zipSync({
    ...others,
    'xl/_rels/workbook.xml.rels': strToU8(relations),
    [`${directory}data.xml`]: rows ?? strToU8(''),
    [`${directory}Texts.xml`]: texts ?? strToU8(''),
  })
}

it.each([
  ['./data.xml', './texts.xml', {}],
  ['/xl/data.xml', '/xl/Texts.xml', {}],
  ['../other/data.xml', '../other/Texts.xml', { directory: 'other/' }],
  ['a/../data.xml', 'Texts.xml', {}],
])('finds sheet and strings by their addresses: %s, %s', (sheet, strings, place) => {
  expect(cells(renamed(sheet, strings, place), 'S')).toEqual([[1, { A: 'shared', B: '7' }]])
})

it('reads numeric character references', () => {
  const row =
    '<row r="1"><c r="A1" t="inlineStr"><is><t>&#89;ear &#x32;&#48;24</t></is></c><c r="B1"><v>&#55;</v></c></row>'
  expect(cells(data(row), 'S')).toEqual([[1, { A: 'Year 2024', B: '7' }]])
})

describe('refuses', () => {
  it.each([
    ['a shared string that isn’t there', data('<row r="1"><c r="A1" t="s"><v>7</v></c></row>'), 'malformed_xlsx'],
    ['a cell without column', data('<row r="1"><c r="1"><v>7</v></c></row>'), 'malformed_xlsx'],
    ['a row without number', data('<row r="x"><c r="A1"><v>7</v></c></row>'), 'malformed_xlsx'],
    ['another archive', zipSync({ 'a.txt': strToU8('a') }), 'malformed_xlsx'],
    ['a sheet that is no XML', withSheet('no'), 'malformed_xml'],
    ['another sheet', workbook({ T: [] }), 'no_such_sheet'],
  ])('%s', (_, bytes, reason) => {
    expect(() => openWorkbook(bytes).rowsOf('S')).toThrow(expect.objectContaining({ reason }))
  })
})
