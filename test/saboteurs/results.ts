import { hash } from 'node:crypto'
import { cellsOf, type ResultOf } from '../support/recorded-results.ts'
import { catcherOf, type Saboteur } from './saboteur.ts'

/** `broken`: no test failed, but the run did, as when the file does not load. It says nothing of the tests. */
export type Verdict = 'caught' | 'survived' | 'broken' | 'timed out'

/** How the test file of one saboteur ended. */
export type SaboteurResult = ResultOf & {
  readonly name: string
  /** `digestOf` the saboteur and its files. */
  readonly digest: string
  /** UTC, ISO 8601. */
  readonly startedAt: string
  readonly seconds: number
  readonly verdict: Verdict
  /** Name of the first test that failed. */
  readonly failed: string
}

/** Digest of a saboteur, the file that it changes, and its test file: while it stays the same, a result is valid. */
export const digestOf = (saboteur: Saboteur, read: (file: string) => string): string =>
  hash('sha256', JSON.stringify([saboteur, read(saboteur.file), read(catcherOf(saboteur) ?? saboteur.file)]))

/** The saboteurs with a test file that have no valid result yet. */
export const remaining = (
  saboteurs: readonly Saboteur[],
  results: readonly SaboteurResult[],
  read: (file: string) => string,
): Saboteur[] => {
  const valid = new Set(results.map(({ digest }) => digest))
  return saboteurs.filter((saboteur) => catcherOf(saboteur) !== undefined && !valid.has(digestOf(saboteur, read)))
}

/** Row of a saboteur in the table begins with this. */
export const nameCell = ({ name }: Pick<Saboteur, 'name'>): string => `| \`${name}\` |`

/**
 * The saboteurs by promise, with the newest result of each, as a table in Markdown. A saboteur without a result here keeps the
 * result that it has in `before`, the table as it stands.
 */
export function saboteurTable(saboteurs: readonly Saboteur[], results: readonly SaboteurResult[], before = ''): string {
  const kept = new Map(before.split('\n').map((row) => [row.slice(0, row.indexOf('|', 1) + 1), cellsOf(row).slice(5)]))
  const rows = saboteurs
    .toSorted((a, b) => a.promise - b.promise)
    .map((saboteur) => {
      const { name, promise, fault, file } = saboteur
      const newest = results.findLast((result) => result.name === name)
      const catcher = catcherOf(saboteur)
      const cells =
        catcher === undefined
          ? ['survives', '']
          : newest
            ? [
                newest.verdict === 'caught' ? 'caught' : `**${newest.verdict}**`,
                `${newest.seconds.toFixed(1)}${newest.isChanged ? ', changed' : ''}`,
              ]
            : (kept.get(nameCell(saboteur)) ?? ['not run yet', ''])
      const catches = 'survives' in saboteur ? saboteur.survives : `\`${catcher}\``
      return `${nameCell(saboteur)} ${promise} | ${fault} | \`${file}\` | ${catches} | ${cells.join(' | ')} |`
    })
  return [
    '| saboteur | promise | fault | in | caught by | result | seconds |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
