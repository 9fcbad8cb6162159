import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Release } from '../../../contracts/records.ts'
import type { DerivedFigure } from '../../../domain/derive/derivation.ts'
import { nothingDerived, recordPrint } from '../../../domain/derive/fold.ts'
import { settlePrints } from '../../../domain/derive/settle-prints.ts'
import { isWithdrawn, printsOf } from '../../../domain/prints.ts'
import { AFTER_JANUARY, type FlowPrint, january, tradeFigure } from './trade-figure.ts'

/** The prints on record of one derived figure, and all releases that made them so. */
function onRecord() {
  const state = nothingDerived()
  const releases: Release[] = []
  const recordOf = ({ series, period }: DerivedFigure) => ({
    prints: state.prints.get(series.id)?.periods.get(period),
    voided: state.voided.get(`${series.id} ${period}`),
  })
  return {
    releases,
    printsOf: (figure: DerivedFigure) => printsOf(recordOf(figure).prints),
    /** Makes the prints on record from the day `since` on those of the figure, and returns the releases that do so. */
    settle(figure: DerivedFigure, since = 1): Release[] {
      const made = settlePrints(figure, recordOf(figure), january(since), AFTER_JANUARY)
      for (const release of made) recordPrint(state, release)
      releases.push(...made)
      return made
    },
  }
}

/** Settles the prints of each figure in turn, from the first day on. The releases are those of the last one. */
function settledOneByOne(...figures: readonly DerivedFigure[]) {
  const record = onRecord()
  let before: Release[] = []
  let made: Release[] = []
  for (const figure of figures) {
    before = record.releases.slice()
    made = record.settle(figure)
  }
  return { made, before }
}

type Shown = Pick<Release, 'released_on' | 'figures'>
const printLine = ({ released_on, figures }: Shown) =>
  `${Number(released_on.slice(8))} ${figures.balance ?? 'withdrawn'}`

/** What a release says: day, figures, and what it does to the prints on record. Others are named by their lines. */
function linesOf(made: readonly Release[], before: readonly Release[]): string[] {
  const byId = new Map([...before, ...made].map((release) => [release.release_id, printLine(release)]))
  const named = (what: string, id: string | null) => (id === null ? '' : `, ${what} ${byId.get(id)}`)
  return made.map((release) =>
    release.voids !== null
      ? `${release.late ? 'late ' : ''}void of ${byId.get(release.voids)}`
      : `${release.late ? 'late ' : ''}${printLine(release)}${named('after', release.revises)}${named('redates', release.redates)}`,
  )
}

/** Lines of the releases that lead from one pair of histories to another. */
function changeOf(...figures: readonly DerivedFigure[]): string[] {
  const { made, before } = settledOneByOne(...figures)
  return linesOf(made, before)
}

const imported: FlowPrint[] = [[2, 2]]
/** Exports of these prints, and imports of 2 from January 2 on. */
const exportsOf = (...prints: readonly FlowPrint[]) => tradeFigure(prints, imported)

describe('the releases that settle the prints of a derived figure', () => {
  it('are its prints in the order of their days, each after the one before', () => {
    expect(changeOf(exportsOf([5, 5], [10, 6], [15, null]))).toEqual([
      'late 5 3',
      'late 10 4, after 5 3',
      '15 withdrawn, after 10 4',
    ])
  })

  it('state figures, date and inputs of the print, and the time at which they were made', () => {
    const figure = exportsOf([5, 5, 'copy'])
    const [release, ...others] = settledOneByOne(figure).made
    expect(others).toEqual([])
    expect(release).toMatchObject({
      series: figure.series,
      period: figure.period,
      figures: { exports: '5', imports: '2', balance: '3' },
      revises: null,
      released_on: january(5),
      released_on_basis: 'copy',
      recorded_at: AFTER_JANUARY,
      inputs: figure.inputs.map((input) => input?.release_id),
      late: false,
      redates: null,
      voids: null,
    })
  })

  it('are none if the prints on record are right', () => {
    expect(changeOf(exportsOf([5, 5]), exportsOf([5, 5]))).toEqual([])
    const three = exportsOf([5, 5], [10, 6], [15, null])
    expect(changeOf(three, three)).toEqual([])
    expect(changeOf(exportsOf())).toEqual([])
  })

  it('are none if other inputs have the same figures', () => {
    expect(changeOf(exportsOf([5, 5]), exportsOf([5, 5], [9, 6], [9, 5]))).toEqual([])
  })

  it('add a revision, and nothing else', () => {
    expect(changeOf(exportsOf([5, 5]), exportsOf([5, 5], [10, 6]))).toEqual(['10 4, after 5 3'])
  })

  it('add a late print, and leave the current one as it is', () => {
    expect(changeOf(exportsOf([10, 6]), exportsOf([5, 5], [10, 6]))).toEqual(['late 5 3'])
    expect(changeOf(exportsOf([5, 5], [10, 6]), exportsOf([5, 5], [7, 9], [10, 6]))).toEqual(['late 7 7, after 5 3'])
  })

  it('let a new current print revise what was current, also if late ones are added before it', () => {
    expect(changeOf(exportsOf([5, 5]), exportsOf([5, 5], [7, 8], [8, 9], [10, 6]))).toEqual([
      'late 7 6, after 5 3',
      'late 8 7, after 7 6',
      '10 4, after 5 3',
    ])
  })

  it.each([
    ['earlier', exportsOf([10, 6]), exportsOf([5, 6]), ['5 4, redates 10 4']],
    ['later', exportsOf([5, 6]), exportsOf([10, 6]), ['10 4, redates 5 4']],
    ['better known', exportsOf([5, 6, 'first_seen']), exportsOf([5, 6]), ['5 4, redates 5 4']],
    [
      'earlier, of a print that is not current',
      exportsOf([8, 5], [10, 6]),
      exportsOf([5, 5], [10, 6]),
      ['late 5 3, redates 8 3'],
    ],
  ])('redate a print whose input has another date: %s', (_, before, after, expected) => {
    expect(changeOf(before, after)).toEqual(expected)
  })

  it('redate the print that has the figures, not one beyond a print that is right', () => {
    expect(changeOf(exportsOf([10, 6], [15, 5]), exportsOf([5, 5], [10, 6]))).toEqual([
      'late void of 15 3',
      'late 5 3',
      '10 4, after 5 3, redates 10 4',
    ])
  })

  it('redate prints with the same figures in their order', () => {
    expect(changeOf(exportsOf([4, 5], [10, 6], [16, 5]), exportsOf([5, 5], [10, 6], [17, 5]))).toEqual([
      'late 5 3, redates 4 3',
      '17 3, after 10 4, redates 16 3',
    ])
  })

  it('void a print that never was true, late if others take its place', () => {
    expect(changeOf(exportsOf([5, 5], [10, 6], [15, 7]), exportsOf([5, 5], [15, 7]))).toEqual(['late void of 10 4'])
    expect(changeOf(exportsOf([5, 5]), exportsOf([5, 6]))).toEqual(['late void of 5 3', '5 4'])
  })

  it('void all prints if no figures are left, of which only the current one is not late', () => {
    expect(changeOf(exportsOf([5, 5], [10, 6]), exportsOf())).toEqual(['late void of 5 3', 'void of 10 4'])
  })

  it('void with the date and the predecessor of the print that they name', () => {
    const { made, before } = settledOneByOne(exportsOf([5, 5], [10, 6, 'copy'], [15, 7]), exportsOf([5, 5], [15, 7]))
    const voided = before.find(({ released_on }) => released_on === january(10))
    expect(made).toMatchObject([
      {
        figures: {},
        published: {},
        inputs: [],
        released_on: january(10),
        released_on_basis: 'copy',
        revises: voided?.revises,
        voids: voided?.release_id,
        redates: null,
      },
    ])
  })

  it('say again that earlier figures are current, if those after them never were true', () => {
    expect(changeOf(exportsOf([5, 5], [10, 6]), exportsOf([5, 5]))).toEqual(['late void of 10 4', '5 3, redates 5 3'])
  })

  it('say so with their inputs if only days after them have changed', () => {
    const record = onRecord()
    const first = record.settle(exportsOf([5, 5], [10, 6]))
    const figure = exportsOf([5, 5])
    const made = record.settle(figure, 10)
    expect(linesOf(made, first)).toEqual(['late void of 10 4', '5 3, redates 5 3'])
    expect(made[1]?.inputs).toEqual(figure.inputs.map((input) => input?.release_id))
  })

  it('say of a print that it is the first if those before it never were true', () => {
    expect(changeOf(exportsOf([5, 5], [10, 6]), exportsOf([10, 6]))).toEqual(['late void of 5 3', '10 4, redates 10 4'])
    expect(changeOf(exportsOf([5, 5], [10, 6], [15, 7]), exportsOf([10, 6], [15, 7]))).toEqual([
      'late void of 5 3',
      'late 10 4, redates 10 4',
    ])
  })

  it('leave alone what is before the day since when prints have changed', () => {
    const record = onRecord()
    const first = record.settle(exportsOf([5, 5], [10, 6]))
    expect(linesOf(record.settle(exportsOf([4, 9], [10, 8]), 10), first)).toEqual([
      'late void of 10 4',
      '10 6, after 5 3',
    ])
  })

  it('have ids of their own when figures come back that were voided', () => {
    const [right, wrong] = [exportsOf([5, 5]), exportsOf([5, 6])]
    const record = onRecord()
    for (const figure of [right, wrong, right, wrong, right]) record.settle(figure)
    expect(new Set(record.releases.map(({ release_id }) => release_id)).size).toBe(9)
    expect(record.printsOf(right).map(printLine)).toEqual(['5 3'])
  })

  it('have ids of their own when a print is dated to and fro', () => {
    const [early, late] = [exportsOf([5, 5]), exportsOf([8, 5])]
    const { made, before } = settledOneByOne(early, late, early, late, early)
    expect(new Set([...before, ...made].map(({ release_id }) => release_id)).size).toBe(5)
  })
})

/** The prints of days, computed anew for each day of January. */
function printsByDay(exported: readonly FlowPrint[], imported: readonly FlowPrint[]): string[] {
  const lines: string[] = []
  let last = 'withdrawn'
  for (let day = 1; day <= 31; day++) {
    const [out, back] = [exported, imported].map((prints) => prints.findLast(([from]) => from <= day))
    if (!out || !back) continue
    const balance = out[1] === null || back[1] === null ? 'withdrawn' : `${out[1]} ${back[1]}`
    if (balance === last) continue
    const basis = (out[0] === day ? out[2] : undefined) ?? (back[0] === day ? back[2] : undefined) ?? 'publisher'
    lines.push(`${january(day)} ${basis} ${balance}`)
    last = balance
  }
  return lines
}

describe('the prints on record of any inputs', () => {
  const flow = fc
    .array(
      fc.tuple(
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom(5, 6, 7, null),
        fc.constantFrom('publisher' as const, 'copy' as const),
      ),
      { maxLength: 4 },
    )
    .map((prints) =>
      prints
        .toSorted(([a], [b]) => a - b)
        // A publisher's figure that is repeated is no print, nor is the withdrawal of one that it never had.
        .filter(([, value], i, all) => value !== (all[i - 1]?.[1] ?? null)),
    )
  const inputs = fc.array(fc.tuple(flow, flow), { minLength: 2, maxLength: 5 })
  /** The first day on which the prints of inputs differ. */
  const firstChange = (a: DerivedFigure, b: DerivedFigure) => {
    const days = (figure: DerivedFigure) =>
      figure.inputs.map((input) => printsOf(input).map((print) => JSON.stringify([print.released_on, print])))
    const [before, after] = [days(a).flat(), days(b).flat()]
    const changed = [...before.filter((p) => !after.includes(p)), ...after.filter((p) => !before.includes(p))]
    return Math.min(31, ...changed.map((print) => Number(JSON.parse(print)[0].slice(8))))
  }

  it('are those of their days, however the inputs were known before', () => {
    fc.assert(
      fc.property(inputs, (stages) => {
        const record = onRecord()
        let known = tradeFigure([], [])
        let told: Shown['figures'] = {}
        for (const [exported, imported] of stages) {
          const figure = tradeFigure(exported, imported)
          const made = record.settle(figure, firstChange(known, figure))
          const prints = record.printsOf(figure)
          expect(
            prints.map((print) => {
              const { exports, imports } = print.figures
              const shown = isWithdrawn(print) ? 'withdrawn' : `${exports} ${imports}`
              return `${print.released_on} ${print.released_on_basis} ${shown}`
            }),
          ).toEqual(printsByDay(exported, imported))
          // One that passes over late releases is told at most once, and knows what is current.
          const current = made.filter(({ late }) => !late)
          expect(current.length).toBeLessThan(2)
          told = current[0]?.figures ?? told
          expect(told).toEqual(prints.at(-1)?.figures ?? {})
          expect(record.settle(figure)).toEqual([])
          known = figure
        }
        expect(new Set(record.releases.map(({ release_id }) => release_id)).size).toBe(record.releases.length)
      }),
      { numRuns: 200 },
    )
  })
})
