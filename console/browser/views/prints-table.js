/**
 * The prints of one period, each with its reason.
 *
 * @import { Explorer } from './explorer.d.ts'
 * @import { Print } from '../vintages.js'
 */
import { changeText, printText } from '../decimal-text.js'
import { h } from '../dom.js'
import { periodName } from '../periods.js'
import { viewAddress } from '../view-address.js'
import { knownOn } from '../vintages.js'

const amounts = ['Value', 'Change']

/**
 * @param {Explorer} explorer
 * @param {string} period
 * @param {readonly Print[]} prints
 * @param {string} day the prints after it were not known yet
 */
export function printsTable({ title }, period, prints, day) {
  const known = knownOn(prints, day)
  const rows = prints.map((print, i) => {
    const { row, date, value } = print
    const before = prints[i - 1]
    return h(
      'tr',
      { class: date > day ? 'unknown' : '', 'aria-current': print === known && 'true' },
      h('th', { scope: 'row' }, String(i + 1)),
      h('td', { 'data-column': 'Released' }, date, ' ', h('small', {}, row.released_on_basis.replaceAll('_', ' '))),
      h('td', { 'data-column': 'Value', class: 'amount' }, printText(value)),
      h('td', { 'data-column': 'Change', class: 'amount' }, before ? changeText(value, before.value) : ''),
      h('td', { 'data-column': 'Recorded' }, row.recorded_at.slice(0, 10)),
      h(
        'td',
        { 'data-column': 'Why' },
        h(
          'a',
          { href: viewAddress('why', { release: row.release_id }), 'aria-label': `why this figure: print ${i + 1}` },
          'why this figure',
        ),
      ),
    )
  })
  return h(
    'section',
    { class: 'prints', 'aria-label': `Prints of ${periodName(period)}` },
    h('h2', {}, `${periodName(period)}: ${prints.length === 1 ? 'one print' : `${prints.length} prints`}`),
    h(
      'table',
      { class: 'dense stacked' },
      h('caption', { class: 'unseen' }, `${title}, prints of ${periodName(period)}`),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['Print', 'Released', 'Value', 'Change', 'Recorded', 'Why'].map((name) =>
            h('th', { scope: 'col', class: amounts.includes(name) && 'amount' }, name),
          ),
        ),
      ),
      h('tbody', {}, rows),
    ),
  )
}
