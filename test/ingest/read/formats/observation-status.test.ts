import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { oecdMapping } from '../../../../ingest/map/publishers/oecd.ts'
import { faultOfStatus, type MessageObservation } from '../../../../ingest/read/formats/observation.ts'
import { mappedSource } from '../../../../ingest/sources/mapped-source.ts'
import { document, figuresOf, fixturePath, rejectsOf } from '../../sources/fixture.ts'
import { observationsOf } from './observations.ts'

const faultOf = (status: string, value: string | null = '1') => {
  const attributes = { OBS_STATUS: status }
  const observation = { kind: 'observation', codes: {}, attributes, value } as Partial<MessageObservation>
  return faultOfStatus(observation as MessageObservation)?.reason
}

describe('a status', () => {
  it.each(['F', 'f', 'F: Forecast value', 'E;F', 'ef', 'bf', 'F B'])('%s is that of a forecast', (status) => {
    expect(faultOf(status)).toBe('forecast')
  })

  it.each(['M', 'O', 'L', 'H', 'Q', 'K', 'M: Missing value; data cannot exist', 'B;Q', 'm'])(
    '%s says that there is no figure',
    (status) => expect(faultOf(status)).toBe('marked_missing'),
  )

  it.each([
    '',
    'A',
    'P',
    'E',
    'B',
    'bep',
    'SD',
    'A: Normal value',
    'E: Estimate; Forecast is F',
    'na',
    'FINAL',
    'none',
  ])('%j is that of a figure', (status) => expect(faultOf(status)).toBeUndefined())

  it('of an observation without a value is no fault', () => {
    expect(['F', 'M', 'Q'].map((status) => faultOf(status, null))).toEqual([undefined, undefined, undefined])
  })
})

/** Two months in each format, of which the second is a forecast. */
const head =
  '<m:Header><m:Structure structureID="S"><Structure><Ref agencyID="T" id="F"/></Structure></m:Structure></m:Header>'
const ml = 'xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message"'
const values = (...ids: string[]) => ids.map((id) => ({ id, name: `Name of ${id}` }))
const category = (...codes: string[]) => ({ category: { index: codes } })
const stat = {
  id: ['geo', 'time'],
  size: [1, 2],
  dimension: { geo: category('AT'), time: category('2026-01', '2026-02') },
}
const forecasts: Readonly<Record<string, string>> = {
  'SDMX-CSV': 'DATAFLOW,geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS\nT:F(1.0),AT,2026-01,1,P\nT:F(1.0),AT,2026-02,2,F\n',
  'SDMX-CSV with labels':
    'DATAFLOW,geo: Area,TIME_PERIOD: Time,OBS_VALUE: Value,OBS_STATUS: Status\nT:F(1.0): A flow,AT: Austria,2026-01,1,P: Provisional value\nT:F(1.0): A flow,AT: Austria,2026-02,2,F: Forecast value\n',
  'SDMX-CSV of Eurostat':
    'DATAFLOW,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG\nESTAT:F(1.0),AT,2026-01,1,p\nESTAT:F(1.0),AT,2026-02,2,ef\n',
  'SDMX-ML structure-specific': `<m:StructureSpecificData ${ml}>${head}<m:DataSet structureRef="S"><Series geo="AT"><Obs TIME_PERIOD="2026-01" OBS_VALUE="1" OBS_STATUS="P"/><Obs TIME_PERIOD="2026-02" OBS_VALUE="2" OBS_STATUS="F"/></Series></m:DataSet></m:StructureSpecificData>`,
  'SDMX-ML generic': `<m:GenericData ${ml} xmlns:g="g">${head}<m:DataSet structureRef="S"><g:Series><g:SeriesKey><g:Value id="geo" value="AT"/></g:SeriesKey><g:Obs><g:ObsDimension value="2026-01"/><g:ObsValue value="1"/></g:Obs><g:Obs><g:ObsDimension value="2026-02"/><g:ObsValue value="2"/><g:Attributes><g:Value id="OBS_STATUS" value="F"/></g:Attributes></g:Obs></g:Series></m:DataSet></m:GenericData>`,
  'SDMX-JSON': JSON.stringify({
    header: { id: '1' },
    structure: {
      dimensions: {
        dataSet: [],
        series: [{ id: 'geo', values: values('AT') }],
        observation: [{ id: 'TIME_PERIOD', values: values('2026-01', '2026-02') }],
      },
      attributes: { dataSet: [], series: [], observation: [{ id: 'OBS_STATUS', values: values('P', 'F') }] },
    },
    dataSets: [{ series: { '0': { observations: { '0': ['1', 0], '1': ['2', 1] } } } }],
  }),
  'JSON-stat': JSON.stringify({ version: '2.0', class: 'dataset', value: [1, 2], status: { 0: 'p', 1: 'f' }, ...stat }),
  'CSV of the former OECD portal':
    'LOCATION,INDICATOR,SUBJECT,MEASURE,FREQUENCY,TIME,Value,Flag Codes\nAUS,HUR,TOT,PC_LF,M,2026-01,1,P\nAUS,HUR,TOT,PC_LF,M,2026-02,2,F\n',
  INSEE: '"Libellé";"Taux";"Codes"\n"idBank";"001688527";""\n"Période";"";""\n"2026-01";"1";"P"\n"2026-02";"2";"F"\n',
  ILOSTAT:
    'ref_area,source,indicator,sex,time,obs_value,obs_status\nFRA,BA:1,UNE,SEX_T,2026Q1,1,B\nFRA,BA:1,UNE,SEX_T,2026Q2,2,F\n',
}

describe('a forecast is seen', () => {
  it.each(Object.entries(forecasts))('in %s', (_, text) => {
    const found = observationsOf(text)
    expect(found.map(({ value }) => value)).toEqual(['1', '2'])
    expect(found.map((observation) => faultOfStatus(observation)?.reason)).toEqual([undefined, 'forecast'])
  })
})

describe('growth of the OECD', () => {
  const text = readFileSync(fixturePath('oecd/QNA.csv'), 'utf8')
  const parse = (more = '') => [...mappedSource(oecdMapping).parse(document(`${text}${more}`))]
  const row = (measure: string, value: string, status: string) =>
    `OECD.SDD.NAD:DSD_NAMAIN1@DF_QNA_EXPENDITURE_GROWTH_OECD(1.1),Q,Y,USA,S1,S1,B1GQ,_Z,_Z,_Z,PC,L,${measure},T0102,2026-Q3,${value},${status},0\n`

  it.each([
    ['F', '1.5', 'forecast'],
    ['M', '0', 'marked_missing'],
  ])('with the status %s is rejected, and the others are as before', (status, value, reason) => {
    const items = parse(row('G1', value, status) + row('GY', value, status))
    expect(rejectsOf(items).map((reject) => reject.reason)).toEqual([reason, reason])
    expect(rejectsOf(items)[0]?.detail).toContain(`OBS_STATUS of the value ${value} is "${status}"`)
    expect(figuresOf(items)).toEqual(figuresOf(parse()))
  })

  it('that is provisional, or missing without a value, is read as before', () => {
    expect(figuresOf(parse(row('G1', '0.5', 'P') + row('GY', '2.5', 'P')))).toHaveLength(figuresOf(parse()).length + 1)
    expect(parse(row('G1', '', 'M') + row('GY', '', 'M'))).toEqual(parse())
  })
})
