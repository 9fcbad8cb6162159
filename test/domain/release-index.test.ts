import { describe, expect, it } from 'vitest'
import { ReleaseIndex } from '../../domain/release-index.ts'
import { accepted, candidate, testProvenance as provenance, testSeries } from '../support/releases.ts'

describe('the release index', () => {
  const index = testSeries()
  const first = accepted(candidate(index, '2025-10', { value: '1' }, { provenance }))
  const revised = accepted(
    candidate(index, '2025-10', { value: '2' }, { provenance }),
    first,
    '2026-02-01T00:00:00.000Z',
  )
  const rates = testSeries({ indicator: 'inflation', unit: 'percent', derivation: 'inflation_from_cpi' })
  const figures = { year_over_year: '1.0', month_over_month: '0.1', year_to_date: '0.5' }

  it('finds a current release by its id, and one that was revised no longer', () => {
    const releaseIndex = new ReleaseIndex()
    releaseIndex.apply(first)
    expect(releaseIndex.current(first.release_id)).toBe(first)
    releaseIndex.apply(revised)
    expect(releaseIndex.current(first.release_id)).toBeUndefined()
    expect(releaseIndex.current(revised.release_id)).toBe(revised)
  })

  it('names for a derived series the publisher of its inputs', () => {
    const releaseIndex = new ReleaseIndex()
    releaseIndex.apply(revised)
    releaseIndex.apply({
      ...accepted(candidate(rates, '2025-10', figures)),
      inputs: ['rel_unknown', revised.release_id],
    })
    const documents = releaseIndex.series().map(({ series, document }) => [series.indicator, document?.publisher])
    expect(documents).toEqual([
      ['cpi', 'Test office'],
      ['inflation', 'Test office'],
    ])
  })

  it('keeps the publisher that it knows if the inputs of a later release are gone', () => {
    const releaseIndex = new ReleaseIndex()
    releaseIndex.apply(first)
    releaseIndex.apply({ ...accepted(candidate(rates, '2025-10', figures)), inputs: [first.release_id] })
    releaseIndex.apply(revised)
    releaseIndex.apply({ ...accepted(candidate(rates, '2025-11', figures)), inputs: [first.release_id] })
    expect(releaseIndex.series().map(({ document }) => document?.publisher)).toEqual(['Test office', 'Test office'])
  })

  it('says of the newest date what a release that is still current says', () => {
    const releaseIndex = new ReleaseIndex()
    const on = '2026-01-05'
    const dated = (period: string, basis: 'publisher' | 'copy') =>
      accepted(candidate(index, period, { value: '1' }, { provenance, released: { on, basis } }))
    const [copied, published] = [dated('2025-10', 'copy'), dated('2025-11', 'publisher')]
    const newestDate = () =>
      releaseIndex.series().map(({ releasedOn, releasedOnBasis }) => `${releasedOn} ${releasedOnBasis}`)
    releaseIndex.apply(published)
    releaseIndex.apply(copied)
    expect(newestDate()).toEqual([`${on} publisher`])
    const earlier = { on: '2026-01-03', basis: 'copy' } as const
    releaseIndex.apply(accepted(candidate(index, '2025-10', { value: '1' }, { provenance, released: earlier }), copied))
    expect(newestDate()).toEqual([`${on} publisher`])
    const redated = { on: '2026-01-04', basis: 'publisher' } as const
    releaseIndex.apply(
      accepted(candidate(index, '2025-11', { value: '1' }, { provenance, released: redated }), published),
    )
    expect(newestDate()).toEqual(['2026-01-04 publisher'])
  })
})
