import { commitCell, type ResultOf } from '../support/recorded-results.ts'

/** Part of Stryker's report (https://github.com/stryker-mutator/mutation-testing-elements) that is read here. */
export type MutationReport = { readonly files: Readonly<Record<string, MutatedFile>> }
type MutatedFile = {
  readonly source: string
  readonly mutants: readonly {
    readonly status: string
    readonly replacement: string
    /** Lines and columns from 1. */
    readonly location: { readonly start: Position; readonly end: Position }
  }[]
}
type Position = { readonly line: number; readonly column: number }

/** Counts of the mutants of one file. A mutant that made the tests hang counts as killed. */
export type MutantCounts = {
  readonly file: string
  readonly killed: number
  readonly survived: number
  /** Not reached by any test. */
  readonly noCoverage: number
}
export type MutantResult = MutantCounts & ResultOf

export function countsOf({ files }: MutationReport): MutantCounts[] {
  return Object.entries(files).map(([file, { mutants }]) => {
    const count = (...statuses: readonly string[]) => mutants.filter(({ status }) => statuses.includes(status)).length
    return {
      file,
      killed: count('Killed', 'Timeout'),
      survived: count('Survived'),
      noCoverage: count('NoCoverage'),
    }
  })
}

/** Killed mutants among all of them, in per cent. */
export const scoreOf = ({ killed, survived, noCoverage }: Omit<MutantCounts, 'file'>): number =>
  (100 * killed) / (killed + survived + noCoverage)

/**
 * The newest result of each file as a table in Markdown, with a last row for all. A file without a result here keeps its row of
 * `before`, the table as it stands. A file that is in no part any more loses it.
 */
export function mutantTable(files: readonly string[], results: readonly MutantResult[], before: string): string {
  const kept = new Map(before.split('\n').flatMap((row) => entry(rowOf(row))))
  for (const result of results) kept.set(result.file, { ...result, commit: commitCell(result) })
  const shown = files.toSorted().flatMap((file) => kept.get(file) ?? [])
  const rows = shown
    .filter(({ killed, survived, noCoverage }) => killed + survived + noCoverage > 0)
    .map(({ commit, ...counts }) => `| \`${counts.file}\` ${countCells(counts)} ${commit} |`)
  const sum = (of: (counts: MutantCounts) => number) => shown.reduce((total, counts) => total + of(counts), 0)
  const all = {
    killed: sum(({ killed }) => killed),
    survived: sum(({ survived }) => survived),
    noCoverage: sum(({ noCoverage }) => noCoverage),
  }
  return [
    '| file | mutants | killed | survived | no coverage | score | commit |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    `| all ${countCells(all)}  |`,
  ].join('\n')
}

type Row = MutantCounts & { readonly commit: string }

const entry = (row: Row | undefined): [string, Row][] => (row ? [[row.file, row]] : [])

const countCells = (counts: Omit<MutantCounts, 'file'>): string => {
  const { killed, survived, noCoverage } = counts
  return `| ${killed + survived + noCoverage} | ${killed} | ${survived} | ${noCoverage} | ${scoreOf(counts).toFixed(1)} % |`
}

function rowOf(row: string): Row | undefined {
  const found = /^\| `([^`]+)` \| \d+ \| (\d+) \| (\d+) \| (\d+) \| [\d.]+ % \| (.+) \|$/.exec(row)
  if (!found) return undefined
  const [, file = '', killed, survived, noCoverage, commit = ''] = found
  return { file, killed: Number(killed), survived: Number(survived), noCoverage: Number(noCoverage), commit }
}
