import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { textOf } from '../../ingest/sources/shared/document.ts'

/** The recorded files of publishers, named as in the `MANIFEST.tsv` beside them. */
export type Recorded = {
  bytes(path: string): Uint8Array
  text(path: string): string
}

export const recordedIn = (folder: string): Recorded => {
  const bytes = (path: string) => readFileSync(join(folder, path))
  return { bytes, text: (path) => textOf({ bytes: bytes(path) }) }
}

/** The header of a recorded table and the rows that are wanted of it, as they came. */
export function tableOf(text: string, isWanted: (row: string) => boolean): Uint8Array {
  const [header = '', ...rows] = text.split(/(?<=\n)/)
  return Buffer.from([header, ...rows.filter(isWanted)].join(''))
}
