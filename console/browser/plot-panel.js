/**
 * What stands beside a plot: its link, its files, and the table behind it.
 */
import { copyButton, h, saveFile, savePicture } from './dom.js'

/**
 * @param {object} options
 * @param {string} options.name of the files, without their ending
 * @param {() => string} [options.svg]
 * @param {() => string} options.csv
 * @param {() => readonly Readonly<Record<string, unknown>>[]} options.rows the entries of the JSON file, decimals as the service printed them
 * @param {string} [options.curl] the command that gets the same from the service
 * @param {string} [options.python] a program that does
 * @param {() => string} [options.cite] what names it in a text
 */
export function plotFiles({ name, svg, csv, rows, curl, python, cite }) {
  const file = (/** @type {string} */ ending, /** @type {string} */ type, /** @type {() => string} */ content) =>
    h(
      'button',
      { type: 'button', class: 'quiet', onclick: () => saveFile(`${name}.${ending}`, type, content()) },
      ending.toUpperCase(),
    )
  return h(
    'div',
    { class: 'files', role: 'group', 'aria-label': svg === undefined ? 'This table as' : 'This plot as' },
    copyButton('Copy link', () => location.href),
    file('csv', 'text/csv', csv),
    file('json', 'application/json', () => `${JSON.stringify(rows(), null, 2)}\n`),
    svg !== undefined && file('svg', 'image/svg+xml', svg),
    svg !== undefined &&
      h('button', { type: 'button', class: 'quiet', onclick: () => savePicture(`${name}.png`, svg()) }, 'PNG'),
    curl !== undefined && copyButton('Copy curl', () => curl),
    python !== undefined && copyButton('Copy Python', () => python),
    cite !== undefined && copyButton('Copy citation', cite),
  )
}

/**
 * A table that is made when it is opened.
 *
 * @param {object} options
 * @param {string} options.summary
 * @param {string} options.caption
 * @param {readonly (readonly [member: string, heading: string, kind?: 'amount'])[]} options.columns amounts stand at the right
 * @param {() => readonly Readonly<Record<string, string | Node>>[]} options.rows
 */
export function dataTable({ summary, caption, columns, rows }) {
  const details = h('details', { class: 'data' }, h('summary', {}, summary))
  const make = () => {
    const body = rows().map((row) =>
      h(
        'tr',
        {},
        columns.map(([member, , kind], i) =>
          h(i === 0 ? 'th' : 'td', { scope: i === 0 && 'row', class: kind }, row[member] ?? ''),
        ),
      ),
    )
    const head = h(
      'thead',
      {},
      h(
        'tr',
        {},
        columns.map(([, heading, kind]) => h('th', { scope: 'col', class: kind }, heading)),
      ),
    )
    return h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
      h('table', { class: 'dense' }, h('caption', {}, caption), head, h('tbody', {}, body)),
    )
  }
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(make())
  })
  return details
}
