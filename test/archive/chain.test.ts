import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundsOf, chainOf, rangesOutsideChain } from '../../archive/chain.ts'
import { entryName, rangeOfEntry } from '../../archive/chain-entry.ts'

const ranges = (...pairs: [number, number][]) => pairs.map(([from, to]) => ({ from, to }))

describe('a chain', () => {
  it.each([
    ['of nothing is empty', ranges(), ranges()],
    ['joins its entries', ranges([5, 9], [0, 5]), ranges([0, 5], [5, 9])],
    ['prefers the merged entry', ranges([0, 5], [5, 9], [0, 9], [9, 12]), ranges([0, 9], [9, 12])],
    ['survives half a deletion', ranges([5, 9], [0, 9], [9, 12]), ranges([0, 9], [9, 12])],
    ['begins where retention has cut it', ranges([5, 9], [9, 12]), ranges([5, 9], [9, 12])],
    ['ignores an entry written late', ranges([0, 30], [30, 45], [10, 50]), ranges([0, 30], [30, 45])],
    ['ignores an entry written late within it', ranges([0, 30], [30, 45], [10, 45]), ranges([0, 30], [30, 45])],
    ['ignores what lies before it', ranges([0, 3], [40, 45], [45, 60]), ranges([40, 45], [45, 60])],
  ])('%s', (_, all, expected) => expect(chainOf(all)).toEqual(expected))

  it('covers no less than any other choice of ranges, in the fewest', () => {
    const drawn = fc.uniqueArray(
      fc.tuple(fc.nat(8), fc.integer({ min: 1, max: 5 })).map(([from, length]) => ({ from, to: from + length })),
      { maxLength: 9, selector: ({ from, to }) => `${from}-${to}` },
    )
    /** All ways to join ranges from an offset on. */
    const ways = (all: readonly { from: number; to: number }[], at: number): { end: number; links: number }[] => [
      { end: at, links: 0 },
      ...all
        .filter(({ from }) => from === at)
        .flatMap(({ to }) => ways(all, to).map(({ end, links }) => ({ end, links: links + 1 }))),
    ]
    fc.assert(
      fc.property(drawn, (all) => {
        const chain = chainOf(all)
        for (const [i, { from }] of chain.entries()) if (i > 0) expect(from).toBe(chain[i - 1]?.to)
        const bounds = boundsOf(chain) ?? { start: 0, end: 0 }
        const best = all.flatMap(({ from }) => ways(all, from).map((way) => ({ ...way, start: from })))
        for (const { start, end } of best) expect(end - start).toBeLessThanOrEqual(bounds.end - bounds.start)
        const same = best.filter(({ start, end }) => start === bounds.start && end === bounds.end)
        if (all.length > 0) expect(chain.length).toBe(Math.min(...same.map(({ links }) => links)))
      }),
    )
  })
  it('tells the replaced entries from those that it does not reach', () => {
    const all = ranges([0, 5], [5, 9], [0, 9], [12, 14])
    const found = rangesOutsideChain(chainOf(all), all)
    expect(found).toEqual({ replaced: ranges([0, 5], [5, 9]), apart: ranges([12, 14]) })
  })
})

it('names of entries say their range, in order', () => {
  const name = entryName('ticks', 3, { from: 12, to: 9_000_000 })
  expect(name).toBe('chain/ticks/3/000000000000012-000000009000000.json')
  expect(rangeOfEntry(name)).toEqual({ from: 12, to: 9_000_000 })
  expect(rangeOfEntry('chain/ticks/3/x.json')).toBeUndefined()
  expect(rangeOfEntry('chain/ticks/3/000000000000012-000000000000012.json')).toBeUndefined()
})
