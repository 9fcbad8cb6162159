/**
 * An event in a line.
 *
 * @import { Event, Facts } from './bodies.d.ts'
 */
import { shortName } from './catalogue-cells.js'
import { lowerCaseWords } from './filter-words.js'
import { dayName, instantName, periodName } from './periods.js'
import { pairName } from './price-text.js'

/** @param {string} subject @param {Facts} facts */
const indicatorOf = (subject, { indicators }) => indicators.find(({ code }) => code === subject.split('/')[1])

/**
 * What an event is about, by its names: `United States, Consumer price index, Oct 2026`, `Gold in USD`.
 *
 * @param {Pick<Event, 'type' | 'subject'>} event
 * @param {Facts} facts
 */
export function subjectName({ type, subject }, facts) {
  if (type.startsWith('prices.instrument.')) return pairName(subject, facts)
  const [country = '', , period] = subject.split('/')
  const indicator = indicatorOf(subject, facts)
  if (!indicator) return subject
  const names = [facts.countries[country] ?? country, shortName(indicator)]
  return [...names, ...(period ? [periodName(period)] : [])].join(', ')
}

/**
 * A figure's unit, as far as its event says it: ` USD`, ` %`, or the base of an index.
 *
 * @param {Record<string, unknown>} data
 * @param {boolean} isRate
 */
const unitAfter = ({ currency, base_period, base_value }, isRate) =>
  currency ? ` ${currency}` : base_period ? ` (${base_period} = ${base_value})` : isRate ? ' %' : ''

/**
 * The figures of an event as they were printed, with their unit; for a revision what they were and what they became.
 *
 * @param {Event} event
 * @param {Facts} facts
 * @returns {string}
 */
export function eventFigures({ type, subject, data }, facts) {
  const text = (/** @type {string} */ member) => (data[member] === undefined ? '' : String(data[member]))
  if (type.startsWith('economics.')) {
    const indicator = indicatorOf(subject, facts)
    const figures = indicator?.figures ?? []
    const unit = unitAfter(data, indicator?.isRate ?? false)
    const previous = asRecord(data.previous)
    return figures
      .filter((name) => data[name] !== undefined && data[name] !== null)
      .map((name) => {
        const label = figures.length === 1 ? '' : `${name.replaceAll('_', ' ')} `
        const before = previous?.[name]
        return before === undefined || before === data[name]
          ? `${label}${data[name]}${unit}`
          : `${label}${before} → ${data[name]}${unit}`
      })
      .join(' · ')
  }
  if (type.startsWith('predictions.')) {
    return `${text('figure').replaceAll('_', ' ')} ${text('value')}${text('unit') === 'percent' ? ' %' : ` ${text('unit')}`} (${text('lower')} to ${text('upper')})`
  }
  if (type === 'prices.source.interrupted')
    return `${text('instruments')} instruments, ${instantName(text('since'))} to ${instantName(text('until'))}`
  if (type.startsWith('prices.session.'))
    return `${text('name')}: ${text('market_session')} until ${instantName(text('until'))}`
  if (type.startsWith('calendar.')) {
    return data.reason ? text('reason') : data.expected_on ? `due ${dayName(text('expected_on'))}` : ''
  }
  // A commodity has a price, and a pair of currencies a rate.
  const [rate] = Array.isArray(data.rates) ? data.rates : []
  const price = text('price')
  const { rate: value = '', currency = '' } = asRecord(rate) ?? {}
  return price ? `${price} ${text('currency')}, ${text('unit').replaceAll('_', ' ')}` : `${value} ${currency}`
}

/**
 * The words that a filter looks in: type, subject, country, indicator or instrument, family, day and figures.
 *
 * @param {Event} event
 * @param {Facts} facts
 */
export function eventWords(event, facts) {
  const { type, subject, family, time } = event
  const names = [subjectName(event, facts), indicatorOf(subject, facts)?.name]
  return lowerCaseWords([type, subject, family, time.slice(0, 10), ...names, eventFigures(event, facts)].join(' '))
}

/** @param {unknown} value @returns {Record<string, unknown> | undefined} */
const asRecord = (value) => (typeof value === 'object' && value !== null ? { ...value } : undefined)

/** @param {string} sequence without the zeros that make it sort as text */
export const sequenceNumber = (sequence) => sequence.replace(/^0+(?=\d)/, '')

/** A cursor begins with its version; a sequence and an instant cannot look like one. */
const cursorText = /^v\d+\./

/**
 * What a person wrote into the field for a place in the journal: a sequence, a time or a cursor. A day or a minute in UTC is
 * enough of a time. Undefined if it is none of them.
 *
 * @param {string} text
 * @returns {{ start: string } | { cursor: string } | undefined}
 */
export function journalPlace(text) {
  const trimmed = text.trim()
  if (cursorText.test(trimmed)) return { cursor: trimmed }
  const digits = trimmed.replaceAll(/[,\s]/g, '')
  if (/^\d{1,20}$/.test(digits)) return { start: digits.replace(/^0+(?=\d)/, '') }
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?))?(?:Z| UTC)?$/.exec(trimmed) ?? []
  const instant = new Date(`${day}T${time ?? '00:00'}Z`)
  return day === undefined || Number.isNaN(instant.getTime()) ? undefined : { start: instant.toISOString() }
}
