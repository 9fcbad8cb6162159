/**
 * A comparison as a plot: the same on the screen, in a file and in a page that shows it to others.
 *
 * @import { CatalogEntry, Facts } from './bodies.d.ts'
 * @import { Compared } from './compared.js'
 * @import { Comparison } from './comparison.js'
 * @import { PlotModel } from './plot-svg.js'
 */
import { shortest, valuesAt } from './comparison.js'
import { axisTitle, comparisonTitle, lineLabels } from './comparison-text.js'
import { dayName, periodAt, periodName } from './periods.js'
import { comparedSplices, spliceText } from './splices.js'

/**
 * @param {object} options
 * @param {readonly Compared[]} options.shown
 * @param {Comparison} options.drawn
 * @param {Comparison} options.newest as it is known now; dashed if it is not what is drawn
 * @param {readonly CatalogEntry[]} options.series of the catalogue, those that are not served too
 * @param {string | undefined} options.units of the address
 * @param {string | undefined} options.day on which it was known; undefined: now
 * @param {string} options.address where it is shown
 * @param {Facts} facts
 * @returns {PlotModel}
 */
export function comparisonModel({ shown, drawn, newest, series, units, day, address }, facts) {
  const unitOf = (/** @type {number} */ axis) => axisTitle(drawn, axis, transformationName(units, facts))
  const known = day ? `As known on ${dayName(day)}` : 'As known now'
  const xNames = newest.xs.map((x) => periodName(periodAt(x, shortest(shown))))
  const splices = comparedSplices(drawn.lines, lineLabels(drawn.lines), newest.xs, { shown, series })
  return {
    title: comparisonTitle(
      shown.filter((one) => drawn.lines.some(({ of }) => of === one)),
      facts,
    ),
    unit: unitOf(0),
    ...(drawn.axes.length > 1 ? { secondUnit: unitOf(1) } : {}),
    note: [
      drawn === newest ? known : `${known}; dashed: as known now`,
      ...(splices.length > 0 ? [spliceText({ splices, xNames })] : []),
      ...sourcesOf(drawn, series),
      address,
    ].join('\n'),
    xs: newest.xs,
    xNames,
    splices,
    series: comparisonLines(shown, drawn, newest),
  }
}

/**
 * @param {readonly Compared[]} shown
 * @param {Comparison} drawn
 * @param {Comparison} newest
 * @returns {PlotModel['series']}
 */
function comparisonLines(shown, drawn, newest) {
  const labels = lineLabels(drawn.lines)
  return [
    ...drawn.lines.map((line, i) => ({
      values: valuesAt(line, newest.xs),
      kind: /** @type {const} */ ('main'),
      colour: shown.indexOf(line.of),
      axis: line.axis,
      label: labels[i] ?? '',
    })),
    ...newest.lines.map((line) => ({
      // Without a line of its unit there is no axis for it.
      values: valuesAt(line, newest.xs).map((value) =>
        drawn === newest || !drawn.axes.includes(line.unit) ? null : value,
      ),
      kind: /** @type {const} */ ('former'),
      colour: shown.indexOf(line.of),
      axis: Math.max(0, drawn.axes.indexOf(line.unit)),
    })),
  ]
}

/**
 * The publishers of what is drawn, with their licences. Also of a series that another one precedes in parts.
 *
 * @param {Comparison} drawn
 * @param {readonly CatalogEntry[]} series
 */
export function sourcesOf(drawn, series) {
  const ids = new Set(drawn.lines.flatMap(({ column }) => (column.about.series ?? '').split(' | ')))
  const entries = series.filter((entry) => ids.has(entry.series))
  const texts = entries.map(({ publisher, licence }) => `${publisher} (${licence})`)
  const others = drawn.lines.flatMap(({ column }) => (column.about.source ?? '').split(' | '))
  const missing = others.filter((source) => source !== '' && !entries.some((entry) => entry.source === source))
  return [...new Set([...texts, ...missing])].map((text) => `Source: ${text}`)
}

/**
 * What a transformation computes, in words; empty for figures as they are, and for an index, whose unit says it.
 *
 * @param {string | undefined} units
 * @param {Facts} facts
 */
export const transformationName = (units, facts) =>
  units && units !== 'index' ? (facts.transformations[units] ?? '') : ''
