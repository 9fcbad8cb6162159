import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ApiDeps } from '../../api/deps.ts'
import { figureKey, KeptPrints } from '../../api/kept-prints.ts'
import type { Release } from '../../contracts/records.ts'
import { deriveFrom, nothingDerived } from '../../domain/derive/fold.ts'
import { RecentReleases } from '../../domain/recent-releases.ts'
import { documents, publicationsOf } from '../support/dated-documents.ts'
import { type Logged, memoryVintages } from '../support/memory-vintages.ts'

/** A journal of which the read model and memory have a part each. */
class Behind {
  readonly log: Logged[] = []
  projected = 0
  queries = 0
  now = 0
  #inMemory = 0
  readonly #recent: RecentReleases
  readonly prints: KeptPrints

  constructor(least: number, most?: number) {
    this.#recent = new RecentReleases(least)
    const { prints, watermark } = memoryVintages(() => this.log.slice(0, this.projected))
    const history: Pick<ApiDeps['history'], 'prints' | 'watermark'> = {
      watermark,
      prints: async (range) => {
        this.queries++
        return prints(range)
      },
    }
    this.prints = new KeptPrints(
      {
        // A cast: nothing else is asked.
        history: history as ApiDeps['history'],
        newestRelease: () => this.log[this.#inMemory - 1]?.offset ?? -1,
        recentReleases: this.#recent,
        clock: () => new Date(this.now),
      },
      most,
    )
  }

  /** Memory and the read model read on, as far as they can. */
  readOn(inMemory: number, projected: number): void {
    for (const { offset, release } of this.log.slice(this.#inMemory, this.#inMemory + inMemory))
      this.#recent.add(offset, release)
    this.#inMemory = Math.min(this.#inMemory + inMemory, this.log.length)
    this.projected = Math.min(this.projected + projected, this.log.length)
  }

  /** The prints of all releases in memory, by the rules of the read model. */
  async inMemory(figures: readonly { series: string; period: string }[]) {
    const all = memoryVintages(() => this.log.slice(0, this.#inMemory))
    const series = [...new Set(figures.map((figure) => figure.series))]
    const periods = [...new Set(figures.map(({ period }) => period))]
    const rows = await all.prints({ series, periods, snapshot: Number.MAX_SAFE_INTEGER })
    return Map.groupBy(rows, ({ place, period }) => `${series[place - 1]} ${period}`)
  }
}

function releasesOf(publications: readonly (readonly Release[])[]): Release[] {
  const state = nothingDerived()
  return publications.flatMap((published) => [...published, ...deriveFrom(state, published)])
}
const logOf = (releases: readonly Release[]): Logged[] =>
  releases.map((release, i) => ({ offset: i + Math.floor(i / 7), release }))

describe('kept prints', () => {
  it('are those of all releases in memory, whatever is recorded, late, redated and voided between two questions', async () => {
    const step = fc.record({ memory: fc.nat(30), behind: fc.nat(40), asked: fc.array(fc.nat(), { maxLength: 12 }) })
    await fc.assert(
      fc.asyncProperty(
        documents,
        fc.constantFrom(4, 40, 1e5),
        fc.array(step, { minLength: 2, maxLength: 12 }),
        async ({ inOrder }, most, steps) => {
          const world = new Behind(1_000, most)
          world.log.push(...logOf(releasesOf(publicationsOf(inOrder))))
          world.readOn(world.log.length >> 1, world.log.length >> 2)
          for (const { memory, behind, asked } of steps) {
            world.readOn(memory, behind)
            const figures = asked.flatMap((n) => {
              const { release } = world.log[n % world.log.length] ?? {}
              return release ? [{ series: release.series.id, period: release.period }] : []
            })
            const found = await world.prints.of(figures)
            const expected = await world.inMemory(figures)
            for (const figure of figures) {
              const name = figureKey(figure)
              const ids = (prints: readonly Pick<Release, 'release_id'>[] = []) => prints.map((one) => one.release_id)
              if (world.projected > 0) expect(ids(found.get(name)), name).toEqual(ids(expected.get(name)))
            }
          }
        },
      ),
      { numRuns: 60, endOnFailure: true },
    )
  })

  describe('of one figure after another', () => {
    let world: Behind
    const [history] = fc.sample(documents, { seed: 3, numRuns: 1 })
    const releases = releasesOf(publicationsOf(history?.inOrder ?? []))
    const figure = { series: releases[0]?.series.id ?? '', period: releases[0]?.period ?? '' }

    beforeEach(() => {
      world = new Behind(20)
      world.log.push(...logOf(releases))
    })

    it('are read once, and again after some minutes', async () => {
      world.readOn(10, 10)
      await world.prints.of([figure])
      world.readOn(5, 0)
      await world.prints.of([figure])
      expect(world.queries).toBe(1)
      world.now = 600_000
      await world.prints.of([figure])
      expect(world.queries).toBe(2)
    })

    it('are read again if there are too many of them to be kept', async () => {
      const figures = releases.slice(0, 10).map(({ series, period }) => ({ series: series.id, period }))
      const small = new Behind(1_000, 3)
      small.log.push(...logOf(releases))
      small.readOn(1_000, 1_000)
      for (const _ of [1, 2, 3]) await small.prints.of(figures)
      expect(small.queries).toBe(3)
    })

    it('are what the read model has, and not kept, if it is far behind', async () => {
      world.readOn(100, 1)
      for (const _ of [1, 2]) expect((await world.prints.of([figure])).get(figureKey(figure))).toHaveLength(1)
      expect(world.queries).toBe(2)
    })

    it('are read again if more was recorded than memory lists', async () => {
      world.readOn(10, 10)
      await world.prints.of([figure])
      world.readOn(100, 100)
      const found = await world.prints.of([figure])
      expect(world.queries).toBe(2)
      expect(found.get(figureKey(figure))?.length).toBe((await world.inMemory([figure])).get(figureKey(figure))?.length)
    })
  })
})
