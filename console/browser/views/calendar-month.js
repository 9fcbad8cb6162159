/**
 * A month as a sheet of days.
 *
 * @import { CalendarEntry } from '../bodies.d.ts'
 * @import { ViewContext } from '../view.d.ts'
 */
import { cellText, daysFrom, firstEntries, statusWords, weekday } from '../calendar-days.js'
import { h } from '../dom.js'
import { dayName } from '../periods.js'
import { viewAddress } from '../view-address.js'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/**
 * @param {ViewContext} context
 * @param {{ start: string, end: string }} range
 * @param {ReadonlyMap<string, readonly CalendarEntry[]>} days
 * @param {string} today
 */
export function monthSheet({ params }, { start, end }, days, today) {
  return h(
    'div',
    { class: 'month' },
    weekdays.map((name) => h('span', { class: 'weekday', 'aria-hidden': 'true' }, name.slice(0, 3))),
    Array.from({ length: weekday(start) }, () => h('span', { class: 'blank' })),
    daysFrom(start, end).map((day) => {
      const entries = days.get(day) ?? []
      const first = firstEntries(entries)
      const list = viewAddress('calendar', { ...params, show: undefined, on: undefined, start: day, end: day })
      const week = viewAddress('calendar', { ...params, show: 'week', on: day })
      return h(
        'section',
        { class: `cell${day === today ? ' today' : ''}${entries.length === 0 ? ' blank' : ''}` },
        h(
          'h3',
          {},
          h(
            'a',
            { href: week, 'aria-label': `${Number(day.slice(8))} ${weekdays[weekday(day)]}, ${dayName(day)}` },
            String(Number(day.slice(8))),
            h('span', {}, ` ${weekdays[weekday(day)]}`),
          ),
        ),
        [...Map.groupBy(first, ({ indicator }) => indicator).values()].map((own) =>
          h('p', {}, (own[0]?.title ?? '').split(', ')[0] ?? '', ' ', own.flatMap(entryLink)),
        ),
        first.length < entries.length &&
          h(
            'p',
            {},
            h(
              'a',
              { href: list, 'aria-label': `and ${entries.length - first.length} more of ${dayName(day)}` },
              `and ${entries.length - first.length} more`,
            ),
          ),
      )
    }),
  )
}

/** @param {CalendarEntry} entry */
function entryLink(entry) {
  const [text, whole] = [cellText(entry), `${entry.title}, ${statusWords(entry.status)}`]
  const href = viewAddress('indicators', { country: entry.country, indicator: entry.indicator })
  return [h('a', { class: entry.status, href, title: whole, 'aria-label': `${text}: ${whole}` }, text), ' ']
}
