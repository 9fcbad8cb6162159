import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { PartitionAddress } from '../../../journal/journal.ts'
import { failsWith, record } from '../../contracts/support/journal-world.ts'
import { API, type Fault } from './kafka-proxy.ts'
import type { KafkaWorld } from './kafka-world.ts'

/** For what must succeed: long enough for a busy machine, whose broker takes longer than one request waits. */
const PATIENT_MS = 20_000
/** For what must fail first, and then succeed. */
const FAILING_MS = 5_000

/** Transactions whose requests or answers are lost, whose topics are deleted, and whose owners are killed. */
export function transactionSuite(world: KafkaWorld): void {
  const { open, openThroughProxy, createTopic, remove, shutOut, textsIn, child } = world

  describe('transactions', () => {
    const part = (address: PartitionAddress, text: string) => ({ ...address, records: [record(text)] })

    async function claimThroughProxy(patienceMs: number) {
      const address = await createTopic(2)
      const { proxy, journal } = await openThroughProxy({ patienceMs })
      const claim = await journal.claim(`claim-${randomUUID()}`)
      const transact = (text: string, offset: number) =>
        journal.transact(
          claim,
          [part(address, text), part({ ...address, partition: 1 }, text)],
          [{ ...address, offset }],
        )
      await transact('first', 1)
      return { address, proxy, journal, claim, transact }
    }

    const inBoth = async (address: PartitionAddress) => {
      const [left, right] = [await textsIn(address), await textsIn({ ...address, partition: 1 })]
      expect(right).toEqual(left)
      return left
    }

    it('that could not be written leave nothing, and those after them are whole (K2)', async () => {
      const { address, proxy, claim, transact } = await claimThroughProxy(FAILING_MS)
      proxy.arm({ apis: [API.produce], action: 'lose answer', count: 99 })
      await expect(transact('failed', 2)).rejects.toEqual(failsWith('unavailable'))
      expect(proxy.hits).toBeGreaterThan(2)
      proxy.heal()
      expect(await claim.position(address)).toBe(1)
      await transact('second', 3)
      await transact('third', 4)
      expect(await claim.position(address)).toBe(4)
      expect(await inBoth(address)).toEqual(['first', 'second', 'third'])
      expect(claim.lost.aborted).toBe(false)
    })

    const endings: [string, Fault['action'], number][] = [
      ['the request to commit is lost', 'lose request', 1],
      ['the answer to the commit is lost', 'lose answer', 1],
      ['the answer to the commit is lost with its connection', 'lose answer and cut', 1],
      ['no commit is ever answered', 'lose answer', 99],
      // As Kafka does while a contender shuts the owner out.
      ['the commit fails for no known reason', 'refuse', 1],
      ['the commit fails for no known reason, having been done', 'do and refuse', 1],
    ]
    it.each(endings)('are committed once when %s', async (_, action, count) => {
      const { address, proxy, claim, transact } = await claimThroughProxy(PATIENT_MS)
      proxy.arm({ apis: [API.endTxn], action, count })
      await transact('second', 2)
      expect(proxy.hits).toBeGreaterThan(0)
      proxy.heal()
      await transact('third', 3)
      expect(await claim.position(address)).toBe(3)
      expect(await inBoth(address)).toEqual(['first', 'second', 'third'])
    })

    it('say `outcome_unknown` when it cannot be found out, and the next owner finds out', async () => {
      const { address, proxy, journal, claim, transact } = await claimThroughProxy(FAILING_MS)
      proxy.arm({ apis: [API.endTxn, API.initProducerId, API.listOffsets], action: 'lose answer', count: 99 })
      await expect(transact('second', 2)).rejects.toEqual(failsWith('outcome_unknown'))
      expect(claim.lost.aborted).toBe(true)
      await expect(transact('zombie', 3)).rejects.toEqual(failsWith('fenced'))
      proxy.heal()
      const next = await journal.claim(claim.name)
      // On a slow host the claim is announced again, each time with a further epoch.
      expect(next.epoch).toBeGreaterThan(claim.epoch)
      expect(await next.position(address)).toBe(2)
      expect(await inBoth(address)).toEqual(['first', 'second'])
    })

    it('go on when a contender has shut the owner out without having become it', async () => {
      const { address, claim, transact } = await claimThroughProxy(PATIENT_MS)
      await shutOut(claim.name)
      await transact('second', 2)
      expect(await inBoth(address)).toEqual(['first', 'second'])
      expect(claim.lost.aborted).toBe(false)
    })

    it('onto a topic that was deleted are refused by its name', async () => {
      const [address, kept] = [await createTopic(), await createTopic()]
      const journal = await open({ patienceMs: 2_000 })
      const claim = await journal.claim(`claim-${randomUUID()}`)
      await journal.transact(claim, [part(kept, 'first'), part(address, 'first')])
      await remove(address.topic)
      const writes = [part(kept, 'second'), part(address, 'second')]
      await expect(journal.transact(claim, writes)).rejects.toEqual(failsWith('unknown_topic'))
      await journal.transact(claim, [part(kept, 'third')])
      expect(await textsIn(kept)).toEqual(['first', 'third'])
    })

    it('of a killed process are done or not done, position and all (promise 1)', async () => {
      const { topic } = await createTopic(2)
      const address = { topic, partition: 0 }
      const journal = await open()
      let acknowledged = 0
      for (let kill = 0; kill < 3; kill++) {
        const counter = child('count', topic)
        await counter.states('transaction')
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
        await counter.kill()
        for (const { transaction = 0 } of counter.facts as { transaction?: number }[])
          acknowledged = Math.max(acknowledged, transaction)
        const claim = await journal.claim(`counter/${topic}`)
        const texts = await inBoth(address)
        expect(texts).toEqual(Array.from(texts, (_, i) => `${i + 1}`))
        expect(texts.length - acknowledged).toBeOneOf([0, 1])
        expect(await claim.position(address)).toBe(texts.length)
        await claim.release()
      }
      expect(acknowledged).toBeGreaterThanOrEqual(3)
    })
  })
}
