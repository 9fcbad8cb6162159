import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isAddressKey, kindOfKey } from '../../access/key.ts'
import { KeyTable } from '../../access/key-table.ts'
import { createKey, revokeKey } from '../../access/keys.ts'
import { hoursInMs } from '../../cli/commands/keys.ts'
import { ensureDemoKeys } from '../../cli/demo.ts'
import { openAccess } from '../../cli/parts.ts'
import { loadConfig } from '../../infra/config.ts'
import { runCommand } from '../support/command.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { serviceEnvironment } from '../support/service.ts'
import { serviceIsThere } from '../support/services.ts'
import { sharedServer } from '../support/shared-servers.ts'

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
  const { journal } = await openEmbeddedTestJournal(undefined, dir)
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
  const { journal } = await openEmbeddedTestJournal(undefined, dir)
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
  const { journal } = await openEmbeddedTestJournal(undefined, dir)
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

type Listed = { key_id: string; status: string; plan: string; parent: string | null; account: string }

describe.each(['the embedded store', 'Redis'] as const)('a read-only key on %s', (store) => {
  const isThere = store !== 'Redis' || serviceIsThere('redis')

  it.skipIf(!isThere)('is derived, listed, and revoked alone or with its parent', async () => {
    const dir = await temporaryDirectory()
    await openEmbeddedTestJournal(undefined, dir)
    const env: Record<string, string> = { ALMANAC_DATA_DIR: dir }
    if (store === 'Redis') env.ALMANAC_REDIS_URL = (await sharedServer('redis')).url
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCommand(['keys', ...args], env)
      if (code !== 0) throw new Error(stderr)
      return stdout
    }
    const made = JSON.parse(await run('create', '--plan', 'basic', '--owner', 'TEST', '--json'))
    const derive = async () => JSON.parse(await run('derive', made.key_id, '--owner', 'a sheet', '--json'))
    const [alone, withParent] = [await derive(), await derive()]
    expect(isAddressKey(alone.key)).toBe(true)
    expect(alone).toMatchObject({ plan: 'basic', owner: 'a sheet', account: made.key_id, parent: made.key_id })
    const listed = async () => {
      const keys = JSON.parse(await run('list', '--json')) as Listed[]
      return Object.fromEntries(keys.map(({ key_id, status }) => [key_id, status]))
    }
    expect(await run('list')).toContain(`${alone.key_id}  basic  active, read-only key of ${made.key_id}  a sheet`)
    expect(await run('list', '--json')).not.toContain(alone.key)
    await run('revoke', alone.key_id)
    const others = { [made.key_id]: 'active', [withParent.key_id]: 'active' }
    expect(await listed()).toEqual({ ...others, [alone.key_id]: 'revoked' })
    expect(JSON.parse(await run('revoke', made.key_id, '--json'))).toEqual({
      key_id: made.key_id,
      status: 'revoked',
      revoked_with_it: [withParent.key_id],
    })
    const ids = [made.key_id, alone.key_id, withParent.key_id]
    expect(Object.values(await listed())).toEqual(['revoked', 'revoked', 'revoked'])
    // A node cut off from the journal has only these flags.
    const access = await openAccess(loadConfig(serviceEnvironment(env)), () => undefined)
    onTestFinished(() => access.close())
    const flags = ids.map((keyId) => access.revocations.isRevoked({ keyId, account: made.key_id }))
    expect(await Promise.all(flags)).toEqual([true, true, true])
  })
})

it('a read-only key ends with the key that was rotated, which the command says', async () => {
  const dir = await temporaryDirectory()
  await openEmbeddedTestJournal(undefined, dir)
  const env = { ALMANAC_DATA_DIR: dir }
  const made = JSON.parse(
    (await runCommand(['keys', 'create', '--plan', 'free', '--owner', 'TEST', '--json'], env)).stdout,
  )
  const derived = JSON.parse((await runCommand(['keys', 'derive', made.key_id, '--json'], env)).stdout)
  const refused = await runCommand(['keys', 'rotate', derived.key_id], env)
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`read-only key of ${made.key_id}`)])
  const rotated = await runCommand(['keys', 'rotate', made.key_id, '--overlap', '0'], env)
  expect(rotated.stdout).toContain(`So does its read-only key ${derived.key_id}.`)
  expect((await runCommand(['keys', 'list'], env)).stdout).toContain(`${derived.key_id}  free   expired`)
  const again = await runCommand(['keys', 'derive', made.key_id], env)
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('revoked or expired')])
})

it('the demo makes a read-only key, also beside the keys of an earlier release, and leaves what is valid', async () => {
  const dir = await temporaryDirectory()
  const { journal } = await openEmbeddedTestJournal(undefined, dir)
  const path = join(dir, 'demo-keys.json')
  const ensured = async () => {
    const keys = new KeyTable()
    for await (const batch of journal.readToEnd('access', 0)) for (const { value } of batch.records) keys.apply(value)
    await ensureDemoKeys(path, keys, journal, Date.now())
    return JSON.parse(await readFile(path, 'utf8')) as Record<string, string>
  }
  const first = await ensured()
  expect(Object.keys(first)).toEqual(['free', 'basic', 'pro', 'read_only'])
  expect(isAddressKey(first.read_only ?? '')).toBe(true)
  expect(await ensured()).toEqual(first)
  for (const damaged of ['', '{"free": "alm', 'null', '7', '{"free": 7}']) {
    await writeFile(path, damaged)
    expect(Object.keys(await ensured()), damaged).toEqual(['free', 'basic', 'pro', 'read_only'])
  }
  await writeFile(path, JSON.stringify(first))
  const { read_only: _, ...earlier } = first
  await writeFile(path, JSON.stringify(earlier))
  const second = await ensured()
  expect(second).toEqual({ ...earlier, read_only: expect.stringMatching(/^alm[a-z0-9]{29}$/) })
  expect(second.read_only).not.toBe(first.read_only)
  // Only the owner of the new key can derive from it. The demo starts all the same.
  await writeFile(path, JSON.stringify(earlier))
  const listed = JSON.parse(
    (await runCommand(['keys', 'list', '--json'], { ALMANAC_DATA_DIR: dir })).stdout,
  ) as Listed[]
  const pro = listed.find(({ plan, parent }) => plan === 'pro' && parent === null)
  await runCommand(['keys', 'rotate', pro?.key_id ?? ''], { ALMANAC_DATA_DIR: dir })
  expect(await ensured()).toEqual(earlier)
})
