import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../support/journal.ts'
import { fixturePath } from './sources/fixture.ts'
import { expectReleasePerChange } from './support/replayed-snapshots.ts'

it('replaying two years of FRED snapshots of US GDP gives a release per real change and none for a mere reprint', async () => {
  const snapshots = JSON.parse(readFileSync(fixturePath('fred/GDP-snapshots.json'), 'utf8')) as object[]
  const folder = await temporaryDirectory()
  const files = await Promise.all(
    snapshots.map(async (snapshot, i) => {
      const path = join(folder, `${String(i).padStart(2, '0')}.json`)
      await writeFile(path, JSON.stringify(snapshot))
      return path
    }),
  )
  expect(await expectReleasePerChange(files)).toMatchObject({ new: 9, revised: 24, unchanged: 120 })
})
