import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startArchiver, writeSome } from '../archive/support/archived-journal.ts'
import { runCommand } from '../support/command.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory } from '../support/journal.ts'

const archive = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const { code, stdout, stderr } = await runCommand(['archive', ...args], env)
  return [code, stdout, stderr]
}

it('verifies and lists an archive, and names the file that is damaged', async () => {
  const { journal, directory } = await openEmbeddedTestJournal()
  await writeSome(journal, 0, 3)
  const running = startArchiver(journal, directory)
  await running.caughtUp()
  await running.stop()
  const place = join(directory, 'archive')
  const whole = expect.stringMatching(
    new RegExp(`^${place}: 10 records in 4 entries, [\\d,]+ bytes, no damage found\n$`),
  )
  expect(await archive(['verify', place])).toEqual([0, whole, ''])
  expect(await archive(['verify'], { ALMANAC_ARCHIVE: place })).toEqual([0, whole, ''])
  const [code, listed] = await archive(['status', place])
  expect(code).toBe(0)
  expect(listed).toContain(`archive of journal ${journal.id} in ${place}\n`)
  expect(listed).toMatch(
    /\nreleases\/0 offsets 0 to 3, 2026-01-01T00:00:00.000Z to 2026-01-01T00:00:00.002Z: 3 records in 1 segment, [\d,]+ bytes\n/,
  )
  const [data = ''] = await readdir(join(place, 'data/events'))
  const file = join(place, 'data/events', data)
  const bytes = await readFile(file)
  bytes[100] = (bytes[100] ?? 0) ^ 1
  await writeFile(file, bytes)
  const [damaged, said, fault] = await archive(['verify', place])
  expect([damaged, said]).toEqual([4, expect.stringContaining(', 1 fault\n')])
  expect(fault).toMatch(new RegExp(`^almanac: damaged: data/events/${data}: \\d+ bytes have the SHA-256 `))
  await rm(join(place, 'archive.json'))
  expect((await archive(['verify', place]))[0]).toBe(2)
})
it('says what is missing', async () => {
  const empty = await temporaryDirectory()
  expect(await archive(['verify', empty])).toEqual([2, '', `almanac: no_archive: ${empty} has no archive.json\n`])
  expect(await readdir(empty)).toEqual([])
  expect((await archive(['verify']))[2]).toContain('ALMANAC_ARCHIVE is empty: set it')
  expect((await archive(['mend', empty]))[2]).toContain('unknown action "mend": use verify or status')
  expect((await archive(['verify'], { ALMANAC_ARCHIVE: 'http://x/y' }))[2]).toContain('must be a directory, or s3://')
  expect((await archive(['verify'], { ALMANAC_ROLES: 'archive' }))[2]).toContain('archive needs ALMANAC_ARCHIVE')
})
it('a file in the place of a directory is a wrong argument', async () => {
  const { directory } = await openEmbeddedTestJournal()
  const file = join(await temporaryDirectory(), 'file')
  await writeFile(file, '')
  const wrong = [
    ['archive', 'verify', file],
    ['backup', file],
    ['backup', '--verify', file],
    ['restore', file],
    ['export', 'verify', file],
  ]
  for (const args of wrong) {
    const { code, stderr } = await runCommand(args, { ALMANAC_DATA_DIR: directory })
    expect([code, stderr], args.join(' ')).toEqual([2, expect.stringMatching(/ENOTDIR.*: name a directory\n$/)])
  }
})
