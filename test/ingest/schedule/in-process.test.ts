import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { InProcessSchedule } from '../../../ingest/schedule/in-process.ts'
import { runFile } from '../../../ingest/schedule/run-file.ts'
import type { Run } from '../../../ingest/schedule/schedule.ts'
import { hourly, scheduleContract } from '../../contracts/schedule-contract.ts'
import { temporaryDirectory, until } from '../../support/journal.ts'

const dir = mkdtempSync(join(tmpdir(), 'almanac-schedule-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

scheduleContract('in-process', (place, options) => new InProcessSchedule(runFile(join(dir, place)), options))

const succeeded = (startedAt: number): Run => ({
  outcome: 'succeeded',
  startedAt,
  endedAt: startedAt + 1,
  attempt: 1,
  detail: 'tab\tand\nline',
  retryAt: null,
})

describe('the file of runs', () => {
  it('gives back what was saved', async () => {
    const store = runFile(join(await temporaryDirectory(), 'runs'))
    expect((await store.load()).size).toBe(0)
    const runs = new Map([
      ['TEST/a', succeeded(1)],
      ['TEST/b', { ...succeeded(2), outcome: 'retrying' as const, retryAt: 9 }],
    ])
    await store.save(runs)
    expect(await store.load()).toEqual(runs)
  })

  it('takes lines that cannot be read for jobs that never ran, and keeps the others', async () => {
    const path = join(await temporaryDirectory(), 'runs')
    await runFile(path).save(new Map([['TEST/a', succeeded(1)]]))
    await writeFile(
      path,
      `TEST/b\t{"outcome":"succe\n\u0000\nTEST/c\t{"outcome":"unheard of"}\n${await readFile(path, 'utf8')}`,
    )
    expect([...(await runFile(path).load()).keys()]).toEqual(['TEST/a'])
  })

  it('is not silent about one that cannot be opened', async () => {
    const directory = await temporaryDirectory()
    await expect(runFile(directory).load()).rejects.toThrow('EISDIR')
  })
})

it('lists no job as due before it has read when each ran last', async () => {
  const { promise: read, resolve: endRead } = Promise.withResolvers<void>()
  const startedAt = Date.now()
  const last = new Map([['TEST/slow-disk', succeeded(startedAt)]])
  const schedule = new InProcessSchedule({ load: () => read.then(() => last), save: async () => undefined })
  onTestFinished(() => schedule.stop())
  const started = schedule.start([hourly('TEST/slow-disk')], async () => 'done')
  expect(await schedule.list()).toEqual([])
  expect(await schedule.trigger('TEST/slow-disk')).toBe('unknown')
  endRead()
  await started
  expect(await schedule.list()).toMatchObject([{ running: false, nextRun: startedAt + 3_600_000 }])
})

describe('a run whose process died', () => {
  const retries = { attempts: 3, backoff: { baseMs: 60_000, capMs: 60_000 } }
  const died = (startedAt: number, attempt: number): Run => ({
    ...succeeded(startedAt),
    outcome: 'running',
    endedAt: null,
    attempt,
  })
  const open = async (run: Run) => {
    const store = runFile(join(await temporaryDirectory(), 'runs'))
    await store.save(new Map([['TEST/died', run]]))
    const ended: Run[] = []
    const schedule = new InProcessSchedule(store, { retries, onRun: (_name, each) => ended.push(each) })
    onTestFinished(() => schedule.stop())
    await schedule.start([hourly('TEST/died')], async () => 'done')
    return { schedule, ended }
  }

  it('is repeated as its next attempt', async () => {
    const { ended } = await open(died(Date.now() - 61_000, 1))
    await until('it ran', () => ended.length === 1)
    expect(ended[0]).toMatchObject({ outcome: 'succeeded', attempt: 2 })
  })

  it('is not repeated at once: it may have been the cause of the death', async () => {
    const startedAt = Date.now()
    const { schedule, ended } = await open(died(startedAt, 1))
    const [state] = await schedule.list()
    expect(state?.running).toBe(false)
    expect(state?.nextRun).toBeGreaterThanOrEqual(startedAt + 30_000)
    expect(ended).toEqual([])
  })

  it('is given up after the last attempt', async () => {
    const startedAt = Date.now() - 61_000
    const { schedule } = await open(died(startedAt, 3))
    const [state] = await schedule.list()
    expect(state).toMatchObject({ running: false, nextRun: startedAt + 3_600_000, lastRun: { outcome: 'failed' } })
  })
})
