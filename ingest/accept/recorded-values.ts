import type { Release } from '../../contracts/records.ts'
import type { Value } from '../../domain/plausibility/view.ts'

type Figures = Release['figures']

/**
 * The figures on record as numbers, by series and member, in order of period. They are kept between the chunks of a document,
 * because making them anew for each chunk costs more than deciding on it.
 */
export class RecordedValues {
  readonly #bySeries = new Map<string, Map<string, Value[]>>()

  /** Returns the values of a member. They are made of `periods` if they are not known. */
  of(series: string, member: string, periods: ReadonlyMap<string, { readonly figures: Figures }>): readonly Value[] {
    const members = this.#bySeries.get(series) ?? new Map<string, Value[]>()
    this.#bySeries.set(series, members)
    const known = members.get(member)
    if (known) return known
    const values = [...periods].flatMap(([at, { figures }]) => numberOf(figures, member, at))
    values.sort((a, b) => (a.at < b.at ? -1 : 1))
    members.set(member, values)
    return values
  }

  /** Adds the figures of a period that was not on record. */
  add(series: string, period: string, figures: Figures): void {
    for (const [member, values] of this.#bySeries.get(series) ?? []) {
      if ((values.at(-1)?.at ?? '') >= period) {
        this.forget(series)
        return
      }
      values.push(...numberOf(figures, member, period))
    }
  }

  /** Forgets the values of a series, because one of them has changed. */
  forget(series: string): void {
    this.#bySeries.delete(series)
  }
}

function numberOf(figures: Figures, member: string, at: string): Value[] {
  const text = figures[member]
  return text === undefined ? [] : [{ at, value: Number(text) }]
}
