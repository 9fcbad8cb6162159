import { answersByKind } from './answers-by-kind.ts'
import { type DatedValue, type RealTimeObservation, realTimeObservations } from './real-time.ts'

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
  const byId = Map.groupBy(answersByKind(entries, idOf), ({ kind }) => kind)
  return [...byId].map(([id, own]) => ({
    id,
    observations: realTimeObservations(
      own.map(({ answer: { period }, value, validFrom }) => ({ period, value, valid_from: validFrom })),
    ),
  }))
}
