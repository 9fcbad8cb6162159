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

describe('CSV of Stats NZ', () => {
  const table = (...rows: string[]) =>
    `${['Series_reference,Period,Data_value,STATUS,UNITS,MAGNTUDE,Subject', ...rows].join('\n')}\n`

  it('gives the rates of quarters, which are stated by their last month', () => {
    const items = parse(
      'statsnz',
      table(
        'HLFQ.S1F3S,2001.06,1.5,FINAL,Percent,0,X',
        'HLFQ.S1A3S,2001.06,9,F,Number,3,X',
        'HLFQ.S1F3S,2001.12,,F,Percent,0,X',
      ),
    )
    expect(summary(items)).toEqual([['NZL.unemployment.Q.STATSNZ.HLFQ.S1F3S.percent.SA', '2001-Q2', { rate: '1.5' }]])
    expect(items).toHaveLength(1)
  })

  it.each([
    ['a month within a quarter', 'HLFQ.S1F3S,2001.05,1.5,F,Percent,0,X', 'bad_period'],
    ['a month of one digit', 'HLFQ.S1F3S,2001.6,1.5,F,Percent,0,X', 'bad_period'],
    ['another unit', 'HLFQ.S1F3S,2001.09,1.5,F,Number,0,X', 'changed_series'],
    ['a multiplier', 'HLFQ.S1F3S,2001.09,1.5,F,Percent,3,X', 'changed_series'],
    ['another collection', 'CPIQ.SE9A,2001.09,1000,F,Index,0,X', 'wrong_dataset'],
  ])('%s is rejected', (_, odd, reason) => {
    const items = parse('statsnz', table('HLFQ.S1F3S,2001.06,1.5,F,Percent,0,X', odd))
    expect(rejectsOf(items)).toMatchObject([{ reason, location: 'line 3' }])
  })

  it('of another collection is refused', () => {
    expect(refusal('statsnz', table('CPIQ.SE9A,2001.09,1000,F,Index,0,X'))).toMatchObject({
      reason: 'dataset_not_supported',
      message: expect.stringContaining('STATSNZ:CPIQ'),
    })
  })
})

describe('tables of e-Stat', () => {
  type Row = Readonly<Record<string, string>>
  const value = (time: string, printed: string, more: Row = {}): Row => ({
    '@tab': '1',
    '@cat01': '0001',
    '@area': '00000',
    '@time': time,
    '@unit': '',
    $: printed,
    ...more,
  })
  const answer = (values: readonly Row[] | Row, table = '0004052037', range: object = {}, office = '00200') => {
    const count = Array.isArray(values) ? values.length : 1
    return JSON.stringify({
      GET_STATS_DATA: {
        RESULT: { STATUS: 0, ERROR_MSG: 'OK', DATE: '2001-04-01T09:00:00.000+09:00' },
        PARAMETER: { LANG: 'J', STATS_DATA_ID: table },
        STATISTICAL_DATA: {
          RESULT_INF: { TOTAL_NUMBER: count, FROM_NUMBER: 1, TO_NUMBER: count, ...range },
          TABLE_INF: { '@id': table, GOV_ORG: { '@code': office, $: 'MIC' }, UPDATED_DATE: '2001-03-30' },
          DATA_INF: { NOTE: [{ '@char': '***', $: 'not computed' }], VALUE: values },
        },
      },
    })
  }

  it('give the months of all items in Japan, dated by the update of the table', () => {
    const others = [value('2001000101', '98', { '@cat01': '0161' }), value('2001000101', '97', { '@area': '13100' })]
    const changes = value('2001000101', '0.3', { '@tab': '3', '@unit': '%' })
    const periods = ['2000000000', '2000100000', '2001000103', '2001000106'].map((time) => value(time, '99'))
    const items = parse(
      'sbj',
      answer([
        ...others,
        changes,
        ...periods,
        value('2001000202', '***'),
        value('2001000101', '99.5'),
        value('2000001212', '99'),
      ]),
    )
    expect(summary(items)).toEqual([
      ['JPN.cpi.M.SBJ.0004052037.index.NSA.2025=100', '2000-12', { value: '99' }],
      ['JPN.cpi.M.SBJ.0004052037.index.NSA.2025=100', '2001-01', { value: '99.5' }],
    ])
    expect(items.filter(({ kind }) => kind !== 'figure')).toMatchObject([{ kind: 'missing', period: '2001-02' }])
    expect(figuresOf(items)[0]?.released).toEqual({ on: '2001-03-30', basis: 'dataset' })
  })

  it('may have one value, which is printed without brackets', () => {
    const rate = value('2001000101', '61.5', {
      '@tab': '02',
      '@cat01': '000',
      '@cat02': '01',
      '@cat03': '0',
      '@unit': '%',
    })
    expect(summary(parse('sbj', answer(rate, '0003005865')))).toEqual([
      ['JPN.labour-force-participation.M.SBJ.0003005865.percent.NSA', '2001-01', { rate: '61.5' }],
    ])
  })

  it('without the range of its values is refused in plain words', () => {
    const range = { TOTAL_NUMBER: undefined, FROM_NUMBER: undefined, TO_NUMBER: undefined }
    expect(refusal('sbj', answer([value('2001000101', '99')], undefined, range))).toMatchObject({
      reason: 'malformed_document',
      message: expect.stringContaining('TOTAL_NUMBER'),
    })
  })

  it.each([
    ['a value without time', { $: '99' }, 'missing_member'],
    ['a mark that no note explains', value('2001000202', 'x'), 'not_a_decimal'],
  ])('%s is rejected', (_, odd, reason) => {
    expect(rejectsOf(parse('sbj', answer([value('2001000101', '99.5'), odd])))).toMatchObject([{ reason }])
  })

  it.each([
    [
      'a page of several',
      answer([value('2001000101', '99')], undefined, { TOTAL_NUMBER: 2, NEXT_KEY: 2 }),
      'truncated',
    ],
    ['the last page', answer([value('2001000101', '99')], undefined, { FROM_NUMBER: 2, TOTAL_NUMBER: 2 }), 'truncated'],
    [
      'fewer values than stated',
      answer([value('2001000101', '99')], undefined, { TOTAL_NUMBER: 2, TO_NUMBER: 2 }),
      'truncated',
    ],
    [
      'a table of another survey',
      answer([value('2001000101', '99')], '0003425893', {}, '00450'),
      'dataset_not_supported',
    ],
    [
      'a number that another office uses',
      answer([value('2001000101', '99')], undefined, {}, '00100'),
      'dataset_not_supported',
    ],
    ['an error', '{"GET_STATS_DATA":{"RESULT":{"STATUS":100,"ERROR_MSG":"no appId"}}}', 'publisher_error'],
    ['an answer without a table', '{"GET_STATS_DATA":{"RESULT":{"STATUS":0}}}', 'malformed_document'],
  ])('%s is refused', (_, text, reason) => {
    expect(refusal('sbj', text)).toMatchObject({ reason })
  })
})
