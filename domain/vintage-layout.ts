import { type DatedValue, type RealTimeObservation, realTimeObservations, vintageDates } from './real-time.ts'

/** An entry of the vintages: what was answered for a figure of a period from a day on. */
export type VintageEntry = DatedValue & { readonly number: number; readonly place: number }

/** The values of one id over time, by period. */
export type VintagesOfId = { readonly id: string; readonly observations: readonly RealTimeObservation[] }

/**
 * Splits vintages by ids, so that the values of an id can be compared. Where another id goes on with a figure of a period, the
 * one before has no value from that day on. Thus of all ids of a figure at most one has a value of a period on a day: the answer.
 *
 * @param entries by period and figure, and then in the order of time
 */
export function vintagesById(
  entries: readonly VintageEntry[],
  idOf: (entry: VintageEntry) => string,
): readonly VintagesOfId[] {
  const byId = new Map<string, DatedValue[]>()
  const add = (id: string, value: DatedValue) => {
    const values = byId.get(id) ?? []
    byId.set(id, values)
    values.push(value)
  }
  let before: { readonly entry: VintageEntry; readonly id: string } | undefined
  for (const entry of entries) {
    const { period, number, value, valid_from } = entry
    const last = before?.entry.period === period && before.entry.number === number ? before.id : undefined
    // What ends a value can be a print of another series.
    const id = value === null ? last : idOf(entry)
    if (last !== undefined && (value === null || last !== id)) add(last, { period, value: null, valid_from })
    if (id !== undefined && value !== null) add(id, { period, value, valid_from })
    before = id === undefined ? undefined : { entry, id }
  }
  return [...byId].map(([id, values]) => ({ id, observations: realTimeObservations(values) }))
}

/** The days on which a value of any id was released, revised or withdrawn, in the order of time. */
export const daysOfChanges = (ids: readonly VintagesOfId[]): string[] =>
  vintageDates(ids.flatMap(({ observations }) => observations))
