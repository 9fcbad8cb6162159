/** What the bench prints, and the table of `docs/performance.md`. */
import { isRate, type Measure, median } from './measure.ts'
import { cpuOfEach, ratiosOf, verdictOf } from './verdict.ts'

/** All turns of one row. */
export type Row = readonly Measure[]

/** The rows of all turns, in the order of the first. */
export const rowsOf = (turns: readonly (readonly Measure[])[]): Row[] =>
  (turns[0] ?? []).map(({ name }) => turns.flatMap((rows) => rows.find((row) => row.name === name) ?? []))

type Numbers = readonly number[]
const clockRatios = (row: Row): Numbers => row.flatMap((turn) => ratiosOf(turn).clock ?? [])
const cpuRatios = (row: Row): Numbers => row.flatMap((turn) => ratiosOf(turn).cpu ?? [])
const cpuCosts = (row: Row): Numbers => row.flatMap((turn) => cpuOfEach(turn)?.ours ?? [])

const number = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2))
const percent = (ratio: number): string => `${Math.round(100 * ratio)} %`
function cpuText(us: number): string {
  const [value, unit] = us >= 1e6 ? [us / 1e6, 's'] : us >= 1e3 ? [us / 1e3, 'ms'] : [us, 'µs']
  return `${value.toPrecision(3)} ${unit}`
}
const middle = (values: Numbers, text: (value: number) => string): string =>
  values.length === 0 ? '–' : text(median(values))
/** The median, and the least and the greatest where there are several. */
function spread(values: Numbers, text: (value: number) => string): string {
  const range = values.length > 1 ? ` (${text(Math.min(...values))}–${text(Math.max(...values))})` : ''
  return `${middle(values, text)}${range.replace(/ (?:%|µs|ms|s)(?=–)/, '')}`
}
function goalText([turn]: Row): string {
  if (turn?.goal === undefined) return ''
  return `${isRate(turn) ? '≥' : '≤'} ${percent(turn.goal)}`
}

/** Lines of cells below each other; the first column stands left, the others right. */
function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)
  return lines.map((line) => `${line.map(pad).join('   ').trimEnd()}\n`).join('')
}

/** One side by itself. */
export function figuresText(bench: string, rows: readonly Row[]): string {
  const head = [bench, 'ours', 'ceiling', 'unit', 'clock ratio', 'CPU ratio', 'CPU each', 'goal']
  return aligned([head, ...rows.map(figureCells)])
}

const figureCells = (row: Row): string[] => [
  row[0]?.name ?? '',
  middle(
    row.map(({ ours }) => ours),
    number,
  ),
  middle(
    row.map(({ ceiling }) => ceiling),
    number,
  ),
  row[0]?.unit ?? '',
  spread(clockRatios(row), percent),
  spread(cpuRatios(row), percent),
  middle(cpuCosts(row), cpuText),
  goalText(row),
]

/** A line for each row that both sides have, and one that says so for each that one side lacks. */
export function comparisonText(bench: string, old: readonly Row[], now: readonly Row[]): string {
  const called = (name: string | undefined) => (row: Row) => row[0]?.name === name
  const pair = (row: Row, text: (row: Row) => string, other: Row) => [text(other), text(row)]
  const compared = now.map((row) => {
    const other = old.find(called(row[0]?.name))
    if (!other) return [`${row[0]?.name}`, ...Array.from({ length: 6 }, () => ''), 'skipped: not in the other revision']
    return [
      row[0]?.name ?? '',
      ...pair(row, (side) => spread(clockRatios(side), percent), other),
      ...pair(row, (side) => spread(cpuRatios(side), percent), other),
      ...pair(row, (side) => middle(cpuCosts(side), cpuText), other),
      verdictOf(other, row),
    ]
  })
  const head = [bench, 'clock ratio: old', 'new', 'CPU ratio: old', 'new', 'CPU each: old', 'new', 'verdict']
  return aligned([head, ...compared])
}

/** Where and when the turns of a bench were taken. */
export type Run = {
  readonly bench: string
  readonly commit: string
  readonly date: string
  readonly node: string
  readonly cores: number
  readonly load: readonly [before: number, after: number]
  readonly turns: number
}

const markers = ['<!-- written by `npm run bench -- --write` -->', '<!-- end of the written table -->'] as const
const tableHead = ['what', 'ours', 'ceiling', 'clock ratio', 'CPU ratio', 'CPU each', 'goal']
const tableLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** The page with the rows of a bench in its table: instead of those of that bench, or behind the others. */
export function withTable(page: string, run: Run, rows: readonly Row[]): string {
  const [begin, end] = markers
  const [before, written, after] = [page.indexOf(begin), page.indexOf(end), page.indexOf(end) + end.length]
  if (before < 0 || written < before) throw new Error(`The page has no lines "${begin}" and "${end}" for the table.`)
  const { bench, commit, date, node, cores, load, turns } = run
  const loads = load.map((value) => value.toFixed(1)).join(' before, ')
  const where = `**${bench}** ${commit}, ${date}, Node ${node}, ${cores} cores, load ${loads} after, ${turns} ${turns === 1 ? 'turn' : 'turns'}`
  const group = [[where, ...tableHead.slice(1).map(() => '')], ...rows.map(tableCells)].map(tableLine)
  const groups = groupsOf(page.slice(before + begin.length, written)).set(bench, group)
  const lines = [tableLine(tableHead), `|${'---|'.repeat(tableHead.length)}`, ...[...groups.values()].flat()]
  return `${page.slice(0, before)}${begin}\n\n${lines.join('\n')}\n\n${end}${page.slice(after)}`
}

function tableCells(row: Row): string[] {
  const [name = '', ours = '', ceiling = '', unit = '', ...rest] = figureCells(row)
  return [name, `${ours} ${unit}`, `${ceiling} ${unit}`, ...rest]
}

/** The lines of a written table, by bench: a bench begins with its name in bold. */
function groupsOf(table: string): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const group of table.split(/^(?=\| \*\*)/m).slice(1)) {
    const [, name = ''] = group.split('**')
    groups.set(name, group.trim().split('\n'))
  }
  return groups
}
