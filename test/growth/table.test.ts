import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { temporaryDirectorySync } from '../support/journal.ts'
import { writeDocuments } from './documents.ts'
import { growthTable } from './table.ts'

it('says beside each figure what it may be, and which goal is missed', () =>
  expect(
    growthTable([
      { what: 'start', value: 2.04, unit: 's', most: 2 },
      { what: 'replay', value: 412_345, unit: 'records/s', least: 400_000 },
      { what: 'lost', value: Number.NaN, unit: 'ms', most: 3 },
      { what: 'releases', value: 1.42, unit: '' },
    ]),
  ).toBe(`| what | measured | goal |
|---|---|---|
| start | 2.04 s (missed) | ≤ 2 s |
| replay | 412,345 records/s | ≥ 400,000 records/s |
| lost | NaN ms (missed) | ≤ 3 ms |
| releases | 1.42 | – |`))

it('makes the same documents each time, of as many figures as give the releases', () => {
  const made = [1, 2].map(() => {
    const directory = temporaryDirectorySync()
    const { files, figures } = writeDocuments(directory, 20_000)
    return { figures, texts: files.map((file) => readFileSync(file, 'utf8')) }
  })
  expect(made[0]).toEqual(made[1])
  expect(made[0]?.figures).toBe(15_500)
  expect(made[0]?.texts[0]).toContain('# rows: 310\n')
})
