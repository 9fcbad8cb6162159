import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Fetched, type KafkaClient, KafkaFailure } from '../../journal/kafka/client.ts'
import { Reader } from '../../journal/kafka/reader.ts'
import { encodeBatch, sealBatch } from '../../journal/kafka/record-batch.ts'
import { record, textsOf } from '../contracts/support/journal-world.ts'

const address = { topic: 'test', partition: 0 }

/** A node that answers fetches one after the other, the last one for ever, and knows the true bounds. */
function readerOf(
  answers: readonly (Fetched | KafkaFailure)[],
  end: number,
  onAnswer?: (given: Fetched | KafkaFailure | undefined) => void,
) {
  let asked = 0
  const fetch = async (): Promise<Fetched> => {
    const answer = answers[Math.min(asked++, answers.length - 1)]
    onAnswer?.(answer)
    if (!answer || answer instanceof KafkaFailure) throw answer
    return answer
  }
  const offsetOf = async (_: unknown, edge: string) => (edge === 'start' ? 0 : end)
  const offsetForTime = async () => undefined
  const client = { fetch, offsetOf, offsetForTime, openLane: () => ({ fetch, close: () => undefined }) }
  return new Reader(client as unknown as KafkaClient, undefined)
}

const answer = (lastStableOffset: number, bytes: Buffer = Buffer.alloc(0)): Fetched => ({
  bytes,
  aborted: [],
  lastStableOffset,
})

function batchAt(offset: number, ...texts: string[]): Buffer {
  const batch = encodeBatch(
    texts.map((text) => record(text)),
    false,
  )
  sealBatch(batch, { producerId: 1n, epoch: 0, sequence: 0 }, false)
  batch.writeBigInt64BE(BigInt(offset), 0)
  return batch
}

describe('reading from a new leader that does not know yet what its predecessor has acknowledged', () => {
  it('waits, rather than calling a position that was good out of range', async () => {
    const reader = readerOf([answer(5), answer(5), answer(10)], 10)
    expect(await reader.read(address, 10)).toEqual({ records: [], next: 10, end: 10 })
  })

  it('does not take what it knows for the end', async () => {
    const reader = readerOf([answer(5)], 10)
    await expect(Promise.race([reader.read(address, 5), tick(100)])).resolves.toBe('waiting')
    const batch = await readerOf([answer(6, batchAt(5, 'known'))], 10).read(address, 5)
    expect(batch).toMatchObject({ next: 6, end: 10 })
    expect(textsOf(batch.records)).toEqual(['known'])
  })

  it('follows on from where it was', async () => {
    const reader = readerOf([answer(5), answer(10), answer(11, batchAt(10, 'next'))], 10)
    const batches = reader.follow(address, 10, AbortSignal.timeout(10_000))
    expect((await batches.next()).value).toEqual({ records: [], next: 10, end: 10 })
    expect(textsOf((await batches.next()).value?.records ?? [])).toEqual(['next'])
    await batches.return(undefined)
  })
})

describe('a look-up by time that Kafka answers with none', () => {
  it('is taken for the end only if the newest records are earlier, too', async () => {
    const { timestamp } = record('')
    const reader = () => readerOf([answer(2, batchAt(0, 'one', 'two'))], 2)
    expect(await reader().offsetForTime(address, timestamp, false)).toBe(0)
    expect(await reader().offsetForTime(address, timestamp + 1, false)).toBe(2)
  })
})

describe('a node that comes back after a long time', () => {
  it('is waited for where it does not know yet what was acknowledged', async () => {
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    onTestFinished(() => clock.mockRestore())
    const away = new KafkaFailure('unreachable', 'UNREACHABLE', '')
    const answers = [answer(10), away, answer(5), answer(11, batchAt(10, 'next'))]
    const reader = readerOf(answers, 10, (given) => {
      if (given === away) now += 60_000
    })
    const batches = reader.follow(address, 10, AbortSignal.timeout(10_000))
    await batches.next()
    expect(textsOf((await batches.next()).value?.records ?? [])).toEqual(['next'])
    await batches.return(undefined)
  })
})

describe('reading what Kafka says is not there', () => {
  it('is refused at once, with what is there', async () => {
    const reader = readerOf([new KafkaFailure('refused', 'OFFSET_OUT_OF_RANGE', '')], 10)
    const refused = { code: 'offset_out_of_range', range: { start: 0, end: 10 } }
    await expect(reader.read(address, 11)).rejects.toMatchObject(refused)
    await expect(reader.follow(address, 11, AbortSignal.timeout(10_000)).next()).rejects.toMatchObject(refused)
  })
})

const tick = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms, 'waiting'))
