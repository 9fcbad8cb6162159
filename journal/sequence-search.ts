/**
 * Search in a log of events by sequence. Sequences are dense and increase with offsets, which have holes. Two known places
 * therefore bound the offset of every event between them.
 */

type SequenceAt = { readonly sequence: number; readonly offset: number }

/** Lowest and highest offset that an event between `first` and `next` can have. */
export const offsetRange = (sequence: number, first: SequenceAt, next: SequenceAt): [low: number, high: number] => [
  first.offset + (sequence - first.sequence),
  next.offset - (next.sequence - sequence),
]

/**
 * Finds the offset of an event that is in the log by bisection of its range, beginning at `hint`. `firstFrom` reads the
 * first event at or after an offset.
 */
export async function searchSequence(
  sequence: number,
  range: readonly [low: number, high: number],
  firstFrom: (offset: number) => Promise<SequenceAt | undefined>,
  hint = middleOf(...range),
): Promise<number> {
  let [low, high] = range
  for (let at = Math.min(Math.max(hint, low), high); low < high; at = middleOf(low, high)) {
    const found = await firstFrom(at)
    if (found?.sequence === sequence) return found.offset
    if (!found || found.sequence > sequence) high = at - 1
    else low = found.offset + (sequence - found.sequence)
  }
  return low
}

const middleOf = (low: number, high: number): number => low + Math.floor((high - low) / 2)
