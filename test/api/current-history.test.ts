import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CurrentHistory } from '../../api/current-history.ts'
import type { ApiDeps } from '../../api/deps.ts'
import { indicators, neededFigures } from '../../contracts/indicators.ts'
import type { Release } from '../../contracts/records.ts'
import { deriveFrom, nothingDerived } from '../../domain/derive/fold.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { historyRow } from '../../domain/history-row.ts'
import { NewestRecords } from '../../domain/newest-records.ts'
import { documents, publicationsOf } from '../support/dated-documents.ts'
import { type Logged, memoryVintages } from '../support/memory-vintages.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'
import { turnsOf } from '../support/turns.ts'

type PrintInForce = Awaited<ReturnType<ApiDeps['history']['inForce']>>[number]
type FigureRow = Awaited<ReturnType<ApiDeps['history']['observations']>>[number]

/** Published releases with revisions and withdrawals, and derived ones that are late, redated and voided. */
function releasesOf(publications: readonly (readonly Release[])[]): Release[] {
  const state = nothingDerived()
  return publications.flatMap((published) => [...published, ...deriveFrom(state, published)])
}

/** The history of a node that has the first `count` of some releases in memory, and of a read model that has `projected` of them. */
function opened(releases: readonly Release[], count = releases.length, projected = count) {
  const log: Logged[] = releases.map((release, i) => ({ offset: i * 2, release }))
  const [figures, newestRecords] = [new FigureBoard(), new NewestRecords()]
  for (const { offset, release } of log.slice(0, count)) {
    figures.apply(release)
    newestRecords.note(offset, release)
  }
  const newestRelease = () => log[count - 1]?.offset ?? -1
  const includes = async () => projected >= count
  const readModel = memoryVintages(() => log.slice(0, projected))
  const current = new CurrentHistory({ figures, newestRecords, newestRelease, reach: { includes } })
  return { current, readModel, figures, newestRecords }
}

const cells = (releases: readonly Release[]) => [
  ...new Map(
    releases.map(({ series: { country, indicator } }) => [`${country}/${indicator}`, { country, indicator }] as const),
  ).values(),
]

/** What SQL reads of a print and of a figure; the read model in memory gives whole releases. */
const printOnly = ({ period, place, figures, released_on, released_on_basis }: PrintInForce) => {
  return { period, place, figures, released_on, released_on_basis }
}
const figureOnly = ({ period, number, value, released_on, released_on_basis, place }: FigureRow) => {
  return { period, number, value, released_on, released_on_basis, place }
}

const ranges = fc.record({
  start: fc.constantFrom('', '2024-02', '2024-Q2', '2024'),
  end: fc.constantFrom('', '2024-11', '2025-Q1', '2025'),
  limit: fc.integer({ min: 1, max: 8 }),
  isNewestFirst: fc.boolean(),
})

describe('the current history', () => {
  it('is that of the read model, for any releases, range and page', async () => {
    let [compared, corrected] = [0, 0]
    await fc.assert(
      fc.asyncProperty(documents, ranges, async ({ inOrder }, { limit, isNewestFirst, ...bounds }) => {
        const releases = releasesOf(publicationsOf(inOrder))
        corrected += releases.filter(({ redates, voids }) => redates !== null || voids !== null).length
        const { current, readModel } = opened(releases)
        for (const { country, indicator } of cells(releases)) {
          const known = (await current.series([{ country, indicator }], '')) ?? []
          const all = await readModel.series(country, indicator, Number.MAX_SAFE_INTEGER)
          const expected = all.map((series) => ({ ...series, firstReleasedOn: '' }))
          for (const frequency of ['', 'M', 'Q', 'A'] as const) {
            const row = historyRow(expected, { frequency, asOf: '' })
            expect(historyRow(known, { frequency, asOf: '' })).toEqual(row)
            if (!row) continue
            const figures: readonly string[] = indicators[indicator].figures
            const common = { figures, needed: neededFigures(indicator), snapshot: row.snapshot, asOf: '', ...bounds }
            const range = { ...common, series: row.series.map(({ id }) => id), limit, isNewestFirst }
            expect(await current.inForce(range)).toEqual((await readModel.inForce(range)).map(printOnly))
            let after: { period: string; figure: number; offset: number } | null = null
            for (;;) {
              const page = current.observations({ ...range, after })
              expect(page).toEqual((await readModel.observations({ ...range, after })).map(figureOnly))
              compared += page?.length ?? 0
              const last = page?.at(-1)
              if (!last || page?.length !== limit) break
              after = { period: last.period, figure: last.number, offset: 0 }
            }
          }
        }
      }),
      { numRuns: 60, endOnFailure: true },
    )
    expect(compared).toBeGreaterThan(1_000)
    expect(corrected).toBeGreaterThan(50)
  })

  const cpi = testSeries({ country: 'FRA' })
  const first = accepted(candidate(cpi, '2025-10', { value: '1' }))
  const second = accepted(candidate(cpi, '2025-11', { value: '2' }))
  const other = accepted(candidate(testSeries({ country: 'DEU' }), '2025-11', { value: '3' }))
  const range = { series: [cpi.id], snapshot: 2, start: '', end: '', asOf: '' }
  const figures = { figures: ['value'], needed: ['value'], after: null, limit: 10 }

  it('is left to the read model as of a day, and before the first release', async () => {
    const { current } = opened([first, second])
    expect(await current.series([{ country: 'FRA', indicator: 'cpi' }], '2026-01-01')).toBeUndefined()
    expect(await current.inForce({ ...range, asOf: '2026-01-01' })).toBeUndefined()
    const empty = opened([first, second], 0).current
    expect(await empty.series([{ country: 'FRA', indicator: 'cpi' }], '')).toBeUndefined()
  })

  it('is left to the read model while that lacks a release, because it answers the later pages', async () => {
    expect(
      await opened([first, second], 2, 1).current.series([{ country: 'FRA', indicator: 'cpi' }], ''),
    ).toBeUndefined()
    expect(await opened([first, second], 2, 2).current.series([{ country: 'FRA', indicator: 'cpi' }], '')).toHaveLength(
      1,
    )
  })

  it('is left to the read model for a snapshot that is older than memory, or newer', () => {
    const [all, behind] = [opened([first, second, other]).current, opened([first, second, other], 1).current]
    expect(all.observations({ ...range, ...figures, snapshot: 0 })).toBeUndefined()
    expect(all.observations({ ...range, ...figures })).toHaveLength(2)
    // A release of another series changes nothing.
    expect(all.observations({ ...range, ...figures, snapshot: 4 })).toHaveLength(2)
    // Another node has issued the cursor.
    expect(behind.observations({ ...range, ...figures })).toBeUndefined()
  })

  it('is left to the read model if a series is not known', async () => {
    const { current } = opened([first])
    expect(await current.inForce({ ...range, snapshot: 0, series: [cpi.id, 'DEU.cpi'] })).toBeUndefined()
  })

  it('has no release in its snapshot that came after the read model was asked', async () => {
    const { figures, newestRecords, current } = opened([first, second, other], 1)
    const series = current.series([{ country: 'FRA', indicator: 'cpi' }], '')
    figures.apply(second)
    newestRecords.note(2, second)
    expect(await series).toMatchObject([{ newest: 0 }])
  })

  it('has the series at a snapshot if nothing has changed them since, and memory is not behind it', async () => {
    const subjects = [{ country: 'FRA', indicator: 'cpi' }] as const
    const { current } = opened([first, second, other])
    expect(await current.series(subjects, '', 2)).toMatchObject([{ newest: 2 }])
    expect(await current.series(subjects, '', 4)).toMatchObject([{ newest: 2 }])
    expect(await current.series(subjects, '', 0)).toBeUndefined()
    expect(await current.series(subjects, '', 5)).toBeUndefined()
  })

  it('is read in turns of the event loop, and left to the read model, which refuses them, if its prints are too many', async () => {
    const { current } = opened([first])
    const many = { ...range, snapshot: 0, series: Array.from({ length: 100 }, () => cpi.id) }
    expect(await turnsOf(() => current.inForce(many))).toBeGreaterThanOrEqual(9)
    expect(await current.inForce(many)).toHaveLength(100)
    const print = { ...first, period: '2025-10' }
    const figures = { seriesOf: () => [], inForce: () => Array.from({ length: 10_000 }, () => print) }
    const newestRecords = { of: () => ({ offset: 0, recordedAt: '' }) }
    const reach = { includes: async () => true }
    const large = new CurrentHistory({ figures, newestRecords, newestRelease: () => 0, reach } as never)
    expect(await large.inForce({ ...many, series: many.series.slice(0, 50) })).toHaveLength(500_000)
    expect(await large.inForce(many)).toBeUndefined()
  })
})
