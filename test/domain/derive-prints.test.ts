import { describe, expect, it } from 'vitest'
import type { Release } from '../../contracts/records.ts'
import { deriveFrom, nothingDerived } from '../../domain/derive/fold.ts'
import { periodsOfYear } from '../../domain/period.ts'
import type { Dated, KnownRelease } from '../../domain/prints.ts'
import { accepted, candidate, flowSeries } from '../support/releases.ts'

const exports = flowSeries('trade-exports')
const imports = flowSeries('trade-imports')
const on = (day: string): Dated => ({ on: day, basis: 'publisher' })
const first = on('2026-01-10')

/** Months of a year, and what is derived from them. */
function year(series = exports) {
  const state = nothingDerived()
  const months = periodsOfYear('M', '2025').map((period) =>
    accepted(candidate(series, period, { value: '10' }, { released: first })),
  )
  return { state, months, made: deriveFrom(state, months) }
}
const withdrawn = (known: KnownRelease & Pick<Release, 'series' | 'period'>, released: Dated): Release =>
  accepted({ ...candidate(known.series, known.period, {}, { released }), printed: null }, known)

describe('derived figures', () => {
  it('are withdrawn with an input, down to the end of the chain, and come back with it', () => {
    const { state, months } = year()
    const other = periodsOfYear('M', '2025').map((period) =>
      accepted(candidate(imports, period, { value: '4' }, { released: first })),
    )
    deriveFrom(state, other)
    const [january] = months
    if (!january) throw new Error('no month')
    const gone = withdrawn(january, on('2026-01-12'))
    const lineOf = ({ series, period, figures, released_on }: Release) =>
      `${series.indicator} ${period} ${figures.value ?? figures.balance ?? 'withdrawn'} ${released_on}`
    expect(deriveFrom(state, [gone]).map(lineOf)).toEqual([
      'trade-exports 2025 withdrawn 2026-01-12',
      'trade 2025-01 withdrawn 2026-01-12',
      'trade 2025 withdrawn 2026-01-12',
    ])
    const back = accepted(candidate(exports, '2025-01', { value: '11' }, { released: on('2026-01-14') }), gone)
    expect(deriveFrom(state, [back]).map(lineOf)).toEqual([
      'trade-exports 2025 121 2026-01-14',
      'trade 2025-01 7 2026-01-14',
      'trade 2025 73 2026-01-14',
    ])
  })

  it('follow the date of an input that was corrected, and not a late print of it', () => {
    const { state, months, made } = year()
    const [total] = made
    const redated = months.map((known) =>
      accepted(candidate(exports, known.period, { value: '10' }, { released: on('2026-01-05') }), known),
    )
    expect(deriveFrom(state, redated)).toMatchObject([
      { figures: { value: '120' }, released_on: '2026-01-05', redates: total?.release_id, revises: null, late: false },
    ])
    const late = accepted(candidate(exports, '2025-01', { value: '9' }, { released: on('2026-01-02') }), redated[0])
    expect(late.late).toBe(true)
    expect(deriveFrom(state, [late])).toEqual([])
  })

  it('are one for a day', () => {
    const { state, months, made } = year()
    const [total] = made
    const [january] = months
    const revised = accepted(candidate(exports, '2025-01', { value: '12' }, { released: on('2026-01-10') }), january)
    const [voids, again, ...others] = deriveFrom(state, [revised])
    expect([voids?.voids, voids?.figures, voids?.late]).toEqual([total?.release_id, {}, true])
    expect(again).toMatchObject({ figures: { value: '122' }, released_on: '2026-01-10', revises: null, late: false })
    expect(others).toEqual([])
  })
})
