import { randomUUID } from 'node:crypto'
import { alterClientQuotasV1, Connection } from '@platformatic/kafka'
import { describe, expect, it } from 'vitest'
import { failsWith, readAll, record, textsOf } from '../../contracts/support/journal-world.ts'
import { until } from '../../support/journal.ts'
import { randomFrom } from '../../support/random.ts'
import { writeHistory } from './kafka-histories.ts'
import { API } from './kafka-proxy.ts'
import { HISTORIES, type KafkaWorld, SEED } from './kafka-world.ts'

/** Reads and followers while others write: the records that they are given, and what they cost. */
export function readSuite(world: KafkaWorld): void {
  const { stranger, open, openThroughProxy, createTopic, truncate } = world

  describe('reading', () => {
    it('shows what was committed, from whatever offset, in pieces of any size (K3)', async () => {
      const { topic } = await createTopic(HISTORIES)
      const producer = () => stranger().producer({ idempotent: true, transactionalId: randomUUID() })
      const producers = [producer(), producer()] as const
      for (const producer of producers) await producer.connect()
      const journal = await open()
      const random = randomFrom(SEED)
      for (let partition = 0; partition < HISTORIES; partition++) {
        const address = { topic, partition }
        const committed = await writeHistory(producers, address, random)
        // Markers are written after the answer to a commit.
        const whole = async () => (await readAll(journal, address)).records.length === committed.length
        await until('all that is committed is seen', whole)
        const { end } = await journal.bounds(address)
        for (let from = 0; from <= end; from++) {
          const expected = committed.filter(({ offset }) => offset >= from).map(({ text }) => text)
          for (const maxBytes of [1 + Math.floor(random() * 600), 1_000_000]) {
            const { records } = await readAll(journal, address, from, { maxBytes })
            expect(textsOf(records), `seed ${SEED}, history ${partition}, from ${from}`).toEqual(expected)
          }
        }
      }
      for (const producer of producers) await producer.disconnect()
    })

    it('waits at an open transaction, and shows what lies behind it once that has ended', async () => {
      const address = await createTopic()
      const producer = stranger().producer({ idempotent: true, transactionalId: randomUUID() })
      await producer.connect()
      const transaction = await producer.transaction()
      await transaction.send({ topic: address.topic, messages: [{ partition: 0, value: 'open' }] })
      const journal = await open()
      const claim = await journal.claim(`claim-${randomUUID()}`)
      let isDone = false
      const writes = [{ ...address, records: [record('behind')] }]
      const transacted = journal.transact(claim, writes, [{ ...address, offset: 9 }]).then(() => {
        isDone = true
      })
      await until('the transaction behind is committed', async () => (await claim.position(address)) === 9)
      expect(await journal.read(address, 0)).toEqual({ records: [], next: 0, end: 0 })
      expect(isDone).toBe(false)
      await transaction.abort()
      await transacted
      expect(textsOf((await readAll(journal, address)).records)).toEqual(['behind'])
      await producer.disconnect()
    })

    it('refuses a follower whom retention passes by while its answers are lost (K4)', async () => {
      const address = await createTopic()
      const { proxy, journal } = await openThroughProxy()
      const reader = journal.follow(address, 0, AbortSignal.timeout(30_000))[Symbol.asyncIterator]()
      await reader.next()
      proxy.arm({ apis: [API.fetch], action: 'lose request', count: 99 })
      const waiting = reader.next()
      const other = await open()
      await other.append({ ...address, records: [record('1'), record('2'), record('3')] })
      await truncate(address, 3)
      proxy.heal()
      const refused = { code: 'offset_out_of_range', range: { start: 3, end: 3 } }
      await expect(waiting).rejects.toMatchObject(refused)
    })

    it('is `unavailable` while a quota is used up', async () => {
      const address = await createTopic()
      await (await open()).append({ ...address, records: [record('x'.repeat(50_000))] })
      const clientId = `slow-${randomUUID()}`
      const slow = await open({ clientId, patienceMs: 500, requestMs: 1_000 })
      // Only now, because an opening reads the ledger, which grows with every test.
      await limitReading(world.broker, clientId, 20_000)
      let refusal: unknown
      while (!refusal) refusal = await slow.read(address, 0).then(() => undefined, Object)
      expect(refusal).toEqual(failsWith('unavailable'))
    })
  })
}

/** Bytes a second that a client is sent; for more it is answered nothing for a while. */
async function limitReading(broker: string, clientId: string, bytes: number): Promise<void> {
  const [host = '', port] = broker.split(':')
  const connection = new Connection('test', {})
  await connection.connect(host, Number(port))
  const limit = { key: 'consumer_byte_rate', value: bytes, remove: false } as const
  const entities = [{ entityType: 'client-id', entityName: clientId }] as const
  await alterClientQuotasV1.api.async(connection, [{ entities: [...entities], ops: [limit] }], false)
  await connection.close()
}
