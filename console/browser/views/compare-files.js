/**
 * The files of a comparison: exactly the figures that are drawn, and the commands that get them from the service.
 *
 * @import { Compared } from '../compared.js'
 * @import { Comparison } from '../comparison.js'
 * @import { ViewContext } from '../view.d.ts'
 */
import { panelParts } from '../compared.js'
import { rangeWithBase } from '../comparison.js'
import { writeCsv } from '../csv-table.js'
import { panelAddress } from '../panel-address.js'
import { plotFiles } from '../plot-panel.js'

/**
 * @param {ViewContext} context
 * @param {object} options
 * @param {readonly Compared[]} options.shown
 * @param {Comparison} options.comparison
 * @param {Readonly<Record<string, string | undefined>>} options.state of the address
 * @param {() => string} options.svg
 * @param {() => string} options.cite
 */
export function compareFiles({ facts: { keyVariable } }, { shown, comparison, state, svg, cite }) {
  const { lines, periods } = comparison
  const parts = panelParts(shown)
  const rows = periods.map((period) => ({
    period,
    ...Object.fromEntries(lines.map(({ column, texts }) => [column.name, texts.get(period) ?? null])),
  }))
  return plotFiles({
    name: `almanac-${shown.map(({ name }) => name).join('-')}`.slice(0, 80),
    svg,
    csv: () => writeCsv(['period', ...lines.map(({ column }) => column.name)], rows),
    rows: () => rows,
    curl: parts
      .map(
        (part) => `curl -s -H "Authorization: Bearer $${keyVariable}" '${location.origin}${panelAddress(part, state)}'`,
      )
      .join('\n'),
    cite,
    python: pythonOf(parts, comparison, state, keyVariable),
  })
}

/**
 * @param {ReturnType<typeof panelParts>} parts
 * @param {Pick<Comparison, 'lines' | 'base'>} comparison
 * @param {Readonly<Record<string, string | undefined>>} state
 * @param {string} keyVariable
 */
function pythonOf(parts, { lines, base }, { start, end, as_of, units, method }, keyVariable) {
  const text = (/** @type {unknown} */ value) => JSON.stringify(value)
  const named = {
    ...rangeWithBase({ base, start, end }),
    as_of,
    units: units === 'index' ? undefined : units,
    aggregation_method: method,
  }
  const rest = Object.entries(named).flatMap(([name, value]) => (value ? [`, ${name}=${text(value)}`] : []))
  const panels = parts.flatMap(({ frequency, countries, indicators }) => {
    const own = lines.filter(({ of }) => of.frequency === frequency).map(({ column }) => column.name)
    const read = `almanac.panel(${text(countries)}, ${text(indicators)}, ${text(frequency)}${rest.join('')})`
    return [
      `frame = ${read}.to_pandas(floats=True)[${text(own)}]`,
      ...(base ? [`frame = 100 * frame / frame.loc[${text(base)}:${text(base)}].mean()`] : []),
      ...(base && (start || end) ? [`frame = frame.loc[${start ? text(start) : ''}:${end ? text(end) : ''}]`] : []),
      'print(frame)',
    ]
  })
  return [
    'import os',
    '',
    'from almanac_client import Almanac',
    '',
    `almanac = Almanac(os.environ[${text(keyVariable)}], url=${text(location.origin)})`,
    ...panels,
    '',
  ].join('\n')
}
