/**
 * What stands beside a plot of several figures, in words.
 *
 * @import { Facts } from './bodies.d.ts'
 * @import { Compared } from './compared.js'
 * @import { Comparison, Line } from './comparison.js'
 */
import { comparedTitle, figureTitle } from './compared.js'
import { figureAt, shortest } from './comparison.js'
import { decimalInWords } from './decimal-text.js'
import { periodAt, periodName } from './periods.js'
import { words } from './series-facts.js'

const list = new Intl.ListFormat('en')
const distinct = (/** @type {readonly string[]} */ texts) => [...new Set(texts.filter((text) => text !== ''))]

/**
 * @param {readonly Compared[]} compared
 * @param {Facts} facts
 */
export function comparisonTitle(compared, facts) {
  const figures = distinct(compared.map(({ indicator, figure }) => figureTitle(indicator, figure)))
  const countries = distinct(compared.map(({ country }) => facts.countries[country] ?? country))
  if (figures.length === 1 || countries.length === 1) return `${list.format(figures)}: ${list.format(countries)}`
  return list.format(compared.map((one) => comparedTitle(one, facts)))
}

/**
 * What stands at the end of each line, as short as it can tell them apart.
 *
 * @param {readonly Line[]} lines
 */
export function lineLabels(lines) {
  const of = (/** @type {(one: Compared) => string} */ name) => distinct(lines.map((line) => name(line.of))).length
  const [countries, figures] = [of(({ country }) => country), of(({ indicator, figure }) => indicator.code + figure)]
  const isOne = distinct(lines.map((line) => line.of.indicator.code)).length === 1
  return lines.map(({ of: { country, indicator, figure }, column: { name } }, i) => {
    const own = lines.filter((line) => line.of.indicator === indicator)
    const hasSeveral = distinct(own.map((line) => line.of.figure)).length > 1
    const short =
      isOne && hasSeveral ? words(figure) : hasSeveral ? `${indicator.code} ${words(figure)}` : indicator.code
    const text = figures === 1 ? country : countries === 1 ? short : `${country} ${short}`
    const isAgain = lines.findIndex((line) => line.of === lines[i]?.of) < i
    return isAgain ? `${text}${/ \(.*\)$/.exec(name)?.[0] ?? ''}` : text
  })
}

/**
 * What the values of an axis are: unit, transformation, bases and adjustment.
 *
 * @param {Comparison} comparison
 * @param {number} axis
 * @param {string} transformation in words; empty: figures as they are
 */
export function axisTitle({ lines, axes }, axis, transformation) {
  const own = lines.filter((line) => line.axis === axis).map(({ column: { about } }) => about)
  const unit = axes[axis] ?? ''
  const bases = unit === 'index' ? distinct(own.map(({ base = '' }) => base.replace('=', ' = '))) : []
  const adjustments = distinct(own.map(({ seasonal_adjustment = '' }) => words(seasonal_adjustment)))
  return [
    bases.length > 0 ? `index, ${bases.join('; ')}` : transformation.startsWith(unit) ? '' : unit,
    transformation,
    adjustments.length === 1 ? adjustments[0] : adjustments.length > 1 ? 'partly seasonally adjusted' : '',
  ]
    .filter(Boolean)
    .join(', ')
}

/**
 * What a line says at a place, with its unit.
 *
 * @param {Line} line
 * @param {number} x seconds since 1970
 * @param {string} place the period that stands before the text, where one does
 */
export function placedText(line, x, place = '') {
  const { period, text } = figureAt(line, x)
  const name = line.of.frequency === 'M' || periodName(period) === place ? '' : ` in ${periodName(period)}`
  return text === undefined ? `no figure${name}` : `${amountText(line, text)}${name}`
}

/**
 * The lines that say something at a place. A figure has several if its base changes: of these the ones with a value there, or
 * the first if there is none.
 *
 * @param {readonly Line[]} lines
 * @param {number} x seconds since 1970
 */
export function linesAt(lines, x) {
  const hasValue = (/** @type {Line} */ line) => figureAt(line, x).text !== undefined
  return lines.filter((line) => {
    const own = lines.filter(({ of }) => of === line.of)
    return own.some(hasValue) ? hasValue(line) : line === own[0]
  })
}

/**
 * A figure of a line with its unit.
 *
 * @param {Pick<Line, 'unit'>} line
 * @param {string} text
 */
export const amountText = ({ unit }, text) => `${decimalInWords(text)}${unitAfter(unit)}`

/**
 * The shortest sign of a unit after a value. An index has none.
 *
 * @param {string} unit
 */
const unitAfter = (unit) => {
  const [name = ''] = unit.split(',')
  return name === 'percent' ? '\u00a0%' : name === 'index' ? '' : `\u00a0${name}`
}

/**
 * Everything at a place, for a reader who sees no plot.
 *
 * @param {readonly Line[]} lines
 * @param {readonly string[]} labels
 * @param {number} x
 */
export function placeText(lines, labels, x) {
  const place = periodName(periodAt(x, shortest(lines.map(({ of }) => of))))
  return [
    place,
    ...linesAt(lines, x).map((line) => `${labels[lines.indexOf(line)]}\u00a0${placedText(line, x, place)}`),
  ].join('   ')
}
