import { describe, expect, it } from 'vitest'
import { failsWith, record } from '../../contracts/support/journal-world.ts'
import { API, type Fault } from './kafka-proxy.ts'
import type { KafkaWorld } from './kafka-world.ts'

/** Appends through a proxy that loses requests and answers. */
export function appendSuite(world: KafkaWorld): void {
  const { open, openThroughProxy, createTopic, textsIn } = world

  describe('appends', () => {
    const faults: [string, Fault['action']][] = [
      ['a request is lost', 'lose request'],
      ['an answer is lost', 'lose answer'],
      ['an answer is lost with its connection', 'lose answer and cut'],
    ]
    it.each(faults)('are each there once, in order, where it was said, when %s (K1)', async (_, action) => {
      const address = await createTopic()
      const { proxy, journal } = await openThroughProxy()
      await journal.append({ ...address, records: [record('warm')] })
      proxy.arm({ apis: [API.produce], action, skip: 1, count: 2 })
      const texts = Array.from({ length: 8 }, (_, i) => `${i}`)
      const appends = texts.map((text) => journal.append({ ...address, records: [record(text), record(`${text}+`)] }))
      const offsets = (await Promise.all(appends)).map(({ firstOffset }) => firstOffset)
      expect(proxy.hits).toBe(2)
      expect(offsets).toEqual(texts.map((_, i) => 1 + 2 * i))
      expect(await textsIn(address)).toEqual(['warm', ...texts.flatMap((text) => [text, `${text}+`])])
    })

    it('say `outcome_unknown` when no answer comes at all, and what follows is not taken for a repeat', async () => {
      const address = await createTopic()
      const { proxy, journal } = await openThroughProxy({ patienceMs: 1_000 })
      await journal.append({ ...address, records: [record('before')] })
      proxy.arm({ apis: [API.produce, API.fetch], action: 'lose answer', count: 99 })
      const unknown = journal.append({ ...address, records: [record('unknown')] })
      await expect(unknown).rejects.toEqual(failsWith('outcome_unknown'))
      proxy.heal()
      await journal.append({ ...address, records: [record('after')] })
      expect(await textsIn(address)).toEqual(['before', 'unknown', 'after'])
    })

    it('are looked for when only their answers stay away', async () => {
      const address = await createTopic()
      const { proxy, journal } = await openThroughProxy()
      await journal.append({ ...address, records: [record('before')] })
      proxy.arm({ apis: [API.produce], action: 'lose answer', count: 99 })
      expect(await journal.append({ ...address, records: [record('found')] })).toEqual({ firstOffset: 1 })
      expect(await textsIn(address)).toEqual(['before', 'found'])
    })

    it('are refused whole when they are more than the topic takes at once', async () => {
      const address = await createTopic()
      const journal = await open()
      const records = Array.from({ length: 17 }, () => record('', { value: Buffer.alloc(1_000_000) }))
      await expect(journal.append({ ...address, records })).rejects.toEqual(failsWith('record_too_large'))
      await journal.append({ ...address, records: records.slice(1) })
      expect(await journal.bounds(address)).toEqual({ start: 0, end: 16 })
    })

    it('say `unavailable` when nothing was sent', async () => {
      const address = await createTopic()
      const { proxy, journal } = await openThroughProxy({ patienceMs: 500 })
      await journal.bounds(address)
      proxy.arm({ apis: [API.initProducerId], action: 'lose request', count: 99 })
      await expect(journal.append({ ...address, records: [record('')] })).rejects.toEqual(failsWith('unavailable'))
    })
  })
}
