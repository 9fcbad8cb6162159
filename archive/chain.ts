import type { OffsetRange } from './chain-entry.ts'

/**
 * Selects the chain among the entries of a partition: the ranges that join each other and cover most, and of two ways to
 * cover it the one with fewer ranges. The others are left of a compaction that was killed, or of a writer that had lost
 * its claim. They say the same of the same offsets, so a chain can be read at any moment.
 */
export function chainOf<R extends OffsetRange>(ranges: readonly R[]): readonly R[] {
  /** The best chain that ends at an offset. */
  const endingAt = new Map<number, { readonly start: number; readonly length: number; readonly last: R }>()
  const byEnd = ranges.toSorted((a, b) => a.to - b.to || a.from - b.from)
  for (const range of byEnd) {
    const before = endingAt.get(range.from)
    const found = { start: before?.start ?? range.from, length: 1 + (before?.length ?? 0), last: range }
    const known = endingAt.get(range.to)
    const isBetter = !known || found.start < known.start || (found.start === known.start && found.length < known.length)
    if (isBetter) endingAt.set(range.to, found)
  }
  let end = -1
  let covered = -1
  for (const [to, { start }] of endingAt) if (to - start >= covered) [end, covered] = [to, to - start]
  const chain: R[] = []
  for (let link = endingAt.get(end); link; link = endingAt.get(link.last.from)) chain.push(link.last)
  return chain.reverse()
}

/** First and last offset of a chain, `end` exclusive; undefined for an empty one. */
export function boundsOf(chain: readonly OffsetRange[]): { readonly start: number; readonly end: number } | undefined {
  const [first, last] = [chain[0], chain.at(-1)]
  return first && last && { start: first.from, end: last.to }
}

/**
 * Ranges that are not part of the chain. All offsets of a `replaced` one are in the chain. One that is `apart` has none in
 * common with it, so an entry between them is missing.
 */
export function rangesOutsideChain<R extends OffsetRange>(chain: readonly R[], ranges: readonly R[]) {
  const { start, end } = boundsOf(chain) ?? { start: 0, end: 0 }
  const links = new Set<R>(chain)
  const others = ranges.filter((range) => !links.has(range))
  return {
    replaced: others.filter(({ from, to }) => from >= start && to <= end),
    apart: others.filter(({ from, to }) => from >= end || to <= start),
  }
}
