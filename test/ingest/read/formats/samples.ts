/**
 * One small message of each format. The figures are made up: they show a format, and no source is named that publishes
 * figures. All state the same two series of the dataset `TEST:FLOW(1.0)`, in this order.
 */
export const expected = ['M DEU 2024-01 101.5', 'M DEU 2024-02 null', 'M FRA 2024-01 99.40', 'M FRA 2024-02 100']

const v = (version: string) => `xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v${version}/message"`
const header = (structure: string) =>
  `<m:Header><m:ID>1</m:ID><m:Prepared>2024-03-05T10:00:00Z</m:Prepared><m:Structure structureID="S" dimensionAtObservation="TIME_PERIOD">${structure}</m:Structure></m:Header>`
const usage = '<c:StructureUsage><Ref agencyID="TEST" id="FLOW" version="1.0"/></c:StructureUsage>'

const generic = (area: string, first: string, second: string) => `<g:Series>
<g:SeriesKey><g:Value id="FREQ" value="M"/><g:Value id="REF_AREA" value="${area}"/></g:SeriesKey>
<g:Attributes><g:Value id="UNIT_MULT" value="0"/></g:Attributes>
<g:Obs><g:ObsDimension value="2024-01"/><g:ObsValue value="${first}"/></g:Obs>
<g:Obs><g:ObsDimension value="2024-02"/>${second === '' ? '' : `<g:ObsValue value="${second}"/>`}</g:Obs>
</g:Series>`

const specific = (area: string, first: string, second: string) => `<Series FREQ="M" REF_AREA="${area}" UNIT_MULT="0">
<Obs TIME_PERIOD="2024-01" OBS_VALUE="${first}"/>
<Obs TIME_PERIOD="2024-02"${second === '' ? '' : ` OBS_VALUE="${second}"`}><Comp id="NOTE"><Value>a</Value><Value>b</Value></Comp></Obs>
</Series>`

const dimension = (id: string, ...codes: string[]) => ({
  id,
  values: codes.map((code) => ({ id: code, name: `Name of ${code}` })),
})
const structure = {
  links: [{ rel: 'dataflow', urn: 'urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=TEST:FLOW(1.0)' }],
  dimensions: {
    dataSet: [dimension('FREQ', 'M')],
    series: [dimension('REF_AREA', 'DEU', 'FRA')],
    observation: [dimension('TIME_PERIOD', '2024-01', '2024-02')],
  },
  attributes: { dataSet: [], series: [dimension('UNIT_MULT', '0')], observation: [] },
}
const dataSets = [
  {
    action: 'Information',
    series: {
      '0': { attributes: [0], observations: { '0': ['101.5'], '1': [null] } },
      '1': { attributes: [0], observations: { '0': ['99.40'], '1': [100] } },
    },
  },
]

const category = (...codes: string[]) => ({ category: { index: codes } })

export const samples: Readonly<Record<string, string>> = {
  'SDMX-ML 2.1 generic': `<?xml version="1.0" encoding="UTF-8"?>
<m:GenericData ${v('2_1')} xmlns:g="g" xmlns:c="c">${header(usage)}<m:DataSet structureRef="S">
${generic('DEU', '101.5', 'NaN')}${generic('FRA', '99.40', '100')}</m:DataSet></m:GenericData>
`,
  'SDMX-ML 2.1 structure-specific': `<m:StructureSpecificData ${v('2_1')} xmlns:c="c" xmlns:s="s">${header(usage)}<m:DataSet s:structureRef="S" s:action="Replace">
${specific('DEU', '101.5', '')}${specific('FRA', '99.40', '100')}</m:DataSet></m:StructureSpecificData>
`,
  'SDMX-ML 3.0 structure-specific': `<m:StructureSpecificData ${v('3_0')} xmlns:c="c" xmlns:s="s">${header('<c:StructureUsage>urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=TEST:FLOW(1.0)</c:StructureUsage>')}<m:DataSet s:structureRef="S" s:action="Information">
${specific('DEU', '101.5', '')}${specific('FRA', '99.40', '100')}</m:DataSet></m:StructureSpecificData>
`,
  'SDMX-ML 2.0 generic': `<GenericData xmlns="http://www.SDMX.org/resources/SDMXML/schemas/v2_0/message" xmlns:g="g"><Header><ID>1</ID><KeyFamilyRef>FLOW</KeyFamilyRef><KeyFamilyAgency>TEST</KeyFamilyAgency></Header><DataSet><g:KeyFamilyRef>FLOW</g:KeyFamilyRef>
${[
  ['DEU', '101.5', 'NaN'],
  ['FRA', '99.40', '100'],
]
  .map(
    ([area, first, second]) =>
      `<g:Series><g:SeriesKey><g:Value concept="FREQ" value="M"/><g:Value concept="REF_AREA" value="${area}"/></g:SeriesKey><g:Obs><g:Time>2024-01</g:Time><g:ObsValue value="${first}"/></g:Obs><g:Obs><g:Time>2024-02</g:Time><g:ObsValue value="${second}"/></g:Obs></g:Series>`,
  )
  .join('\n')}</DataSet></GenericData>
`,
  'SDMX-ML 2.0 compact': `<CompactData xmlns="http://www.SDMX.org/resources/SDMXML/schemas/v2_0/message" xmlns:n="n"><Header><ID>1</ID><KeyFamilyRef>FLOW</KeyFamilyRef><KeyFamilyAgency>TEST</KeyFamilyAgency></Header><n:DataSet>
<n:SiblingGroup REF_AREA="DEU" TITLE="Germany"/>
<n:Series FREQ="M" REF_AREA="DEU"><n:Obs TIME_PERIOD="2024-01" OBS_VALUE="101.5"/><n:Obs TIME_PERIOD="2024-02" OBS_VALUE="NaN"/></n:Series>
<n:Series FREQ="M" REF_AREA="FRA"><n:Obs TIME_PERIOD="2024-01" OBS_VALUE="99.40"/><n:Obs TIME_PERIOD="2024-02" OBS_VALUE="100"/></n:Series>
</n:DataSet></CompactData>
`,
  'SDMX-JSON 1': JSON.stringify({ header: { id: '1', prepared: '2024-03-05T10:00:00Z' }, structure, dataSets }),
  'SDMX-JSON 2': JSON.stringify({
    meta: { id: '1', prepared: '2024-03-05T10:00:00Z', sender: { id: 'TEST' } },
    data: { structures: [{ ...structure, dataSets: [0] }], dataSets: dataSets.map((d) => ({ ...d, structure: 0 })) },
    errors: [],
  }),
  'SDMX-CSV 1': `DATAFLOW,LAST UPDATE,FREQ,REF_AREA,TIME_PERIOD,OBS_VALUE,UNIT_MULT
TEST:FLOW(1.0),04/03/24 11:00:00,M,DEU,2024-01,101.5,0
TEST:FLOW(1.0),04/03/24 11:00:00,M,DEU,2024-02,,0
TEST:FLOW(1.0),04/03/24 11:00:00,M,FRA,2024-01,99.40,0
TEST:FLOW(1.0),04/03/24 11:00:00,M,FRA,2024-02,100,0
`,
  'SDMX-CSV 1, labels=both': `DATAFLOW,FREQ: Frequency,REF_AREA: Area,TIME_PERIOD: Time,OBS_VALUE: Value
TEST:FLOW(1.0): A flow,M: Monthly,DEU: Germany,2024-01,101.5
TEST:FLOW(1.0): A flow,M: Monthly,DEU: Germany,2024-02,NaN
TEST:FLOW(1.0): A flow,M: Monthly,"FRA: France, with islands",2024-01,99.40
TEST:FLOW(1.0): A flow,M: Monthly,"FRA: France, with islands",2024-02,100
`,
  'SDMX-CSV 2, labels=name': `STRUCTURE;STRUCTURE_ID;STRUCTURE_NAME;ACTION;FREQ;Frequency;REF_AREA;Area;TIME_PERIOD;Time;OBS_VALUE;Value
dataflow;TEST:FLOW(1.0);A flow;I;M;Monthly;DEU;Germany;2024-01;;101.5;
dataflow;TEST:FLOW(1.0);A flow;I;M;Monthly;DEU;Germany;2024-02;;;
dataflow;TEST:FLOW(1.0);A flow;I;M;Monthly;FRA;France;2024-01;;99.40;
dataflow;TEST:FLOW(1.0);A flow;I;M;Monthly;FRA;France;2024-02;;100;
`,
  'JSON-stat 2': JSON.stringify({
    version: '2.0',
    class: 'dataset',
    updated: '2024-03-04T11:00:00+0100',
    id: ['FREQ', 'REF_AREA', 'time'],
    size: [1, 2, 2],
    value: { 0: '101.5', 2: '99.40', 3: 100 },
    status: { 1: ':', 3: 'p' },
    dimension: {
      FREQ: category('M'),
      REF_AREA: { category: { index: { FRA: 1, DEU: 0 } } },
      time: category('2024-01', '2024-02'),
    },
    extension: { id: 'FLOW', agencyId: 'TEST', version: '1.0' },
  }),
  'JSON-stat 1': JSON.stringify({
    FLOW: {
      status: { value: [null, ':', null, 'p'] },
      value: ['101.5', null, '99.40', 100],
      dimension: {
        id: ['FREQ', 'REF_AREA', 'time'],
        size: [1, 2, 2],
        role: { time: ['time'] },
        FREQ: { category: { label: { M: 'Monthly' } } },
        REF_AREA: category('DEU', 'FRA'),
        time: category('2024-01', '2024-02'),
      },
    },
  }),
}
