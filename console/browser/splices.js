/**
 * Where a history goes on with another series than before.
 *
 * @import { VintageRow } from './bodies.d.ts'
 * @import { Vintages } from './vintages.js'
 *
 * @typedef {{ readonly at: number, readonly row: VintageRow }} Splice the place of the first period of another series
 */
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
