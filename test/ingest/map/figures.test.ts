import { describe, expect, it } from 'vitest'
import type { MappedPublisher } from '../../../ingest/map/mapping.ts'
import { destatisMapping } from '../../../ingest/map/publishers/destatis.ts'
import { eurostatMapping } from '../../../ingest/map/publishers/eurostat.ts'
import { oecdMapping } from '../../../ingest/map/publishers/oecd.ts'
import { DocumentError } from '../../../ingest/source.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { document, figuresOf, rejectsOf, summary } from '../sources/fixture.ts'

// The figures are made up: they show how a document is read.
const parse = (mapping: MappedPublisher, text: string, dataset = '') => [
  ...mappedSource(mapping).parse(document(text, { dataset })),
]
const refusal = (mapping: MappedPublisher, text: string, dataset = ''): DocumentError | undefined => {
  try {
    parse(mapping, text, dataset)
    return undefined
  } catch (error) {
    if (error instanceof DocumentError) return error
    throw error
  }
}

const unemployment = (...rows: string[]) =>
  `DATAFLOW,LAST UPDATE,freq,s_adj,age,unit,sex,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG\n${rows
    .map((row) => `ESTAT:UNE_RT_M(1.0),22/09/26 11:00:00,M,${row}\n`)
    .join('')}`

describe('Eurostat', () => {
  it('is asked for the series of all rows, in the order of its dimensions', () => {
    const requests = Object.values(eurostatMapping.datasets).flatMap((dataset) => dataset.requests)
    expect(requests).toEqual([
      '/eurostat/api/dissemination/sdmx/2.1/data/UNE_RT_M/M.SA.TOTAL.PC_ACT.T.?format=SDMX-CSV',
      '/eurostat/api/dissemination/sdmx/2.1/data/NAMQ_10_GDP/Q.CP_MEUR+CLV10_MEUR+CLV20_MEUR+CLV_PCH_PRE+CLV_PCH_SM.SCA.B1GQ.?format=SDMX-CSV',
    ])
  })

  it('unemployment is read by country, with the day of the dataset’s update', () => {
    const items = parse(
      eurostatMapping,
      unemployment(
        'SA,TOTAL,PC_ACT,T,EL,2026-01,9.1,p',
        'SA,TOTAL,PC_ACT,T,EA20,2026-01,6.2,',
        'SA,TOTAL,PC_ACT,T,AT,2026-02,:,',
        'NSA,TOTAL,PC_ACT,T,AT,2026-01,5.5,',
        'SA,TOTAL,PC_ACT,F,AT,2026-01,5.0,',
      ),
    )
    expect(summary(items)).toEqual([['GRC.unemployment.M.EUROSTAT.UNE_RT_M.percent.SA', '2026-01', { rate: '9.1' }]])
    expect(figuresOf(items)[0]?.released).toEqual({ on: '2026-09-22', basis: 'dataset' })
    expect(rejectsOf(items)).toEqual([])
  })

  it('a value that is stated as missing may withdraw a figure, if the message is dated', () => {
    const gap = 'SA,TOTAL,PC_ACT,T,AT,2026-02,:,c'
    const dated = unemployment(gap, 'SA,TOTAL,PC_ACT,T,EA20,2026-02,:,', 'SA,TOTAL,PC_ACT,T,AT,never,:,')
    expect(parse(eurostatMapping, dated)).toEqual([
      {
        kind: 'missing',
        series: expect.objectContaining({ id: 'AUT.unemployment.M.EUROSTAT.UNE_RT_M.percent.SA' }),
        period: '2026-02',
        location: 'line 2',
        released: { on: '2026-09-22', basis: 'dataset' },
      },
    ])
    const undated = dated.replace('LAST UPDATE', 'OTHER')
    expect(parse(eurostatMapping, undated)).toEqual([])
  })

  it('an empty value of a row that only adds withdraws nothing', () => {
    const update = (action: string, value: string) =>
      `STRUCTURE,STRUCTURE_ID,ACTION,LAST UPDATE,freq,s_adj,age,unit,sex,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG
dataflow,ESTAT:UNE_RT_M(1.0),M,22/09/26 11:00:00,M,SA,TOTAL,PC_ACT,T,AT,2026-01,5.5,
dataflow,ESTAT:UNE_RT_M(1.0),${action},22/09/26 11:00:00,M,SA,TOTAL,PC_ACT,T,AT,2026-02,${value},c
`
    const kinds = (action: string, value: string) => parse(eurostatMapping, update(action, value)).map((i) => i.kind)
    expect(kinds('M', '')).toEqual(['figure'])
    expect(kinds('A', '')).toEqual(['figure'])
    expect(kinds('M', 'NaN')).toEqual(['figure', 'missing'])
    expect(kinds('R', '')).toEqual(['figure', 'missing'])
  })

  it('a value that is stated and stated as missing is neither', () => {
    const row = (value: string) => `SA,TOTAL,PC_ACT,T,AT,2026-02,${value},`
    const items = parse(eurostatMapping, unemployment(row(':'), row('5.5')))
    expect(items.map((item) => item.kind === 'reject' && item.reason)).toEqual(['stated_twice', 'stated_twice'])
  })

  describe('growth', () => {
    const row = (unit: string, quarter: string, value: string) =>
      `dataflow,ESTAT:namq_10_gdp(1.0),Q,${unit},SCA,B1GQ,AT,${quarter},22/09/26 11:00:00,${value}\n`
    const head = 'STRUCTURE,STRUCTURE_ID,freq,unit,s_adj,na_item,geo,TIME_PERIOD,LAST UPDATE,OBS_VALUE\n'
    const growth = (quarter: string, onQuarter: string, onYear: string) =>
      row('CLV_PCH_PRE', quarter, onQuarter) + row('CLV_PCH_SM', quarter, onYear)
    const complete = growth('2025-Q4', '0.4', '0.9')

    it('is computed from volumes at prices of 2010 and of 2020, each a series of its own', () => {
      const items = parse(
        eurostatMapping,
        head + row('CLV10_MEUR', '2026-Q1', '9') + row('CLV20_MEUR', '2026-Q1', '10'),
      )
      expect(summary(items)).toEqual([
        ['AUT.gdp-volume.Q.EUROSTAT.NAMQ_10_GDP.EUR.SA', '2026-Q1', { value: '9000000' }],
        ['AUT.gdp-volume.Q.EUROSTAT.NAMQ_10_GDP.EUR.SA.2020', '2026-Q1', { value: '10000000' }],
      ])
      expect(figuresOf(items)[1]?.series).toMatchObject({ base_period: '2020', base_value: '' })
    })

    it.each([
      ['quarter_over_quarter', '0.2', growth('2026-Q1', '0.2', ':')],
      ['year_over_year', '1.10', growth('2026-Q1', ':', '1.10')],
      ['quarter_over_quarter', '0.2', row('CLV_PCH_PRE', '2026-Q1', '0.2')],
      ['year_over_year', '1.10', row('CLV_PCH_SM', '2026-Q1', '1.10')],
    ])('of one quarter may be %s alone', (member, printed, rows) => {
      for (const before of [complete, '']) {
        const items = parse(eurostatMapping, head + before + rows)
        expect(items.at(-1)).toMatchObject({ kind: 'figure', period: '2026-Q1', figures: { [member]: { printed } } })
        expect(Object.keys(figuresOf(items).at(-1)?.figures ?? {})).toEqual([member])
        expect(rejectsOf(items)).toEqual([])
      }
    })

    it('of one quarter keeps the rate that is stated once if the other one is contradicted', () => {
      const items = parse(
        eurostatMapping,
        head + growth('2026-Q1', '0.2', '1.1') + row('CLV_PCH_PRE', '2026-Q1', '0.3'),
      )
      expect(rejectsOf(items)).toMatchObject(
        ['line 2', 'line 4'].map((location) => ({ reason: 'stated_twice', location })),
      )
      expect(summary(items)).toEqual([
        ['AUT.gdp-growth.Q.EUROSTAT.NAMQ_10_GDP.percent.SA', '2026-Q1', { year_over_year: '1.1' }],
      ])
    })

    it('is not withdrawn by a document that says of one rate alone that there is none', () => {
      expect(parse(eurostatMapping, head + row('CLV_PCH_SM', '2026-Q1', ':'))).toEqual([])
    })

    it('is withdrawn if both rates are', () => {
      const items = parse(eurostatMapping, head + complete + growth('2026-Q1', ':', ':'))
      expect(items.map((item) => 'period' in item && [item.kind, item.period])).toEqual([
        ['figure', '2025-Q4'],
        ['missing', '2026-Q1'],
      ])
    })
  })

  it('GDP is in whole euro, and growth joins its two rates', () => {
    const row = (unit: string, value: string) =>
      `dataflow,ESTAT:namq_10_gdp(1.0),Q,${unit},SCA,B1GQ,AT,2026-Q1,${value}\n`
    const items = parse(
      eurostatMapping,
      `STRUCTURE,STRUCTURE_ID,freq,unit,s_adj,na_item,geo,TIME_PERIOD,OBS_VALUE\n${row('CP_MEUR', '123456.7')}${row('CLV_PCH_PRE', '0.2')}${row('CLV_PCH_SM', '1.10')}`,
    )
    expect(summary(items)).toEqual([
      ['AUT.gdp.Q.EUROSTAT.NAMQ_10_GDP.EUR.SA', '2026-Q1', { value: '123456700000' }],
      [
        'AUT.gdp-growth.Q.EUROSTAT.NAMQ_10_GDP.percent.SA',
        '2026-Q1',
        { quarter_over_quarter: '0.2', year_over_year: '1.10' },
      ],
    ])
  })
})

describe('a document is refused', () => {
  it.each([
    [
      'of another publisher',
      eurostatMapping,
      'DATAFLOW,geo,TIME_PERIOD,OBS_VALUE\nOECD.X:UNE_RT_M(1.0),AT,2026-01,1\n',
      '',
      'dataset_not_supported',
      'SDMX-CSV 1 of dataflow OECD.X:UNE_RT_M(1.0)',
    ],
    [
      'of another dataset',
      eurostatMapping,
      'DATAFLOW,geo,TIME_PERIOD,OBS_VALUE\nESTAT:LFSA(1.0),AT,2026-01,1\n',
      '',
      'dataset_not_supported',
      'dataflow ESTAT:LFSA(1.0)',
    ],
    [
      'of another dataset than is asked for',
      eurostatMapping,
      unemployment('SA,TOTAL,PC_ACT,T,AT,2026-01,5,'),
      'NAMQ_10_GDP',
      'wrong_dataset',
      'not of NAMQ_10_GDP',
    ],
    [
      'that names no dataset',
      eurostatMapping,
      '{"version":"2.0","class":"dataset","id":["time"],"size":[1],"value":[5],"dimension":{"time":{"category":{"index":["2026-01"]}}}}',
      'UNE_RT_M',
      'wrong_dataset',
      'a dataset that it does not name',
    ],
    [
      'in TSV, which names no dataset',
      eurostatMapping,
      'freq,s_adj,age,unit,sex,geo\\TIME_PERIOD\t2026-01\nM,SA,TOTAL,PC_ACT,T,AT\t5.0\n',
      'UNE_RT_M',
      'unknown_format',
      'a table with the columns freq, s_adj',
    ],
    [
      'without a mapped series',
      eurostatMapping,
      unemployment('NSA,TOTAL,PC_ACT,T,AT,2026-01,5,'),
      '',
      'no_mapped_series',
      's_adj=NSA',
    ],
    [
      'of a structure alone',
      oecdMapping,
      '<m:StructureSpecificData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message"><m:Header><m:Structure structureID="S"><Structure><Ref agencyID="OECD" id="DSD_LFS"/></Structure></m:Structure></m:Header><m:DataSet structureRef="S"><Obs TIME_PERIOD="2026-01" OBS_VALUE="1"/></m:DataSet></m:StructureSpecificData>',
      '',
      'dataset_not_supported',
      'data structure OECD:DSD_LFS',
    ],
  ])('%s', (_, mapping, text, dataset, reason, detail) => {
    expect(refusal(mapping, text, dataset)).toMatchObject({ reason, message: expect.stringContaining(detail) })
  })
})

describe('a forecast is rejected as one', () => {
  const row = (area: string, status: string) => `SA,TOTAL,PC_ACT,T,${area},2025-12,5.0,${status}`

  it.each([
    ['whatever else is wrong with its series', row('QQ', 'f'), 'forecast'],
    ['unlike another value of that series', row('QQ', 'p'), 'unknown_country'],
  ])('%s', (_, forecast, reason) => {
    const items = parse(eurostatMapping, unemployment(row('AT', ''), forecast))
    expect(rejectsOf(items)).toMatchObject([{ reason, location: 'line 3' }])
  })

  it('on an unknown base', () => {
    const rows = (status: string) =>
      `DATAFLOW,CONTENT,UNIT,DINSG,FREQ,TIME_PERIOD,OBS_VALUE,OBS_STATUS
DESTATIS:61111(1.0),PREIS1,INDEX,DG,M,2026-01,101.3,${status}
`
    const reasonsOf = (status: string) => rejectsOf(parse(destatisMapping, rows(status))).map(({ reason }) => reason)
    expect(reasonsOf('A')).toEqual(['unknown_base'])
    expect(reasonsOf('F')).toEqual(['forecast'])
  })
})

describe('an observation is rejected', () => {
  const good = 'SA,TOTAL,PC_ACT,T,AT,2025-12,5.5,'

  it.each([
    ['of an unknown area', 'SA,TOTAL,PC_ACT,T,QQ,2025-12,5.0,', 'unknown_country'],
    ['of a day', 'SA,TOTAL,PC_ACT,T,BE,2025-12-01,5.0,', 'bad_period'],
    ['that is no decimal', 'SA,TOTAL,PC_ACT,T,BE,2025-12,"5,0",', 'not_a_decimal'],
  ])('%s', (_, row, reason) => {
    const items = parse(eurostatMapping, unemployment(good, row))
    expect(rejectsOf(items)).toMatchObject([{ reason, location: 'line 3', text: expect.stringContaining('2025-12') }])
    expect(summary(items)).toEqual([['AUT.unemployment.M.EUROSTAT.UNE_RT_M.percent.SA', '2025-12', { rate: '5.5' }]])
  })

  it('that states a figure again', () => {
    const items = parse(eurostatMapping, unemployment(good, good.replace('5.5', '5.50')))
    expect(rejectsOf(items)).toMatchObject([{ reason: 'stated_twice', location: 'line 3' }])
    expect(figuresOf(items)).toHaveLength(1)
  })

  it('and so is the one that it contradicts', () => {
    const items = parse(eurostatMapping, unemployment(good, good.replace('5.5', '5.7'), good))
    const locations = ['line 2', 'line 3', 'line 4']
    expect(rejectsOf(items)).toMatchObject(locations.map((location) => ({ reason: 'stated_twice', location })))
    expect(figuresOf(items)).toEqual([])
  })
})

describe('a data structure with the name of a dataset', () => {
  const message = (agency: string) =>
    `<m:StructureSpecificData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:c="c" xmlns:s="s"><m:Header><m:Structure structureID="S" dimensionAtObservation="TIME_PERIOD"><c:Structure><Ref agencyID="${agency}" id="UNE_RT_M" version="1.0"/></c:Structure></m:Structure></m:Header><m:DataSet s:structureRef="S"><Series freq="M" s_adj="SA" age="TOTAL" unit="PC_ACT" sex="T" geo="AT"><Obs TIME_PERIOD="2026-02" OBS_VALUE="5.5"/></Series></m:DataSet></m:StructureSpecificData>`

  it('is read if the user names the dataset, and the refusal says so', () => {
    expect(refusal(eurostatMapping, message('ESTAT'))).toMatchObject({
      reason: 'dataset_not_named',
      message: expect.stringContaining('Name it: --dataset and one of: UNE_RT_M.'),
    })
    expect(figuresOf(parse(eurostatMapping, message('ESTAT'), 'UNE_RT_M'))).toHaveLength(1)
  })

  it('is refused by its agency if that is another', () => {
    expect(refusal(eurostatMapping, message('XYZ'))).toMatchObject({
      reason: 'dataset_not_supported',
      message:
        'The document is SDMX-ML 2.1 structure-specific of data structure XYZ:UNE_RT_M(1.0), whose agency is XYZ. Of this name that of ESTAT is read.',
    })
  })
})
