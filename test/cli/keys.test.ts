import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { kindOfKey } from '../../access/key.ts'
import { KeyTable } from '../../access/key-table.ts'
import { hoursInMs } from '../../cli/commands/keys.ts'
import { ensureDemoKeys } from '../../cli/demo.ts'
import { openTestJournal, temporaryDirectory } from '../support/journal.ts'
import { almanac } from '../support/service.ts'

it('hours are decimal digits, up to ten years', () => {
  expect(['0', '24', '0.5', '87600'].map(hoursInMs)).toEqual([0, 86_400_000, 1_800_000, 315_360_000_000])
  for (const text of [
    '',
    ' ',
    '-0',
    '-1',
    '+1',
    'Infinity',
    'NaN',
    '1e3',
    '0x10',
    '87600.1',
    '1e308',
    '9007199254740992',
  ]) {
    expect(() => hoursInMs(text), text).toThrow('--overlap takes hours')
  }
})

it('a demo key is rotated from the command line to another test key with its origins', async () => {
  const dir = await temporaryDirectory()
  const { journal } = await openTestJournal(undefined, dir)
  const keys = new KeyTable()
  await ensureDemoKeys(join(dir, 'demo-keys.json'), keys, journal, Date.now())
  const demo = JSON.parse(await readFile(join(dir, 'demo-keys.json'), 'utf8')) as Record<string, string>
  const env = { ALMANAC_DATA_DIR: dir }
  const listed = await almanac(['keys', 'list', '--json'], env)
  const [{ key_id: keyId, origins }] = JSON.parse(listed.stdout)
  expect(kindOfKey(demo.free ?? '')).toBe('test')
  const refused = await almanac(['keys', 'rotate', keyId, '--overlap', 'Infinity'], env)
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/^almanac: --overlap takes hours .*\n$/)])
  const { code, stdout, stderr } = await almanac(['keys', 'rotate', keyId, '--json'], env)
  expect(code, stderr).toBe(0)
  const rotated = JSON.parse(stdout)
  expect(kindOfKey(rotated.key)).toBe('test')
  expect(rotated).toMatchObject({ account: keyId, replaces: keyId, origins })
}, 60_000)
