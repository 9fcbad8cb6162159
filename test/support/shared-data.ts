import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, it } from 'vitest'

/** Recorded public data, kept beside the repository for development: `../shared/data`, named as in its MANIFEST.tsv. */
const folder = resolve(import.meta.dirname, '../../../shared/data')

export const sharedPath = (path: string): string => resolve(folder, path)
export const sharedData = (path: string): Uint8Array => readFileSync(sharedPath(path))

/** A `describe` that is skipped, and not even read, where the data is absent; except in CI, where it must be there. */
export const describeShared = (name: string, tests: () => void): void => {
  const skip = !existsSync(folder) && process.env.CI !== 'true'
  const absent = () => it('waits for ../shared/data', () => {})
  describe.skipIf(skip)(`${name} (recorded data in ../shared/data)`, skip ? absent : tests)
}
