/**
 * The key that was pasted. It is in this tab's session storage, which no other tab and no server sees, and which ends with the
 * tab. It is in no address.
 */
import { ServiceProblem } from './api-client.js'
import { h } from './dom.js'
import { keyInPasted } from './pasted-key.js'

const PLACE = 'almanac-key'

/** @returns {string | undefined} */
export const keptKey = () => sessionStorage.getItem(PLACE) ?? undefined
/** @param {string} key */
export const keepKey = (key) => sessionStorage.setItem(PLACE, key)
export const forgetKey = () => sessionStorage.removeItem(PLACE)

/** @param {string} key enough of it to tell two keys apart, and no more */
export const keyLabel = (key) => `${key.slice(0, 9)}…${key.slice(-4)}`

/**
 * The field for a key.
 *
 * @param {(key: string) => Promise<void>} onKey rejects if the service refuses the key
 * @param {string} action what the button says
 */
export function keyForm(onKey, action = 'Open the console') {
  const input = h('input', {
    id: 'api-key',
    type: 'password',
    name: 'key',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'alm_…',
    required: true,
    'aria-describedby': 'key-advice',
  })
  const advice = h(
    'small',
    { id: 'key-advice' },
    'Stays in this tab: it is sent to this service only, and forgotten with the tab. The demo writes keys to var/demo-keys.json.',
  )
  const fault = h('p', { role: 'alert' })
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault()
    const found = keyInPasted(input.value)
    fault.className = 'refused'
    if ('fault' in found) {
      fault.textContent = found.fault
      return
    }
    fault.textContent = ''
    try {
      await onKey(found.key)
    } catch (error) {
      const problem = error instanceof ServiceProblem ? error : new Error('This page failed', { cause: error })
      fault.textContent = problem.message
    }
  }
  return h(
    'form',
    { class: 'key-form', onsubmit: submit },
    h('label', { for: 'api-key' }, 'API key'),
    h('div', { class: 'row' }, input, h('button', { type: 'submit' }, action)),
    fault,
    advice,
  )
}
