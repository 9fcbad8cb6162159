/** Results of runs that take hours: a file with one JSON object a line, and tables of them in Markdown. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** The tree of a run. */
export type ResultOf = {
  /** Git commit. */
  readonly commit: string
  /** Whether files differed from the commit. */
  readonly isChanged: boolean
}

/** Reads the results in the order of their writing; a last line that was cut by a kill is left out. */
export function readResults<T extends ResultOf>(file: string): T[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}

export function appendResults<T extends ResultOf>(file: string, ...results: readonly T[]): void {
  mkdirSync(dirname(file), { recursive: true })
  appendFileSync(file, results.map((result) => `${JSON.stringify(result)}\n`).join(''))
}

export const commitCell = ({ commit, isChanged }: ResultOf): string =>
  `${commit.slice(0, 9)}${isChanged ? ', changed' : ''}`

/** The cells of a row in Markdown. */
export const cellsOf = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
