/** The table of growth, in Markdown. */

/** A figure beside its goal, which is the most that it may be, or the least. */
export type Row = {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly most?: number
  readonly least?: number
}

const isMissed = ({ value, most, least }: Row): boolean =>
  !(value <= (most ?? Number.POSITIVE_INFINITY) && value >= (least ?? Number.NEGATIVE_INFINITY))

const digits = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3))

function goalOf({ most, least, unit }: Row): string {
  if (most !== undefined) return `≤ ${most} ${unit}`
  return least === undefined ? '–' : `≥ ${least.toLocaleString('en')} ${unit}`
}

const line = (row: Row): string =>
  `| ${row.what} | ${`${digits(row.value)} ${row.unit}`.trim()}${isMissed(row) ? ' (missed)' : ''} | ${goalOf(row)} |`

export const growthTable = (rows: readonly Row[]): string =>
  ['| what | measured | goal |', '|---|---|---|', ...rows.map(line)].join('\n')
