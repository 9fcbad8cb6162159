import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Series } from '../../contracts/records.ts'
import { answeredSeries, firstPrintOf, type TrackedSeries } from '../../domain/answered-series.ts'
import { testSeries } from '../support/releases.ts'

/** A series with a first print of each of its periods. */
const tracked = (over: Partial<Omit<Series, 'id'>>, ...periods: readonly string[]): TrackedSeries => {
  const series = testSeries(over)
  const publications = periods.map((period) => ({
    period,
    release_id: `${series.source} ${period}`,
    released_on: '2025-08-01',
    released_on_basis: 'publisher' as const,
  }))
  return { series, publications, lastPeriod: periods.at(-1) ?? '' }
}

// In the order of rank: the national office, then two collections.
const office = tracked({ source: 'BLS' }, '2025-01', '2025-02', '2025-03')
const oecd = tracked({ source: 'OECD' }, '2025-02', '2025-03', '2025-05', '2025-06')
const bis = tracked({ source: 'BIS' }, '2025-03', '2025-04', '2025-05')

const answerOf = (...all: readonly TrackedSeries[]) => {
  const [answer, ...others] = answeredSeries(all).values()
  if (!answer || others.length > 0) throw new Error('these series are not of one country, indicator and frequency')
  return answer
}

describe('the series that answers', () => {
  it('is the best one, in whatever order they come, with what others have after its newest period', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([office, oecd, bis], { minLength: 3 }), (all) => {
        const answer = answerOf(...all)
        expect(answer.series.source).toBe('BLS')
        expect(answer.publications).toEqual(office.publications)
        expect(answer.lastPeriod).toBe('2025-06')
        // Both collections have 2025-05, so that the better one answers it.
        expect(answer.later.map(({ release_id }) => release_id)).toEqual([
          'BIS 2025-04',
          'OECD 2025-05',
          'OECD 2025-06',
        ])
        expect(answer.later.map(({ seriesId }) => seriesId)).toEqual([bis, oecd, oecd].map(({ series }) => series.id))
      }),
    )
  })

  it('has nothing from series that ended before it, or with it', () => {
    const ended = tracked({ source: 'OECD' }, '2024-11', '2024-12')
    const level = tracked({ source: 'BIS' }, '2025-02', '2025-03')
    expect(answerOf(ended, level, office)).toMatchObject({ lastPeriod: '2025-03', later: [] })
  })

  it('stays the best one after it has ended, and the others go on', () => {
    const ended = tracked({ source: 'BLS' }, '2024-11', '2024-12')
    const answer = answerOf(bis, ended)
    expect(answer.series.source).toBe('BLS')
    expect(answer.lastPeriod).toBe('2025-05')
    expect(answer.later.map(({ period }) => period)).toEqual(['2025-03', '2025-04', '2025-05'])
  })

  it('is another one for each country, indicator and frequency', () => {
    const others = [
      tracked({ source: 'OECD', country: 'GBR' }, '2025-01'),
      tracked({ source: 'OECD', frequency: 'Q' }, '2025-Q1'),
      tracked({ source: 'OECD', indicator: 'inflation' }, '2025-01'),
    ]
    const answered = [...answeredSeries([oecd, office, ...others])].map(
      ([key, { series }]) => `${key} ${series.source}`,
    )
    expect(answered.sort()).toEqual(['GBR/cpi/M OECD', 'USA/cpi/M BLS', 'USA/cpi/Q OECD', 'USA/inflation/M OECD'])
  })

  it('knows the first print of each series of its key for a period', () => {
    const answer = answerOf(oecd, bis, office)
    const firstPrint = (seriesId: string, period: string) => firstPrintOf(answer, seriesId, period)
    for (const { series, publications } of [office, oecd, bis]) {
      for (const publication of publications) {
        expect(firstPrint(series.id, publication.period)).toEqual({ ...publication, seriesId: series.id })
      }
    }
    expect(firstPrint(office.series.id, '2025-05')).toBeUndefined()
    expect(firstPrint(testSeries({ source: 'IMF' }).id, '2025-03')).toBeUndefined()
  })
})
