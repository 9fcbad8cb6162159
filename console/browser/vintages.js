/**
 * What was known of one figure, as two axes and what stands where they cross. A period's prints are in the order of the days
 * from which they were the answer. The value is empty from a day on which nothing answered any more. A period between
 * others that has no figure has no prints.
 *
 * @import { VintageRow } from './bodies.d.ts'
 *
 * @typedef {{ readonly date: string, readonly value: string, readonly row: VintageRow }} Print
 * @typedef {{
 *   readonly periods: readonly string[],
 *   readonly dates: readonly string[],
 *   readonly prints: readonly (readonly Print[])[],
 *   readonly unit: string,
 * }} Vintages
 */
import { everyPeriod, isWithin } from './periods.js'
import { unitsText } from './unit-text.js'

/**
 * @param {readonly VintageRow[]} rows
 * @param {{ start?: string | undefined, end?: string | undefined }} range first and last period, both inclusive
 * @returns {Vintages}
 */
export function vintagesOf(rows, range = {}) {
  const shown = rows.filter(({ period }) => isWithin(period, range))
  const byPeriod = Map.groupBy(shown, ({ period }) => period)
  const periods = everyPeriod([...byPeriod.keys()].sort())
  const prints = periods.map((period) =>
    (byPeriod.get(period) ?? [])
      .map((row) => ({ date: row.valid_from, value: row.value, row }))
      // Prints of one day stay in the order of the answer.
      .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0)),
  )
  const dates = [...new Set(shown.map(({ valid_from }) => valid_from))].sort()
  return { periods, dates, prints, unit: unitsText(shown) }
}

/**
 * Which figure of its indicator a row is: a change is named by its transformation, a flow of the trade summary by its measure.
 *
 * @param {Pick<VintageRow, 'measure' | 'transformation'>} row
 * @param {readonly string[]} figures of the indicator
 */
export const figureOfRow = ({ measure, transformation }, figures) =>
  figures.find((figure) => figure === transformation || measure === `merchandise_${figure}`) ?? figures[0] ?? ''

/**
 * The series that the newest prints are of, each with its first and last period, in order of time. A series that goes on after
 * another one is there twice.
 *
 * @param {Vintages} vintages
 * @returns {{ readonly id: string, readonly first: string, readonly last: string }[]}
 */
export function seriesShown({ periods, prints }) {
  /** @type {{ id: string, first: string, last: string }[]} */
  const runs = []
  periods.forEach((period, i) => {
    const newest = prints[i]?.at(-1)
    const id = newest?.value === '' ? undefined : newest?.row.series
    const run = runs.at(-1)
    if (id === undefined) return
    if (run?.id === id) run.last = period
    else runs.push({ id, first: period, last: period })
  })
  return runs
}

/**
 * The print of a period that was known at the end of a day; undefined before its first one.
 *
 * @param {readonly Print[]} prints
 * @param {string} day
 */
export const knownOn = (prints, day) => prints.findLast(({ date }) => date <= day)

/**
 * What was known on a day, period by period; null where there was no figure yet, or none any more.
 *
 * @param {Vintages} vintages
 * @param {string} day
 * @returns {(string | null)[]}
 */
export const valuesOn = ({ prints }, day) => prints.map((all) => knownOn(all, day)?.value || null)

/**
 * The first print of a period that has a value and is of the same series as another one: only that one was revised to it.
 *
 * @param {readonly Print[]} prints
 * @param {Print} print
 */
export const firstOfSeries = (prints, print) =>
  prints.find(({ value, row }) => value !== '' && row.series === print.row.series) ?? print

/**
 * The revision triangle as a matrix: for every vintage (row, oldest first) and period (column), how far what was known lies
 * from the first print of the same series. Rates are compared by their difference, levels by their ratio in percent. NaN: nothing was published,
 * or none is left.
 *
 * @param {Vintages} vintages
 * @param {boolean} isRate
 * @returns {Float64Array} row by row
 */
export function revisionMatrix({ periods, dates, prints }, isRate) {
  const width = periods.length
  const matrix = new Float64Array(width * dates.length).fill(Number.NaN)
  const rowOf = new Map(dates.map((date, row) => [date, row]))
  prints.forEach((all, column) => {
    all.forEach((print, i) => {
      const { date, value } = print
      const first = Number(firstOfSeries(all, print).value)
      const distance =
        value === ''
          ? Number.NaN
          : isRate
            ? Number(value) - first
            : first === 0
              ? 0
              : ((Number(value) - first) / Math.abs(first)) * 100
      const until = rowOf.get(all[i + 1]?.date ?? '') ?? dates.length
      for (let row = rowOf.get(date) ?? dates.length; row < until; row++) matrix[row * width + column] = distance
    })
  })
  return matrix
}

/**
 * A distance that only few cells exceed, so that one outlier does not bleach all others.
 *
 * @param {Float64Array} matrix
 */
export function typicalDistance(matrix) {
  const distances = matrix
    .filter((distance) => distance !== 0 && !Number.isNaN(distance))
    .map(Math.abs)
    .sort()
  return distances[Math.floor(distances.length * 0.9)] ?? 0
}
