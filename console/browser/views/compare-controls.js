/**
 * The fields above a comparison: transformation, base, periods and range.
 *
 * @import { ViewContext } from '../view.d.ts'
 */
import { choice, field, h } from '../dom.js'
import { periodField, rangeControls } from './range-controls.js'

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
 * @param {string} shortest frequency that is drawn
 * @param {(changed: Readonly<Record<string, string | undefined>>) => void} to
 */
export function compareControls({ facts }, params, shortest, to) {
  const { units = 'lin', frequency, method = 'avg' } = params
  return h(
    'div',
    { class: 'controls' },
    field(
      'Shown as',
      choice([...Object.entries(facts.transformations), ['index', 'index, 100 in one period']], units, (chosen) =>
        to({ units: chosen === 'lin' ? undefined : chosen, base: undefined }),
      ),
    ),
    units === 'index' && periodField('100 in', 'base', 'first', params, to),
    field(
      'Periods',
      choice(lengths, frequency ? `${frequency} ${method}` : '', (chosen) => {
        const [longer, how] = chosen.split(' ')
        to({ frequency: longer || undefined, method: how })
      }),
    ),
    ...rangeControls(params, shortest, to),
  )
}
