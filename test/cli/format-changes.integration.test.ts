import { join } from 'node:path'
import { expect, it } from 'vitest'
import { publisherFiles } from '../../ingest/publisher-memory.ts'
import { runCommand } from '../support/command.ts'
import { temporaryDirectory } from '../support/journal.ts'

it('doctor and schedule name changed formats until they are accepted', async () => {
  const directory = await temporaryDirectory()
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(args, { ALMANAC_DATA_DIR: directory })
    return { code, text: stdout + stderr }
  }
  expect((await run('doctor')).text).toMatch(/^ok {2}formats +no dataset has changed$/m)

  const memory = publisherFiles(join(directory, 'publishers'))
  const checkedAt = Date.UTC(2026, 0, 5)
  const known = { readBy: 'x', validators: {}, checkedAt, structure: { always: ['a'], sometimes: [] } }
  const change = { at: Date.UTC(2026, 0, 2, 3, 4), appeared: ['column Area'], gone: ['column Reference\u001b area'] }
  await memory.save('bis', 'WS_LONG_CPI', { ...known, change })
  await memory.save('comtrade', 'C/M/HS', { ...known, change: { ...change, gone: [] } })
  await memory.save('ecb', 'EXR', known)

  const says =
    /bis\/WS_LONG_CPI.* changed since 2026-01-02 03:04 UTC: appeared: column Area; gone: column Reference\\u\{1b\} area$/m
  const doctor = (await run('doctor')).text
  expect(doctor).toMatch(says)
  expect(doctor).toMatch(/^ok {2}formats +bis/m)
  expect(doctor).toContain('comtrade/C/M/HS has changed')
  expect(doctor).toContain('schedule --accept-format NAME')
  expect(doctor).not.toContain('\u001b')
  expect(doctor).not.toContain('EXR')
  expect((await run('schedule')).text).toMatch(says)
  expect(JSON.parse((await run('schedule', '--json')).text)).toMatchObject({
    changed_formats: [
      { dataset: 'bis/WS_LONG_CPI', since: '2026-01-02T03:04:00.000Z', appeared: change.appeared, gone: change.gone },
      { dataset: 'comtrade/C/M/HS', gone: [] },
    ],
  })

  expect(await run('schedule', '--accept-format', 'comtrade/C/M/HS')).toMatchObject({ code: 0 })
  expect((await run('schedule')).text).not.toMatch(/C\/M\/HS: the format/)
  expect((await run('schedule')).text).toMatch(says)
  expect(await memory.load('comtrade', 'C/M/HS')).toEqual(known)
  for (const name of ['comtrade/C/M/HS', 'ecb/EXR', 'nothing']) {
    const { code, text } = await run('schedule', '--accept-format', name)
    expect(text).toContain(`no change of the format of "${name}" waits to be accepted`)
    expect(code).toBe(2)
  }
})
