/**
 * Events as a table, each of which unfolds to its whole body. Those of one outage are folded, and a filter in words hides what it
 * does not find.
 *
 * @import { Event } from '../bodies.d.ts'
 * @import { ViewContext } from '../view.d.ts'
 *
 * @typedef {{ readonly event: Event, readonly words: readonly string[], readonly body: HTMLElement, readonly fold: Fold }} Entry
 * @typedef {{ readonly entries: Entry[], summary?: HTMLElement, isOpen: boolean }} Fold `entries`: in the order of the table
 */
import { copyButton, h } from '../dom.js'
import { FOLDED, isSameOutage, outageText } from '../event-folds.js'
import { eventFigures, eventWords, sequenceNumber, subjectName } from '../event-text.js'
import { hasWords } from '../filter-words.js'
import { instantName } from '../periods.js'
import { viewAddress } from '../view-address.js'

/** Events that stay in the table; older ones leave it. */
const KEPT = 500

/**
 * @param {ViewContext} context
 * @param {(count: { shown: number, all: number }) => void} onCount is told how many events the filter finds
 */
export function eventList(context, onCount) {
  const element = eventsTable()
  /** In the order of the table. @type {Entry[]} */
  const entries = []
  let find = context.params.find ?? ''

  /** @param {Fold} fold */
  const show = (fold) => {
    const found = fold.entries.filter((entry) => hasWords(entry, find))
    const isFolded = found.length >= FOLDED
    for (const entry of fold.entries) entry.body.hidden = !found.includes(entry) || (isFolded && !fold.isOpen)
    fold.summary?.remove()
    if (!isFolded) return
    fold.summary = outageRow(found, fold.isOpen, () => {
      fold.isOpen = !fold.isOpen
      show(fold)
      fold.summary?.querySelector('button')?.focus()
    })
    fold.entries[0]?.body.before(fold.summary)
  }
  const showAll = (/** @type {Iterable<Fold>} */ folds) => {
    for (const fold of folds) show(fold)
    onCount({ shown: entries.filter((entry) => hasWords(entry, find)).length, all: entries.length })
  }
  return {
    element,
    /**
     * @param {readonly Event[]} events in their order
     * @param {'first' | 'last'} place the newest comes first or last
     * @param {string} [name] a class of their rows
     */
    add(events, place, name) {
      const folds = new Set()
      for (const event of events) {
        const beside = place === 'first' ? entries[0] : entries.at(-1)
        const fold = beside && isSameOutage(beside.event, event) ? beside.fold : { entries: [], isOpen: false }
        const body = eventRows(context, event)
        body.className = name ?? ''
        const entry = { event, words: eventWords(event, context.facts), body, fold }
        for (const list of [entries, fold.entries]) place === 'first' ? list.unshift(entry) : list.push(entry)
        if (place === 'first') element.tHead?.after(body)
        else element.append(body)
        folds.add(fold)
      }
      for (const { body, fold } of entries.splice(KEPT)) {
        body.remove()
        fold.entries.pop()
        folds.add(fold)
      }
      showAll(folds)
    },
    /** @param {string} words */
    find(words) {
      find = words
      showAll(new Set(entries.map(({ fold }) => fold)))
    },
  }
}

/**
 * @param {readonly Entry[]} entries
 * @param {boolean} isOpen
 * @param {() => void} onclick
 */
function outageRow(entries, isOpen, onclick) {
  const { what, when } = outageText(entries.map(({ event }) => event))
  const sequences = entries.map(({ event }) => Number(event.sequence))
  const [first, last] = [Math.min(...sequences), Math.max(...sequences)]
  const button = h(
    'button',
    { type: 'button', class: 'quiet', 'aria-expanded': String(isOpen), onclick },
    `${first} … ${last}`,
  )
  return h(
    'tbody',
    { class: 'outage' },
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, button),
      h('td', { class: 'recorded' }, when.replace(' UTC', '')),
      h('td', { class: 'type' }, 'instruments'),
      h('td', { class: 'subject' }, what),
      h('td', { class: 'event-figures' }, entries.map(({ event }) => event.subject).join(', ')),
    ),
  )
}

const eventsTable = () =>
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
  )

/**
 * The rows of an event, in a body of their own.
 *
 * @param {ViewContext} context
 * @param {Event} event
 */
function eventRows({ facts }, event) {
  const body = h('tbody')
  const toggle = () => {
    const isOpen = body.childElementCount > 1
    button.setAttribute('aria-expanded', String(!isOpen))
    if (isOpen) body.lastElementChild?.remove()
    else body.append(eventDetail(event))
  }
  const button = h(
    'button',
    { type: 'button', class: 'quiet', 'aria-expanded': 'false', onclick: toggle },
    sequenceNumber(event.sequence),
  )
  const [country = '', indicator = '', period] = event.subject.split('/')
  const name = subjectName(event, facts)
  const subject = event.type.startsWith('economics.')
    ? h('a', { href: viewAddress('indicators', { country, indicator, period }) }, name)
    : name
  body.append(
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, button),
      h('td', { class: 'recorded' }, instantName(event.time).replace(' UTC', '')),
      h('td', { class: 'type' }, event.type.split('.').slice(1).join(' ').replaceAll('_', ' ')),
      h('td', { class: 'subject', title: event.subject }, subject),
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
