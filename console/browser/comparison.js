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
 *   readonly base: string | undefined,
 * }} Comparison `axes`: what the values of each are in; `left`: figures that are not drawn; `periods`: all of them, in order;
 * `xs`: where they begin, seconds since 1970, ascending; `base`: the period that is 100
 */
import { inPercentOf } from './decimal-text.js'
import { figureColumns } from './panel-table.js'
import {
  everyPeriod,
  isWithin,
  lastDayOf,
  nextPeriod,
  periodAt,
  periodFrequency,
  periodName,
  periodSeconds,
} from './periods.js'
import { words } from './series-facts.js'

/** More axes can't be read. */
const MOST_AXES = 2

/**
 * @param {readonly Compared[]} compared
 * @param {(frequency: string) => readonly PanelColumn[]} panel
 * @param {{ readonly base?: string | undefined, readonly start?: string | undefined, readonly end?: string | undefined }} [shown] `base`: the period whose mean is
 * 100, or the longer one that holds it, if a figure has no shorter ones; undefined: figures as they are. `start`, `end`: what is
 * drawn, where the panel has more
 * @returns {Comparison}
 */
export function comparison(compared, panel, { base: asked, start, end } = {}) {
  const base = asked === undefined ? undefined : basePeriod(asked, compared)
  /** @type {{ of: Compared, why: string }[]} */
  const left = []
  /** @type {string[]} */
  const axes = []
  const lines = compared.flatMap((of) => {
    const columns = figureColumns(panel(of.frequency), of.name)
    const drawn =
      base === undefined ? columns.map((column) => ({ column, texts: column.values })) : based(columns, base)
    if (drawn.length === 0)
      left.push({
        of,
        why:
          columns.length === 0
            ? 'nothing is known'
            : `it has no figure above zero for all of ${periodName(base ?? '')}`,
      })
    return drawn.flatMap(({ column, texts: all }) => {
      const texts = new Map([...all].filter(([period]) => isWithin(period, { start, end })))
      if (texts.size === 0) {
        left.push({ of, why: 'nothing is known in this range' })
        return []
      }
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
  return { lines, axes, left, periods: inOrder, xs: [...new Set(inOrder.map(periodSeconds))], base }
}

const months = { M: 1, Q: 3, A: 12 }
/** @param {string} frequency M, Q or A */
const monthsOf = (frequency) => months[/** @type {keyof typeof months} */ (frequency)]

/** The frequency with the longest periods. @param {readonly string[]} frequencies */
const longest = (frequencies) => frequencies.toSorted((a, b) => monthsOf(b) - monthsOf(a))[0] ?? 'M'

/** The shortest of the frequencies that are drawn. @param {readonly Compared[]} shown */
export const shortest = (shown) =>
  ['M', 'Q', 'A'].find((frequency) => shown.some((one) => one.frequency === frequency)) ?? 'M'

/**
 * The period that is 100: it holds the one that is asked for, and is one of every figure, or several.
 *
 * @param {string} asked
 * @param {readonly Compared[]} compared
 */
const basePeriod = (asked, compared) =>
  periodAt(periodSeconds(asked), longest([periodFrequency(asked), ...compared.map(({ frequency }) => frequency)]))

/**
 * The first period that all figures have: the one to set to 100 if no other is asked for. For figures by month it is a quarter or
 * a year if others have no shorter periods.
 *
 * @param {readonly Compared[]} compared
 * @param {(frequency: string) => readonly PanelColumn[]} panel
 */
export function firstShared(compared, panel) {
  const frequency = longest(compared.map((one) => one.frequency))
  const firsts = compared.flatMap((one) => {
    const [first] = figureColumns(panel(one.frequency), one.name)
      .flatMap(({ values }) => [...values.keys()])
      .sort()
    if (first === undefined) return []
    const period = periodAt(periodSeconds(first), frequency)
    return [periodSeconds(period) < periodSeconds(first) ? nextPeriod(period) : period]
  })
  return firsts.sort((a, b) => periodSeconds(b) - periodSeconds(a))[0]
}

/**
 * The last place at which every figure has a value, on whichever base, or else the last one.
 *
 * @param {Comparison} comparison
 */
export function lastShared({ lines, xs }) {
  const figures = new Set(lines.map(({ of }) => of))
  const count = (/** @type {number} */ x) =>
    new Set(lines.filter((line) => figureAt(line, x).text !== undefined).map(({ of }) => of)).size
  const at = xs.findLastIndex((x) => count(x) === figures.size)
  return at < 0 ? xs.length - 1 : at
}

/**
 * The range to read so that the period which is 100 is in it.
 *
 * @param {{ readonly base?: string | undefined, readonly start?: string | undefined, readonly end?: string | undefined }} asked
 */
export const rangeWithBase = ({ base, start, end }) => ({
  start: base && start && periodSeconds(base) < periodSeconds(start) ? base.slice(0, 4) : start,
  end: base && end && lastDayOf(base) > lastDayOf(end) ? base.slice(0, 4) : end,
})

/**
 * Each column in percent of its mean in a period. A column without all of that period can't be compared with it.
 *
 * @param {readonly PanelColumn[]} columns
 * @param {string} base
 */
const based = (columns, base) =>
  columns.flatMap((column) => {
    const [some = ''] = column.values.keys()
    const frequency = periodFrequency(some)
    const count = monthsOf(periodFrequency(base)) / monthsOf(frequency)
    const within = [periodAt(periodSeconds(base), frequency)]
    while (within.length < count) within.push(nextPeriod(within.at(-1) ?? ''))
    const bases = within.flatMap((period) => column.values.get(period) ?? [])
    if (bases.length < count) return []
    const texts = new Map(
      [...column.values].flatMap(([period, value]) => {
        const text = inPercentOf(value, bases)
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
