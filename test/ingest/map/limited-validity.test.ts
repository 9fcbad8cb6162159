import { describe, expect, it } from 'vitest'
import { eurostatMapping } from '../../../ingest/map/publishers/eurostat.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { document } from '../sources/fixture.ts'

// The figures are made up: they show how the validity of data sets is read.
const { parse } = mappedSource(eurostatMapping)

type DataSet = { readonly from?: string; readonly to?: string; readonly values: Readonly<Record<string, string>> }

function sdmxMl(sets: readonly DataSet[]): string {
  const dataSets = sets.map(({ from, to, values }) => {
    const observations = Object.entries(values).map(
      ([period, value]) => `<Obs TIME_PERIOD="${period}" OBS_VALUE="${value}"/>`,
    )
    const validity = `${from ? ` s:validFromDate="${from}"` : ''}${to ? ` s:validToDate="${to}"` : ''}`
    return `<m:DataSet s:structureRef="S" s:action="Replace"${validity}><Series freq="M" s_adj="SA" age="TOTAL" unit="PC_ACT" sex="T" geo="AT">${observations.join('')}</Series></m:DataSet>`
  })
  return `<m:StructureSpecificData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:c="c" xmlns:s="s"><m:Header><m:Structure structureID="S" dimensionAtObservation="TIME_PERIOD"><c:StructureUsage><Ref agencyID="ESTAT" id="UNE_RT_M" version="1.0"/></c:StructureUsage></m:Structure></m:Header>${dataSets.join('')}</m:StructureSpecificData>`
}

function sdmxJson(sets: readonly DataSet[]): string {
  const periods = [...new Set(sets.flatMap(({ values }) => Object.keys(values)))]
  const dimension = (id: string, ...codes: string[]) => ({ id, values: codes.map((code) => ({ id: code })) })
  const structure = {
    links: [{ rel: 'dataflow', urn: 'urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=ESTAT:UNE_RT_M(1.0)' }],
    dimensions: {
      dataSet: [
        dimension('freq', 'M'),
        dimension('s_adj', 'SA'),
        dimension('age', 'TOTAL'),
        dimension('unit', 'PC_ACT'),
        dimension('sex', 'T'),
        dimension('geo', 'AT'),
      ],
      observation: [dimension('TIME_PERIOD', ...periods)],
    },
  }
  const dataSets = sets.map(({ from, to, values }) => ({
    action: 'Replace',
    validFrom: from,
    validTo: to,
    observations: Object.fromEntries(
      Object.entries(values).map(([period, value]) => [periods.indexOf(period), [value]]),
    ),
  }))
  return JSON.stringify({ data: { structures: [structure], dataSets } })
}

describe.each([
  ['SDMX-ML', sdmxMl],
  ['SDMX-JSON', sdmxJson],
])('%s with data sets that were valid for a time', (_, write) => {
  const shown = (...sets: DataSet[]) =>
    [...parse(document(write(sets)))].map((item) =>
      'series' in item
        ? [item.period, item.kind === 'figure' ? item.figures.rate?.printed : item.kind, item.released?.on]
        : item.kind,
    )
  const first = {
    from: '2026-03-02T11:00:00Z',
    to: '2026-04-02T11:00:00Z',
    values: { '2026-01': '5.5', '2026-02': '5.6' },
  }
  const second = { from: '2026-04-02T11:00:00Z', values: { '2026-01': '5.4' } }

  it('gives each print, and withdraws what the next set does not have', () => {
    expect(shown(first, second)).toEqual([
      ['2026-01', '5.5', '2026-03-02'],
      ['2026-02', '5.6', '2026-03-02'],
      ['2026-01', '5.4', '2026-04-02'],
      ['2026-02', 'missing', '2026-04-03'],
    ])
  })

  it('knows nothing after the last of them', () => {
    expect(shown(first)).toEqual([
      ['2026-01', '5.5', '2026-03-02'],
      ['2026-02', '5.6', '2026-03-02'],
    ])
  })

  it('as of a day proves the figures of that day', () => {
    expect(shown({ to: '2026-03-15', values: { '2026-01': '5.5' } })).toEqual([['2026-01', '5.5', '2026-03-15']])
  })

  it('withdraws what a set states as missing', () => {
    expect(shown(first, { ...second, values: { '2026-01': '5.4', '2026-02': 'NaN' } })).toEqual([
      ['2026-01', '5.5', '2026-03-02'],
      ['2026-02', '5.6', '2026-03-02'],
      ['2026-01', '5.4', '2026-04-02'],
      ['2026-02', 'missing', '2026-04-02'],
    ])
  })

  it('is undated without an end, because the beginning may be the time of the answer', () => {
    expect(shown({ from: '2026-11-20T08:00:00Z', values: { '2026-01': '5.5', '2026-02': 'NaN' } })).toEqual([
      ['2026-01', '5.5', undefined],
    ])
  })

  it.each([
    ['states no day', { to: 'soon' }],
    ['ends before it begins', { from: '2026-03-02', to: '2026-03-01' }],
  ])('is refused if it %s', (_, validity) => {
    expect(() => shown({ ...validity, values: { '2026-01': '5.5' } })).toThrow(
      expect.objectContaining({ reason: 'bad_date' }),
    )
  })
})
