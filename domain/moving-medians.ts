import { firstIndex } from './first-index.ts'
import { divide } from './fixed-point.ts'

/** The values that count for a place: those `step` apart, from `farthest` places before it to `nearest` places before it. */
type Window = { readonly step: number; readonly nearest: number; readonly farthest: number }

/**
 * For each place the median of the values that count for it, and undefined if there is none. `nearest` and `farthest` are multiples
 * of `step`. From one place to the next of its kind a value comes and one goes, so nothing is sorted anew.
 */
export function movingMedians(
  values: readonly (bigint | undefined)[],
  { step, nearest, farthest }: Window,
): readonly (bigint | undefined)[] {
  const medians = new Array<bigint | undefined>(values.length)
  for (let first = 0; first < step; first++) {
    const sorted: bigint[] = []
    for (let at = first; at < values.length; at += step) {
      const [comes, goes] = [values[at - nearest], values[at - farthest - step]]
      if (goes !== undefined) sorted.splice(placeOf(sorted, goes), 1)
      if (comes !== undefined) sorted.splice(placeOf(sorted, comes), 0, comes)
      medians[at] = middleOf(sorted)
    }
  }
  return medians
}

/** The middle value; of an even number of values the mean of the middle two. */
function middleOf(sorted: readonly bigint[]): bigint | undefined {
  const [below, above] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return below === undefined || above === undefined ? undefined : divide(below + above, 2n)
}

/** Index of the first value that is not less than another. */
const placeOf = (sorted: readonly bigint[], value: bigint): number =>
  firstIndex(sorted.length, (i) => (sorted[i] ?? value) < value)
