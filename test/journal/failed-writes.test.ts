import { describe, expect, it } from 'vitest'
import { systemTime } from '../../base/time.ts'
import { explainFailure } from '../../journal/embedded/failures.ts'
import { failsWith } from '../contracts/support/journal-world.ts'

describe('the reason of a failed write', () => {
  const circumstances = {
    probe: () => undefined,
    time: systemTime,
    freeBytes: () => 2 ** 40,
    path: '/TEST',
    wantedBytes: 2_000_000,
  }
  const errno = (code: number) => Object.assign(new Error('reason'), { code })
  const failedCommit = (code: number) => {
    const commitError = Promise.reject(errno(code))
    commitError.catch(() => undefined)
    return Object.assign(new Error('Commit failed'), { commitError })
  }

  it.each([
    ['no space left, at commit', failedCommit(28), circumstances, 'full'],
    ['no space left, earlier', errno(28), circumstances, 'full'],
    [
      'no space left for a mark',
      Object.assign(new Error('reason'), { errno: -28, code: 'ENOSPC' }),
      circumstances,
      'full',
    ],
    ['an input/output error with room on the disk', failedCommit(5), circumstances, 'unavailable'],
    ['an input/output error on a full disk', failedCommit(5), { ...circumstances, freeBytes: () => 4_096 }, 'full'],
  ])('%s', async (_, error, found, code) => {
    expect(await explainFailure(error, found)).toEqual(failsWith(code as 'full'))
  })

  it('says which disk is full, how much is free and how much was wanted', async () => {
    const full = await explainFailure(failedCommit(28), { ...circumstances, freeBytes: () => 4_096 })
    expect(full.message).toBe(
      'full: no room in /TEST (reason): its file system has 0.0 MB free, and this write needs about 2.0 MB',
    )
  })

  it('is unknown when LMDB can no longer be read', async () => {
    const probe = () => {
      throw new Error('MDB_PANIC')
    }
    expect(await explainFailure(failedCommit(5), { ...circumstances, probe })).toEqual(failsWith('outcome_unknown'))
  })

  it('is the error itself if it is a bug', async () => {
    const bug = new TypeError('a bug')
    expect(await explainFailure(bug, circumstances)).toBe(bug)
  })
})
