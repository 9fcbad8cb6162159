/**
 * The newest events, newest first, and those that arrive while the reader looks.
 *
 * @import { Event, EventPage } from '../bodies.d.ts'
 * @import { ViewContext } from '../view.d.ts'
 *
 * @typedef {{ type: 'event', event: Event } | { type: 'checkpoint' | 'caught_up' | 'heartbeat', cursor: string } | { type: 'notice' }} EventsMessage
 */
import { h } from '../dom.js'
import { streamFilters } from '../journal-pages.js'
import { openStream } from '../stream-connection.js'
import { streamStateLine } from '../stream-state.js'

/** New events are shown together, so that a screen reader is not interrupted by each of them. */
const BATCH_MS = 1000

/**
 * @param {ViewContext} context
 * @param {EventPage} page
 * @param {ReturnType<typeof import('./journal-table.js').eventList>} list
 * @returns {{ controls: Node[], parts: Node[] }} `parts`: the table, or what stands in its place
 */
export function journalTail(context, page, list) {
  const { client, facts, params, signal } = context
  list.add(page.events, 'first')
  const none = h('p', { class: 'lead' }, 'No event on record matches. New ones appear here.')
  none.hidden = page.events.length > 0
  const state = streamStateLine(facts, () => 'Live')
  const count = h('span', { class: 'delay', role: 'status' })
  let cursor = page.next_cursor
  let arrived = 0
  /** @type {Event[]} */
  let waiting = []

  const showWaiting = () => {
    if (signal.aborted || waiting.length === 0) return
    arrived += waiting.length
    list.add(waiting, 'first', 'arrived')
    waiting = []
    none.hidden = true
    count.textContent = `${arrived.toLocaleString('en-US')} new since this page was opened`
  }
  let connection = new AbortController()
  const follow = () => {
    connection = new AbortController()
    openStream({
      client,
      stream: 'events',
      subscription: () => ({ ...streamFilters(params), cursor }),
      signal: AbortSignal.any([signal, connection.signal]),
      onState: state.show,
      onMessage: (/** @type {EventsMessage} */ message) => {
        if (message.type === 'notice') return
        cursor = message.type === 'event' ? message.event.cursor : message.cursor
        if (message.type !== 'event') return
        if (waiting.length === 0) setTimeout(showWaiting, BATCH_MS)
        waiting.push(message.event)
      },
    })
  }
  const toggle = () => {
    const isFollowing = !connection.signal.aborted
    button.textContent = isFollowing ? 'Follow' : 'Pause'
    if (!isFollowing) return follow()
    connection.abort()
    state.show({ phase: 'paused' })
  }
  const button = h('button', { type: 'button', onclick: toggle }, 'Pause')
  follow()
  return { controls: [h('div', { class: 'stream-line' }, state.element, count), button], parts: [list.element, none] }
}
