/**
 * The first index from `low` on that does not lie before something; `length` if all do. Found by halving, so those that lie before it
 * must come first.
 */
export function firstIndex(length: number, isBefore: (index: number) => boolean, low = 0): number {
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
