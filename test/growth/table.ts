/** The table of growth, and curves of what must not grow, in Markdown. */

/** A figure beside its goal, which is the most that it may be, or the least. */
export type Row = {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly most?: number
  readonly least?: number
}

/** What was measured in a journal of so many releases. */
export type Size = { readonly releases: number; readonly rows: readonly Row[] }

const isMissed = ({ value, most, least }: Row): boolean =>
  !(value <= (most ?? Number.POSITIVE_INFINITY) && value >= (least ?? Number.NEGATIVE_INFINITY))

const digits = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3))

function goalOf({ most, least, unit }: Row): string {
  if (most !== undefined) return `≤ ${most} ${unit}`
  return least === undefined ? '–' : `≥ ${least.toLocaleString('en')} ${unit}`
}

const cell = (row: Row | undefined): string =>
  row ? `${`${digits(row.value)} ${row.unit}`.trim()}${isMissed(row) ? ' (missed)' : ''}` : '–'

const find = ({ rows }: Size, what: string): Row | undefined => rows.find((row) => row.what === what)

/** Three digits. Mermaid reads no exponents. */
const short = (value: number): string => String(Number(value.toPrecision(3)))

/** A column for each size, in the order in which they were measured. */
export function growthTable(sizes: readonly Size[]): string {
  const all = new Map(sizes.flatMap(({ rows }) => rows.map((row) => [row.what, row])))
  const lines = Array.from(all.values(), (row) => [
    row.what,
    ...sizes.map((size) => cell(find(size, row.what))),
    goalOf(row),
  ])
  const head = ['releases', ...sizes.map(({ releases }) => releases.toLocaleString('en')), 'goal']
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** A curve over the sizes for each row that has a goal (Mermaid's xychart). A single size has none. */
export function growthCurves(sizes: readonly Size[]): string {
  const [first] = sizes
  if (!first || sizes.length < 2) return ''
  const axis = sizes.map(({ releases }) => `"${releases.toLocaleString('en')}"`).join(', ')
  return first.rows
    .filter(({ most, least }) => most !== undefined || least !== undefined)
    .map(({ what, unit, most, least }) => {
      const values = sizes.map((size) => find(size, what)?.value ?? 0)
      const top = 1.2 * Math.max(...values, most ?? least ?? 0)
      const line = (points: readonly number[]) => `line [${points.map(short).join(', ')}]`
      return `\`\`\`mermaid
xychart-beta
  title "${what.replaceAll('`', '')}"
  x-axis "releases" [${axis}]
  y-axis "${unit}" 0 --> ${short(top)}
  ${line(values)}
  ${line(sizes.map(() => most ?? least ?? 0))}
\`\`\`
`
    })
    .join('\n')
}
