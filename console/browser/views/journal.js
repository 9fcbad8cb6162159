/**
 * The journal: the newest public events, live, or those from any place on.
 *
 * @import { EventPage } from '../bodies.d.ts'
 * @import { ConsoleView, ViewContext } from '../view.d.ts'
 */
import { isUnreachable } from '../api-client.js'
import { field, h } from '../dom.js'
import { journalPlace, sequenceNumber } from '../event-text.js'
import { filterWords } from '../filter-words.js'
import { newestPage, pageFrom, startOfPageBefore } from '../journal-pages.js'
import { problemNote, waitingNote } from '../notes.js'
import { instantName } from '../periods.js'
import { boxChooser } from './box-chooser.js'
import { eventList } from './journal-table.js'
import { journalTail } from './journal-tail.js'

/**
 * Whether the address names no place, so that the newest events are shown.
 *
 * @param {Readonly<Record<string, string>>} params
 */
const isAtTail = ({ start, cursor }) => start === undefined && cursor === undefined

/** @type {ConsoleView} */
export async function journalView(container, context) {
  const { params, replace } = context
  let find = params.find ?? ''
  /** The words of the filter are kept wherever the view leads. @type {ViewContext} */
  const own = { ...context, go: (view, to, focus) => context.go(view, { ...to, find }, focus) }
  const count = h('p', { class: 'count', role: 'status' })
  const list = eventList(context, ({ shown, all }) => {
    const more = shown === 0 ? ' Country, families and types search the whole record.' : ''
    count.textContent = find === '' ? '' : `“${find}” is found in ${shown} of the ${all} events that are loaded.${more}`
  })
  const input = h('input', {
    type: 'search',
    value: find,
    size: 16,
    placeholder: 'usa cpi revised',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  input.addEventListener('input', () => {
    find = filterWords(input.value)
    replace({ ...params, find })
    list.find(find)
  })
  const results = h('div', { class: 'events' }, waitingNote('Reading the journal …'))
  container.append(
    h(
      'div',
      { class: 'view-head' },
      h('h1', {}, 'Journal'),
      h('div', { class: 'controls' }, field('Country', countryField(own)), field('Words', input)),
    ),
    h('div', { class: 'choosers' }, severalOf(own, 'family', 'families'), severalOf(own, 'type', 'types')),
    seekForm(own),
    count,
    results,
  )
  const page = await (isAtTail(params) ? newestPage(context) : pageFrom(context, params))
  if (!context.signal.aborted) results.replaceChildren(...pageParts(own, page, results, list))
}

/**
 * Boxes for the families or the types of events. All of them are no filter.
 *
 * @param {ViewContext} context
 * @param {'family' | 'type'} name
 * @param {string} plural
 */
function severalOf({ facts, params, go }, name, plural) {
  const all = name === 'family' ? facts.eventFamilies : facts.eventTypes
  const chosen = params[name]?.split(',') ?? all
  const text = (/** @type {string} */ value) => value.split('.').slice(-2).join(' ').replaceAll('_', ' ')
  const some = chosen.length < 3 ? chosen.map(text).join(', ') : chosen.length
  return boxChooser({
    summary: `${chosen === all ? 'All' : `${some} of`} ${all.length} ${plural}`,
    choices: all.map((value) => [value, text(value)]),
    isChosen: (value) => chosen.includes(value),
    onApply: (values) => {
      if (values.length === 0) return 'Choose one at least.'
      return go('journal', { ...params, [name]: values.length === all.length ? undefined : values.join(',') })
    },
  })
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
    if (input.reportValidity()) go('journal', { ...params, country: input.value.toUpperCase() })
  })
  return input
}

/** @param {ViewContext} context */
function seekForm({ params, go }) {
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
  return h(
    'form',
    { class: 'seek', onsubmit: submit },
    h('label', { for: 'seek' }, 'Go to'),
    input,
    h('button', { type: 'submit' }, 'Go'),
    h('button', { type: 'button', class: 'quiet', onclick: () => to({ start: '1' }) }, 'Oldest'),
    h('button', { type: 'button', class: 'quiet', onclick: () => to({}) }, 'Newest, live'),
    advice,
  )
}

/**
 * @param {ViewContext} context
 * @param {EventPage} page
 * @param {HTMLElement} results
 * @param {ReturnType<typeof eventList>} list
 */
function pageParts(context, page, results, list) {
  const { params, go } = context
  const { events, as_of, has_more, next_cursor } = page
  const [first, last] = [events[0], events.at(-1)]
  const earlier = async () => {
    try {
      const start = await startOfPageBefore(context, Number(first?.sequence))
      go('journal', { ...params, cursor: undefined, start })
    } catch (error) {
      if (!context.signal.aborted && !isUnreachable(error)) results.prepend(problemNote(error))
    }
  }
  const isFirst = !first || Number(first.sequence) === 1
  const earlierButton = h('button', { type: 'button', onclick: earlier, disabled: isFirst }, '← Earlier')
  if (isAtTail(params)) {
    const { controls, parts } = journalTail(context, page, list)
    return [h('div', { class: 'pager' }, controls, earlierButton), ...parts]
  }
  const summary = first
    ? `${sequenceNumber(first.sequence)} to ${sequenceNumber(last?.sequence ?? '')} · newest recorded ${instantName(as_of)}`
    : `No event from here on matches. The newest was recorded ${instantName(as_of)}.`
  const later = () => go('journal', { ...params, start: undefined, cursor: next_cursor })
  list.add(events, 'last')
  return [
    h(
      'div',
      { class: 'pager' },
      h('p', { role: 'status' }, summary),
      earlierButton,
      h('button', { type: 'button', disabled: !has_more, onclick: later }, 'Later →'),
    ),
    list.element,
  ]
}
