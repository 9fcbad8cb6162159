import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../support/command.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory } from '../support/journal.ts'

it('a backup is refused in the data directory and in the archive, also through a link', async () => {
  const { directory: dataDir } = await openEmbeddedTestJournal()
  const [archive, links] = [await temporaryDirectory(), await temporaryDirectory()]
  await symlink(dataDir, join(links, 'data'))
  await symlink(archive, join(links, 'archive'))
  const env = { ALMANAC_DATA_DIR: dataDir, ALMANAC_ARCHIVE: archive }
  const before = await readdir(dataDir)
  const refused = [
    ['ALMANAC_DATA_DIR', [dataDir, join(dataDir, 'backup'), join(links, 'data'), join(links, 'data', 'new', 'backup')]],
    ['ALMANAC_ARCHIVE', [archive, join(links, 'archive'), join(links, 'archive', 'new')]],
  ] as const
  for (const [setting, places] of refused) {
    for (const place of places) {
      const { code, stdout, stderr } = await runCommand(['backup', place], env)
      expect([code, stdout], place).toEqual([2, ''])
      expect(stderr).toContain(`${place} is in ${setting}`)
    }
  }
  expect(await readdir(dataDir)).toEqual(before)
  expect(await readdir(archive)).toEqual([])

  // In a bucket, slashes at the end name the same place.
  const ofBucket = { ...env, ALMANAC_ARCHIVE: 's3://bucket/almanac' }
  for (const place of ['s3://bucket/almanac', 's3://bucket/almanac/'])
    expect((await runCommand(['backup', place], ofBucket)).stderr, place).toContain(`${place} is in ALMANAC_ARCHIVE`)
  expect(await runCommand(['backup', 's3://bucket/almanac/backup'], ofBucket)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('a backup in S3 needs AWS_ACCESS_KEY_ID'),
  })

  // A link in the data directory that leads out of it is no fault, nor is a name that only begins alike.
  const elsewhere = await temporaryDirectory()
  await symlink(elsewhere, join(dataDir, 'out'))
  onTestFinished(() => rm(`${dataDir}-backup`, { recursive: true }))
  await mkdir(`${dataDir}-backup`)
  for (const place of [join(dataDir, 'out'), `${dataDir}-backup`]) {
    expect(await runCommand(['backup', place], env)).toMatchObject({ code: 0, stderr: '' })
  }
  expect(existsSync(join(elsewhere, 'cut.json'))).toBe(true)
  // Operators see on the admin port which backup was the last one.
  const noted = JSON.parse(await readFile(join(dataDir, 'last-backup.json'), 'utf8'))
  expect(noted).toMatchObject({ finished: { place: `${dataDir}-backup` }, begunAt: null })
})
