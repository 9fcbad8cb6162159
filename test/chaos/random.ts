/** Deterministic random numbers: the same seed draws the same sequence. */
export type Random = {
  /** A number in [0, 1). */
  next(): number
  /** A whole number from 0 up to `below` - 1. */
  below(below: number): number
  /** One member of a list, which must not be empty. */
  pick<T>(list: readonly T[]): T
}

/** Mulberry32 by Tommy Ettinger (public domain). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    pick(list) {
      const picked = list[below(list.length)]
      if (picked === undefined) throw new Error('nothing to pick from')
      return picked
    },
  }
}
