import { describe, expect, it } from 'vitest'
import { datedPrints } from '../../../domain/derive/dated-prints.ts'
import { type FlowPrint, january, tradeFigure } from './trade-figure.ts'

/** Day of January, balance and basis of each print. */
const printsOf = (exported: readonly FlowPrint[], imported: readonly FlowPrint[], since?: string, before?: string) =>
  datedPrints(
    tradeFigure(exported, imported),
    since,
    before === undefined ? undefined : { figures: { exports: '5', imports: '2', balance: before } },
  ).map(({ figures, released }) => [Number(released.on.slice(8)), figures.balance ?? null, released.basis].join(' '))

describe('the dated prints of a derived figure', () => {
  it('begin on the first day on which all inputs have figures', () => {
    expect(printsOf([[5, 5]], [[8, 2]])).toEqual(['8 3 publisher'])
    expect(printsOf([[5, 5]], [])).toEqual([])
  })

  it('are in the order of their days, whichever input is printed on them', () => {
    const exported: FlowPrint[] = [
      [5, 5],
      [20, 9],
    ]
    const imported: FlowPrint[] = [
      [3, 2],
      [12, 1],
      [25, 4],
    ]
    expect(printsOf(exported, imported)).toEqual([
      '5 3 publisher',
      '12 4 publisher',
      '20 8 publisher',
      '25 5 publisher',
    ])
  })

  it('have one print of a day on which several inputs are printed', () => {
    const exported: FlowPrint[] = [
      [5, 5],
      [12, 7],
      [12, 8],
    ]
    expect(
      printsOf(exported, [
        [5, 2],
        [12, 3],
      ]),
    ).toEqual(['5 3 publisher', '12 5 publisher'])
  })

  it('have the basis of the input that is printed on their day', () => {
    const exported: FlowPrint[] = [
      [5, 5, 'first_seen'],
      [20, 9, 'copy'],
    ]
    const imported: FlowPrint[] = [
      [8, 2, 'copy'],
      [20, 1, 'first_seen'],
      [25, 3, 'publisher'],
    ]
    // On the 20th both are printed: the first one counts.
    expect(printsOf(exported, imported)).toEqual(['8 3 copy', '20 8 copy', '25 6 publisher'])
  })

  it('are withdrawn with an input and come back with it, but not before there were figures', () => {
    const imported: FlowPrint[] = [
      [3, 2],
      [6, null],
      [9, 2],
      [12, null],
      [15, 1],
    ]
    expect(printsOf([[5, 5]], imported)).toEqual([
      '5 3 publisher',
      '6  publisher',
      '9 3 publisher',
      '12  publisher',
      '15 4 publisher',
    ])
    expect(printsOf([[7, 5]], imported)).toEqual(['9 3 publisher', '12  publisher', '15 4 publisher'])
  })

  it('begin with the day asked for, and leave out figures that are those before', () => {
    const exported: FlowPrint[] = [
      [5, 5],
      [20, 9],
    ]
    expect(printsOf(exported, [[5, 2]], january(5))).toEqual(['5 3 publisher', '20 7 publisher'])
    expect(printsOf(exported, [[5, 2]], january(6))).toEqual(['20 7 publisher'])
    expect(printsOf(exported, [[5, 2]], january(5), '3.0')).toEqual(['20 7 publisher'])
    expect(printsOf(exported, [[5, 2]], january(21))).toEqual([])
  })

  it('name the inputs of their day', () => {
    const figure = tradeFigure(
      [
        [5, 5],
        [20, 9],
      ],
      [[8, 2]],
    )
    const [exported, imported] = figure.inputs
    expect(datedPrints(figure).map(({ inputs }) => inputs.map(({ release_id }) => release_id))).toEqual([
      [exported?.earlier?.[0]?.release_id, imported?.release_id],
      [exported?.release_id, imported?.release_id],
    ])
  })

  it('pass over figures that cannot be served', () => {
    const figure = tradeFigure(
      [
        [5, 5],
        [12, 6],
        [20, 9],
      ],
      [[5, 2]],
    )
    // More digits than a decimal may have.
    const compute: typeof figure.compute = (inputs) => {
      const made = figure.compute(inputs)
      return made?.figures?.exports === '6' ? { ...made, figures: { ...made.figures, balance: '9'.repeat(80) } } : made
    }
    expect(datedPrints({ ...figure, compute }).map(({ figures }) => figures.balance)).toEqual(['3', '7'])
    // A unit that is not a currency.
    expect(datedPrints({ ...figure, series: { ...figure.series, unit: 'percent' } })).toEqual([])
  })
})
