import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { BLOCK, blockOf } from '../../journal/embedded/block-time.ts'
import { openEnvironment } from '../../journal/embedded/environment.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { stateKey } from '../../journal/embedded/store.ts'
import type { Journal, PartitionAddress } from '../../journal/journal.ts'
import { record } from '../contracts/support/journal-world.ts'
import { newDir, remove } from './support/embedded-world.ts'

const dir = await newDir()
const journal = await openEmbeddedJournal({ dir })
const environment = await openEnvironment({ dir })
afterAll(async () => {
  await environment.close()
  await journal.close()
  await remove(dir)
})

const claim = await journal.claim('times')
let topics = 0
async function newLog(retentionMs: number | null = null): Promise<PartitionAddress & { readonly log: number }> {
  const topic = `topic-${topics++}`
  await journal.ensureTopics({ [topic]: { partitions: 1, cleanup: 'delete', retentionMs } })
  // `ensureTopics` has just written it.
  const { firstLog } = environment.snapshot((store) => store.topic(topic)) as { firstLog: number }
  return { topic, partition: 0, log: firstLog }
}

type Known = { readonly offset: number; readonly timestamp: number }
const append = async (address: PartitionAddress, times: readonly number[], isTransaction = false): Promise<Known[]> => {
  const write = { ...address, records: times.map((timestamp) => record('', { timestamp })) }
  const { firstOffset } = isTransaction
    ? ((await journal.transact(claim, [write]))[0] as { firstOffset: number })
    : await journal.append(write)
  return times.map((timestamp, i) => ({ offset: firstOffset + i, timestamp }))
}

async function expectExact(
  from: Journal,
  address: PartitionAddress,
  records: readonly Known[],
  times: Iterable<number>,
) {
  const { end } = await from.bounds(address)
  for (const time of times) {
    const first = records.find(({ timestamp }) => timestamp >= time)
    expect(await from.offsetForTime(address, time), `time ${time}`).toBe(first?.offset ?? end)
  }
}

/** Removes what former releases do not write: the times of blocks, all or some, and that of the last block. */
const forgetTimes = (log: number, doomed: (block: number) => boolean) =>
  environment.write((tx) => {
    const { end } = tx.store.bounds(log)
    for (let block = 0; block < blockOf(end); block++)
      if (doomed(block)) tx.store.state.remove(stateKey.blockTime(log, block))
    const [start] = tx.store.state.get(stateKey.bounds(log))
    tx.put(stateKey.bounds(log), [start, end])
  })

/** Writes of any size, which end before, at or behind the end of a block, with times that go back and forth. */
const writes = fc.array(
  fc.record({
    count: fc.constantFrom(1, 2, 700, BLOCK - 2, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK),
    isTransaction: fc.boolean(),
    time: fc.nat(1_000),
    step: fc.constantFrom(-1, 0, 0, 1),
    /** Offsets behind the write that stay without a record, as a restored journal has them. */
    holes: fc.constantFrom(0, 0, 1, BLOCK - 1, 3 * BLOCK),
    isForgotten: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
)

describe('the times of blocks', () => {
  it('find the first record at or after any time, also behind what a former release has written', async () => {
    await fc.assert(
      fc.asyncProperty(writes, fc.array(fc.nat(1_200), { minLength: 5, maxLength: 20 }), async (steps, times) => {
        const address = await newLog()
        const records: Known[] = []
        for (const { count, isTransaction, time, step, holes, isForgotten } of steps) {
          const own = Array.from({ length: count }, (_, i) => Math.max(0, time + Math.floor((step * i) / 50)))
          records.push(...(await append(address, own, isTransaction)))
          await environment.write((tx) => tx.skipTo(address.log, tx.boundsOf(address.log).end + holes))
          if (isForgotten) await forgetTimes(address.log, (block) => block % 2 === 0)
        }
        await expectExact(journal, address, records, times)
      }),
      { numRuns: 30 },
    )
  })

  it('count a batch of records in each block that it lies in', async () => {
    const address = await newLog()
    await append(address, new Array(BLOCK - 2).fill(0))
    const straddling = await append(address, [0, 0, 0, 900])
    await append(address, new Array(BLOCK).fill(0))
    await expectExact(journal, address, straddling, [900, 901])
  })

  it('are deleted with the records', async () => {
    const address = await newLog(1_000)
    const records = await append(
      address,
      Array.from({ length: 3 * BLOCK }, (_, i) => i),
    )
    await append(address, [BLOCK])
    const first = 2 * BLOCK + 5
    await journal.retain(first + 1_000)
    expect(await journal.bounds(address)).toEqual({ start: first, end: 3 * BLOCK + 1 })
    const kept = environment.snapshot((store) => [...store.blockTimes(address.log, 0, 3)])
    expect(kept).toEqual([{ block: 2, time: 3 * BLOCK - 1 }])
    await expectExact(journal, address, records.slice(first), [0, first, first + 1, 3 * BLOCK - 1, 3 * BLOCK])
  })

  it('spare a look-up the records of the blocks before and behind', async () => {
    const address = await newLog()
    for (let i = 0; i < 8; i++)
      await append(
        address,
        Array.from({ length: BLOCK }, (_, j) => i * BLOCK + j),
      )
    const end = 8 * BLOCK
    await environment.write((tx) => {
      for (const { key } of tx.store.records.getRange({ start: [address.log, 0], end: [address.log, end] }))
        if (blockOf(key[1]) !== 5) tx.store.records.put(key, Buffer.alloc(20))
      tx.put(['damaged'], true)
    })
    expect(await journal.offsetForTime(address, 5 * BLOCK + 7)).toBe(5 * BLOCK + 7)
    expect(await journal.offsetForTime(address, end)).toBe(end)
    await expect(journal.offsetForTime(address, 3 * BLOCK)).rejects.toThrow('damaged record')
  })
})
