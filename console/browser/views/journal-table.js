/**
 * Events as a table, each of which unfolds to its whole body.
 *
 * @import { Event } from '../bodies.d.ts'
 * @import { ViewContext } from '../view.d.ts'
 */
import { copyButton, h } from '../dom.js'
import { eventFigures, sequenceNumber } from '../event-text.js'
import { instantName } from '../periods.js'
import { viewAddress } from '../view-address.js'

/** @param {readonly Node[]} rows */
export const eventsTable = (rows) =>
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
    rows,
  )

/**
 * The rows of an event, in a body of their own.
 *
 * @param {ViewContext} context
 * @param {Event} event
 */
export function eventRows({ facts }, event) {
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
