import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { KafkaClient, Lane } from '../../journal/kafka/client.ts'
import { Heartbeats } from '../../journal/kafka/heartbeats.ts'
import { encodeBatch, sealBatch } from '../../journal/kafka/record-batch.ts'
import { record } from '../contracts/journal-contract.ts'
import { until } from '../support/journal.ts'

const EXPIRY_MS = 60

/** One beat of a process that is then heard of no more. */
function lastBeat(): Buffer {
  const batch = encodeBatch([record(JSON.stringify({ instance: 'ended', holds: ['TEST'] }))], false)
  sealBatch(batch, { producerId: 7n, epoch: 0, sequence: 0 }, false)
  return batch
}

it('forget a process that has not been heard of for the expiry while others go on, and count its silence on', async () => {
  const answers = [lastBeat()]
  const lane: Lane = {
    fetch: async () => {
      await sleep(5)
      return { bytes: answers.shift() ?? Buffer.alloc(0), aborted: [], lastStableOffset: 1 }
    },
    close: () => undefined,
  }
  const client = { openLane: () => lane, offsetOf: async () => 0 } as Partial<KafkaClient>
  const beats = new Heartbeats({
    client: client as KafkaClient,
    topic: 'TEST',
    instance: 'ours',
    expiryMs: EXPIRY_MS,
    holds: () => [],
    onUnheard: () => undefined,
    onChange: () => undefined,
  })
  onTestFinished(() => beats.close())
  const heard = Reflect.get(beats, 'heard') as Map<string, number>
  beats.enter()
  await until('it is heard', () => heard.size === 1)
  expect(beats.silenceOf('ended', 'TEST', 0)).toBeLessThan(EXPIRY_MS)
  await until('it is forgotten', () => heard.size === 0)
  expect(beats.silenceOf('ended', 'TEST', 0)).toBeGreaterThan(EXPIRY_MS)
  beats.leave()
})
