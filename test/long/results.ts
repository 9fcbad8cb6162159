import { cellsOf, commitCell, type ResultOf } from '../support/recorded-results.ts'
import type { LongRun } from './runs.ts'

/** How one run ended. */
export type LongResult = ResultOf & {
  readonly name: string
  readonly seed: number
  /** UTC, ISO 8601. */
  readonly startedAt: string
  readonly seconds: number
  readonly hasPassed: boolean
}

/** Runs that have not passed on this commit. */
export const remainingRuns = (runs: readonly LongRun[], results: readonly LongResult[], commit: string): LongRun[] =>
  runs.filter(({ name }) => !results.some((result) => result.name === name && isProof(result, commit)))

const isProof = (result: LongResult, commit: string): boolean =>
  result.commit === commit && !result.isChanged && result.hasPassed

/**
 * The newest result of each run as a table in Markdown. A run without a result here keeps its row of `before`, the table as it
 * stands, because another machine may have made it.
 */
export function resultsTable(runs: readonly LongRun[], results: readonly LongResult[], before = ''): string {
  const kept = new Map(before.split('\n').map((row) => [cellsOf(row)[0], cellsOf(row).slice(2)]))
  const rows = runs.map(({ name, proves }) => {
    const newest = results.findLast((result) => result.name === name)
    const cells = newest
      ? [
          newest.hasPassed ? 'passed' : '**failed**',
          commitCell(newest),
          newest.startedAt.slice(0, 10),
          newest.seed,
          minutes(newest.seconds),
        ]
      : (kept.get(`\`${name}\``) ?? ['not run yet', '', '', '', ''])
    return `| \`${name}\` | ${proves} | ${cells.join(' | ')} |`
  })
  return [
    '| run | what it repeats | result | commit | day | seed | minutes |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

const minutes = (seconds: number): string => (seconds / 60).toFixed(1)
