/**
 * What a plot of several figures shows: a line for each of them, on one axis of time and at most two of values.
 *
 * @import { Compared } from './compared.js'
 * @import { PanelColumn } from './panel-table.js'
 *
 * @typedef {{
 *   readonly of: Compared,
 *   readonly column: PanelColumn,
 *   readonly texts: ReadonlyMap<string, string>,
 *   readonly unit: string,
 *   readonly axis: number,
 * }} Line `texts`: the decimals that are drawn, by period
 * @typedef {{
 *   readonly lines: readonly Line[],
 *   readonly axes: readonly string[],
 *   readonly left: readonly { readonly of: Compared, readonly why: string }[],
 *   readonly periods: readonly string[],
 *   readonly xs: readonly number[],
 * }} Comparison `axes`: what the values of each are in; `left`: figures that are not drawn; `periods`: all of them, in order;
 * `xs`: where they begin, seconds since 1970, ascending
 */
import { inPercentOf } from './decimal-text.js'
import { figureColumns } from './panel-table.js'
import { everyPeriod, periodAt, periodFrequency, periodName, periodSeconds } from './periods.js'
import { words } from './series-facts.js'

/** More axes can't be read. */
const MOST_AXES = 2

/**
 * @param {readonly Compared[]} compared
 * @param {(frequency: string) => readonly PanelColumn[]} panel
 * @param {string | undefined} base the period that is 100; undefined: figures as they are
 * @returns {Comparison}
 */
export function comparison(compared, panel, base) {
  /** @type {{ of: Compared, why: string }[]} */
  const left = []
  /** @type {string[]} */
  const axes = []
  const lines = compared.flatMap((of) => {
    const columns = figureColumns(panel(of.frequency), of.name)
    const drawn =
      base === undefined ? columns.map((column) => ({ column, texts: column.values })) : based(columns, base)
    if (drawn.length === 0)
      left.push({ of, why: columns.length === 0 ? 'nothing is known' : `no figure for ${periodName(base ?? '')}` })
    return drawn.flatMap(({ column, texts }) => {
      const unit = base === undefined ? columnUnit(column) : `index, ${periodName(base)} = 100`
      if (!axes.includes(unit) && axes.length < MOST_AXES) axes.push(unit)
      const axis = axes.indexOf(unit)
      if (axis >= 0) return [{ of, column, texts, unit, axis }]
      left.push({ of, why: `it is in ${unit}, and a plot has two axes at most` })
      return []
    })
  })
  const periods = [...Map.groupBy(lines, ({ of }) => of.frequency).values()].flatMap((own) =>
    everyPeriod([...new Set(own.flatMap(({ texts }) => [...texts.keys()]))].sort()),
  )
  const inOrder = periods.sort((a, b) => periodSeconds(a) - periodSeconds(b) || (a < b ? -1 : 1))
  return { lines, axes, left, periods: inOrder, xs: [...new Set(inOrder.map(periodSeconds))] }
}

/**
 * The first period that all figures have: the one to set to 100 if no other is asked for. A quarter or a year is one of its
 * months for figures by month.
 *
 * @param {readonly Compared[]} compared
 * @param {(frequency: string) => readonly PanelColumn[]} panel
 */
export function firstShared(compared, panel) {
  const firsts = compared.flatMap(({ name, frequency }) => {
    const starts = figureColumns(panel(frequency), name).flatMap(({ values }) => [...values.keys()])
    return starts.length > 0 ? [starts.sort()[0] ?? ''] : []
  })
  return firsts.sort((a, b) => periodSeconds(b) - periodSeconds(a))[0]
}

/**
 * Each column in percent of what it is in a period. A column without that period can't be compared with it.
 *
 * @param {readonly PanelColumn[]} columns
 * @param {string} base
 */
const based = (columns, base) =>
  columns.flatMap((column) => {
    const [some = ''] = column.values.keys()
    const at = column.values.get(periodAt(periodSeconds(base), periodFrequency(some)))
    if (at === undefined) return []
    const texts = new Map(
      [...column.values].flatMap(([period, value]) => {
        const text = inPercentOf(value, at)
        return text === undefined ? [] : [[period, text]]
      }),
    )
    return texts.size > 0 ? [{ column, texts }] : []
  })

/**
 * The values of a line at the places of the axis of time: null is a gap, undefined a place between two periods of its own.
 *
 * @param {Line} line
 * @param {readonly number[]} xs
 * @returns {(number | null | undefined)[]}
 */
export function valuesAt({ of: { frequency }, texts }, xs) {
  return xs.map((x) => {
    const period = periodAt(x, frequency)
    if (periodSeconds(period) !== x) return undefined
    const text = texts.get(period)
    return text === undefined ? null : Number(text)
  })
}

/**
 * What a line says at a place: the figure of the period in which it lies.
 *
 * @param {Line} line
 * @param {number} x
 */
export function figureAt({ of: { frequency }, texts }, x) {
  const period = periodAt(x, frequency)
  return { period, text: texts.get(period) }
}

/** @param {PanelColumn} column what its values are in */
const columnUnit = ({ about: { unit = '', transformation = '', annualization } }) =>
  [
    unit === 'index' && !transformation ? 'index' : words(unit),
    annualization === 'annualized' && unit !== 'percent' && 'at the rate for a year',
  ]
    .filter(Boolean)
    .join(', ')
