import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { temporaryDirectorySync } from '../support/journal.ts'
import { writeDocuments } from './documents.ts'
import { growthCurves, growthTable, type Size } from './table.ts'

const small: Size = {
  releases: 30_000,
  rows: [
    { what: 'start', value: 1.5, unit: 's', most: 2 },
    { what: 'replay', value: 412_345, unit: 'records/s', least: 400_000 },
    { what: 'lost', value: Number.NaN, unit: 'ms', most: 3 },
    { what: 'releases', value: 1.42, unit: '' },
  ],
}
const large: Size = { releases: 1_000_000, rows: [{ what: 'start', value: 2.04, unit: 's', most: 2 }] }

it('says beside the figures of each size what they may be, and which goal is missed', () =>
  expect(growthTable([small, large])).toBe(`| releases | 30,000 | 1,000,000 | goal |
| --- | --- | --- | --- |
| start | 1.50 s | 2.04 s (missed) | ≤ 2 s |
| replay | 412,345 records/s | – | ≥ 400,000 records/s |
| lost | NaN ms (missed) | – | ≤ 3 ms |
| releases | 1.42 | – | – |`))

it('draws what has a goal over the sizes', () => {
  expect(growthCurves([small])).toBe('')
  expect(growthCurves([{ ...small, rows: small.rows.slice(0, 1) }, large])).toBe(`\`\`\`mermaid
xychart-beta
  title "start"
  x-axis "releases" ["30,000", "1,000,000"]
  y-axis "s" 0 --> 2.45
  line [1.5, 2.04]
  line [2, 2]
\`\`\`
`)
})

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
