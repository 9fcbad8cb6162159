import { beforeEach, describe, expect, it } from 'vitest'
import { SeriesOfCell } from '../../api/series-of-cell.ts'
import type { KnownSeries } from '../../domain/history-row.ts'
import { testSeries } from '../support/releases.ts'

describe('the series of a country and indicator', () => {
  let asked: string[]
  let projected: number
  let changes: number
  let newest: number
  let now: number
  let isReached: boolean
  let inMemory: KnownSeries[] | undefined
  let cells: SeriesOfCell

  const known = (recordedAt: string): KnownSeries[] => [
    { ...testSeries(), firstReleasedOn: '2026-01-01', newest: 7, recordedAt },
  ]

  beforeEach(() => {
    asked = []
    projected = newest = 7
    changes = now = 0
    isReached = true
    inMemory = undefined
    cells = new SeriesOfCell({
      history: {
        series: async (country, indicator, snapshot) => {
          asked.push(`${country} ${indicator} ${snapshot === Number.MAX_SAFE_INTEGER ? 'now' : snapshot}`)
          if (!isReached) throw new Error('away')
          return known(`read ${asked.length}`)
        },
        watermark: async () => projected,
      },
      current: { series: async () => inMemory },
      releaseIndex: { changes: () => changes },
      newestRelease: () => newest,
      reach: { includes: async () => isReached },
      monotonic: () => now,
    })
  })

  it('are those in memory where it has them, now and at a snapshot', async () => {
    inMemory = known('in memory')
    projected = -1
    expect(await cells.now('USA', 'cpi', '')).toBe(inMemory)
    expect(await cells.at('USA', 'cpi', { asOf: '', snapshot: 7 })).toBe(inMemory)
    expect(asked).toEqual([])
  })

  it('are read once for all days, until there is a release about them, for half a minute', async () => {
    const first = await cells.now('USA', 'cpi', '2026-01-01')
    expect(await cells.now('USA', 'cpi', '2026-02-01')).toBe(first)
    await cells.now('USA', 'inflation', '2026-02-01')
    await cells.now('DEU', 'cpi', '2026-02-01')
    expect(asked).toEqual(['USA cpi now', 'USA inflation now', 'DEU cpi now'])
    changes++
    expect(await cells.now('USA', 'cpi', '2026-01-01')).not.toBe(first)
    now = 30_000
    await cells.now('USA', 'cpi', '2026-01-01')
    expect(asked).toHaveLength(5)
  })

  it('are not kept if the read model may lack a release, nor for a day, nor after a failure', async () => {
    isReached = false
    await expect(cells.now('USA', 'cpi', '2026-01-01')).rejects.toThrow('away')
    isReached = true
    await cells.now('USA', 'cpi', '2026-01-01')
    newest = -1
    await cells.now('USA', 'cpi', '2026-01-01')
    await cells.now('USA', 'cpi', '2026-01-01')
    expect(asked).toHaveLength(4)
  })

  it('are those of the snapshot, once the read model has reached it', async () => {
    await cells.at('USA', 'cpi', { asOf: '2026-01-01', snapshot: 7 })
    expect(asked).toEqual(['USA cpi 7'])
    await expect(cells.at('USA', 'cpi', { asOf: '', snapshot: 8 })).rejects.toMatchObject({ code: 'unavailable' })
  })
})
