/**
 * What comes out on a day, release by release.
 *
 * @import { CalendarEntry } from '../bodies.d.ts'
 */
import { figureText, releasesOf, stateText } from '../calendar-days.js'
import { h } from '../dom.js'
import { dayName } from '../periods.js'
import { viewAddress } from '../view-address.js'

/**
 * @param {string} day
 * @param {readonly CalendarEntry[]} entries
 * @param {string} today
 */
export function daySection(day, entries, today) {
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(Date.parse(day))
  return h(
    'section',
    { class: day === today ? 'day today' : 'day' },
    h('h3', {}, `${weekday} ${dayName(day)}`, day === today && h('small', {}, ' today')),
    releasesOf(entries).map((release) => releaseGroup(release)),
    entries.length === 0 && h('p', { class: 'legend' }, 'Nothing.'),
  )
}

/** @param {readonly CalendarEntry[]} entries of one release */
function releaseGroup(entries) {
  const [first] = entries
  if (!first) return null
  return h(
    'div',
    { class: `release ${first.status}` },
    h('p', {}, first.publisher || first.series, ' ', h('span', { class: 'state' }, stateText(first))),
    h('ul', {}, entries.map(entryItem)),
  )
}

/** @param {CalendarEntry} entry */
function entryItem(entry) {
  const { title, country, indicator, period, release_id, reason, figure } = entry
  const ofPeriod = release_id === null ? undefined : period
  return h(
    'li',
    {},
    h('a', { href: viewAddress('indicators', { country, indicator, period: ofPeriod }) }, title),
    ...amounts(entry),
    release_id !== null && h('a', { class: 'reason', href: viewAddress('why', { release: release_id }) }, 'why'),
    figure.includes('_') && release_id !== null && h('small', {}, figure.replaceAll('_', ' ')),
    reason !== null && h('small', {}, reason),
  )
}

/** The figure as first published, and that of the period before. @param {CalendarEntry} entry */
function amounts({ unit, actual, previous, previous_revised }) {
  const all = /** @type {const} */ ([
    ['actual', actual],
    ['previous', previous],
    ['revised to', previous_revised],
  ])
  return all.flatMap(([name, value]) =>
    value === null
      ? []
      : [
          h(
            'span',
            { class: 'amount', title: `${value} ${unit}` },
            h('small', {}, name),
            ` ${figureText(value, unit)}`,
          ),
        ],
  )
}
