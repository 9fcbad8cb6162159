/**
 * The fields above a comparison: transformation, base, periods and range.
 *
 * @import { ViewContext } from '../view.d.ts'
 */
import { choice, field, h } from '../dom.js'

/** Years back from now, and what a button for them says. */
const ranges = /** @type {const} */ ([
  [1, '1 year'],
  [5, '5 years'],
  [10, '10 years'],
])
const lengths = /** @type {const} */ ([
  ['', 'as published'],
  ['Q avg', 'quarters, average'],
  ['Q sum', 'quarters, sum'],
  ['Q eop', 'quarters, end'],
  ['A avg', 'years, average'],
  ['A sum', 'years, sum'],
  ['A eop', 'years, end'],
])

/**
 * @param {ViewContext} context
 * @param {Readonly<Record<string, string>>} params
 * @param {(changed: Readonly<Record<string, string | undefined>>) => void} to
 */
export function compareControls({ facts }, params, to) {
  const period = (/** @type {'start' | 'end' | 'base'} */ name, /** @type {string} */ placeholder) => {
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
    return input
  }
  const { units = 'lin', frequency, method = 'avg', start } = params
  const today = new Date()
  const since = (/** @type {number} */ years) =>
    `${today.getUTCFullYear() - years}-${String(today.getUTCMonth() + 1).padStart(2, '0')}`
  return h(
    'div',
    { class: 'controls' },
    field(
      'Shown as',
      choice([...Object.entries(facts.transformations), ['index', 'index, 100 in one period']], units, (chosen) =>
        to({ units: chosen === 'lin' ? undefined : chosen, base: undefined }),
      ),
    ),
    units === 'index' && field('100 in', period('base', 'first')),
    field(
      'Periods',
      choice(lengths, frequency ? `${frequency} ${method}` : '', (chosen) => {
        const [longer, how] = chosen.split(' ')
        to({ frequency: longer || undefined, method: how })
      }),
    ),
    field('From', period('start', 'first')),
    field('to', period('end', 'last')),
    h(
      'span',
      { class: 'shows', role: 'group', 'aria-label': 'Range' },
      ranges.map(([years, name]) =>
        h(
          'button',
          {
            type: 'button',
            class: 'quiet',
            'aria-pressed': String(start === since(years) && !params.end),
            onclick: () => to({ start: since(years), end: undefined }),
          },
          name,
        ),
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'quiet',
          'aria-pressed': String(!start && !params.end),
          onclick: () => to({ start: undefined, end: undefined }),
        },
        'all',
      ),
    ),
  )
}
