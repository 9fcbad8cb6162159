import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Release, ReleasedOnBasis } from '../../contracts/records.ts'
import { decideRelease } from '../../domain/decide-release.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { asKnown, type KnownRelease, printsOf, type RecordedPrint, sameFigures } from '../../domain/prints.ts'
import { eventOfRelease } from '../../domain/release-event.ts'
import { ReleaseIndex } from '../../domain/release-index.ts'
import { AT, candidate, testSeries } from '../support/releases.ts'

/** On this day, the publisher's figure was this; null: it had none. */
type Proof = { readonly on: string; readonly value: string | null; readonly basis: ReleasedOnBasis }

const cpi = testSeries()
const strengths: readonly ReleasedOnBasis[] = ['publisher', 'dataset', 'copy']
const proof = (day: number, value: string | null, basis: ReleasedOnBasis = 'publisher'): Proof => ({
  on: `2025-12-${String(day).padStart(2, '0')}`,
  value,
  basis,
})
const candidateOf = ({ value, ...released }: Proof) => ({
  ...candidate(cpi, '2025-11', { value: value ?? '' }, { released }),
  ...(value === null ? { printed: null } : {}),
})

/** Reads proofs in an order, as the acceptor does. */
function read(proofs: readonly Proof[], known?: KnownRelease) {
  const outcomes: string[] = []
  const releases: Release[] = []
  let all = known
  for (const each of proofs) {
    const decision = decideRelease(all, candidateOf(each), AT)
    outcomes.push(decision.outcome)
    if (!('release' in decision)) continue
    all = asKnown(decision.release, all)
    releases.push(decision.release)
  }
  return { known: all, outcomes, releases }
}
const lineOf = ({ released_on, released_on_basis, figures }: RecordedPrint) =>
  `${released_on} ${released_on_basis} ${figures.value ?? 'withdrawn'}`
const linesOf = (known: KnownRelease | undefined) => printsOf(known).map(lineOf)

/** The prints that follow from all proofs at once, by the definition in decision 0079. */
function expected(proofs: readonly Proof[]): string[] {
  const sorted = proofs.toSorted(
    (a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0) || strengths.indexOf(a.basis) - strengths.indexOf(b.basis),
  )
  return sorted
    .filter(({ value }, i) => value !== (sorted[i - 1]?.value ?? null))
    .map(({ on, basis, value }) => `${on} ${basis} ${value ?? 'withdrawn'}`)
}

/** Proofs of one figure: a value for each day, never an earlier value again, several proofs of some days. */
const history = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.subarray([...strengths], { minLength: 1 })), {
    minLength: 1,
    maxLength: 9,
  })
  .map((steps) => {
    let value = 100
    return steps.flatMap(([by, bases], day) => {
      value += by
      return bases.map((basis) => proof(day + 1, String(value), basis))
    })
  })
const shuffled = history.chain((proofs) =>
  fc.record({ proofs: fc.constant(proofs), order: fc.shuffledSubarray(proofs, { minLength: proofs.length }) }),
)

describe('the prints of a figure', () => {
  it('are the same whatever the order in which dated documents are read', () => {
    fc.assert(
      fc.property(shuffled, ({ proofs, order }) => {
        const { known, releases } = read(order)
        expect(linesOf(known)).toEqual(expected(proofs))
        expect(new Set(releases.map(({ release_id }) => release_id)).size).toBe(releases.length)
        // Boards hold only the current release, and end in the same one.
        const board = new FigureBoard()
        const releaseIndex = new ReleaseIndex()
        for (const release of releases) {
          board.apply(release)
          releaseIndex.apply(release)
        }
        const current = board.latest('USA', 'cpi')
        expect(current && lineOf(current)).toBe(expected(proofs).at(-1))
        expect(releases.filter(({ release_id }) => releaseIndex.current(release_id))).toEqual([current])
        const [record] = releaseIndex.series()
        expect(record).toMatchObject({
          observations: 1,
          vintages: linesOf(known).length,
          releasedOn: current?.released_on,
          releasedOnBasis: current?.released_on_basis,
        })
      }),
      { numRuns: 1_000 },
    )
  })

  it('take nothing from documents that are read again', () => {
    fc.assert(
      fc.property(shuffled, ({ proofs, order }) => {
        const { known } = read(order)
        expect(new Set(read(proofs, known).outcomes)).toEqual(new Set(['unchanged']))
      }),
    )
  })

  it('keep an earlier print that becomes known later, without an event', () => {
    const { known, outcomes, releases } = read([proof(20, '102'), proof(10, '101')])
    expect(outcomes).toEqual(['new', 'late'])
    expect(linesOf(known)).toEqual(['2025-12-10 publisher 101', '2025-12-20 publisher 102'])
    const board = new FigureBoard()
    expect(releases.map((release, i) => eventOfRelease(board, release, i + 1)?.type)).toEqual([
      'economics.release.published',
      undefined,
    ])
  })

  it('of one day stay in the order in which they were read, and none of them is taken again', () => {
    const { known, outcomes } = read([proof(10, '101'), proof(20, '103'), proof(10, '102')])
    expect(outcomes).toEqual(['new', 'revised', 'late'])
    const lines = ['2025-12-10 publisher 101', '2025-12-10 publisher 102', '2025-12-20 publisher 103']
    expect(linesOf(known)).toEqual(lines)
    const again = read([proof(10, '101'), proof(10, '102')], known)
    expect(again.outcomes).toEqual(['unchanged', 'unchanged'])
    expect(linesOf(again.known)).toEqual(lines)
  })

  it('get a basis that is known instead of one of a newer release', () => {
    const { known } = read([proof(10, '101', 'of a newer release' as never)])
    expect(read([proof(10, '101', 'copy')], known).outcomes).toEqual(['redated'])
  })

  it('are not the same where they state other figures', () => {
    expect(sameFigures({ year_over_year: '1' }, { quarter_over_quarter: '1' })).toBe(false)
  })

  it('get an earlier date, or a better basis of it, without an event', () => {
    const proofs = [proof(20, '101', 'copy'), proof(10, '101', 'dataset'), proof(10, '101')]
    const { known, outcomes, releases } = read(proofs)
    expect(outcomes).toEqual(['new', 'redated', 'redated'])
    expect(linesOf(known)).toEqual(['2025-12-10 publisher 101'])
    expect(releases.map(({ redates, revises }) => [redates, revises])).toEqual([
      [null, null],
      [releases[0]?.release_id, null],
      [releases[1]?.release_id, null],
    ])
    const board = new FigureBoard()
    expect(releases.filter((release, i) => eventOfRelease(board, release, i + 1))).toHaveLength(1)
  })

  it('know a return to earlier figures unless what lay between is read last', () => {
    const [first, between, back] = [proof(1, '101'), proof(2, '102'), proof(3, '101')]
    const whole = ['2025-12-01 publisher 101', '2025-12-02 publisher 102', '2025-12-03 publisher 101']
    for (const order of [
      [first, between, back],
      [between, first, back],
      [between, back, first],
      [back, between, first],
    ]) {
      expect(linesOf(read(order).known)).toEqual(whole)
    }
    // Not promised, because a repeated figure is not recorded (decision 0079).
    expect(linesOf(read([first, back, between]).known)).toEqual(whole.slice(0, 2))
  })

  it('of a figure without a date are those of the day of reading, and never before the print on record', () => {
    const { known } = read([proof(10, '101')])
    const undated = (value: string, at: string) => decideRelease(known, candidate(cpi, '2025-11', { value }), at)
    expect(undated('101', AT).outcome).toBe('unchanged')
    // The publisher's day had begun before that of UTC.
    expect(undated('102', '2025-12-09T22:00:00.000Z')).toMatchObject({
      outcome: 'revised',
      release: { released_on: '2025-12-10', released_on_basis: 'first_seen', late: false },
    })
  })
})

describe('a withdrawal', () => {
  it('is a print without figures, and its event shows what is no longer served', () => {
    const { outcomes, releases } = read([proof(10, '101'), proof(20, null), proof(25, null), proof(27, '103')])
    expect(outcomes).toEqual(['new', 'withdrawn', 'unchanged', 'revised'])
    const board = new FigureBoard()
    const [published, withdrawn, again] = releases.map((release, i) => {
      const event = eventOfRelease(board, release, i + 1)
      return { type: event?.type, data: JSON.parse(event?.data ?? '{}'), served: board.latest('USA', 'cpi')?.figures }
    })
    expect(published?.served).toEqual({ value: '101' })
    expect(withdrawn).toEqual({
      type: 'economics.release.withdrawn',
      data: { country: 'USA', period: '2025-11', released_on: '2025-12-20', previous: published?.data },
      served: undefined,
    })
    expect(again).toMatchObject({ type: 'economics.release.published', served: { value: '103' } })
  })

  it('needs a figure on record by that day, and may be late itself', () => {
    expect(read([proof(5, null)]).outcomes).toEqual(['unchanged'])
    expect(read([proof(10, '101'), proof(5, null)]).outcomes).toEqual(['new', 'unchanged'])
    const { known, outcomes } = read([proof(1, '101'), proof(20, '102'), proof(10, null)])
    expect(outcomes).toEqual(['new', 'revised', 'late'])
    expect(linesOf(known)[1]).toBe('2025-12-10 publisher withdrawn')
  })

  it('lets the period before be the latest, until the figure is back', () => {
    const board = new FigureBoard()
    const october = decideRelease(undefined, candidate(cpi, '2025-10', { value: '100' }), AT)
    if ('release' in october) board.apply(october.release)
    for (const release of read([proof(10, '101'), proof(20, null)]).releases) board.apply(release)
    expect([board.latest('USA', 'cpi')?.period, board.size]).toEqual(['2025-10', 1])
    expect(board.at('USA', 'cpi', '2025-11')).toBeUndefined()
    expect(board.periods('USA', 'cpi', 'M')).toEqual(['2025-10'])
  })
})

it('figures are the same only if all of their members are', () => {
  const figures = { exports: '10', imports: '8', balance: '2' }
  expect(sameFigures(figures, { balance: '2.0', imports: '8', exports: '10.00' })).toBe(true)
  for (const member of Object.keys(figures)) {
    expect(sameFigures(figures, { ...figures, [member]: '11' }), member).toBe(false)
    expect(sameFigures(figures, { ...figures, more: '1' })).toBe(false)
  }
})
