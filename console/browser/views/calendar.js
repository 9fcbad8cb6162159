/**
 * The release calendar: releases that are expected, came, are late, or were cancelled or never published.
 *
 * @import { CalendarBody, CalendarEntry } from '../bodies.d.ts'
 * @import { ConsoleView, ViewContext } from '../view.d.ts'
 */
import { pathWith } from '../api-client.js'
import { writeCsv } from '../csv-table.js'
import { choice, field, h, svg } from '../dom.js'
import { waitingNote } from '../notes.js'
import { dayName, daysName, lastDayOf, periodName, timeUnderDay } from '../periods.js'
import { plotFiles } from '../plot-panel.js'
import { viewAddress } from '../view-address.js'

const DAY_MS = 86_400_000
const LIMIT = '500'
const dayOf = (/** @type {number} */ ms) => new Date(ms).toISOString().slice(0, 10)
const statuses = ['expected', 'late', 'published', 'cancelled', 'never_published']

/** @type {ConsoleView} */
export async function calendarView(container, context) {
  const { params, go, facts, client, signal } = context
  const today = dayOf(Date.now())
  const start = params.start ?? dayOf(Date.now() - 45 * DAY_MS)
  const end = params.end ?? dayOf(Date.now() + 90 * DAY_MS)
  const filter = (/** @type {string} */ name, /** @type {readonly (readonly [string, string])[]} */ values) =>
    choice([['', 'all'], ...values], params[name] ?? '', (value) => go('calendar', { ...params, [name]: value }))
  const date = (/** @type {'start' | 'end'} */ name, /** @type {string} */ value) => {
    const input = h('input', { type: 'date', value, required: true })
    input.addEventListener('change', () => {
      if (input.reportValidity()) go('calendar', { ...params, start, end, [name]: input.value })
    })
    return input
  }
  const country = h('input', {
    value: params.country ?? '',
    size: 5,
    placeholder: 'all',
    pattern: '[A-Za-z]{3}',
    title: 'A code of three letters',
  })
  country.addEventListener('change', () => {
    if (country.reportValidity()) go('calendar', { ...params, country: country.value.toUpperCase() })
  })
  const results = h('div', {}, waitingNote('Reading the calendar …'))
  container.append(
    h(
      'div',
      { class: 'view-head' },
      h('h1', {}, 'Calendar'),
      h(
        'div',
        { class: 'controls' },
        field('From', date('start', start)),
        field('to', date('end', end)),
        field('Country', country),
        field(
          'Indicator',
          filter(
            'indicator',
            facts.indicators.map(({ code, name }) => [code, name.split(':')[0] ?? name]),
          ),
        ),
        field(
          'Status',
          filter(
            'status',
            statuses.map((name) => [name, statusName(name)]),
          ),
        ),
      ),
    ),
    results,
  )
  const query = {
    start,
    end,
    country: params.country,
    indicator: params.indicator,
    status: params.status,
    limit: LIMIT,
  }
  /** @type {CalendarBody} */
  const calendar = await client.json('/v1/calendar', { query, signal })
  if (!signal.aborted) results.replaceChildren(...calendarParts(context, calendar, today))
}

/** A status as a person reads it. @param {string} status */
const statusName = (status) => status.replace('_', ' ')

/** What is to be said of an entry that is not late. @param {CalendarEntry} entry */
const stateOf = ({ status, expected_on, expected_on_basis, expected_at }) =>
  status === 'expected' && expected_on_basis === 'publisher'
    ? `announced${expected_at === null ? '' : `, ${timeUnderDay(expected_at, expected_on ?? '')}`}`
    : statusName(status)

/**
 * The day under which an entry stands: when it came or should, the last day of a period that was never published, or when
 * it was said that it will not come.
 */
const dateOf = (/** @type {CalendarEntry} */ { published_on, expected_on, stated_at, status, period }) =>
  published_on ?? expected_on ?? (status === 'never_published' ? lastDayOf(period) : (stated_at?.slice(0, 10) ?? null))

const noEntries =
  'Nothing is on the calendar in this range. Figures that are ingested fill it, and what is expected next follows from them.'

/**
 * @param {ViewContext} context
 * @param {CalendarBody} calendar
 * @param {string} today
 */
function calendarParts(context, { entries, next_cursor }, today) {
  if (entries.length === 0) return [h('p', { class: 'lead' }, noEntries)]
  const days = Map.groupBy(entries, (entry) => dateOf(entry) ?? '')
  const dated = [...days.keys()].filter(Boolean).sort()
  const count = (/** @type {string} */ status) => entries.filter((entry) => entry.status === status).length
  const sum = statuses
    .flatMap((status) => (count(status) > 0 ? [`${count(status)} ${statusName(status)}`] : []))
    .join(', ')
  const undated = days.get('') ?? []
  return [
    h(
      'div',
      { class: 'calendar-layout' },
      h(
        'div',
        { class: 'almanac-days' },
        dated.map((day) => daySection(context, day, days.get(day) ?? [], today)),
        undated.length > 0 && daySection(context, '', undated, today),
        next_cursor !== null && h('p', { class: 'colophon' }, 'There is more: choose a shorter range.'),
      ),
      h(
        'aside',
        { 'aria-label': 'The year' },
        yearDial(entries, today),
        h('p', { class: 'colophon', role: 'status' }, `${sum}.`),
        h(
          'p',
          {},
          h('a', { href: feedAddress(context), download: 'almanac.ics' }, 'iCalendar feed'),
          ' for a calendar program; it needs no key.',
        ),
        h('ul', { class: 'key-list' }, [
          h('li', { class: 'published' }, 'published'),
          h('li', { class: 'expected' }, 'expected'),
          h('li', { class: 'late' }, 'late'),
          h('li', { class: 'cancelled' }, 'cancelled, or never published'),
        ]),
        h(
          'p',
          { class: 'legend' },
          'Announced days are those of the publishers’ own calendars, in the publishers’ time zones. Other expected days are estimates from the usual lag of each series. Late means that the day has passed and no document read so far has the figure: the publisher has not released it, or this service has not read it since.',
        ),
        plotFiles({
          name: 'calendar',
          svg: dialFile,
          csv: () => writeCsv(Object.keys(entries[0] ?? {}), entries),
          rows: () => entries,
        }),
      ),
    ),
  ]
}

/** @param {ViewContext} context */
const feedAddress = ({ params: { country, indicator, status } }) =>
  pathWith('/v1/calendar.ics', { country, indicator, status })

/**
 * @param {ViewContext} context
 * @param {string} day
 * @param {readonly CalendarEntry[]} entries
 * @param {string} today
 */
function daySection({ facts }, day, entries, today) {
  const weekday = day && new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(Date.parse(day))
  const title = day === '' ? 'Date unknown' : `${weekday} ${dayName(day)}`
  return h(
    'section',
    { class: day === today ? 'day today' : 'day' },
    h('h2', {}, title, day === today && h('small', {}, ' today')),
    h(
      'ul',
      {},
      entries.map((entry) => {
        const { country, indicator, period, status, release_id, days_late, reason } = entry
        const name = facts.indicators.find(({ code }) => code === indicator)?.name.split(':')[0] ?? indicator
        return h(
          'li',
          { class: status },
          h('span', { class: 'where' }, facts.countries[country] ?? country),
          h(
            'a',
            { href: viewAddress('indicators', { country, indicator, period: release_id ? period : undefined }) },
            name,
          ),
          h('span', {}, periodName(period)),
          h(
            'span',
            { class: 'state' },
            status === 'late' && days_late ? `late, ${daysName(days_late)}` : stateOf(entry),
          ),
          reason !== null && h('small', {}, reason),
          release_id !== null && h('a', { class: 'reason', href: viewAddress('why', { release: release_id }) }, 'why'),
        )
      }),
    ),
  )
}

/**
 * The dial of the first page with a mark for every release at its day, and a hand for today.
 *
 * @param {readonly CalendarEntry[]} entries
 * @param {string} today
 */
function yearDial(entries, today) {
  const dial = document.querySelector('#start .dial')?.cloneNode(true)
  if (!(dial instanceof SVGElement)) return h('p')
  const counts = Map.groupBy(
    entries.filter((entry) => dateOf(entry) !== null),
    (entry) => `${dateOf(entry)} ${entry.status}`,
  )
  for (const [place, all] of counts) {
    const [day = '', status = ''] = place.split(' ')
    const [x, y] = onDial(day, 113)
    dial.append(
      svg('circle', { class: `mark ${status}`, cx: x, cy: y, r: Math.min(5, 1.4 + Math.sqrt(all.length) * 0.7) }),
    )
  }
  const [x, y] = onDial(today, 118)
  dial.append(svg('path', { class: 'hand', d: `M0 0L${x} ${y}` }))
  dial.classList.add('year')
  return dial
}

/**
 * @param {string} day
 * @param {number} radius
 */
function onDial(day, radius) {
  const year = Number(day.slice(0, 4))
  const share = (Date.parse(day) - Date.UTC(year, 0)) / (Date.UTC(year + 1, 0) - Date.UTC(year, 0))
  const turn = share * 2 * Math.PI
  return /** @type {const} */ ([(Math.sin(turn) * radius).toFixed(2), (-Math.cos(turn) * radius).toFixed(2)])
}

/** The dial as a file, with the colours that the style sheet gives it. */
function dialFile() {
  const shown = document.querySelector('.view .dial')
  const dial = shown?.cloneNode(true)
  if (!(dial instanceof SVGElement) || !shown) return ''
  const own = [...shown.querySelectorAll('*')]
  for (const [i, element] of [...dial.querySelectorAll('*')].entries()) {
    const original = own[i]
    if (!original) continue
    const { fill, stroke, strokeWidth, fontFamily, fontSize, fontStyle } = getComputedStyle(original)
    const looks = {
      fill,
      stroke,
      'stroke-width': strokeWidth,
      'font-family': fontFamily,
      'font-size': fontSize,
      'font-style': fontStyle,
    }
    for (const [name, value] of Object.entries(looks)) element.setAttribute(name, value)
  }
  dial.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  return dial.outerHTML
}
