import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { mergeByArrival, mergeByTime } from '../../journal/merge-partitions.ts'

type Entry = { readonly partition: number; readonly offset: number; readonly timestamp: number }

/** Partitions of records whose times may go backwards. */
const partitions = fc
  .array(fc.array(fc.integer({ min: 0, max: 9 })), { maxLength: 6 })
  .map((drawn) =>
    drawn.map((times, partition) => times.map((timestamp, offset): Entry => ({ partition, offset, timestamp }))),
  )

async function* iterate<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

/** The same in batches, some of them empty, that are cut by chance. */
async function* inBatches<T>(items: readonly T[], sizes: readonly number[]): AsyncGenerator<readonly T[]> {
  for (let at = 0, n = 0; at < items.length; n++) {
    const size = n < sizes.length ? (sizes[n] ?? 1) : 1
    yield items.slice(at, at + size)
    at += size
  }
}

describe('mergeByTime', () => {
  it('yields every record once, keeps the order of each partition, and never delays an earlier head', async () => {
    await fc.assert(
      fc.asyncProperty(partitions, fc.array(fc.nat({ max: 4 })), async (topic, sizes) => {
        const merged = (await Array.fromAsync(mergeByTime(topic.map((items) => inBatches(items, sizes))))).flat()
        const unread = topic.map((records) => [...records])
        for (const record of merged) {
          const heads = unread.flatMap(([head]) => (head === undefined ? [] : [head]))
          const earliest = Math.min(...heads.map(({ timestamp }) => timestamp))
          expect(record).toEqual(heads.find(({ timestamp }) => timestamp === earliest))
          unread[record.partition]?.shift()
        }
        expect(unread.flat()).toEqual([])
      }),
    )
  })

  it('ends its partitions when the reader leaves early', async () => {
    const ended: number[] = []
    async function* endless(partition: number): AsyncGenerator<readonly Entry[]> {
      try {
        for (let offset = 0; ; offset += 1) yield [{ partition, offset, timestamp: offset }]
      } finally {
        ended.push(partition)
      }
    }
    for await (const [first] of mergeByTime([endless(0), endless(1)])) if (first?.offset === 2) break
    expect(ended).toEqual([0, 1])
  })
})

describe('mergeByArrival', () => {
  it('does not let a silent partition hold up the others', async () => {
    async function* silent(): AsyncGenerator<Entry> {
      await new Promise(() => undefined)
    }
    const records = [0, 1, 2].map((offset): Entry => ({ partition: 1, offset, timestamp: 0 }))
    const merged = mergeByArrival([silent(), iterate(records)])
    const seen: Entry[] = []
    for (let n = 0; n < records.length; n += 1) seen.push((await merged.next()).value as Entry)
    expect(seen).toEqual(records)
  })

  it('asks a silent partition once, however many records the others have', async () => {
    const never = new Promise<never>(() => undefined)
    const reactions = vi.spyOn(never, 'then')
    const silent: AsyncIterator<Entry> = { next: () => never }
    async function* busy(): AsyncGenerator<Entry> {
      for (let offset = 0; ; offset += 1) yield { partition: 1, offset, timestamp: 0 }
    }
    for await (const { offset } of mergeByArrival([silent, busy()])) if (offset === 1_000) break
    expect(reactions).toHaveBeenCalledTimes(1)
  })

  it('passes on the error of a partition', async () => {
    async function* failing(): AsyncGenerator<Entry> {
      yield { partition: 0, offset: 0, timestamp: 0 }
      throw new Error('log start moved')
    }
    await expect(Array.fromAsync(mergeByArrival([failing()]))).rejects.toThrow('log start moved')
  })
})
