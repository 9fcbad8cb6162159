/** @import { VintageRow } from './bodies.d.ts' */

/**
 * What the figures are in: `USD, at the rate for a year`, `index, 2015 = 100`. Several are joined.
 *
 * @param {readonly VintageRow[]} rows
 */
export const unitsText = (rows) => [...new Set(rows.map(unitText))].join('; ')

/** @param {VintageRow} row */
const unitText = ({ unit, base_period, base_value, annualization }) =>
  [
    unit === 'index' && base_period !== '' ? `index, ${base_period} = ${base_value}` : unit,
    annualization === 'annualized' && 'at the rate for a year',
  ]
    .filter(Boolean)
    .join(', ')
