import { describe, expect, it } from 'vitest'
import { openSources } from '../../../ingest/sources/index.ts'
import { document, figuresOf, rejectsOf, summary } from './fixture.ts'

/**
 * Formats of which no recorded document was at hand. The figures are made up from the publishers' descriptions and are
 * none of theirs: they show the members, and what is refused.
 */
const sources = openSources()
const parse = (name: string, text: string) => [...(sources[name]?.parse(document(text)) ?? [])]
const refusal = (name: string, text: string) => {
  try {
    parse(name, text)
    return undefined
  } catch (error) {
    return error
  }
}

describe('tables of the Census Bureau', () => {
  const columns = '["program_code","cell_value","data_type_code","category_code","seasonally_adj","time"]'
  const table = (...rows: string[]) => `[${[columns, ...rows].join(',\n')}]\n`
  const row = (value: string, flow = 'EXP', category = 'BOPG', programme = 'FTD') =>
    `["${programme}",${value},"${flow}","${category}","yes","2001-01"]`

  it('give goods on the balance of payments basis, in dollars', () => {
    const items = parse('census', table(row('"111"'), row('"222.5"', 'IMP'), row('"9"', 'EXP', 'BOPGS')))
    expect(summary(items)).toEqual([
      ['USA.trade-exports.M.CENSUS.FTD.USD.SA', '2001-01', { value: '111000000' }],
      ['USA.trade-imports.M.CENSUS.FTD.USD.SA', '2001-01', { value: '222500000' }],
    ])
    expect(items).toHaveLength(2)
  })

  it.each([
    ['a row of another length', '["FTD","1","EXP"]', 'wrong_cell_count'],
    ['a value that is no decimal', row('"1e3x"', 'IMP'), 'not_a_decimal'],
    ['another programme', row('"1"', 'IMP', 'BOPG', 'M3'), 'wrong_dataset'],
  ])('%s is rejected', (_, odd, reason) => {
    expect(rejectsOf(parse('census', table(row('"111"'), odd)))).toMatchObject([{ reason }])
  })

  it('may state a column twice, and the same', () => {
    const twice = (category: string) =>
      `[${columns.replace('"time"', '"time","category_code"')},\n${row('"111"').replace(/\]$/, `,"${category}"]`)}]`
    expect(figuresOf(parse('census', twice('BOPG')))).toHaveLength(1)
    expect(parse('census', twice('BOPGS'))).toMatchObject([
      { reason: 'stated_twice', detail: 'The row states category_code twice, and not the same.' },
    ])
  })

  it('that do not name their programme are refused', () => {
    const trade = '[["CTY_CODE","ALL_VAL_MO","time"],["-","111","2001-01"]]'
    expect(refusal('census', trade)).toMatchObject({
      reason: 'dataset_not_supported',
      message: expect.stringContaining('a dataset that it does not name'),
    })
    expect(refusal('census', '[["program_code","time"],["FTD","2001-01"]]')).toMatchObject({ reason: 'missing_column' })
  })
})
