/**
 * The prints of one period, each with its reason.
 *
 * @import { Explorer } from './explorer.d.ts'
 * @import { Print } from '../vintages.js'
 */
import { changeText, printText } from '../decimal-text.js'
import { h } from '../dom.js'
import { dayName, periodName } from '../periods.js'
import { viewAddress } from '../view-address.js'
import { knownOn } from '../vintages.js'

const amounts = ['Value', 'Change']

/**
 * A figure of another series revises nothing.
 *
 * @param {Print | undefined} before
 * @param {Print} print
 */
function changeFrom(before, { value, row }) {
  if (!before) return ''
  return before.row.series === row.series ? changeText(value, before.value) : 'another series'
}

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
    return h(
      'tr',
      { class: date > day ? 'unknown' : '', 'aria-current': print === known && 'true' },
      h('th', { scope: 'row' }, String(i + 1)),
      h(
        'td',
        { 'data-column': 'Released' },
        `${dayName(row.released_on)} `,
        h('small', {}, row.released_on_basis.replaceAll('_', ' ')),
        date !== row.released_on && h('small', {}, `, again the answer from ${dayName(date)} on`),
      ),
      h('td', { 'data-column': 'Value', class: 'amount' }, printText(value)),
      h('td', { 'data-column': 'Change', class: 'amount' }, changeFrom(prints[i - 1], print)),
      h('td', { 'data-column': 'Recorded' }, dayName(row.recorded_at.slice(0, 10))),
      h(
        'td',
        { 'data-column': 'Why' },
        h(
          'a',
          { href: viewAddress('why', { release: row.release_id }), 'aria-label': `why this figure: print ${i + 1}` },
          'why',
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
