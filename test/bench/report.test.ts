import { expect, it } from 'vitest'
import type { Measure } from './measure.ts'
import { comparisonText, figuresText, type Row, type Run, rowsOf, withTable } from './report.ts'

const append: Measure = {
  name: 'append',
  ours: 633_000,
  ceiling: 600_000,
  unit: 'records/s',
  goal: 0.8,
  cpu: { ours: 2, ceiling: 1 },
}
const memory: Measure = { name: 'memory', ours: 300, ceiling: 256, unit: 'MiB', goal: 1 }
const rows = rowsOf([
  [append, memory],
  [{ ...append, ours: 600_000, cpu: { ours: 2.5, ceiling: 1 } }, memory],
  [{ ...append, ours: 690_000, cpu: { ours: 1_500, ceiling: 1_200 } }, memory],
])
const run: Run = {
  bench: 'journal',
  commit: '1234abcd',
  date: '2026-11-26',
  node: '22.23.3',
  cores: 2,
  load: [3.14, 6.5],
  turns: 3,
}
const page = `# How fast

<!-- written by \`npm run bench -- --write\` -->
<!-- end of the written table -->

## Text
`
/** The cells of each line, without the spaces that align them. */
const cellsOf = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ {3,}/))

it('gathers the turns of each row', () => {
  expect(rows.map((row) => row.map(({ ours }) => ours))).toEqual([
    [633_000, 600_000, 690_000],
    [300, 300, 300],
  ])
})

it('prints medians with the least and the greatest', () =>
  expect(cellsOf(figuresText('journal', rows))).toEqual([
    ['journal', 'ours', 'ceiling', 'unit', 'clock ratio', 'CPU ratio', 'CPU each', 'goal'],
    ['append', '633,000', '600,000', 'records/s', '106 % (100–115 %)', '50 % (40–80 %)', '2.50 µs', '≥ 80 %'],
    ['memory', '300', '256', 'MiB', '117 % (117–117 %)', '–', '–', '≤ 100 %'],
  ]))

it('prints one turn without a spread', () =>
  expect(cellsOf(figuresText('journal', rowsOf([[memory]])))[1]).toContain('117 %'))

it('compares the rows that both sides have', () => {
  const five = (measure: Measure): Row =>
    [1, 1.001, 1.002, 1.003, 1.004].map((f) => ({ ...measure, ours: measure.ours * f }))
  const text = comparisonText('journal', [five(append)], [five({ ...append, ours: 450_000 }), five(memory)])
  expect(cellsOf(text).slice(1)).toEqual([
    [
      'append',
      '106 % (106–106 %)',
      '75 % (75–75 %)',
      '50 % (50–50 %)',
      '50 % (50–50 %)',
      '2.00 µs',
      '2.00 µs',
      'slower by the clock',
    ],
    ['memory', 'skipped: not in the other revision'],
  ])
})

it('writes the table of a page, and leaves the rest as it is', () => {
  const written = withTable(page, run, rows)
  expect(written).toBe(`# How fast

<!-- written by \`npm run bench -- --write\` -->

| what | ours | ceiling | clock ratio | CPU ratio | CPU each | goal |
|---|---|---|---|---|---|---|
| **journal** 1234abcd, 2026-11-26, Node 22.23.3, 2 cores, load 3.1 before, 6.5 after, 3 turns |  |  |  |  |  |  |
| append | 633,000 records/s | 600,000 records/s | 106 % (100–115 %) | 50 % (40–80 %) | 2.50 µs | ≥ 80 % |
| memory | 300 MiB | 256 MiB | 117 % (117–117 %) | – | – | ≤ 100 % |

<!-- end of the written table -->

## Text
`)
})

it('replaces the rows of a bench in their place, and keeps those of the others', () => {
  const both = withTable(withTable(page, run, rows), { ...run, bench: 'streams/prices' }, [[memory]])
  const again = withTable(both, { ...run, commit: '5678efab' }, [[append]])
  expect(again.match(/^\| \*\*.*?,/gm)).toEqual(['| **journal** 5678efab,', '| **streams/prices** 1234abcd,'])
  expect(again.match(/^\| \w+ \|/gm)).toEqual(['| what |', '| append |', '| memory |'])
})

it('refuses a page without the marks', () => {
  expect(() => withTable('# How fast\n', run, rows)).toThrow(/has no lines/)
})
