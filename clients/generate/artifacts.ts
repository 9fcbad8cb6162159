import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeService } from './model.ts'
import { pythonFiles } from './python.ts'
import { type TransitionTable, typescriptFiles } from './typescript.ts'

export const clientsFolder = join(import.meta.dirname, '..')

const readTransitions = (): TransitionTable =>
  JSON.parse(readFileSync(join(clientsFolder, 'stream-transitions.json'), 'utf8'))

/** Every generated file of both clients: its path under `clients/`, and its text. */
export function artifacts(): ReadonlyMap<string, string> {
  const description = describeService()
  const table = readTransitions()
  const under = (folder: string, files: Readonly<Record<string, string>>): [string, string][] =>
    Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text])
  return new Map([
    ...under('typescript/src/generated', typescriptFiles(description, table)),
    ...under('python/src/almanac_client/generated', pythonFiles(description, table)),
  ])
}
