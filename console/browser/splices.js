/**
 * Where a history goes on with another series than before.
 *
 * @import { CatalogEntry, VintageRow } from './bodies.d.ts'
 * @import { Compared } from './compared.js'
 * @import { Line } from './comparison.js'
 * @import { PlotModel } from './plot-svg.js'
 * @import { Vintages } from './vintages.js'
 *
 * @typedef {{ readonly at: number, readonly row: VintageRow }} Splice the place of the first period of another series
 */
import { periodSeconds } from './periods.js'
import { knownOn, valuesOn } from './vintages.js'

/** Members in which two levels or rates must agree to stand on one line. */
const compared = /** @type {const} */ (['unit', 'base_period', 'base_value', 'seasonal_adjustment', 'annualization'])

/**
 * @param {Vintages} vintages
 * @returns {Splice[]}
 */
export function splicesOf({ prints }) {
  /** @type {string | undefined} */
  let before
  return prints.flatMap((all, at) => {
    const newest = all.at(-1)
    if (!newest || newest.value === '') return []
    const { row } = newest
    const isNew = before !== undefined && before !== row.series
    before = row.series
    return isNew ? [{ at, row }] : []
  })
}

/**
 * The line of what was known on a day, cut where its figures can't be compared with those before: each part has the values
 * of its own places, and null elsewhere.
 *
 * @param {Vintages} vintages
 * @param {string} day
 * @returns {(number | null)[][]}
 */
export function partsOn(vintages, day) {
  const values = valuesOn(vintages, day).map((value) => (value === null ? null : Number(value)))
  let part = -1
  /** @type {VintageRow | undefined} */
  let before
  const parts = vintages.prints.map((all) => {
    const known = knownOn(all, day)
    const row = known?.value === '' ? undefined : known?.row
    if (row && !(before && isComparable(before, row))) part++
    before = row ?? before
    return Math.max(part, 0)
  })
  return Array.from({ length: Math.max(part, 0) + 1 }, (_, own) =>
    values.map((value, i) => (parts[i] === own ? value : null)),
  )
}

/**
 * A rate has no base, even if the index that it was computed from has one.
 *
 * @param {VintageRow} a
 * @param {VintageRow} b
 */
const isComparable = (a, b) =>
  compared.every((member) => a[member] === b[member] || (member.startsWith('base') && a.unit !== 'index'))

/**
 * Where figures of a comparison go on with another series: one mark for each place, in the colour of the line if it is of one
 * figure alone.
 *
 * @param {readonly Line[]} lines
 * @param {readonly string[]} labels of the lines
 * @param {readonly number[]} xs
 * @param {{ readonly shown: readonly Compared[], readonly series: readonly CatalogEntry[] }} known
 * @returns {NonNullable<PlotModel['splices']>}
 */
export function comparedSplices(lines, labels, xs, { shown, series }) {
  const found = [...Map.groupBy(lines, ({ of }) => of)].flatMap(([of, own]) => {
    const label = shown.length > 1 ? `${labels[lines.findIndex((line) => line.of === of)]}: ` : ''
    return newSeries(own).map(({ period, id }) => ({
      at: xs.indexOf(periodSeconds(period)),
      name: `${label}${series.find((one) => one.series === id)?.source ?? id}`,
      colour: shown.indexOf(of),
    }))
  })
  return [...Map.groupBy(found, ({ at }) => at)]
    .filter(([at]) => at > 0)
    .sort(([a], [b]) => a - b)
    .map(([at, own]) => ({
      at,
      name: own.map(({ name }) => name).join(', '),
      colour: own.length === 1 ? own[0]?.colour : undefined,
    }))
}

/**
 * The periods from which another series answers than before, whatever line of the figure they are on.
 *
 * @param {readonly Line[]} lines of one figure
 */
function newSeries(lines) {
  const answers = lines
    .flatMap(({ column: { about }, texts }) => {
      const turns = (about.series_since ?? '').split(' | ').map((turn) => turn.split(' '))
      return [...texts.keys()].map((period) => ({
        period,
        id: turns.findLast(([since = '']) => since <= period)?.[1],
      }))
    })
    .sort((a, b) => (a.period < b.period ? -1 : 1))
  return answers.filter(({ id }, i) => i > 0 && id !== answers[i - 1]?.id)
}

/**
 * What the marks mean, in words; empty if there are none.
 *
 * @param {Pick<PlotModel, 'splices' | 'xNames'>} model
 */
export const spliceText = ({ splices = [], xNames }) =>
  splices.length === 0
    ? ''
    : `Dotted: another series from ${splices.map(({ at, name }) => `${xNames[at]} (${name})`).join(', ')} on.`
