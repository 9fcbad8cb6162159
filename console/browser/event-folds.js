/**
 * Events that are shown as one: the transitions of many instruments in one outage. Pure.
 *
 * @import { Event } from './bodies.d.ts'
 */
import { instantName } from './periods.js'

/** Instruments of one outage become late, or come back, this near to each other: the longest time for which a price is current. */
const NEAR_MS = 60_000
/** Events from which on they are folded. */
export const FOLDED = 3

/** @param {Event} event */
const isTransition = ({ type }) => type.startsWith('prices.instrument.')

/**
 * Whether two events that follow each other are of one outage.
 *
 * @param {Event} a
 * @param {Event} b
 */
export const isSameOutage = (a, b) =>
  isTransition(a) && isTransition(b) && Math.abs(Date.parse(a.time) - Date.parse(b.time)) <= NEAR_MS

/**
 * An outage in a line: `34 instruments stale, 34 recovered`, with its first and last time.
 *
 * @param {readonly Event[]} events
 */
export function outageText(events) {
  const times = events.map(({ time }) => time).sort()
  const counts = ['stale', 'recovered'].flatMap((name) => {
    const count = events.filter(({ type }) => type.endsWith(`.${name}`)).length
    return count === 0 ? [] : [`${count} ${name}`]
  })
  const [first = '', last = ''] = [times[0], times.at(-1)].map((time) => instantName(time ?? ''))
  const day = first.slice(0, -'00:00:00 UTC'.length)
  const end = last.startsWith(day) ? last.slice(day.length) : last
  return { what: counts.join(', '), when: first === last ? first : `${first.replace(' UTC', '')} to ${end}` }
}
