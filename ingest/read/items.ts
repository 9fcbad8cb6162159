import { canonicalDecimal, DecimalError } from '../../domain/decimal.ts'
import { isPeriodOf } from '../../domain/period.ts'
import { sameFigures } from '../../domain/prints.ts'
import type { Figure, Item, Missing, Reject } from '../source.ts'

/** Why something is no figure: a reason and a detail for people. */
export type Fault = Pick<Reject, 'reason' | 'detail'>

export const rejectOf = (reason: string, detail: string, location: string, text: string): Reject => ({
  kind: 'reject',
  reason,
  detail,
  location,
  text,
})

/**
 * Returns the figure if its period has the frequency of its series and its values are decimals; else a `Reject`: `bad_period`,
 * `not_a_decimal` or `decimal_too_long`. The acceptor makes all further checks. `text` is the original row.
 */
export function figureOrReject(figure: Omit<Figure, 'kind'>, text: string): Figure | Reject {
  const { series, period, location } = figure
  const reject = (reason: string, detail: string): Reject => rejectOf(reason, detail, location, text)
  if (!isPeriodOf(series.frequency, period))
    return reject('bad_period', `${JSON.stringify(period)} is no period of frequency ${series.frequency}.`)
  for (const [member, { printed, ...reading }] of Object.entries(figure.figures)) {
    try {
      canonicalDecimal(printed, reading)
    } catch (error) {
      if (!(error instanceof DecimalError)) throw error
      const shown = JSON.stringify(printed.slice(0, 80))
      return reject(error.code, `${series.country} ${series.indicator} ${period}: ${member} is ${shown}.`)
    }
  }
  return { kind: 'figure', ...figure }
}

/**
 * Sorts items into an order in which they may be accepted: rejects first, then figures by release, by country, so that what is
 * judged and derived together is accepted together, and by period. A repeated figure becomes a `Reject` (`stated_twice`). So
 * does the first one if another one contradicts it, because nothing says which of them is right.
 */
export function inOrderOfRelease(items: readonly Item[]): readonly Item[] {
  const firsts = new Map<string, Figure | Missing>()
  /** First statements that a later one contradicts, with its location. */
  const contradicted = new Map<Item, string>()
  const ranked = items.map((item): { readonly item: Item; readonly rank: string } => {
    if (!('series' in item)) return { item, rank: '' }
    const rank = `${item.released?.on ?? ''} ${item.series.country} ${item.period}`
    const key = `${rank} ${item.series.id}`
    const first = firsts.get(key)
    if (!first) {
      firsts.set(key, item)
      return { item, rank }
    }
    if (!isSameStatement(figuresOf(first), figuresOf(item))) contradicted.set(first, item.location)
    return { item: statedTwice(item, first.location), rank: '' }
  })
  return ranked
    .map(({ item, rank }) => {
      const location = contradicted.get(item)
      return 'series' in item && location !== undefined
        ? { item: statedTwice(item, location), rank: '' }
        : { item, rank }
    })
    .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
    .map(({ item }) => item)
}

const figuresOf = (item: Figure | Missing): Figure['figures'] | null => (item.kind === 'figure' ? item.figures : null)

function statedTwice(item: Figure | Missing, location: string): Reject {
  const detail = `${item.series.id} of ${item.period} stands also at ${location}.`
  return rejectOf('stated_twice', detail, item.location, JSON.stringify(figuresOf(item)))
}

/** Tells whether two statements are of the same numbers, however they are printed. Null states that there is none. */
export function isSameStatement(a: Figure['figures'] | null, b: Figure['figures'] | null): boolean {
  if (a === null || b === null) return a === b
  try {
    return sameFigures(numbersOf(a), numbersOf(b))
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error
    return false
  }
}

const numbersOf = (figures: Figure['figures']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(figures).map(([member, { printed, ...reading }]) => [member, canonicalDecimal(printed, reading)]),
  )
