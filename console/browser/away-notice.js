/**
 * Says that the service is away, how old what is shown is, and offers to ask at once.
 *
 * @import { Presence } from './service-watch.js'
 */
import { h } from './dom.js'
import { ageName, instantName } from './periods.js'

/** @param {() => Promise<void>} connect */
export function awayNotice(connect) {
  const state = h('b', { role: 'status' })
  const age = h('span', {})
  const button = h('button', { type: 'button' }, 'Connect now')
  button.addEventListener('click', async () => {
    button.disabled = true
    await connect()
    button.disabled = false
  })
  const element = h('div', { class: 'note away', hidden: true }, h('p', {}, state, ' ', age), button)
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let ticking
  return {
    element,
    /** @param {Presence} presence */
    show(presence) {
      clearInterval(ticking)
      element.hidden = !presence.isAway
      if (!presence.isAway) return
      const { said, heard } = presence
      const text = said === '' ? 'The service cannot be reached.' : `The service is starting. ${said}`
      if (state.textContent !== text) state.textContent = text
      const tick = () => {
        age.textContent = `It answered last ${ageName(Date.now() - heard)} ago, ${instantName(new Date(heard).toISOString())}. What is shown is of then or earlier.`
      }
      tick()
      ticking = setInterval(tick, 1000)
    },
  }
}
