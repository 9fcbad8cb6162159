import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ApiDeps } from '../../api/deps.ts'
import { keptReads } from '../../api/kept-reads.ts'
import { ReadModelReach } from '../../api/read-model-reach.ts'

type History = ApiDeps['history']
type Range = Parameters<History['observations']>[0]

const NEWEST = Number.MAX_SAFE_INTEGER
const range = (snapshot: number, start = '2026-01'): Range => ({
  series: ['USA.cpi.M.TEST'],
  figures: ['value'],
  needed: ['value'],
  snapshot,
  start,
  end: '',
  after: null,
  limit: 36,
  asOf: '',
})

describe('kept reads of histories', () => {
  let reads: string[]
  let newest: number
  let projected: number
  let changes: Record<string, number>
  let now: number
  let rows: number
  let watermarks: number
  let fails: boolean
  let waitFor: Promise<void>
  let history: History

  beforeEach(() => {
    reads = []
    newest = projected = 7
    changes = { USA: 1, DEU: 1 }
    now = 0
    rows = 1
    watermarks = 0
    fails = false
    waitFor = Promise.resolve()
    const read = async (what: string) => {
      reads.push(what)
      await waitFor
      if (fails) throw new Error('away')
      return Array.from({ length: rows }, () => ({ what }))
    }
    // A cast: the rows only say what was read.
    const real = {
      series: (country: string, indicator: string, snapshot: number) =>
        read(`${country} ${indicator}${snapshot === NEWEST ? '' : ` ${snapshot}`}`),
      observations: ({ snapshot, start }: Range) => read(`observations ${snapshot} ${start}`),
      vintages: ({ snapshot }: Range) => read(`vintages ${snapshot}`),
      inForce: () => read('in force'),
      watermark: async () => {
        watermarks++
        return projected
      },
    } as unknown as History
    const newestRelease = () => newest
    history = keptReads({
      history: real,
      newestRelease,
      reach: new ReadModelReach({ newestRelease, history: real, recentReleases: { since: () => undefined } }),
      releaseIndex: { changes: (country) => changes[country] ?? 0 },
      monotonic: () => now,
    })
  })

  it('are read once for half a minute, also if several ask at once', async () => {
    const [one, two] = await Promise.all([history.series('USA', 'cpi', NEWEST), history.series('USA', 'cpi', NEWEST)])
    expect(two).toBe(one)
    for (const _ of [1, 2]) {
      await history.observations(range(7))
      await history.observations(range(7, '2025-01'))
      await history.vintages(range(7))
    }
    expect(reads).toEqual(['USA cpi', 'observations 7 2026-01', 'observations 7 2025-01', 'vintages 7'])
    now = 29_999
    await history.observations(range(7))
    expect(reads).toHaveLength(4)
    now = 30_000
    await history.observations(range(7))
    expect(reads).toHaveLength(5)
  })

  it('read the series anew after a release of the same country and indicator, and of no other', async () => {
    await history.series('USA', 'cpi', NEWEST)
    await history.series('DEU', 'cpi', NEWEST)
    newest = projected = 8
    changes.USA = 2
    await history.series('USA', 'cpi', NEWEST)
    await history.series('DEU', 'cpi', NEWEST)
    expect(reads).toEqual(['USA cpi', 'DEU cpi', 'USA cpi'])
  })

  it('do not keep series while the read model lacks a release that is in memory', async () => {
    projected = 6
    await history.series('USA', 'cpi', NEWEST)
    projected = 7
    await history.series('USA', 'cpi', NEWEST)
    await history.series('USA', 'cpi', NEWEST)
    expect(reads).toEqual(['USA cpi', 'USA cpi'])
  })

  it('are not those of somebody who asked before the read model had the newest release', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waitFor = promise
    projected = 6
    const before = history.series('USA', 'cpi', NEWEST)
    await nextTurn()
    projected = 7
    const after = history.series('USA', 'cpi', NEWEST)
    await nextTurn()
    resolve()
    expect(await after).not.toBe(await before)
    expect(reads).toEqual(['USA cpi', 'USA cpi'])
  })

  it('keep no failure, nothing of a day, and no series of an older snapshot', async () => {
    fails = true
    await expect(history.observations(range(7))).rejects.toThrow('away')
    fails = false
    expect(await history.observations(range(7))).toHaveLength(1)
    newest = -1
    await history.observations(range(7))
    await history.series('USA', 'cpi', 5)
    await history.series('USA', 'cpi', 5)
    expect(reads).toHaveLength(5)
  })

  it('ask once for what the read model has of a release', async () => {
    await history.series('USA', 'cpi', NEWEST)
    await history.series('DEU', 'cpi', NEWEST)
    expect(watermarks).toBe(1)
    newest = projected = 8
    await history.series('FRA', 'cpi', NEWEST)
    expect(watermarks).toBe(2)
  })

  it('keep 200,000 rows, of those that were asked for last', async () => {
    rows = 65_000
    for (const snapshot of [1, 2, 3, 1, 4, 1, 3]) await history.observations(range(snapshot))
    expect(reads.map((read) => read.split(' ')[1])).toEqual(['1', '2', '3', '4'])
    await history.observations(range(2))
    expect(reads).toHaveLength(5)
  })
})
