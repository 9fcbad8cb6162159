import { Type, Value } from '#typebox'
import { readIfThere, replaceFile } from '../../base/whole-file.ts'
import type { Run } from './schedule.ts'

/** Keeps the last run of each job across restarts. */
export type RunStore = {
  load(): Promise<ReadonlyMap<string, Run>>
  save(runs: ReadonlyMap<string, Run>): Promise<void>
}

const Time = Type.Integer({ minimum: 0 })
const StoredRun = Type.Object({
  outcome: Type.Union(['running', 'succeeded', 'failed', 'retrying'].map((outcome) => Type.Literal(outcome))),
  startedAt: Time,
  endedAt: Type.Union([Time, Type.Null()]),
  attempt: Type.Integer({ minimum: 1 }),
  detail: Type.String(),
  retryAt: Type.Union([Time, Type.Null()]),
  notBefore: Type.Optional(Time),
})

/** Reads a run from JSON; undefined if the text isn't one. The cast is safe because `StoredRun` describes a Run. */
export function readRun(text: string): Run | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Value.Check(StoredRun, value) ? (value as Run) : undefined
  } catch {
    return undefined
  }
}

/**
 * Keeps runs in a file, one per line: name, tab, JSON. The file is replaced as a whole, in one step. A job whose line
 * can't be read counts as never run, so it runs once too often.
 */
export function runFile(path: string): RunStore {
  return {
    async load() {
      const text = String((await readIfThere(path)) ?? '')
      const lines = text.split('\n').map((line) => line.split('\t'))
      return new Map(
        lines.flatMap(([name = '', json = '']): [string, Run][] => {
          const run = readRun(json)
          return run ? [[name, run]] : []
        }),
      )
    },
    save: (runs) => replaceFile(path, [...runs].map(([name, run]) => `${name}\t${JSON.stringify(run)}\n`).join('')),
  }
}
