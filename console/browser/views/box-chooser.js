import { h } from '../dom.js'

/**
 * Boxes to choose several of a list.
 *
 * @param {object} options
 * @param {string} options.summary
 * @param {readonly (readonly [value: string, text: string])[]} options.choices
 * @param {(value: string) => boolean} options.isChosen
 * @param {(chosen: readonly string[]) => string | void} options.onApply returns what is wrong with the choice, if anything is
 */
export function boxChooser({ summary, choices, isChosen, onApply }) {
  const boxes = choices.map(([value, text]) => {
    const box = h('input', { type: 'checkbox', name: value, checked: isChosen(value) })
    return { value, box, label: h('label', {}, box, ' ', text) }
  })
  const advice = h('p', { role: 'status' })
  const apply = () => {
    const chosen = boxes.filter(({ box }) => box.checked).map(({ value }) => value)
    advice.textContent = onApply(chosen) ?? ''
  }
  return h(
    'details',
    { class: 'chooser' },
    h('summary', {}, summary),
    h(
      'div',
      { class: 'boxes' },
      boxes.map(({ label }) => label),
    ),
    advice,
    h('button', { type: 'button', class: 'quiet', onclick: apply }, 'Show these'),
  )
}
