/**
 * The files beside a drawing of a series. They hold every print of the figure and the range that are shown.
 *
 * @import { Explorer } from './explorer.d.ts'
 * @import { Vintages } from '../vintages.js'
 */
import { writeCsv } from '../csv-table.js'
import { plotFiles } from '../plot-panel.js'
import { vintagesPath } from '../series-store.js'

/**
 * @param {Explorer} explorer
 * @param {Vintages} vintages
 * @param {{ suffix?: string, svg: () => string }} drawing `suffix` of the files' name
 */
export function seriesFiles(
  { context, country, indicator, figure, frequency, params },
  { prints },
  { suffix = '', svg },
) {
  const { start, end } = params
  const query = new URLSearchParams(
    Object.entries({ format: 'csv', frequency, start, end }).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )
  const rows = () => prints.flatMap((all) => all.map(({ row }) => row))
  return plotFiles({
    name: `${country}-${indicator.code}-${figure}${suffix}`,
    svg,
    csv: () => writeCsv(Object.keys(rows()[0] ?? {}), rows()),
    rows,
    curl: `curl -s -H "Authorization: Bearer $${context.facts.keyVariable}" '${location.origin}${vintagesPath(country, indicator.path)}?${query}'`,
  })
}
