import type { Release } from '../../contracts/records.ts'
import { readFigures } from '../decide-release.ts'
import { type Dated, isWithdrawn, printsOf, sameFigures } from '../prints.ts'
import { faultOfResource } from '../resource.ts'
import type { DerivedFigure, InputPrint } from './derivation.ts'

/** A print of a derived figure: the figures that follow from its inputs' prints from a day on. */
export type DatedPrint = Pick<Release, 'figures' | 'published'> & {
  readonly released: Dated
  readonly inputs: readonly InputPrint[]
}

/**
 * The prints of a derived figure from the day `since` on and before the day `until`, in the order of their days. They
 * follow from the dated prints of its inputs and from nothing else: each day on which an input has a print has the
 * figures that are computed from the inputs as they stood at the end of it. Figures that equal those before, `before` at
 * first, are no print, nor is a withdrawal before the first figures. Those that cannot be served are passed over.
 */
export function datedPrints(
  figure: DerivedFigure,
  since = '',
  before?: Pick<Release, 'figures'>,
  until?: string,
): DatedPrint[] {
  const histories = figure.inputs.map(printsOf)
  const made: DatedPrint[] = []
  let last = before
  for (const day of daysOf(histories, since)) {
    if (until !== undefined && day >= until) break
    const inputs = histories.map((prints) => prints.findLast(({ released_on }) => released_on <= day))
    const print = printOf(figure, inputs, day)
    if (!print || (last ? sameFigures(last.figures, print.figures) : isWithdrawn(print))) continue
    made.push(print)
    last = print
  }
  return made
}

function daysOf(histories: readonly (readonly InputPrint[])[], since: string): string[] {
  const days = new Set<string>()
  for (const prints of histories)
    for (let i = prints.length - 1; i >= 0; i--) {
      const { released_on } = prints[i] as InputPrint
      if (released_on < since) break
      days.add(released_on)
    }
  return days.size > 1 ? [...days].sort() : [...days]
}

function printOf(
  { series, period, compute }: DerivedFigure,
  inputs: readonly (InputPrint | undefined)[],
  day: string,
): DatedPrint | undefined {
  const result = compute(inputs)
  if (!result) return undefined
  const basis = inputs.find((input) => input?.released_on === day)?.released_on_basis ?? 'first_seen'
  const released = { on: day, basis }
  if (!result.figures) return { figures: {}, published: {}, released, inputs: result.inputs }
  const printed = Object.entries(result.figures).map(([member, value]) => [member, { printed: value }] as const)
  const read = readFigures(series.indicator, Object.fromEntries(printed))
  if ('outcome' in read) return undefined
  const isServable = faultOfResource({ series, period, figures: read.figures, released_on: day, release_id: '' })
  return isServable === undefined ? { ...read, released, inputs: result.inputs } : undefined
}
