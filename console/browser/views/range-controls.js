/**
 * The fields and buttons for the range of periods that a plot shows.
 */
import { field, h } from '../dom.js'

/** Years back from now, and what a button for them says. */
const ranges = /** @type {const} */ ([
  [1, '1 year'],
  [5, '5 years'],
  [10, '10 years'],
])

/** @typedef {(changed: Readonly<Record<string, string | undefined>>) => void} Change */

/**
 * A field for a period that the address has under a name.
 *
 * @param {string} label
 * @param {'start' | 'end' | 'base'} name
 * @param {string} placeholder what holds without it
 * @param {Readonly<Record<string, string>>} params
 * @param {Change} to
 */
export function periodField(label, name, placeholder, params, to) {
  const input = h('input', {
    value: params[name] ?? '',
    size: 8,
    placeholder,
    pattern: '\\d{4}(-(0[1-9]|1[0-2]|Q[1-4]))?',
    title: 'A year, month or quarter: 2020, 2020-04 or 2020-Q2',
  })
  input.addEventListener('change', () => {
    if (input.reportValidity()) to({ [name]: input.value || undefined })
  })
  return field(label, input)
}

/**
 * @param {Readonly<Record<string, string>>} params
 * @param {string} frequency of the shortest periods that are drawn
 * @param {Change} to
 */
export function rangeControls(params, frequency, to) {
  const { start, end } = params
  const [year, month] = new Date().toISOString().split('-')
  const since = (/** @type {number} */ years) => `${Number(year) - years}${frequency === 'A' ? '' : `-${month}`}`
  const button = (/** @type {string} */ name, /** @type {string | undefined} */ from) =>
    h(
      'button',
      {
        type: 'button',
        class: 'quiet',
        'aria-pressed': String(start === from && !end),
        onclick: () => to({ start: from, end: undefined }),
      },
      name,
    )
  return [
    h(
      'span',
      { class: 'shows' },
      periodField('From', 'start', 'first', params, to),
      periodField('to', 'end', 'last', params, to),
    ),
    h(
      'span',
      { class: 'shows', role: 'group', 'aria-label': 'Range' },
      ranges.map(([years, name]) => button(name, since(years))),
      button('all', undefined),
    ),
  ]
}
