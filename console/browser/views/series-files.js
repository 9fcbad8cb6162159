/**
 * The files beside a drawing of a series. All hold every print, whatever is drawn of them.
 *
 * @import { Explorer } from './explorer.d.ts'
 * @import { Vintages } from '../vintages.js'
 */
import { plotFiles } from '../plot-panel.js'
import { vintagesPath } from '../series-store.js'

/**
 * @param {Explorer} explorer
 * @param {Vintages} vintages
 * @param {{ suffix?: string, svg: () => string }} drawing `suffix` of the files' name
 */
export function seriesFiles({ context, country, indicator, figure, csv }, { prints }, { suffix = '', svg }) {
  const path = vintagesPath(country, indicator.path)
  return plotFiles({
    name: `${country}-${indicator.code}-${figure}${suffix}`,
    svg,
    csv: () => csv,
    rows: () => prints.flatMap((all) => all.map(({ row }) => row)),
    curl: `curl -s -H "Authorization: Bearer $${context.facts.keyVariable}" '${location.origin}${path}?format=csv'`,
  })
}
