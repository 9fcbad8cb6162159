import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type LongResult, remainingRuns, resultsTable } from './long/results.ts'
import { type LongRun, longRuns } from './long/runs.ts'
import { temporaryDirectory } from './support/journal.ts'
import { replaceBetweenMarkers } from './support/markers.ts'
import { appendResults, readResults } from './support/recorded-results.ts'

const runs: LongRun[] = ['a', 'b', 'c'].map((name) => ({ name, proves: `what ${name} proves`, npm: ['test'] }))
const result = (name: string, commit: string, hasPassed: boolean): LongResult => ({
  name,
  commit,
  isChanged: false,
  hasPassed,
  seed: 7,
  startedAt: '2026-11-26T10:00:00.000Z',
  seconds: 90,
})

it('continues with the runs that have not passed on this commit', () => {
  const results = [result('a', 'new', true), result('b', 'old', true), result('c', 'new', false)]
  expect(remainingRuns(runs, results, 'new').map(({ name }) => name)).toEqual(['b', 'c'])
  expect(remainingRuns(runs, [...results, result('c', 'new', true)], 'new').map(({ name }) => name)).toEqual(['b'])
  const changed = { ...result('c', 'new', true), isChanged: true }
  expect(remainingRuns(runs, [...results, changed], 'new').map(({ name }) => name)).toEqual(['b', 'c'])
  expect(resultsTable(runs, [changed])).toContain('| passed | new, changed |')
})

it('keeps its results in a file, and reads over a line that was cut', async () => {
  const file = join(await temporaryDirectory(), 'var', 'results.ndjson')
  expect(readResults(file)).toEqual([])
  appendResults(file, result('a', 'new', true))
  appendResults(file, result('b', 'new', false))
  writeFileSync(file, '{"name":"c', { flag: 'a' })
  expect(readResults(file)).toEqual([result('a', 'new', true), result('b', 'new', false)])
})

it('shows the newest result of each run', () => {
  const table = resultsTable(runs, [result('a', '0123456789ab', false), result('a', 'fedcba9876543', true)])
  expect(table).toContain('| `a` | what a proves | passed | fedcba987 | 2026-11-26 | 7 | 1.5 |')
  expect(table).toContain('| `b` | what b proves | not run yet |')
  const later = resultsTable(runs, [result('b', 'new', true)], table)
  expect(later.split('\n')).toEqual([
    ...table.split('\n').slice(0, 3),
    '| `b` | what b proves | passed | new | 2026-11-26 | 7 | 1.5 |',
    '| `c` | what c proves | not run yet |  |  |  |  |',
  ])
  expect(replaceBetweenMarkers('x <!-- t -->old<!-- /t --> y', 't', table)).toBe(
    `x <!-- t -->\n${table}\n<!-- /t --> y`,
  )
  expect(() => replaceBetweenMarkers('x', 't', table)).toThrow('<!-- t -->')
})

it('runs files that exist', () => {
  const named = longRuns.flatMap(({ npm }) => npm.filter((word) => word.endsWith('.test.ts')))
  expect(named.filter((file) => globSync(file, { cwd: join(import.meta.dirname, '..') }).length === 0)).toEqual([])
})
