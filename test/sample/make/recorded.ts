import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { textOf } from '../../../ingest/read/text.ts'

/** The recorded files of publishers, named as in the `MANIFEST.tsv` beside them. */
export type Recorded = {
  has(path: string): boolean
  bytes(path: string): Uint8Array
  text(path: string): string
}

/** What the first of the folders that has a path holds there. Reading throws where none has it. */
export const recordedIn = (folders: readonly string[]): Recorded => {
  const find = (path: string) => folders.map((folder) => join(folder, path)).find((file) => existsSync(file))
  const bytes = (path: string) => {
    const file = find(path)
    if (file === undefined) throw new Error(`${path} is not in ${folders.join(' or ')}`)
    return readFileSync(file)
  }
  return { has: (path) => find(path) !== undefined, bytes, text: (path) => textOf({ bytes: bytes(path) }) }
}

/** The header of a recorded table and the rows that are wanted of it, as they came. */
export function tableOf(text: string, isWanted: (row: string) => boolean): Uint8Array {
  const [header = '', ...rows] = text.split(/(?<=\n)/)
  return Buffer.from([header, ...rows.filter(isWanted)].join(''))
}
