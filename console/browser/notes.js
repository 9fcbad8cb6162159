import { ServiceProblem } from './api-client.js'
import { h } from './dom.js'

/**
 * What went wrong, in the place of what was asked for.
 *
 * @param {unknown} error
 */
export function problemNote(error) {
  if (!(error instanceof ServiceProblem)) {
    // A fault of this page: the browser's console has all of it.
    console.error(error)
    return note('This page failed', String(error))
  }
  const { code, title, message } = error
  // The field for another key is above the view.
  if (code === 'unauthorized') return h('p', { class: 'lead' }, 'This is shown with a valid key only.')
  if (code === 'route_not_found') {
    return note('Not served here', 'This service has no such operation. It may be of an older version than this page.')
  }
  const link = /^[a-z_]+$/.test(code) && code !== 'unreachable' && code !== 'no_problem'
  return note(title, message, link && h('a', { href: `/problems/${code}` }, 'What to do about it'))
}

/**
 * @param {string} title
 * @param {string} text
 * @param {Node | false} more
 */
const note = (title, text, more = false) =>
  h('div', { class: 'note refused', role: 'alert' }, h('b', {}, title), ' ', text, more && ' ', more)

/**
 * Says that the address can't be shown, and what it may have meant.
 *
 * @param {string} text
 * @param {readonly Node[]} links
 */
export const refusedNote = (text, links) =>
  h(
    'div',
    { class: 'note refused', role: 'alert' },
    h('b', {}, 'This address shows nothing.'),
    ` ${text} `,
    links.length > 0 && 'Try ',
    links.flatMap((link, i) => (i === 0 ? [link] : [', ', link])),
  )

/** @param {string} text */
export const waitingNote = (text) => h('p', { class: 'waiting', role: 'status' }, text)
