import { beforeEach, expect, it } from 'vitest'
import { ReadModelReach } from '../../api/read-model-reach.ts'
import { RecentReleases } from '../../domain/recent-releases.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'

let newest: number
let projected: number | undefined
let asked: number
let recentReleases: RecentReleases
let reach: ReadModelReach
const usa = { country: 'USA', indicator: 'cpi' }

const release = (country: string) =>
  recentReleases.add(++newest, accepted(candidate(testSeries({ country }), '2025-10', { value: '1' })))

beforeEach(() => {
  newest = 7
  projected = 7
  asked = 0
  recentReleases = new RecentReleases()
  recentReleases.startAfter(7)
  const watermark = async () => {
    asked++
    await Promise.resolve()
    return projected
  }
  reach = new ReadModelReach({ newestRelease: () => newest, recentReleases, history: { watermark } })
})

it('asks the read model once for what it has, however many ask', async () => {
  expect(await Promise.all([reach.includes(), reach.includes([usa]), reach.includes()])).toEqual([true, true, true])
  expect(await reach.includes()).toBe(true)
  expect(asked).toBe(1)
})

it('tells of some subjects by what is in memory alone', async () => {
  await reach.includes()
  release('DEU')
  expect(await reach.includes([usa])).toBe(true)
  expect(asked).toBe(1)
  expect(await reach.includes()).toBe(false)
  release('USA')
  expect(await reach.includes([usa, { country: 'FRA', indicator: 'cpi' }])).toBe(false)
  expect(await reach.includes([{ country: 'USA', indicator: 'gdp' }])).toBe(true)
  projected = newest
  expect(await reach.includes([usa])).toBe(true)
})

it('includes nothing of an empty read model, and fails as its question does', async () => {
  projected = undefined
  expect(await reach.includes([usa])).toBe(false)
  const away = new ReadModelReach({
    newestRelease: () => newest,
    recentReleases,
    history: { watermark: () => Promise.reject(new Error('away')) },
  })
  await expect(away.includes()).rejects.toThrow('away')
  await expect(away.includes()).rejects.toThrow('away')
})
