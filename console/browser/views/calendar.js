/**
 * The release calendar as a week, a month or a list: releases that are expected, came, are late, or were cancelled or never
 * published.
 *
 * @import { CalendarBody, CalendarEntry } from '../bodies.d.ts'
 * @import { ViewContext } from '../view.d.ts'
 */
import { pathWith } from '../api-client.js'
import {
  countsText,
  dayOfEntry,
  daysFrom,
  lateSeries,
  shiftDay,
  shownDays,
  shownDaysName,
  statuses,
  statusWords,
  titleOfSeries,
  weeksOf,
} from '../calendar-days.js'
import { writeCsv } from '../csv-table.js'
import { choice, field, h, isNarrow } from '../dom.js'
import { waitingNote } from '../notes.js'
import { daysName, thisDay } from '../periods.js'
import { plotFiles } from '../plot-panel.js'
import { viewAddress } from '../view-address.js'
import { dialFile, yearDial } from './calendar-dial.js'
import { monthSheet } from './calendar-month.js'
import { daySection } from './calendar-releases.js'

const LIMIT = '500'
/** Entries that a telephone shows without folding all weeks but the first. */
const FEW = 30
const shows = /** @type {const} */ (['list', 'week', 'month'])

/** @typedef {{ show: string, start: string, end: string, today: string }} Shown */

/** @type {import('../view.d.ts').ConsoleView} */
export async function calendarView(container, context) {
  const { params, client, signal } = context
  const today = thisDay()
  const show = params.show ?? 'list'
  const range = shownDays(show, params.on ?? today)
  const { start, end } = show === 'list' ? { ...range, ...params } : range
  const shown = { show, start, end, today }
  const results = h('div', {}, waitingNote('Reading the calendar …'))
  container.append(
    h(
      'div',
      { class: 'view-head' },
      h('h1', {}, 'Calendar'),
      h('div', { class: 'controls' }, ...controls(context, shown)),
    ),
    results,
  )
  const { country, indicator, status } = params
  const query = { start, end, country, indicator, status, limit: LIMIT }
  /** @type {CalendarBody} */
  const calendar = await client.json('/v1/calendar', { query, signal })
  if (!signal.aborted) results.replaceChildren(...calendarParts(context, calendar, shown))
}

/** @param {ViewContext} context @param {Shown} shown */
function controls({ params, go, facts }, { show, start, end }) {
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
  const names = facts.indicators.map(({ code, name }) => /** @type {const} */ ([code, name.split(':')[0] ?? name]))
  return [
    h(
      'span',
      { class: 'shows' },
      shows.map((name) =>
        h(
          'a',
          {
            href: viewAddress('calendar', { ...params, show: name === 'list' ? undefined : name, start: '', end: '' }),
            'aria-current': name === show && 'true',
          },
          name,
        ),
      ),
    ),
    show === 'list' && field('From', date('start', start)),
    show === 'list' && field('to', date('end', end)),
    field('Country', country),
    field('Indicator', filter('indicator', names)),
    field(
      'Status',
      filter(
        'status',
        statuses.map((name) => [name, statusWords(name)]),
      ),
    ),
  ].filter((control) => control !== false)
}

/** Links to the week or month before and after. @param {ViewContext} context @param {Shown} shown */
function turner({ params }, { show, start, end, today }) {
  const to = (/** @type {string} */ on) => viewAddress('calendar', { ...params, on })
  return h(
    'p',
    { class: 'turner' },
    h('a', { href: to(shiftDay(start, -1)), 'aria-label': `The ${show} before` }, '←'),
    h('h2', {}, shownDaysName(show, { start, end })),
    h('a', { href: to(shiftDay(end, 1)), 'aria-label': `The ${show} after` }, '→'),
    (today < start || today > end) && h('a', { href: to('') }, 'today'),
  )
}

/**
 * @param {ViewContext} context
 * @param {CalendarBody} calendar
 * @param {Shown} shown
 */
function calendarParts(context, { entries, next_cursor }, shown) {
  const { show, start, end, today } = shown
  const days = Map.groupBy(entries, dayOfEntry)
  const section = (/** @type {string} */ day) => daySection(day, days.get(day) ?? [], today)
  const parts = {
    list: () => listParts(context, entries, shown),
    week: () => daysFrom(start, end).map(section),
    month: () => [monthSheet(context, shown, days, today)],
  }[show]
  return [
    show !== 'list' && turner(context, shown),
    h(
      'div',
      { class: `calendar-layout ${show}` },
      h(
        'div',
        {},
        ...(parts?.() ?? []),
        entries.length === 0 && h('p', { class: 'lead' }, noEntries),
        next_cursor !== null && h('p', { class: 'colophon' }, 'There is more: choose a shorter range or a country.'),
      ),
      besides(context, entries, today),
    ),
  ].filter((part) => part !== false)
}

const noEntries =
  'Nothing is on the calendar in this range. Figures that are ingested fill it, and what is expected next follows from them.'

/**
 * What is to come, then what is late, by series, then what came, the newest first.
 *
 * @param {ViewContext} context
 * @param {readonly CalendarEntry[]} entries
 * @param {Shown} shown
 */
function listParts(context, entries, { start, end, today }) {
  const late = entries.filter(({ status }) => status === 'late')
  const others = entries.filter(({ status }) => status !== 'late')
  const coming = others.filter((entry) => dayOfEntry(entry) >= today && entry.status !== 'published')
  const came = others.filter((entry) => !coming.includes(entry)).reverse()
  const isShort = !isNarrow() || others.length < FEW
  /** What is listed of a week. @param {string} monday */
  const listed = (monday) => {
    const week = shownDays('week', monday)
    return { start: [week.start, start].sort()[1] ?? start, end: [week.end, end].sort()[0] ?? end }
  }
  const sections = (/** @type {readonly CalendarEntry[]} */ some) =>
    [...weeksOf(some)].map(([monday, week], i) =>
      h(
        'details',
        { class: 'week', open: isShort || i === 0 },
        h('summary', {}, `${shownDaysName('week', listed(monday))}: ${countsText(week)}`),
        [...Map.groupBy(week, dayOfEntry)].map(([day, own]) => daySection(day, own, today)),
      ),
    )
  return [
    coming.length > 0 && h('section', {}, h('h2', {}, 'Coming'), sections(coming)),
    late.length > 0 && lateSection(late, context.params.status === 'late' || start === end),
    came.length > 0 && h('section', {}, h('h2', {}, 'Past'), sections(came)),
  ].filter((part) => part !== false)
}

/** @param {readonly CalendarEntry[]} late @param {boolean} isOpen */
function lateSection(late, isOpen) {
  const series = lateSeries(late)
  const items = series.map(({ own: [first], periods, days }) => {
    if (!first) return null
    const { country, indicator } = first
    return h(
      'li',
      {},
      h('a', { href: viewAddress('indicators', { country, indicator }) }, titleOfSeries(first)),
      h('span', {}, periods),
      h('span', { class: 'state' }, daysName(days)),
    )
  })
  return h(
    'section',
    { class: 'lates' },
    h('h2', {}, 'Late'),
    h(
      'details',
      { open: isOpen },
      h(
        'summary',
        {},
        `${late.length} releases of ${series.length} series were expected in this range, and are not on record`,
      ),
      h('ul', {}, items),
    ),
  )
}

/** The dial of the year, what its marks mean, and the files. @param {ViewContext} context @param {readonly CalendarEntry[]} entries @param {string} today */
function besides({ params: { country, indicator, status } }, entries, today) {
  const sum = countsText(entries)
  return h(
    'aside',
    { 'aria-label': 'The year' },
    yearDial(entries, today),
    h('p', { class: 'colophon', role: 'status' }, sum === '' ? 'No entries.' : `${sum}.`),
    h(
      'p',
      {},
      h(
        'a',
        { href: pathWith('/v1/calendar.ics', { country, indicator, status }), download: 'almanac.ics' },
        'iCalendar feed',
      ),
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
      'Announced days are those of the publishers’ own calendars, in the publishers’ time zones. Estimated days follow from the usual lag of the series. Without one, the day is the latest that a standard of the IMF allows, the same for all countries: most figures come out earlier. Late means that the day has passed and no document read so far has the figure: the publisher has not released it, or this service has not read it since. Previous is the figure of the period before as it was known then.',
    ),
    plotFiles({
      name: 'calendar',
      svg: dialFile,
      csv: () => writeCsv(Object.keys(entries[0] ?? {}), entries),
      rows: () => entries,
    }),
  )
}
