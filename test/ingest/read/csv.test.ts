import { describe, expect, it } from 'vitest'
import { readCsv, readTable } from '../../../ingest/read/csv.ts'

describe('CSV', () => {
  it('gives rows with the line on which each begins and its text', () => {
    expect(readCsv('a,b\r\n\r\n"x\r\ny",1\r\n"q""q",\n\n2,3,4')).toEqual([
      { line: 1, cells: ['a', 'b'], text: 'a,b' },
      { line: 3, cells: ['x\r\ny', '1'], text: '"x\r\ny",1' },
      { line: 5, cells: ['q"q', ''], text: '"q""q",' },
      { line: 7, cells: ['2', '3', '4'], text: '2,3,4' },
    ])
  })

  it('counts lines from where its text begins, and takes another delimiter', () => {
    expect(readCsv('a;b\n1;2\n', { delimiter: ';', firstLine: 4 })).toEqual([
      { line: 4, cells: ['a', 'b'], text: 'a;b' },
      { line: 5, cells: ['1', '2'], text: '1;2' },
    ])
  })

  it.each([
    ['a quote is not closed', 'a,b\n1,"x\n', {}, 'malformed_csv', 'line 2'],
    ['a quote stands inside a cell', 'a,b\n1,x"y"\n', { firstLine: 3 }, 'malformed_csv', 'line 4'],
    ['the last row may be cut', 'a,b\n1,2', { endsWithNewline: true }, 'truncated', 'line 2'],
  ])('is refused where %s', (_, text, options, reason, location) => {
    expect(() => readCsv(text, options)).toThrow(expect.objectContaining({ name: 'DocumentError', reason, location }))
  })
})

describe('a table', () => {
  it('gives cells by column, trimmed, and nothing below a column it has not', () => {
    const { header, rows } = readTable(' a ,b\n 1 ,"2 "\n', ['a', 'b'])
    expect(header).toEqual(['a', 'b'])
    expect(rows.map((row) => row.kind === 'row' && [row.line, row.cell('a'), row.cell('b'), row.cell('c')])).toEqual([
      [2, '1', '2', ''],
    ])
  })

  it('rejects a row with more or fewer cells than its header', () => {
    const { rows } = readTable('a,b\n1\n1,2\n1,2,3\n', ['a'])
    expect(rows.map((row) => (row.kind === 'reject' ? [row.reason, row.location, row.text] : row.kind))).toEqual([
      ['wrong_cell_count', 'line 2', '1'],
      'row',
      ['wrong_cell_count', 'line 4', '1,2,3'],
    ])
  })

  it.each([
    ['lacks a column', 'a,b\n', 'missing_column'],
    ['has a column twice', 'a,c,c\n', 'duplicate_column'],
    ['has no header', '\n', 'missing_column'],
  ])('is refused if it %s', (_, text, reason) => {
    expect(() => readTable(text, ['a', 'c'])).toThrow(expect.objectContaining({ name: 'DocumentError', reason }))
  })
})
