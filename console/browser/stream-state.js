/**
 * The state of a stream in words, with what to do if it is not open.
 *
 * @import { Facts } from './bodies.d.ts'
 * @import { StreamState } from './stream-connection.js'
 *
 * @typedef {StreamState | { phase: 'paused' } | { phase: 'quiet', text: string }} ShownState `paused`: the reader of the page has
 * closed the stream; `quiet`: it is open, and nothing new comes
 */
import { h } from './dom.js'
import { ageName } from './periods.js'

/**
 * @param {ShownState} state
 * @param {Facts} facts
 * @param {(isSimulated: boolean) => string} liveText
 * @returns {(Node | string)[]}
 */
function stateText(state, { streamErrors }, liveText) {
  switch (state.phase) {
    // Left, but it may be shown again while the service is away.
    case 'ended':
      return ['Not connected.']
    case 'connecting':
      return ['Connecting …']
    case 'live':
      return [liveText(state.isSimulated)]
    case 'waiting':
      return [
        `Not connected: ${streamErrors[state.code]?.title ?? state.code}. Connecting again in ${ageName(state.until - Date.now())}. `,
        h('a', { href: '/docs#stream-errors' }, 'What to do'),
      ]
    case 'quiet':
      return [state.text]
    case 'paused':
      return ['Paused. Nothing is lost: Follow goes on from here']
    case 'refused': {
      const advice = streamErrors[state.code]?.advice ?? (state.code === 'origin_not_allowed' ? originAdvice() : '')
      return [
        `Not connected. ${state.detail} ${advice} `,
        h('a', { href: `/problems/${state.code}` }, 'About this problem'),
      ]
    }
  }
}

const originAdvice = () => `Use a key that allows ${location.origin}, as the demo’s keys allow pages of this machine.`

/**
 * The line that says the state of a stream, and a function that shows another state in it.
 *
 * @param {Facts} facts
 * @param {(isSimulated: boolean) => string} liveText
 */
export function streamStateLine(facts, liveText) {
  const element = h('p', { class: 'stream-state', role: 'status' })
  return {
    element,
    /** @param {ShownState} state */
    show(state) {
      element.replaceChildren(...stateText(state, facts, liveText))
      element.dataset.phase = state.phase
    },
  }
}
