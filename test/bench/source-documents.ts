/** Made documents in the formats that are read, each with many figures. No figure is one of a real publisher. */
import { countryByAlpha2 } from '../../contracts/countries.ts'
import { periodsOfYear } from '../../domain/period.ts'
import { columns } from '../../ingest/sources/pink-sheet/columns.ts'
import { type Cell, workbook } from '../support/workbook.ts'

const yearsFrom = (first: number, count: number): string[] => Array.from({ length: count }, (_, i) => String(first + i))
/** The months of 20 years. */
export const periods = yearsFrom(2000, 20).flatMap((year) => periodsOfYear('M', year))
const areas = Array.from({ length: 200 }, (_, i) => `A${i}`)

/** Number of observations of each statistical message. */
export const OBSERVATIONS = areas.length * periods.length

export function sdmxMl(): string {
  const series = areas.map((area) => {
    const observations = periods.map(
      (period, i) => `<g:Obs><g:ObsDimension value="${period}"/><g:ObsValue value="${100 + i}.5"/></g:Obs>`,
    )
    const key = `<g:SeriesKey><g:Value id="FREQ" value="M"/><g:Value id="REF_AREA" value="${area}"/></g:SeriesKey>`
    return `<g:Series>${key}${observations.join('')}</g:Series>`
  })
  return `<m:GenericData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:g="g" xmlns:c="c"><m:Header><m:Structure structureID="S" dimensionAtObservation="TIME_PERIOD"><c:StructureUsage><Ref agencyID="TEST" id="FLOW" version="1.0"/></c:StructureUsage></m:Structure></m:Header><m:DataSet structureRef="S">${series.join('')}</m:DataSet></m:GenericData>`
}

export function sdmxCsv(): string {
  const rows = areas.flatMap((area) => periods.map((period, i) => `TEST:FLOW(1.0),M,${area},${period},${100 + i}.5\n`))
  return `DATAFLOW,FREQ,REF_AREA,TIME_PERIOD,OBS_VALUE\n${rows.join('')}`
}

export function jsonStat(): string {
  const category = (codes: readonly string[]) => ({ category: { index: codes } })
  return JSON.stringify({
    version: '2.0',
    class: 'dataset',
    id: ['geo', 'time'],
    size: [areas.length, periods.length],
    role: { time: ['time'] },
    dimension: { geo: category(areas), time: category(periods) },
    value: areas.flatMap(() => periods.map((_, i) => 100.5 + i)),
    extension: { id: 'FLOW', agencyId: 'TEST', version: '1.0' },
  })
}

export function sdmxJson(): string {
  const dimension = (id: string, codes: readonly string[]) => ({ id, values: codes.map((code) => ({ id: code })) })
  const observations = Object.fromEntries(periods.map((_, i) => [i, [100.5 + i]]))
  return JSON.stringify({
    meta: { id: 'T', prepared: '2025-12-01T00:00:00Z', sender: { id: 'TEST' } },
    data: {
      structures: [
        {
          links: [{ rel: 'dataflow', urn: 'urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=TEST:FLOW(1.0)' }],
          dimensions: {
            dataSet: [dimension('FREQ', ['M'])],
            series: [dimension('REF_AREA', areas)],
            observation: [dimension('TIME_PERIOD', periods)],
          },
        },
      ],
      dataSets: [{ structure: 0, series: Object.fromEntries(areas.map((_, i) => [i, { observations }])) }],
    },
  })
}

const worldBankYears = yearsFrom(1960, 60)
/** Number of figures of the made World Bank answer. */
export const WORLD_BANK_FIGURES = countryByAlpha2.size * worldBankYears.length

export function worldBank(): string {
  const indicator = { id: 'SL.UEM.TOTL.ZS', value: 'Unemployment, total (% of total labor force)' }
  const rows = [...countryByAlpha2].flatMap(([id, { alpha3, name }]) =>
    worldBankYears.map((date, i) => ({
      indicator,
      country: { id, value: name },
      countryiso3code: alpha3,
      date,
      value: 1.5 + i,
      unit: '',
      obs_status: '',
      decimal: 1,
    })),
  )
  const meta = {
    page: 1,
    pages: 1,
    per_page: rows.length,
    total: rows.length,
    sourceid: '2',
    lastupdated: '2025-12-01',
  }
  return JSON.stringify([meta, rows])
}

const pinkSheetMonths = yearsFrom(2006, 20).flatMap((year) => periodsOfYear('M', year))
/** Number of prices of the made Pink Sheet. */
export const PINK_SHEET_PRICES = columns.length * pinkSheetMonths.length

export function pinkSheet(): Uint8Array {
  const rows: Cell[][] = [
    [undefined, ...columns.map(({ name }) => name)],
    [undefined, ...columns.map(({ printedUnit }) => printedUnit)],
    ...pinkSheetMonths.map((month, i): Cell[] => [
      month.replace('-', 'M'),
      ...columns.map((_, k) => ({ number: `${1000 + i}.${k + 1}` })),
    ]),
  ]
  return workbook({ 'Monthly Prices': rows })
}
