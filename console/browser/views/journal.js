/**
 * The journal browser: the public events, from any place on.
 *
 * @import { Event, EventPage } from '../bodies.d.ts'
 * @import { View, ViewContext } from '../main.js'
 */
import { choice, copyButton, field, h } from '../dom.js'
import { eventFigures, journalPlace, sequenceNumber } from '../event-text.js'
import { problemNote, waitingNote } from '../notes.js'
import { instantName } from '../periods.js'
import { viewAddress } from '../view-address.js'

const PAGE = 50
/** Events that are looked at in one call on the way back. */
const BACK = 1000

/** @type {View} */
export async function journalView(container, context) {
  const { params, go, facts } = context
  const filter = (/** @type {string} */ name, /** @type {readonly string[]} */ values) =>
    choice(
      [
        ['', 'all'],
        ...values.map(
          (value) => /** @type {const} */ ([value, value.replace(/^economics\.|^predictions\.|^prices\./, '')]),
        ),
      ],
      params[name] ?? '',
      (value) => go('journal', { ...params, cursor: undefined, [name]: value }),
    )
  const results = h('div', { class: 'events' }, waitingNote('Reading the journal …'))
  container.append(
    h(
      'div',
      { class: 'view-head' },
      h('h1', {}, 'Journal'),
      h(
        'div',
        { class: 'controls' },
        field('Family', filter('family', facts.eventFamilies)),
        field('Type', filter('type', facts.eventTypes)),
        field('Country', countryField(context)),
      ),
    ),
    seekForm(context, results),
    results,
  )
  const { page, cost } = await readPage(context)
  if (!context.signal.aborted) results.replaceChildren(...pageParts(context, page, cost, results))
}

/** @param {ViewContext} context */
function countryField({ params, go }) {
  const input = h('input', {
    value: params.country ?? '',
    size: 8,
    placeholder: 'all',
    pattern: '[A-Za-z]{3}(,[A-Za-z]{3})*',
    title: 'Codes of three letters, separated by commas: USA,DEU',
  })
  input.addEventListener('change', () => {
    if (input.reportValidity()) go('journal', { ...params, cursor: undefined, country: input.value.toUpperCase() })
  })
  return input
}

/**
 * @param {ViewContext} context
 * @param {HTMLElement} results
 */
function seekForm(context, results) {
  const { params, go } = context
  const input = h('input', {
    id: 'seek',
    size: 30,
    value: params.cursor ?? params.start ?? '',
    placeholder: '6058 · 2026-11-23 01:56 · v1.…',
    autocomplete: 'off',
    'aria-describedby': 'seek-advice',
  })
  const advice = h('small', { id: 'seek-advice' }, 'A sequence, a time in UTC, or a cursor')
  const to = (/** @type {object} */ place) =>
    go('journal', { ...params, start: undefined, cursor: undefined, ...place })
  const submit = (/** @type {globalThis.Event} */ event) => {
    event.preventDefault()
    const place = journalPlace(input.value)
    if (place) return to(place)
    advice.classList.add('refused')
    advice.textContent = `“${input.value}” is no place: write a sequence such as 6058, a time such as 2026-11-23 01:56, or a cursor.`
  }
  const newest = async () => {
    try {
      to({ start: await newestStart(context) })
    } catch (error) {
      if (!context.signal.aborted) results.replaceChildren(problemNote(error))
    }
  }
  return h(
    'form',
    { class: 'seek', onsubmit: submit },
    h('label', { for: 'seek' }, 'Go to'),
    input,
    h('button', { type: 'submit' }, 'Go'),
    h('button', { type: 'button', class: 'quiet', onclick: () => to({}) }, 'Oldest'),
    h('button', { type: 'button', class: 'quiet', onclick: newest }, 'Newest'),
    advice,
  )
}

/** @param {Readonly<Record<string, string>>} params */
const filtersOf = ({ country, family, type }) => ({
  country: country?.split(','),
  family: family?.split(','),
  type: type?.split(','),
})

/** @param {ViewContext} context */
async function readPage({ client, params, signal }) {
  const { start, cursor } = params
  const began = performance.now()
  /** @type {EventPage} */
  const page = await client.json('/v1/events', {
    query: { ...filtersOf(params), cursor, start: cursor === undefined ? start : undefined, limit: String(PAGE) },
    signal,
  })
  return { page, cost: Math.round(performance.now() - began) }
}

/**
 * The sequence from which a page shows the newest events: found by the time at which the newest one was recorded.
 *
 * @param {ViewContext} context
 */
async function newestStart({ client, params, signal }) {
  /** @type {EventPage} */
  const end = await client.json('/v1/events', { query: { cursor: 'latest', limit: '1' }, signal })
  /** @type {EventPage} */
  const last = await client.json('/v1/events', { query: { start: end.as_of, limit: '1000' }, signal })
  const newest = Number(last.events.at(-1)?.sequence ?? 1)
  return earlierStart({ client, params, signal }, newest + 1)
}

/**
 * The sequence from which a page ends just before another one, with the filters applied.
 *
 * @param {Pick<ViewContext, 'client' | 'params' | 'signal'>} context
 * @param {number} before
 */
async function earlierStart({ client, params, signal }, before) {
  const filters = filtersOf(params)
  const isFiltered = Object.values(filters).some((values) => values !== undefined)
  if (!isFiltered) return String(Math.max(1, before - PAGE))
  for (let end = before, step = BACK; end > 1; end -= step, step *= 4) {
    const from = Math.max(1, end - step)
    /** @type {Event[]} */
    const found = []
    /** @type {{ start?: string, cursor?: string }} */
    let at = { start: String(from) }
    for (;;) {
      /** @type {EventPage} */
      const page = await client.json('/v1/events', { query: { ...filters, ...at, limit: '1000' }, signal })
      const within = page.events.filter(({ sequence }) => Number(sequence) < end)
      found.push(...within)
      if (!page.has_more || within.length < page.events.length || page.events.length === 0) break
      at = { cursor: page.next_cursor }
    }
    const first = found.at(-PAGE) ?? found[0]
    if (first) return sequenceNumber(first.sequence)
  }
  return '1'
}

/**
 * @param {ViewContext} context
 * @param {EventPage} page
 * @param {number} cost
 * @param {HTMLElement} results
 */
function pageParts(context, page, cost, results) {
  const { params, go } = context
  const [first, last] = [page.events[0], page.events.at(-1)]
  const summary = first
    ? `${sequenceNumber(first.sequence)} to ${sequenceNumber(last?.sequence ?? '')} · read in ${cost} ms · newest recorded ${instantName(page.as_of)}`
    : `No event from here on matches. The newest was recorded ${instantName(page.as_of)}.`
  const earlier = async () => {
    try {
      const start = await earlierStart(context, Number(first?.sequence ?? 1))
      go('journal', { ...params, cursor: undefined, start })
    } catch (error) {
      if (!context.signal.aborted) results.prepend(problemNote(error))
    }
  }
  const isFirst = !first || Number(first.sequence) === 1
  return [
    h(
      'div',
      { class: 'pager' },
      h('p', { role: 'status' }, summary),
      h('button', { type: 'button', onclick: earlier, disabled: isFirst }, '← Earlier'),
      h(
        'button',
        {
          type: 'button',
          disabled: !page.has_more,
          onclick: () => go('journal', { ...params, start: undefined, cursor: page.next_cursor }),
        },
        'Later →',
      ),
    ),
    h(
      'table',
      { class: 'dense journal-table' },
      h('caption', { class: 'unseen' }, 'Events'),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['Sequence', 'Recorded (UTC)', 'Type', 'Subject', 'Figures'].map((name) => h('th', { scope: 'col' }, name)),
        ),
      ),
      page.events.map((event) => eventRows(context, event)),
    ),
  ]
}

/**
 * @param {ViewContext} context
 * @param {Event} event
 */
function eventRows({ facts }, event) {
  const sequence = sequenceNumber(event.sequence)
  const body = h('tbody')
  const open = () => {
    const shown = body.childElementCount > 1
    button.setAttribute('aria-expanded', String(!shown))
    if (shown) body.lastElementChild?.remove()
    else body.append(eventDetail(event))
  }
  const button = h('button', { type: 'button', class: 'quiet', 'aria-expanded': 'false', onclick: open }, sequence)
  const [country = '', indicator = '', period] = event.subject.split('/')
  const subject = event.type.startsWith('economics.')
    ? h('a', { href: viewAddress('indicators', { country, indicator, period }) }, event.subject)
    : event.subject
  body.append(
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, button),
      h('td', { class: 'recorded' }, instantName(event.time).replace(' UTC', '')),
      h('td', { class: 'type' }, event.type.split('.').slice(1).join(' ')),
      h('td', { class: 'subject' }, subject),
      h('td', { class: 'event-figures' }, eventFigures(event, facts)),
    ),
  )
  return body
}

/** @param {Event} event */
const eventDetail = (event) =>
  h(
    'tr',
    { class: 'event-detail' },
    h(
      'td',
      { colspan: 5 },
      h('pre', { tabindex: 0, 'aria-label': `Event ${event.id}` }, JSON.stringify(event, null, 2)),
      copyButton('Copy the event', () => JSON.stringify(event)),
      ' ',
      copyButton('Copy the cursor after it', () => event.cursor),
    ),
  )
