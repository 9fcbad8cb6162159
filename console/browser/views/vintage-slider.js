import { h } from '../dom.js'
import { dayName } from '../periods.js'

/** Days shown in a second of playing. */
const PLAYED_A_SECOND = 12

/**
 * Chooses a day on which something was released, or plays through them all.
 *
 * @param {readonly string[]} dates
 * @param {string} day
 * @param {(day: string) => void | Promise<void>} onDay
 * @param {AbortSignal} signal
 * @param {number} step days that playing goes on by
 */
export function vintageSlider(dates, day, onDay, signal, step = 1) {
  const last = dates.length - 1
  const at = Math.max(
    0,
    dates.findLastIndex((date) => date <= day),
  )
  const input = h('input', { id: 'vintage', type: 'range', min: 0, max: last, value: at, disabled: last === 0 })
  const output = h('output', { for: 'vintage' })
  const show = () => {
    const date = dates[input.valueAsNumber] ?? ''
    const text = input.valueAsNumber === last ? `${dayName(date)}, the newest` : `${dayName(date)}`
    output.textContent = text
    input.setAttribute('aria-valuetext', `${text}, vintage ${input.valueAsNumber + 1} of ${dates.length}`)
    return onDay(date)
  }
  input.addEventListener('input', show)
  let isPlaying = false
  const stop = () => {
    isPlaying = false
    button.textContent = 'Play'
  }
  const play = async () => {
    if (input.valueAsNumber === last) input.valueAsNumber = 0
    isPlaying = true
    button.textContent = 'Stop'
    while (isPlaying && input.valueAsNumber < last) {
      input.valueAsNumber += step
      await Promise.all([show(), new Promise((resolve) => setTimeout(resolve, 1000 / PLAYED_A_SECOND))])
    }
    stop()
  }
  const button = h(
    'button',
    { type: 'button', class: 'quiet', disabled: last === 0, onclick: () => (isPlaying ? stop() : void play()) },
    'Play',
  )
  signal.addEventListener('abort', stop)
  const initial = dates[at] ?? ''
  // A day between two of these is that of an address.
  output.textContent = `${dayName(initial)}${at === last ? ', the newest' : initial < day ? ', the newest then' : ''}`
  input.setAttribute('aria-valuetext', `${output.textContent}, vintage ${at + 1} of ${dates.length}`)
  return h('div', { class: 'vintage' }, h('label', { for: 'vintage' }, 'As known on'), input, output, button)
}
