import { type Html, html, type Part } from './html.ts'

type PageColumn = {
  readonly name: string
  /** Class of the cells: numbers, times and ids are aligned and kept on one line; prose has most of the width. */
  readonly className?: 'figure' | 'wide'
}
type Row = { readonly id?: string; readonly cells: readonly Part[] }

/**
 * Renders a table. On a narrow screen each row becomes a block with the column's name before each cell, so that nothing is cut off and
 * no word is broken. Tables that are narrow themselves set `stacks` to false.
 */
export const renderTable = (columns: readonly PageColumn[], rows: readonly Row[], { stacks = true } = {}): Html =>
  html`<table class="ledger${stacks && ' stacked'}"><thead><tr>${columns.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>
${rows.map(
  ({
    id,
    cells,
  }) => html`<tr${id !== undefined && html` id="${id}"`}>${cells.map((cell, i) => td(columns[i], cell))}</tr>
`,
)}</tbody></table>`

const td = ({ name, className }: PageColumn = { name: '' }, cell: Part): Html =>
  html`<td data-column="${name}"${className !== undefined && html` class="${className}"`}>${cell}</td>`

export const column = (name: string): PageColumn => ({ name })
export const figures = (name: string): PageColumn => ({ name, className: 'figure' })
export const wide = (name: string): PageColumn => ({ name, className: 'wide' })
