import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KeyTable } from '../../access/key-table.ts'
import { createKey, deriveAddressKey, revokeKey, rotateKey } from '../../access/keys.ts'
import type { Quota } from '../../access/quota.ts'
import type { JobView } from '../../api/admin/jobs-page.ts'
import { systemTime } from '../../base/time.ts'
import { noteBackup, readBackupNote } from '../../cli/backup-note.ts'
import { accountUses } from '../../cli/processes/account-uses.ts'
import { sourceStates } from '../../cli/processes/source-states.ts'
import type { AccessKey } from '../../contracts/records.ts'
import { temporaryDirectory } from '../support/journal.ts'

const DAY = 86_400_000

describe('the accounts on the overview', () => {
  const now = Date.now()
  const key = (owner: string, plan: 'free' | 'pro') =>
    createKey({ kind: 'test', plan, owner, origins: [], expiresAt: null }, now - DAY, randomBytes)
  const used = new Map<string, number>()
  const quota: Pick<Quota, 'peek'> = {
    peek: ({ account }, limit) => ({ used: used.get(account) ?? 0, remaining: limit, resetAt: 0 }),
  }
  const tableOf = (records: readonly AccessKey[]) => {
    const table = new KeyTable()
    for (const record of records) table.apply(record)
    return table
  }

  it('are those with a valid key, by the share that they have used, and never have a key', async () => {
    const [small, large, gone] = [key('small', 'free'), key('large', 'pro'), key('gone', 'free')]
    const [rotated, old] = rotateKey(large.record, DAY, now, randomBytes).records
    const derived = deriveAddressKey(small.record, 'sheet', now, randomBytes)
    const ids = [small, large, gone].map(({ record }) => record.key_id)
    used
      .set(ids[0] ?? '', 2_500)
      .set(ids[1] ?? '', 90_000)
      .set(ids[2] ?? '', 5_000)
    const table = tableOf([small.record, rotated, old, revokeKey(gone.record), derived.record])
    const uses = await accountUses(table, quota, systemTime)
    expect(uses).toEqual({
      accounts: 2,
      mostUsed: [
        { account: ids[0], keyIds: [ids[0]], owner: 'small', plan: 'free', used: 2_500, limit: 5_000 },
        {
          account: ids[1],
          keyIds: [rotated.key_id, ids[1]],
          owner: 'large',
          plan: 'pro',
          used: 90_000,
          limit: 1_000_000,
        },
      ],
    })
    const told = JSON.stringify(uses)
    for (const secret of [small.key, large.key, small.record.hash, derived.key]) expect(told).not.toContain(secret)
  })

  it('are all counted, and the hundred that have used most are told', async () => {
    const many = Array.from({ length: 130 }, (_, i) => key(`owner ${i}`, 'free').record)
    for (const [i, { key_id }] of many.entries()) used.set(key_id, i)
    const { accounts, mostUsed } = await accountUses(tableOf(many), quota, systemTime)
    expect([accounts, mostUsed.length, mostUsed[0]?.used, mostUsed.at(-1)?.used]).toEqual([130, 100, 129, 30])
  })

  it('are not known while the store is away', async () => {
    const away = { peek: () => Promise.reject(new Error('away')) }
    await expect(accountUses(tableOf([key('any', 'free').record]), away, systemTime)).rejects.toThrow('away')
  })
})

describe('the sources on the overview', () => {
  const run = { startedAt: 900, endedAt: 1_000, attempt: 1, detail: 'took 3 figures', retryAt: null }
  const job = (name: string, more: Partial<JobView>): JobView => ({
    name,
    running: false,
    nextRun: 9_000,
    when: '',
    timeZone: 'UTC',
    announced: [],
    lastRun: null,
    ...more,
  })

  it('fail with their error and next try, and succeeded when a publisher’s answer was last taken', async () => {
    const failed = { ...run, endedAt: 5_000, attempt: 2, detail: 'HTTP 503' }
    const jobs = [
      job('b/well', { lastRun: { ...run, outcome: 'succeeded' } }),
      job('b/new', { nextRun: 7_000 }),
      job('c/1', { lastRun: { ...failed, outcome: 'retrying', retryAt: 6_000 } }),
      job('c/2/x', { lastRun: { ...failed, outcome: 'failed' } }),
      job('a/new', { running: true, nextRun: null }),
    ]
    const asked: string[] = []
    const memory = {
      async load(source: string, dataset: string) {
        asked.push(`${source} ${dataset}`)
        return dataset === '1' ? { readBy: '', validators: {}, checkedAt: 2_000 } : undefined
      },
    }
    const fault = { failedAt: 5_000, attempt: 2, error: 'HTTP 503' }
    expect(await sourceStates(jobs, memory)).toEqual([
      {
        source: 'c',
        jobs: 2,
        running: 0,
        succeededAt: 2_000,
        failing: [
          { ...fault, job: 'c/1', nextAt: 6_000 },
          { ...fault, job: 'c/2/x', nextAt: 9_000 },
        ],
        nextAt: 9_000,
      },
      { source: 'a', jobs: 1, running: 1, succeededAt: null, failing: [], nextAt: null },
      { source: 'b', jobs: 2, running: 0, succeededAt: 1_000, failing: [], nextAt: 7_000 },
    ])
    expect(asked).toEqual(['c 1', 'c 2/x'])
  })

  it('fail also while what failed runs again, until a run succeeds', async () => {
    const states = (more: Partial<JobView>) => sourceStates([job('c/1', more)], { load: async () => undefined })
    const failed = { ...run, endedAt: 5_000, attempt: 2, detail: 'HTTP 503', outcome: 'retrying', retryAt: 6_000 }
    const again = { ...run, startedAt: 6_000, endedAt: null, attempt: 3, detail: '', outcome: 'running' }
    const running = { running: true, nextRun: null, lastRun: again }
    const fault = { job: 'c/1', failedAt: 5_000, attempt: 2, error: 'HTTP 503' }
    expect(await states({ lastRun: failed })).toMatchObject([{ failing: [{ ...fault, nextAt: 6_000 }] }])
    expect(await states({ ...running, runBefore: failed })).toMatchObject([{ failing: [{ ...fault, nextAt: null }] }])
    expect(await states({ ...running, runBefore: { ...run, outcome: 'succeeded' } })).toMatchObject([{ failing: [] }])
    expect(await states({ lastRun: { ...again, outcome: 'succeeded', endedAt: 7_000 } })).toMatchObject([
      { failing: [] },
    ])
  })
})

describe('the note of backups', () => {
  it('tells the last whole one, and a run that has not finished', async () => {
    const config = { dataDir: await temporaryDirectory() }
    expect(await readBackupNote(config, 'journal-1')).toEqual({ finished: null, begunAt: null })
    const finish = await noteBackup(config, 'journal-1', 'backup', 1_000)
    expect(await readBackupNote(config, 'journal-1')).toEqual({ finished: null, begunAt: 1_000 })
    await finish(2_000)
    const finished = { takenAt: 2_000, place: join(process.cwd(), 'backup') }
    expect(await readBackupNote(config, 'journal-1')).toEqual({ finished, begunAt: null })
    await noteBackup(config, 'journal-1', 's3://bucket/backup', 3_000)
    expect(await readBackupNote(config, 'journal-1')).toEqual({ finished, begunAt: 3_000 })
    // A journal that was made anew has no backup yet.
    expect(await readBackupNote(config, 'journal-2')).toEqual({ finished: null, begunAt: null })
  })

  it('says nothing if it cannot be read', async () => {
    const config = { dataDir: await temporaryDirectory() }
    await writeFile(join(config.dataDir, 'last-backup.json'), '{"journal":')
    expect(await readBackupNote(config, 'journal-1')).toEqual({ finished: null, begunAt: null })
  })
})
