/** A derived figure of two inputs, whose prints are stated by day: exports less imports of one month. */
import { subtract } from '../../../domain/decimal.ts'
import { computed, type DerivedFigure } from '../../../domain/derive/derivation.ts'
import { asKnown, type Dated, type KnownRelease } from '../../../domain/prints.ts'
import { accepted, candidate, flowSeries, testSeries } from '../../support/releases.ts'

const [exports, imports] = [flowSeries('trade-exports'), flowSeries('trade-imports')]
const trade = testSeries({ indicator: 'trade', unit: 'USD', derivation: 'trade_from_flows' })
const period = '2025-11'
export const AFTER_JANUARY = '2026-02-01T12:00:00.000Z'

/** A day of January 2026. */
export const january = (day: number): string => `2026-01-${String(day).padStart(2, '0')}`

/** The figure of a flow from this day of January on, `null` if it was withdrawn. The publisher stated the date, if no basis is given. */
export type FlowPrint = readonly [day: number, value: number | null, basis?: Dated['basis']]

function historyOf(series: typeof exports, prints: readonly FlowPrint[]): KnownRelease | undefined {
  let known: KnownRelease | undefined
  for (const [day, value, basis = 'publisher'] of prints) {
    const stated = candidate(series, period, { value: String(value) }, { released: { on: january(day), basis } })
    known = asKnown(accepted(value === null ? { ...stated, printed: null } : stated, known, AFTER_JANUARY), known)
  }
  return known
}

export const tradeFigure = (exported: readonly FlowPrint[], imported: readonly FlowPrint[]): DerivedFigure => ({
  series: trade,
  period,
  inputs: [historyOf(exports, exported), historyOf(imports, imported)],
  compute([out, back]) {
    if (!out || !back) return undefined
    const [a, b] = [out.figures.value ?? '', back.figures.value ?? '']
    return computed([out, back], () => ({ exports: a, imports: b, balance: subtract(a, b) }))
  },
})
