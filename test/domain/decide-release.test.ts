import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Release } from '../../contracts/records.ts'
import { decideRelease } from '../../domain/decide-release.ts'
import { asKnown, type KnownRelease } from '../../domain/prints.ts'
import { AT, accepted, candidate, flowSeries, testSeries } from '../support/releases.ts'

const cpi = testSeries()
const growth = testSeries({ indicator: 'gdp-growth', frequency: 'Q', unit: 'percent' })
const share = (indicator: 'unemployment' | 'labour-force-participation' | 'inflation') =>
  testSeries({ indicator, unit: 'percent' })
const fetchedAt = (retrieved_at: string) => ({
  publisher: 'A',
  url: 'file:a',
  licence: '',
  retrieved_at,
  sha256: '',
  location: 'line 2',
  copy: null,
  file: null,
})
const heldOn = (held_on: string) => ({
  ...fetchedAt(''),
  copy: { holder: 'github.com/a/b', url: null, revision: null, held_on, is_transcribed: false },
})
const on = (day: string) => ({ released: { on: day, basis: 'publisher' } }) as const
const first = () =>
  accepted(candidate(cpi, '2025-11', { value: '101.0' }, { released: { on: '2025-12-12', basis: 'publisher' } }))

describe('decideRelease', () => {
  it('takes a first print as new', () => {
    expect(first()).toMatchObject({
      period: '2025-11',
      figures: { value: '101.0' },
      revises: null,
      released_on: '2025-12-12',
      late: false,
    })
  })
  it('takes a flash estimate that was fetched before its month was over, as when it is approved later', () => {
    const provenance = fetchedAt('2025-11-28T12:00:00.000Z')
    expect(decideRelease(undefined, candidate(cpi, '2025-11', { value: '1' }, { provenance }), AT)).toMatchObject({
      outcome: 'new',
    })
  })
  it('takes a numerically equal reprint as unchanged, however it is printed', () => {
    for (const printed of ['101', '101.00', '1.01e2', '0101.0']) {
      expect(decideRelease(first(), candidate(cpi, '2025-11', { value: printed }), AT)).toEqual({
        outcome: 'unchanged',
      })
    }
  })
  it('takes another value as a revision of the release on record', () => {
    const decision = decideRelease(first(), candidate(cpi, '2025-11', { value: '101.2' }), AT)
    expect(decision).toMatchObject({
      outcome: 'revised',
      release: { revises: first().release_id, figures: { value: '101.2' } },
    })
  })
  it('makes three releases of A, B, A and knows each again', () => {
    const a = first()
    const b = accepted(candidate(cpi, '2025-11', { value: '102' }), a)
    const a2 = accepted(candidate(cpi, '2025-11', { value: '101.0' }), b)
    expect(new Set([a.release_id, b.release_id, a2.release_id]).size).toBe(3)
    expect(accepted(candidate(cpi, '2025-11', { value: '102' }), a).release_id).toBe(b.release_id)
    expect(a.release_id).toMatch(/^rel_[0-9A-HJKMNP-TV-Z]{26}$/)
  })
  it('gives two revisions of one release ids of their own, whatever the order of their figures', () => {
    const idOf = (figures: Record<string, string>) => accepted(candidate(growth, '2025-Q3', figures)).release_id
    const id = idOf({ year_over_year: '1', quarter_over_quarter: '2' })
    expect(idOf({ quarter_over_quarter: '2', year_over_year: '1' })).toBe(id)
    expect(idOf({ year_over_year: '1', quarter_over_quarter: '3' })).not.toBe(id)
  })
  it('takes figures that have ended as an earlier print only, because those that followed are not known', () => {
    const ended = (day: string) => candidate(cpi, '2025-11', { value: '102' }, { ...on(day), until: '2025-12-30' })
    expect(decideRelease(first(), ended('2025-12-20'), AT)).toMatchObject({ reason: 'not_current' })
    expect(decideRelease(first(), ended('2025-12-10'), AT)).toMatchObject({ outcome: 'late' })
    expect(decideRelease(undefined, ended('2025-12-20'), AT)).toMatchObject({ reason: 'not_current' })
  })
  it('takes a rebased index as another series, so that nothing is revised', () => {
    const rebased = testSeries({ base_period: '2020' })
    expect(rebased.id).not.toBe(cpi.id)
    // The same base, spelled with zeros, is the same series.
    expect(testSeries({ base_value: '100.0' })).toEqual(cpi)
  })
  it('dates a figure by its publisher, else by the day it was first seen, and says which', () => {
    expect(accepted(candidate(cpi, '2025-11', { value: '1' }))).toMatchObject({
      released_on: '2026-01-15',
      released_on_basis: 'first_seen',
    })
    expect(first().released_on_basis).toBe('publisher')
  })
  it('dates an undated revision by the day on which it is seen, and not before the print that it follows', () => {
    const undated = candidate(cpi, '2025-11', { value: '102' })
    const seen = (known: Release, at: string) => accepted(undated, known, at).released_on
    expect(seen(first(), '2026-02-01T12:00:00.000Z')).toBe('2026-02-01')
    // Where its publisher is, it is the next day already.
    expect(seen({ ...first(), released_on: '2026-02-02' }, '2026-02-01T12:00:00.000Z')).toBe('2026-02-02')
  })
  it('dates an undated figure by the day at the place of its publisher, and in UTC if it has none', () => {
    const day = (source: string, at: string) => {
      const undated = candidate(testSeries({ source, country: 'JPN' }), '2025-11', { value: '1' })
      const decision = decideRelease(undefined, undated, at)
      return 'release' in decision && decision.release.released_on
    }
    expect(day('SBJ', '2026-01-15T23:40:00.000Z')).toBe('2026-01-16')
    expect(day('OECD', '2026-01-15T23:40:00.000Z')).toBe('2026-01-15')
    expect(day('TEST', '2026-01-15T23:40:00.000Z')).toBe('2026-01-15')
    expect(day('BLS', '2026-01-15T03:00:00.000Z')).toBe('2026-01-14')
  })
  it('keeps the print beside the canonical figure', () => {
    const release = accepted(
      candidate(
        flowSeries('trade-exports'),
        '2025-11',
        {},
        { printed: { value: { printed: '12.50', multiplier: '1000000' } } },
      ),
    )
    expect(release).toMatchObject({ figures: { value: '12500000' }, published: { value: '12.50' } })
  })

  it('takes a flash estimate, which comes in the last days of its month', () => {
    const flash = candidate(cpi, '2025-11', { value: '1' }, { released: { on: '2025-11-28', basis: 'publisher' } })
    expect(decideRelease(undefined, flash, AT)).toMatchObject({ outcome: 'new' })
  })

  it.each([
    ['bad_period', candidate(cpi, '2025-Q1', { value: '1' })],
    ['bad_period', candidate(cpi, '2025-13', { value: '1' })],
    ['bad_period', candidate(cpi, '0000-01', { value: '1' })],
    // No period follows, so that nothing can be told of the next one.
    ['bad_period', candidate(cpi, '9999-12', { value: '1' })],
    ['period_in_future', candidate(cpi, '9998-12', { value: '1' })],
    ['period_in_future', candidate(cpi, '2026-02', { value: '1' })],
    ['bad_date', candidate(cpi, '2025-11', { value: '1' }, { released: { on: '2025-02-30', basis: 'publisher' } })],
    ['bad_date', candidate(cpi, '2025-11', { value: '1' }, { released: { on: '2027-01-01', basis: 'publisher' } })],
    ['bad_date', candidate(cpi, '2025-11', { value: '1' }, { released: { on: '2025-10-31', basis: 'publisher' } })],
    // A month that is not over on the day of its release, and one that is not over today.
    ['bad_date', candidate(cpi, '2025-11', { value: '1' }, { released: { on: '2025-11-23', basis: 'publisher' } })],
    ['period_in_future', candidate(cpi, '2026-01', { value: '1' })],
    ['bad_date', candidate(cpi, '2025-11', { value: '1' }, { provenance: fetchedAt('2026-01-17T12:00:00.000Z') })],
    ['bad_date', candidate(cpi, '2025-11', { value: '1' }, { provenance: fetchedAt('2025-11-20T12:00:00.000Z') })],
    ['bad_date', candidate(cpi, '2025-11', { value: '1' }, { provenance: heldOn('2026-01-17') })],
    ['bad_date', candidate(cpi, '2025-11', { value: '1' }, { provenance: heldOn('2025-11-20') })],
    ['base_in_future', candidate(testSeries({ base_period: '2099' }), '2025-11', { value: '1' })],
    ['bad_series', candidate({ ...cpi, country: 'usa' }, '2025-11', { value: '1' })],
    ['bad_series', candidate({ ...cpi, country: 'USAX' }, '2025-11', { value: '1' })],
    ['bad_series', candidate({ ...cpi, country: 'xUSA' }, '2025-11', { value: '1' })],
    ['figure_missing', candidate(cpi, '2025-11', {})],
    ['figure_missing', candidate(growth, '2025-Q3', {})],
    ['not_servable', candidate({ ...growth, annualization: 'maybe' as never }, '2025-Q3', { year_over_year: '1' })],
    ['figure_unknown', candidate(cpi, '2025-11', { value: '1', rate: '2' })],
    ['not_a_decimal', candidate(cpi, '2025-11', { value: 'n/a' })],
    ['decimal_too_long', candidate(cpi, '2025-11', { value: '1'.repeat(65) })],
    ['figure_out_of_range', candidate(cpi, '2025-11', { value: '0' })],
    ['figure_out_of_range', candidate(flowSeries('trade-exports'), '2025-11', { value: '-1' })],
    ['figure_out_of_range', candidate(share('unemployment'), '2025-11', { rate: '-4' })],
    ['figure_out_of_range', candidate(share('labour-force-participation'), '2025-11', { rate: '670' })],
    ['figure_out_of_range', candidate(share('labour-force-participation'), '2025-11', { rate: '100.01' })],
    [
      'figure_out_of_range',
      candidate(share('inflation'), '2025-11', { year_over_year: '2', month_over_month: '-100.1', year_to_date: '1' }),
    ],
    [
      'figure_out_of_range',
      candidate(testSeries({ indicator: 'trade', unit: 'USD' }), '2025-11', {
        exports: '3',
        imports: '-1',
        balance: '4',
      }),
    ],
    ['not_servable', candidate(testSeries({ base_period: 'last year' }), '2025-11', { value: '1' })],
    ['not_servable', candidate(flowSeries('trade-exports', { unit: 'dollars' }), '2025-11', { value: '1' })],
  ])('rejects %s', (reason, bad) => {
    expect(decideRelease(undefined, bad, AT)).toMatchObject({ outcome: 'rejected', reason })
  })
  it.each([
    ['the first day of a flash estimate', candidate(cpi, '2025-11', { value: '1' }, on('2025-11-24'))],
    ['the day that it is anywhere on earth', candidate(cpi, '2025-11', { value: '1' }, on('2026-01-16'))],
    ['a fetch on the first day', candidate(cpi, '2025-11', { value: '1' }, { provenance: fetchedAt('2025-11-24T00') })],
    ['a copy of the newest day', candidate(cpi, '2025-11', { value: '1' }, { provenance: heldOn('2026-01-16') })],
    ['a base that has begun', candidate(testSeries({ base_period: '2026-01' }), '2025-11', { value: '1' })],
    ['no unemployment', candidate(share('unemployment'), '2025-11', { rate: '0' })],
    ['a rate of 100', candidate(share('labour-force-participation'), '2025-11', { rate: '100' })],
  ])('takes what is just possible: %s', (_, possible) => {
    expect(decideRelease(undefined, possible, AT)).toMatchObject({ outcome: 'new' })
  })
  it('takes a flash estimate from seven days before the end of a month, whenever it is read', () => {
    const flash = candidate(cpi, '2026-01', { value: '1' })
    expect(decideRelease(undefined, flash, '2026-01-24T23:59:59.999Z')).toMatchObject({ reason: 'period_in_future' })
    expect(decideRelease(undefined, flash, '2026-01-25T00:00:00.000Z')).toMatchObject({ outcome: 'new' })
  })
  it('rejects figures that were held, if others of their day were read after these were first seen', () => {
    const day = on('2025-12-12')
    const held = (seenAt: string, released = day) =>
      candidate(cpi, '2025-11', { value: '102' }, { ...released, seenAt })
    const [before, after] = ['2026-01-15T11:59:59.999Z', AT]
    expect(decideRelease(first(), held(before), AT)).toMatchObject({ reason: 'superseded' })
    expect(decideRelease(first(), held(after), AT)).toMatchObject({ outcome: 'revised' })
    expect(decideRelease(first(), held(before, on('2025-12-13')), AT)).toMatchObject({ outcome: 'revised' })
    // When an approved print was read is not known.
    const approved = { ...first(), approval: { by: 'TEST', reason: 'TEST' } as never }
    expect(decideRelease(approved, held(before), AT)).toMatchObject({ outcome: 'revised' })
    const earlier = asKnown(accepted(candidate(cpi, '2025-11', { value: '103' }, on('2025-12-20')), first()), first())
    expect(decideRelease(earlier, held(before), AT)).toMatchObject({ reason: 'superseded' })
  })
  it('takes a rate that stands alone, and never takes another one back by it', () => {
    const alone = accepted(candidate(growth, '2025-Q3', { year_over_year: '1.0' }, on('2025-11-01')))
    expect(alone.figures).toEqual({ year_over_year: '1.0' })
    const both = candidate(growth, '2025-Q3', { year_over_year: '1.1', quarter_over_quarter: '0.3' }, on('2025-11-20'))
    const whole = accepted(both, asKnown(alone, undefined))
    expect(whole.revises).toBe(alone.release_id)
    const known = asKnown(whole, asKnown(alone, undefined))
    const again = (day: string) => candidate(growth, '2025-Q3', { year_over_year: '1.2' }, on(day))
    expect(decideRelease(known, again('2025-12-01'), AT)).toMatchObject({
      reason: 'figure_missing',
      detail: '2025-Q3 is on record with quarter_over_quarter, of which the document gives no value',
    })
    expect(decideRelease(known, again('2025-11-10'), AT)).toMatchObject({ outcome: 'late' })
  })
  it('takes a missing figure of a period that had not begun as no news', () => {
    const missing = (period: string, on: string) => ({
      ...candidate(cpi, period, {}, { released: { on, basis: 'dataset' } }),
      printed: null,
    })
    expect(decideRelease(undefined, missing('2026-01', '2025-12-30'), AT)).toEqual({ outcome: 'unchanged' })
    expect(decideRelease(undefined, missing('2026-02', '2026-01-10'), AT)).toEqual({ outcome: 'unchanged' })
    expect(decideRelease(first(), missing('2025-11', '2025-10-31'), AT)).toEqual({ outcome: 'unchanged' })
    expect(decideRelease(first(), missing('2025-11', '2025-12-32'), AT)).toMatchObject({ reason: 'bad_date' })
  })
  it('knows every vintage again when a whole history is read once more', () => {
    const day = fc.integer({ min: 1, max: 5 }).map((n) => `2025-12-0${n}`)
    const history = fc
      .uniqueArray(fc.record({ on: day, value: fc.constantFrom('100', '101', '102') }), {
        minLength: 1,
        selector: ({ on }) => on,
      })
      .map((list) => list.toSorted((a, b) => (a.on < b.on ? -1 : 1)))
    fc.assert(
      fc.property(history, (vintages) => {
        let known: KnownRelease | undefined
        const read = () =>
          vintages.map(({ on, value }) => {
            const decision = decideRelease(
              known,
              candidate(cpi, '2025-11', { value }, { released: { on, basis: 'publisher' } }),
              AT,
            )
            if ('release' in decision) known = asKnown(decision.release, known)
            return decision.outcome
          })
        expect(read()).not.toContain('rejected')
        expect(new Set(read())).toEqual(new Set(['unchanged']))
      }),
    )
  })
  it('never throws, whatever is printed', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (period, value, on) => {
        decideRelease(undefined, candidate(cpi, period, { value }, { released: { on, basis: 'publisher' } }), AT)
      }),
    )
  })
})
