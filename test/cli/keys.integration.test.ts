import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { kindOfKey } from '../../access/key.ts'
import { KeyTable } from '../../access/key-table.ts'
import { createKey, revokeKey } from '../../access/keys.ts'
import { hoursInMs } from '../../cli/commands/keys.ts'
import { ensureDemoKeys } from '../../cli/demo.ts'
import { runCommand } from '../support/command.ts'
import { openTestJournal, temporaryDirectory } from '../support/journal.ts'

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

it('a key whose time is over is listed as expired', async () => {
  const dir = await temporaryDirectory()
  const { journal } = await openTestJournal(undefined, dir)
  const [made, end] = [Date.parse('2026-01-01'), Date.parse('2026-02-01')]
  const wanted = { kind: 'live', plan: 'free', owner: 'TEST', origins: [] } as const
  const [over, current] = [
    createKey({ ...wanted, expiresAt: end }, made, randomBytes),
    createKey({ ...wanted, expiresAt: null }, made, randomBytes),
  ]
  const drafts = [over, current].map(({ record }) => ({ value: record, id: record.key_id, at: made }))
  await journal.append('access', 0, drafts)
  const env = { ALMANAC_DATA_DIR: dir }
  const listed = JSON.parse((await runCommand(['keys', 'list', '--json'], env)).stdout) as {
    key_id: string
    status: string
  }[]
  expect(Object.fromEntries(listed.map(({ key_id, status }) => [key_id, status]))).toEqual({
    [over.record.key_id]: 'expired',
    [current.record.key_id]: 'active',
  })
  expect((await runCommand(['keys', 'list'], env)).stdout).toContain(
    `${over.record.key_id}  free   expired, since 2026-02-01T00:00:00.000Z  TEST`,
  )
})

it('a demo key is rotated from the command line to another test key with its origins', async () => {
  const dir = await temporaryDirectory()
  const { journal } = await openTestJournal(undefined, dir)
  const keys = new KeyTable()
  await ensureDemoKeys(join(dir, 'demo-keys.json'), keys, journal, Date.now())
  const demo = JSON.parse(await readFile(join(dir, 'demo-keys.json'), 'utf8')) as Record<string, string>
  const env = { ALMANAC_DATA_DIR: dir }
  const listed = await runCommand(['keys', 'list', '--json'], env)
  const [{ key_id: keyId, origins }] = JSON.parse(listed.stdout)
  expect(kindOfKey(demo.free ?? '')).toBe('test')
  const refused = await runCommand(['keys', 'rotate', keyId, '--overlap', 'Infinity'], env)
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/^almanac: --overlap takes hours .*\n$/)])
  const { code, stdout, stderr } = await runCommand(['keys', 'rotate', keyId, '--json'], env)
  expect(code, stderr).toBe(0)
  const rotated = JSON.parse(stdout)
  expect(kindOfKey(rotated.key)).toBe('test')
  expect(rotated).toMatchObject({ account: keyId, replaces: keyId, origins })
})

it('a rotation waits for another change of keys, and then sees it', async () => {
  const dir = await temporaryDirectory()
  const { journal } = await openTestJournal(undefined, dir)
  const at = Date.parse('2026-01-01')
  const { record } = createKey(
    { kind: 'test', plan: 'free', owner: 'TEST', origins: [], expiresAt: null },
    at,
    randomBytes,
  )
  const append = (value: typeof record) =>
    journal.append('access', 0, [{ value, id: `${record.key_id}/${value.status}`, at }])
  await append(record)
  const claim = await journal.claim('access/keys')
  const rotation = runCommand(['keys', 'rotate', record.key_id], { ALMANAC_DATA_DIR: dir })
  // A command that began later and waits for nothing has ended: without the claim the rotation had read the key by now.
  await runCommand(['keys', 'list'], { ALMANAC_DATA_DIR: dir })
  await append(revokeKey(record))
  await claim.release()
  expect(await rotation).toMatchObject({ code: 2, stderr: expect.stringContaining('revoked') })
  const table = new KeyTable()
  for await (const batch of journal.readToEnd('access', 0)) for (const { value } of batch.records) table.apply(value)
  expect(table.get(record.key_id)?.status).toBe('revoked')
})
