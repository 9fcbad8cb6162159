import { describe, expect, it } from 'vitest'
import type { Release, Series } from '../../../contracts/records.ts'
import { deriveAnew, deriveFrom, nothingDerived, recordPrint } from '../../../domain/derive/fold.ts'
import { periodsOfYear } from '../../../domain/period.ts'
import { asKnown, type KnownRelease, printsOf } from '../../../domain/prints.ts'
import { accepted, candidate, flowSeries, testSeries } from '../../support/releases.ts'

const [exports, imports] = [flowSeries('trade-exports'), flowSeries('trade-imports')]
const AT = '2026-02-01T12:00:00.000Z'

const flow = (series: Series, period: string, day: string, value: string, known?: KnownRelease, at = AT): Release =>
  accepted(candidate(series, period, { value }, { released: { on: day, basis: 'publisher' } }), known, at)

const lineOf = ({ series, period, figures, released_on, late, voids }: Release) =>
  [
    ...(late ? ['late'] : []),
    ...(voids === null ? [] : ['void']),
    series.indicator,
    period,
    figures.balance ?? figures.value ?? '-',
    released_on,
  ].join(' ')

const stateOf = (releases: readonly Release[]) => {
  const state = nothingDerived()
  for (const release of releases) recordPrint(state, release)
  return state
}

describe('recordPrint', () => {
  const first = flow(exports, '2025-11', '2026-01-10', '5')
  const second = flow(exports, '2025-11', '2026-01-20', '6', first)
  const known = asKnown(second, first)
  const voidOf = (release: Release, late = true): Release => ({
    ...release,
    release_id: `rel_void_of_${release.release_id}`,
    figures: {},
    late,
    voids: release.release_id,
  })
  /** Day and figure of each print on record, of the state after these releases. */
  const printsAfter = (...releases: Release[]) =>
    printsOf(stateOf(releases).prints.get(exports.id)?.periods.get('2025-11')).map(
      ({ released_on, figures }) => `${released_on} ${figures.value}`,
    )

  it('keeps the prints in the order of their days', () => {
    expect(printsAfter(first, second)).toEqual(['2026-01-10 5', '2026-01-20 6'])
    expect(printsAfter(first, second, flow(exports, '2025-11', '2026-01-15', '9', known))).toEqual([
      '2026-01-10 5',
      '2026-01-15 9',
      '2026-01-20 6',
    ])
  })

  it('changes nothing if it takes a release twice, with all that followed it', () => {
    const third = flow(exports, '2025-11', '2026-01-18', '6', known)
    const others = [flow(exports, '2025-11', '2026-01-30', '7', asKnown(third, known)), voidOf(first)]
    const all = [first, second, third, ...others]
    expect(stateOf([...all, ...all])).toEqual(stateOf(all))
    expect(printsAfter(...all, ...all)).toEqual(['2026-01-18 6', '2026-01-30 7'])
  })

  it('forgets a voided print, whichever it is, and remembers which was voided last', () => {
    expect(printsAfter(first, second, voidOf(first))).toEqual(['2026-01-20 6'])
    expect(printsAfter(first, second, voidOf(second))).toEqual(['2026-01-10 5'])
    const third = flow(exports, '2025-11', '2026-01-30', '7', known)
    expect(printsAfter(first, second, third, voidOf(third))).toEqual(['2026-01-10 5', '2026-01-20 6'])
    const state = stateOf([first, second, voidOf(first), voidOf(second)])
    expect(state.prints.get(exports.id)?.periods.periods().length).toBe(0)
    expect([...state.voided]).toEqual([[`${exports.id} 2025-11`, second.release_id]])
  })

  it('says from which day on the prints are other ones: of a redated one, from the earlier of its days', () => {
    const state = stateOf([first, second])
    expect(recordPrint(state, flow(exports, '2025-11', '2026-01-30', '7', known)).since).toBe('2026-01-30')
    const redates = (day: string): Release => ({
      ...second,
      release_id: `rel_${day}`,
      released_on: day,
      redates: second.release_id,
    })
    expect(recordPrint(stateOf([first, second]), redates('2026-01-15')).since).toBe('2026-01-15')
    expect(recordPrint(stateOf([first, second]), redates('2026-01-25')).since).toBe('2026-01-20')
  })
})

describe('deriveFrom', () => {
  it('makes nothing of an empty publication, and keeps nothing that no derivation reads', () => {
    const state = nothingDerived()
    const unemployment = testSeries({ indicator: 'unemployment', unit: 'percent' })
    const release = accepted(candidate(unemployment, '2025-11', { rate: '4.1' }))
    expect(deriveFrom(state, [])).toEqual([])
    expect(deriveFrom(state, [release])).toEqual([])
    expect(state).toEqual(nothingDerived())
  })

  it('dates the making of what it derives by the last release of the publication', () => {
    const out = flow(exports, '2025-11', '2026-01-10', '5', undefined, '2026-01-10T12:00:00.000Z')
    const back = flow(imports, '2025-11', '2026-01-08', '2', undefined, '2026-01-10T12:00:01.000Z')
    expect(deriveFrom(nothingDerived(), [out, back])).toMatchObject([{ recorded_at: '2026-01-10T12:00:01.000Z' }])
  })

  it.each(['forwards', 'backwards'])('derives from the first day of a publication on, read %s', (order) => {
    const [out, back] = [flow(exports, '2025-11', '2026-01-02', '5'), flow(imports, '2025-11', '2026-01-02', '2')]
    const state = nothingDerived()
    expect(deriveFrom(state, [out, back]).map(lineOf)).toEqual(['trade 2025-11 3 2026-01-02'])
    const publication = [
      flow(imports, '2025-11', '2026-01-10', '1', back),
      flow(exports, '2025-11', '2026-01-20', '7', out),
    ]
    const made = deriveFrom(state, order === 'forwards' ? publication : publication.reverse())
    expect(made.map(lineOf)).toEqual(['late trade 2025-11 4 2026-01-10', 'trade 2025-11 6 2026-01-20'])
  })

  it('derives a late print of an input down to the end of the chain', () => {
    const months = periodsOfYear('M', '2025').map((period) => flow(exports, period, '2026-01-10', '10'))
    const [january] = months
    if (!january) throw new Error('no month')
    const revised = flow(exports, '2025-01', '2026-01-20', '12', january)
    const state = nothingDerived()
    const back = periodsOfYear('M', '2025').map((period) => flow(imports, period, '2026-01-10', '1'))
    deriveFrom(state, [...months, ...back])
    deriveFrom(state, [revised])
    const late = flow(exports, '2025-01', '2026-01-15', '11', asKnown(revised, january))
    expect(deriveFrom(state, [late]).map(lineOf)).toEqual([
      'late trade-exports 2025 121 2026-01-15',
      'late trade 2025-01 10 2026-01-15',
      'late trade 2025 109 2026-01-15',
    ])
  })
})

describe('deriveAnew', () => {
  const months = periodsOfYear('M', '2025')
  const year = (country = 'USA') =>
    (['trade-exports', 'trade-imports'] as const).flatMap((indicator) =>
      months.map((period) => flow(flowSeries(indicator, { country }), period, '2026-01-10', '10')),
    )
  const annual = ({ frequency }: Series) => frequency === 'A'

  it('makes all that is missing, down to the end of the chain, as of the time given', () => {
    const state = stateOf(year())
    const made = [...deriveAnew(state, AT)].flat()
    expect(made.filter(({ series }) => annual(series)).map(lineOf)).toEqual([
      'trade-exports 2025 120 2026-01-10',
      'trade-imports 2025 120 2026-01-10',
      'trade 2025 0 2026-01-10',
    ])
    expect(made).toHaveLength(12 + 3)
    expect(new Set(made.map(({ recorded_at }) => recorded_at))).toEqual(new Set([AT]))
    const published = nothingDerived()
    deriveFrom(published, year())
    expect(state.prints).toEqual(published.prints)
  })

  it('makes nothing if all is right', () => {
    const state = nothingDerived()
    deriveFrom(state, year())
    expect([...deriveAnew(state, AT)].flat()).toEqual([])
  })

  it('makes what is missing of derived figures that are right themselves', () => {
    const [state, other] = [nothingDerived(), nothingDerived()]
    const made = deriveFrom(other, year())
    const ofYear = made.filter(({ series }) => annual(series) && series.indicator === 'trade')
    for (const release of [...year(), ...made]) if (!ofYear.includes(release)) recordPrint(state, release)
    expect([...deriveAnew(state, AT)].flat().map(lineOf)).toEqual(['trade 2025 0 2026-01-10'])
  })

  it('replaces figures that an earlier version has derived otherwise', () => {
    const both = [flow(exports, '2025-11', '2026-01-10', '5'), flow(imports, '2025-11', '2026-01-10', '2')]
    const [right] = deriveFrom(nothingDerived(), both)
    if (!right) throw new Error('nothing is derived')
    const wrong: Release = { ...right, release_id: 'rel_wrong', figures: { ...right.figures, balance: '7' } }
    const state = stateOf([...both, wrong])
    expect([...deriveAnew(state, AT)].flat().map(lineOf)).toEqual([
      'late void trade 2025-11 - 2026-01-10',
      'trade 2025-11 3 2026-01-10',
    ])
  })

  it('goes country by country, and rule by rule', () => {
    const prices = months.map((period) => flow(testSeries(), period, '2026-01-10', '100'))
    const before = flow(testSeries(), '2024-12', '2026-01-10', '100')
    const groups = [...deriveAnew(stateOf([...year(), ...year('CAN'), before, ...prices]), AT)]
    const of = (releases: readonly Release[]) => [
      ...new Set(
        releases.map(({ series }) => `${series.country} ${series.indicator === 'inflation' ? 'cpi' : 'flows'}`),
      ),
    ]
    expect(groups.filter((group) => group.length > 0).map(of)).toEqual([['USA flows'], ['CAN flows'], ['USA cpi']])
  })
})
