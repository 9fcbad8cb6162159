import { describe, expect, it } from 'vitest'
import type { Release } from '../../contracts/records.ts'
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
  it('counts figures and prints of a series, its periods and days, and when it was last recorded', () => {
    const releaseIndex = new ReleaseIndex()
    const day = (n: number) => `2026-02-0${n}T00:00:00.000Z`
    const facts = () => {
      const [only] = releaseIndex.series()
      const { observations, vintages, firstPeriod, lastPeriod, recordedAt } = only ?? {}
      return [observations, vintages, firstPeriod, lastPeriod, recordedAt?.slice(0, 10)]
    }
    releaseIndex.apply(first)
    expect(facts()).toEqual([1, 1, '2025-10', '2025-10', '2026-01-15'])
    releaseIndex.apply(revised)
    expect(facts()).toEqual([1, 2, '2025-10', '2025-10', '2026-02-01'])
    const later = accepted(candidate(index, '2025-12', { value: '3' }, { provenance }), undefined, day(3))
    releaseIndex.apply(later)
    releaseIndex.apply(accepted(candidate(index, '2025-09', { value: '3' }, { provenance }), undefined, day(2)))
    expect(facts()).toEqual([3, 4, '2025-09', '2025-12', '2026-02-03'])
    releaseIndex.apply({ ...later, release_id: 'rel_late', late: true, released_on: '2026-01-20' })
    expect(facts()).toEqual([3, 5, '2025-09', '2025-12', '2026-02-03'])
    expect(releaseIndex.current('rel_late')).toBeUndefined()
    releaseIndex.apply({ ...later, release_id: 'rel_gone', figures: {}, revises: later.release_id })
    expect(facts()).toEqual([2, 6, '2025-09', '2025-12', '2026-02-03'])
    releaseIndex.apply({ ...later, release_id: 'rel_voids', figures: {}, voids: 'rel_gone' })
    expect(facts()).toEqual([2, 5, '2025-09', '2025-12', '2026-02-03'])
    expect(releaseIndex.current('rel_gone')).toBeUndefined()
    expect(releaseIndex.count).toBe(7)
    expect([...(releaseIndex.series()[0]?.days ?? [])].sort()).toEqual([
      ...new Set(['2026-01-15', '2026-01-20', '2026-02-01', '2026-02-02', '2026-02-03']),
    ])
    expect(releaseIndex.series()[0]?.publications.length).toBeGreaterThan(0)
  })

  it('of a derived series ends with the last period that has a print which was not voided', () => {
    const releaseIndex = new ReleaseIndex()
    const derived = testSeries({ indicator: 'inflation', unit: 'percent', derivation: 'inflation_from_cpi' })
    const figures = { year_over_year: '2' }
    const releases = ['2025-10', '2025-11', '2025-12'].map((period) =>
      accepted(candidate(derived, period, period === '2025-12' ? { ...figures, month_over_month: '1' } : figures)),
    )
    const again = { ...(releases[2] as Release), release_id: 'rel_again', revises: releases[2]?.release_id ?? null }
    for (const release of [...releases, again]) releaseIndex.apply(release)
    const facts = () => {
      const { firstPeriod, lastPeriod, spans } = releaseIndex.series()[0] ?? {}
      return [firstPeriod, lastPeriod, spans?.get('year_over_year'), spans?.get('month_over_month')]
    }
    const whole = { first: '2025-10', last: '2025-12' }
    const newest = { first: '2025-12', last: '2025-12' }
    expect(facts()).toEqual(['2025-10', '2025-12', whole, newest])
    const voiding = (release_id: string, voids: string) =>
      releaseIndex.apply({ ...again, release_id, voids, revises: null, figures: {} })
    voiding('rel_void', 'rel_again')
    expect(facts()).toEqual(['2025-10', '2025-12', whole, newest])
    voiding('rel_voids', again.revises ?? '')
    expect(facts()).toEqual(['2025-10', '2025-11', { first: '2025-10', last: '2025-11' }, undefined])
  })

  it('does not have a series whose prints were all voided', () => {
    const releaseIndex = new ReleaseIndex()
    releaseIndex.apply(first)
    releaseIndex.apply({ ...first, release_id: 'rel_voids', figures: {}, voids: first.release_id })
    expect(releaseIndex.series()).toEqual([])
    releaseIndex.apply(revised)
    expect(releaseIndex.series().map(({ series }) => series.id)).toEqual([first.series.id])
  })

  it('says when a figure was first recorded, redated or withdrawn, and not when it was revised', () => {
    const releaseIndex = new ReleaseIndex()
    const changes = () => [
      releaseIndex.changedAt('USA', 'cpi', '2025-10'),
      releaseIndex.changedAt('USA', 'cpi'),
      releaseIndex.changedAt('USA', 'cpi', '2025-11'),
    ]
    expect(changes()).toEqual(['', '', ''])
    releaseIndex.apply(first)
    releaseIndex.apply(revised)
    expect(changes()).toEqual([first.recorded_at, first.recorded_at, ''])
    const at = '2026-03-01T00:00:00.000Z'
    releaseIndex.apply({
      ...revised,
      release_id: 'rel_gone',
      figures: {},
      revises: revised.release_id,
      recorded_at: at,
    })
    expect(changes()).toEqual([at, at, ''])
    const back = '2026-03-02T00:00:00.000Z'
    releaseIndex.apply({ ...revised, release_id: 'rel_back', revises: 'rel_gone', recorded_at: back })
    expect(changes()).toEqual([back, back, ''])
    // One that is on record earlier, in another series, moves nothing back.
    const other = testSeries({ source: 'OTHER' })
    releaseIndex.apply(accepted(candidate(other, '2025-10', { value: '1' }, { provenance })))
    expect(changes()).toEqual([back, back, ''])
  })

  it('lists series in the order of their ids, whatever came first', () => {
    const releaseIndex = new ReleaseIndex()
    for (const country of ['USA', 'AUS', 'DEU'])
      releaseIndex.apply(accepted(candidate(testSeries({ country }), '2025-10', { value: '1' }, { provenance })))
    expect(releaseIndex.series().map(({ series }) => series.country)).toEqual(['AUS', 'DEU', 'USA'])
  })
})
