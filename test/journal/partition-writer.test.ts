import { expect, it } from 'vitest'
import { type Fetched, type KafkaClient, KafkaFailure } from '../../journal/kafka/client.ts'
import { PartitionWriter } from '../../journal/kafka/partition-writer.ts'
import { batchesIn, countOf, encodeBatch } from '../../journal/kafka/record-batch.ts'
import { record, textsOf } from '../contracts/support/journal-world.ts'

const address = { topic: 'test', partition: 0 }

/**
 * A node with one partition that has forgotten its producers, as after a restart: it writes whatever it is sent, and recognises no
 * retry. `lost` says what becomes of each request to write: not received, or written without an answer.
 */
function forgetfulNode(lost: readonly ('request' | 'answer' | undefined)[]) {
  const batches: Buffer[] = []
  const written = () => batches.reduce((sum, batch) => sum + countOf(batch), 0)
  let requests = 0
  const produce = async (_: unknown, batch: Buffer): Promise<number> => {
    const outcome = lost[requests++]
    if (outcome === 'request') throw new KafkaFailure('unanswered', 'NETWORK_EXCEPTION', 'the request was lost')
    const offset = written()
    const stored = Buffer.from(batch)
    stored.writeBigInt64BE(BigInt(offset), 0)
    batches.push(stored)
    if (outcome === 'answer') throw new KafkaFailure('unanswered', 'NETWORK_EXCEPTION', 'the answer was lost')
    return offset
  }
  const fetch = async (_: unknown, from: number): Promise<Fetched> => ({
    bytes: Buffer.concat(batches.filter((batch) => Number(batch.readBigInt64BE(0)) + countOf(batch) > from)),
    aborted: [],
    lastStableOffset: written(),
  })
  const client = {
    produce,
    fetch,
    offsetOf: async () => written(),
    initProducer: async () => ({ producerId: 7n, epoch: 0 }),
  }
  const texts = () =>
    batches.flatMap((batch) => [...batchesIn(batch)].flatMap((one) => textsOf([...one.records()].map((r) => r.record))))
  return {
    writer: new PartitionWriter(client as unknown as KafkaClient, address, 10_000),
    texts,
    requests: () => requests,
  }
}

const batchOf = (...texts: string[]) =>
  encodeBatch(
    texts.map((text) => record(text)),
    false,
  )

it('an append whose answer was lost is found in the log, and not written again', async () => {
  const { writer, texts } = forgetfulNode([undefined, 'answer', undefined])
  const offsets = await Promise.all([['a', 'b'], ['c', 'd'], ['e']].map((some) => writer.append(batchOf(...some))))
  expect(offsets).toEqual([0, 2, 4])
  expect(texts()).toEqual(['a', 'b', 'c', 'd', 'e'])
})

it('an append whose request was lost is sent again', async () => {
  const { writer, texts, requests } = forgetfulNode([undefined, 'request', 'request', undefined])
  expect(await writer.append(batchOf('a'))).toBe(0)
  expect(await writer.append(batchOf('b'))).toBe(1)
  expect(texts()).toEqual(['a', 'b'])
  expect(requests()).toBe(4)
})
