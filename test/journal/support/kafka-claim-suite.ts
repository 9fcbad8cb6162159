import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { OwnClaim } from '../../../journal/claim-register.ts'
import type { Claim } from '../../../journal/journal.ts'
import { failsWith, record } from '../../contracts/support/journal-world.ts'
import { until } from '../../support/journal.ts'
import { API } from './kafka-proxy.ts'
import { HOUR_MS, type KafkaWorld } from './kafka-world.ts'

/** Claims while their owners are killed, stopped or shut out. */
export function claimSuite(world: KafkaWorld): void {
  const { ledgerTopic, stranger, open, openThroughProxy, createTopic, remove, shutOut, textsIn, child } = world

  describe('claims', () => {
    it('pass from a killed process on this machine at once', async () => {
      const { topic } = await createTopic()
      const name = `claim-${randomUUID()}`
      const owner = child('own', topic, name)
      const { claimed } = await owner.states('claimed')
      // Nothing but the end of the process can pass it on.
      const journal = await open({ claimExpiryMs: HOUR_MS })
      const claiming = journal.claim(name)
      const early = await Promise.race([claiming, new Promise((resolve) => setTimeout(resolve, 1_000, 'waiting'))])
      expect(early).toBe('waiting')
      await owner.kill()
      expect((await claiming).epoch).toBe((claimed as number) + 1)
    })

    it('stay with a live owner beyond the expiry, and pass from a stopped one, which is then fenced', async () => {
      const address = await createTopic()
      const name = `claim-${randomUUID()}`
      const owner = child('own', address.topic, name)
      const { claimed } = await owner.states('claimed')
      owner.say('before')
      expect(await owner.states('outcome')).toEqual({ outcome: 'written' })
      owner.facts.length = 0
      const journal = await open({ claimExpiryMs: 3_000 })
      const claiming = journal.claim(name)
      const early = await Promise.race([claiming, new Promise((resolve) => setTimeout(resolve, 4_000, 'waiting'))])
      expect(early).toBe('waiting')
      owner.signal('SIGSTOP')
      const claim = await claiming
      expect(claim.epoch).toBe((claimed as number) + 1)
      owner.say('by the zombie')
      owner.signal('SIGCONT')
      expect(await owner.states('outcome')).toEqual({ outcome: 'fenced' })
      expect(await owner.states('lost')).toEqual({ lost: 'fenced' })
      await journal.transact(claim, [{ ...address, records: [record('after')] }])
      expect(await textsIn(address)).toEqual(['before', 'after'])
    })

    it('pass on at once when whoever waits for one gives up just after having got it', async () => {
      const address = await createTopic()
      const name = `claim-${randomUUID()}`
      // No claim passes on because nothing is heard of its owner.
      const owner = await open({ claimExpiryMs: HOUR_MS })
      const first = await owner.claim(name)
      await owner.transact(first, [{ ...address, records: [record('seen by the next owner')] }])
      const producer = stranger().producer({ idempotent: true, transactionalId: randomUUID() })
      await producer.connect()
      const transaction = await producer.transaction()
      await transaction.send({ topic: address.topic, messages: [{ partition: 0, value: 'open' }] })
      await first.release()
      // The second owner must see what the first one wrote. Its row is written, and it waits for the stranger's transaction.
      const abort = new AbortController()
      const { proxy, journal } = await openThroughProxy()
      proxy.arm({ apis: [API.endTxn], action: 'lose request', count: 0 })
      const given = journal.claim(name, abort.signal)
      await until('the row is committed', () => proxy.seen > 0)
      proxy.arm({ apis: [API.listOffsets], action: 'lose request', count: 0 })
      await until('the end is looked at again and again', () => proxy.seen > 8)
      abort.abort(new Error('given up'))
      await expect(given).rejects.toThrow('given up')
      await transaction.abort()
      await producer.disconnect()
      expect((await owner.claim(name)).epoch).toBe(first.epoch + 2)
    })

    it.each(['refuse', 'do and refuse'] as const)(
      'are got though Kafka fails to commit them for no known reason (%s)',
      async (action) => {
        const { proxy, journal } = await openThroughProxy()
        const name = `claim-${randomUUID()}`
        proxy.arm({ apis: [API.endTxn], action })
        const claim = await journal.claim(name)
        expect(proxy.hits).toBe(1)
        expect(claim.epoch).toBe(1)
        const address = await createTopic()
        await journal.transact(claim, [{ ...address, records: [record('ours')] }])
        expect(await textsIn(address)).toEqual(['ours'])
      },
    )

    it('are got where the last owner wrote to a topic that was deleted since', async () => {
      const address = await createTopic()
      const [owner, next] = [await open(), await open()]
      const claim = await owner.claim(`claim-${randomUUID()}`)
      await owner.transact(claim, [{ ...address, records: [record('gone')] }])
      await claim.release()
      await remove(address.topic)
      expect((await next.claim(claim.name)).epoch).toBe(claim.epoch + 1)
    })

    it('are released without a word where the ledger cannot be read just after', async () => {
      // It is read in vain until then; on a busy machine the release itself may take a while.
      const { proxy, journal } = await openThroughProxy({ releaseMs: 6_000 })
      const claim = await journal.claim(`claim-${randomUUID()}`)
      proxy.arm({ apis: [API.listOffsets], action: 'lose request', count: Number.POSITIVE_INFINITY })
      await expect(claim.release()).resolves.toBeUndefined()
      expect(proxy.hits).toBeGreaterThan(0)
      proxy.heal()
      expect((await journal.claim(claim.name)).epoch).toBeGreaterThan(claim.epoch)
    })

    it('are refused in Kafka’s words where it never commits them', async () => {
      const { proxy, journal } = await openThroughProxy({ patienceMs: 1_000 })
      proxy.arm({ apis: [API.endTxn], action: 'refuse', count: Number.POSITIVE_INFINITY })
      const name = `claim-${randomUUID()}`
      await expect(journal.claim(name)).rejects.toMatchObject({ kind: 'refused', type: 'UNKNOWN_SERVER_ERROR' })
      // The transaction that it left open blocks nobody.
      const address = await createTopic()
      proxy.heal()
      expect((await journal.claim(name)).epoch).toBe(1)
      expect(await textsIn(address)).toEqual([])
    })

    it('that were released are not lost when the next owner has theirs', async () => {
      // However long the next owner takes to start, the row is still waited for, and no claim is lost because it is not heard of.
      // The release itself may take a while on a busy machine.
      const { proxy, journal } = await openThroughProxy({
        claimExpiryMs: HOUR_MS,
        patienceMs: HOUR_MS,
        releaseMs: 6_000,
      })
      // A first claim finds everything that an announcement needs.
      await journal.claim(`claim-${randomUUID()}`)
      const name = `claim-${randomUUID()}`
      // Once the claim is announced, the row is read again, and no answer comes until the next owner has taken it.
      proxy.arm({ apis: [API.endTxn], action: 'lose answer' })
      const claiming = journal.claim(name)
      await until('the row is committed', () => proxy.hits === 1)
      // An announcement whose answer is late is looked for, which must succeed.
      const apis = [API.listOffsets]
      proxy.arm({ apis, topic: ledgerTopic, action: 'lose request', count: Number.POSITIVE_INFINITY })
      const claim = await claiming
      await until('the row is read', () => proxy.hits > 0)
      await claim.release()
      const next = child('own', name, name)
      expect(await next.states('claimed')).toEqual({ claimed: claim.epoch + 1 })
      proxy.heal()
      // Waits in line behind everything that is still done about the claim.
      const again = journal.claim(name)
      await next.kill()
      await again
      expect(claim.lost.aborted).toBe(false)
    })

    it('that were released are not lost when nobody can say whether Kafka has committed it', async () => {
      // The release itself may take a while on a busy machine.
      const { proxy, journal } = await openThroughProxy({ patienceMs: 5_000, releaseMs: 6_000 })
      const name = `claim-${randomUUID()}`
      const claim = (await journal.claim(name)) as Claim & Pick<OwnClaim, 'over'>
      proxy.arm({ apis: [API.endTxn], action: 'lose answer' })
      const releasing = claim.release()
      await until('the row is committed', () => proxy.hits === 1)
      // Neither asking again nor reading the row helps.
      const apis = [API.endTxn, API.initProducerId, API.listOffsets, API.fetch]
      proxy.arm({ apis, action: 'lose request', count: Number.POSITIVE_INFINITY })
      await releasing
      await claim.over
      proxy.heal()
      // A claim whose answer comes too late on a busy machine is taken with a greater epoch.
      expect((await journal.claim(name)).epoch).toBeGreaterThan(claim.epoch)
      expect(claim.lost.aborted).toBe(false)
    })

    it('are lost to an owner that took them while the producer was initialised, though the row could not be read', async () => {
      const address = await createTopic()
      const name = `claim-${randomUUID()}`
      // It gives hardly a sign of life, so that it is taken for dead.
      const { proxy, journal } = await openThroughProxy({ claimExpiryMs: HOUR_MS, patienceMs: 6_000 })
      const claim = await journal.claim(name)
      const transact = (text: string) => journal.transact(claim, [{ ...address, records: [record(text)] }])
      await transact('before')
      const next = child('own when told', address.topic, name, 1_500)
      await next.states('started')
      await shutOut(name)
      // The row is read, it is ours, and then the request to initialise is lost until the next owner has taken it.
      proxy.arm({ apis: [API.initProducerId], action: 'lose request', count: Number.POSITIVE_INFINITY })
      const second = expect(transact('second')).rejects.toEqual(failsWith('unavailable'))
      await until('it is initialised', () => proxy.hits > 0)
      next.say('now')
      proxy.arm({ apis: [API.initProducerId, API.fetch], action: 'lose request', count: Number.POSITIVE_INFINITY })
      expect(await next.states('claimed')).toEqual({ claimed: claim.epoch + 1 })
      // Now the next owner is shut out, and the row can't be read.
      proxy.arm({ apis: [API.listOffsets, API.fetch], action: 'lose request', count: Number.POSITIVE_INFINITY })
      await second
      proxy.heal()
      await expect(transact('third')).rejects.toEqual(failsWith('fenced'))
      next.say('after')
      expect(await next.states('outcome')).toEqual({ outcome: 'written' })
      expect(await textsIn(address)).toEqual(['before', 'after'])
    })

    it('are held by one of several contending processes at a time, each time with a greater epoch', async () => {
      const address = await createTopic()
      const children = [1, 2, 3].map(() => child('contend', address.topic, '6'))
      await Promise.all(children.map((contender) => contender.finish()))
      const epochs = children.flatMap(({ facts }) => facts.map(({ epoch }) => epoch as number))
      const expected = Array.from({ length: 18 }, (_, i) => i + 1)
      expect(epochs.toSorted((a, b) => a - b)).toEqual(expected)
      expect(await textsIn(address)).toEqual(expected.map(String))
    })
  })
}
