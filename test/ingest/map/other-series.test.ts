import { describe, expect, it } from 'vitest'
import { altered, document, figuresOf, fixture, rejectsOf } from '../sources/fixture.ts'
import { itemsBy, refusalBy } from './national.ts'

/** What looks like a mapped series and states that it is another one. */

const altering = (source: string, fixture: string, from: string, to: string) =>
  itemsBy(source, altered(fixture, from, to).bytes)

const LABOUR = 'statcan/1410028701-eng.csv'
const VECTORS = 'statcan/vectors.json'

describe('a dimension that no row of the mapping names is rejected', () => {
  it.each([
    ['SDMX-CSV', 'eurostat', csv('citizen,', 'FOR,'), 'citizen=FOR'],
    ['structure-specific SDMX-ML', 'eurostat', xml(' citizen="FOR"'), 'citizen=FOR'],
    ['generic SDMX-ML', 'eurostat', generic({ citizen: 'FOR' }), 'citizen=FOR'],
    ['SDMX-JSON', 'eurostat', sdmxJson({ citizen: 'FOR' }), 'citizen=FOR'],
    ['JSON-stat', 'eurostat', jsonStat({ citizen: 'FOR' }), 'citizen=FOR'],
    [
      'a table of Statistics Canada',
      'statcan',
      altered(LABOUR, ',"Statistics",', ',"Immigrants","Landed",,,\n,"Statistics",').bytes,
      'Immigrants=Landed',
    ],
    [
      'OData',
      'cbs',
      altered('cbs/86141NED.json', '"Perioden": "2026MM05"', '"Regio": "NL10", "Perioden": "2026MM05"').bytes,
      'Regio=NL10',
    ],
  ])('in %s', (_, source, bytes, detail) => {
    const rejects = rejectsOf(itemsBy(source, bytes))
    expect(rejects.length).toBeGreaterThan(0)
    for (const reject of rejects)
      expect(reject).toMatchObject({ reason: 'unknown_dimension', detail: expect.stringContaining(detail) })
  })

  it.each([
    ['SDMX-CSV', csv('', '')],
    ['structure-specific SDMX-ML', xml('')],
    ['generic SDMX-ML', generic({})],
    ['SDMX-JSON', sdmxJson({})],
    ['JSON-stat', jsonStat({})],
  ])('and %s without it is read', (_, text) => {
    expect(figuresOf(itemsBy('eurostat', text))).toHaveLength(1)
  })
})

describe('growth of GDP', () => {
  it.each([
    ['one sector', ',S1,S1,B1GQ', ',S13,S1,B1GQ'],
    ['one activity', ',B1GQ,_Z,_Z,', ',B1GQ,_Z,A,'],
  ])('of %s is rejected', (_, from, to) => {
    const items = altering('oecd', 'oecd/QNA.csv', from, to)
    expect(rejectsOf(items)).toMatchObject([{ reason: 'unknown_series', location: 'line 2' }])
  })
})

describe('a base that is not the expected one', () => {
  it('in the title of a series of INSEE rejects its index', () => {
    const items = altering('insee', 'insee/001769682.csv', 'Base 2015', 'Base 2025')
    expect(figuresOf(items)).toEqual([])
    expect(rejectsOf(items)[0]).toMatchObject({
      reason: 'changed_series',
      detail: expect.stringContaining('Base 2025 - Ensemble des ménages - France - Ensemble", not Indice CVS'),
    })
  })
})

describe('a head of INSEE', () => {
  it('that names its series twice is refused', () => {
    const twice = altered('insee/001769682.csv', '"Période";"";""', '"idBank";"001759970";""\n"Période";"";""')
    expect(refusalBy('insee', twice.bytes)).toMatchObject({ reason: 'malformed_document', location: 'line 4' })
  })
})

describe('a multiplier', () => {
  it('that is no power of a thousand is not passed over in a table of Statistics Canada', () => {
    const items = altering('statcan', LABOUR, '"Seasonally adjusted","7.1"', '"Seasonally adjusted (x 100)","7.1"')
    expect(rejectsOf(items)).toHaveLength(4)
    expect(rejectsOf(items)[0]).toMatchObject({ reason: 'unknown_unit', detail: expect.stringContaining('100') })
  })

  it('that the World Bank states as a unit rejects the row', () => {
    const { bytes } = fixture('world-bank/exports.json')
    const stated = new TextDecoder().decode(bytes).replaceAll('"unit":""', '"unit":"thousands"')
    const rejects = rejectsOf(itemsBy('world-bank', stated))
    expect(rejects).toHaveLength(4)
    expect(rejects[0]).toMatchObject({ reason: 'unknown_unit', detail: 'Unit is "thousands".' })
  })
})

describe('a value that is neither a number nor null withdraws nothing', () => {
  it.each([
    ['statcan', VECTORS, '"value":6.6', '"value":[6.6]', 'v2062815, data point 1'],
    ['statcan', VECTORS, '"value":6.6', '"result":6.6', 'v2062815, data point 1'],
    ['cbs', 'cbs/86141NED.json', '"Value": 103.01', '"Value": true', 'value 12'],
  ])('%s %s %s as %s', (source, fixture, from, to, location) => {
    const items = altering(source, fixture, from, to)
    expect(items.filter(({ kind }) => kind === 'missing')).toEqual([])
    expect(rejectsOf(items)).toMatchObject([{ reason: 'malformed_row', location }])
  })
})

describe('a month of Statistics Canada', () => {
  it('is stated by its first day', () => {
    const items = altering('statcan', VECTORS, '"refPer":"2026-05-01"', '"refPer":"2026-05-15"')
    expect(rejectsOf(items)).toMatchObject([{ reason: 'bad_period', location: 'v2062815, data point 1' }])
  })
})

// The figures are made up: they show how a document is read.
function csv(column: string, code: string): Uint8Array {
  return document(`DATAFLOW,LAST UPDATE,freq,s_adj,age,unit,sex,${column}geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG
ESTAT:UNE_RT_M(1.0),25/04/26 11:00:00,M,SA,TOTAL,PC_ACT,T,${code}AT,2026-01,5.1,
`).bytes
}

function xml(attribute: string): Uint8Array {
  const namespaces = 'xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:c="c" xmlns:s="s"'
  return document(`<m:StructureSpecificData ${namespaces}><m:Header><m:ID>1</m:ID>
<m:Structure structureID="S" dimensionAtObservation="TIME_PERIOD"><c:StructureUsage><Ref agencyID="ESTAT" id="UNE_RT_M" version="1.0"/></c:StructureUsage></m:Structure></m:Header>
<m:DataSet s:structureRef="S"><Series freq="M" s_adj="SA" age="TOTAL" unit="PC_ACT" sex="T"${attribute} geo="AT">
<Obs TIME_PERIOD="2026-01" OBS_VALUE="5.1" OBS_FLAG="p"/></Series></m:DataSet></m:StructureSpecificData>
`).bytes
}

const key = { freq: 'M', s_adj: 'SA', age: 'TOTAL', unit: 'PC_ACT', sex: 'T' }
const area = { geo: 'AT' }

function generic(more: Readonly<Record<string, string>>): Uint8Array {
  const namespaces = 'xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:c="c" xmlns:g="g"'
  const values = Object.entries({ ...key, ...more, ...area }).map(
    ([id, code]) => `<g:Value id="${id}" value="${code}"/>`,
  )
  return document(`<m:GenericData ${namespaces}><m:Header><m:ID>1</m:ID>
<m:Structure structureID="S" dimensionAtObservation="TIME_PERIOD"><c:StructureUsage><Ref agencyID="ESTAT" id="UNE_RT_M" version="1.0"/></c:StructureUsage></m:Structure></m:Header>
<m:DataSet structureRef="S"><g:Series><g:SeriesKey>${values.join('')}</g:SeriesKey>
<g:Obs><g:ObsDimension value="2026-01"/><g:ObsValue value="5.1"/></g:Obs></g:Series></m:DataSet></m:GenericData>
`).bytes
}

function sdmxJson(more: Readonly<Record<string, string>>): Uint8Array {
  const components = (codes: object) => Object.entries(codes).map(([id, code]) => ({ id, values: [{ id: code }] }))
  const links = [{ rel: 'dataflow', urn: 'urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=ESTAT:UNE_RT_M(1.0)' }]
  const observation = components({ ...area, TIME_PERIOD: '2026-01' })
  const structures = [{ links, dimensions: { dataSet: components({ ...key, ...more }), observation } }]
  const data = { structures, dataSets: [{ structure: 0, observations: { '0:0': ['5.1'] } }] }
  return document(JSON.stringify({ meta: { id: '1' }, data })).bytes
}

function jsonStat(more: Readonly<Record<string, string>>): Uint8Array {
  const codes = { ...key, ...more, ...area, time: '2026-01' }
  const dimension = Object.fromEntries(Object.entries(codes).map(([id, code]) => [id, { category: { index: [code] } }]))
  const id = Object.keys(codes)
  const extension = { id: 'UNE_RT_M', agencyId: 'ESTAT', version: '1.0' }
  return document(
    JSON.stringify({ version: '2.0', class: 'dataset', id, size: id.map(() => 1), dimension, value: [5.1], extension }),
  ).bytes
}
