import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Batch } from '../../../journal/journal.ts'
import { openClient } from '../../../journal/kafka/open-client.ts'
import { record, textsOf } from '../../contracts/support/journal-world.ts'
import { until } from '../../support/journal.ts'
import type { KafkaWorld } from './kafka-world.ts'

/** What a journal costs. These count sockets and CPU time of the process, so nothing may run beside them. */
export function costSuite(world: KafkaWorld): void {
  const { client, openAt, open, createTopic } = world

  it('has one connection for all that ask at once, and none once it is closed', async () => {
    const topic = `test-${randomUUID()}`
    const journal = await openAt()
    await journal.ensureTopics({ [topic]: { partitions: 1, cleanup: 'delete', retentionMs: null } })
    await journal.close()
    const address = { topic, partition: 0 }
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
    const before = sockets()
    const alone = await openClient({ brokers: [world.broker], clientId: 'test', prefix: '', client })
    await alone.offsetOf(address, 'end')
    const fetch = () => alone.fetch(address, 0, { maxBytes: 1_000, waitMs: 0, isolation: 'all' })
    await Promise.all(Array.from({ length: 8 }, fetch))
    expect(sockets() - before).toBeLessThanOrEqual(3)
    alone.close()
    await until('its connections are closed', () => sockets() <= before)
  })

  it('costs next to nothing while nothing happens (K5)', async () => {
    const address = await createTopic()
    const journal = await open()
    await journal.claim(`claim-${randomUUID()}`)
    const reader = journal.follow(address, 0, AbortSignal.timeout(30_000))[Symbol.asyncIterator]()
    await reader.next()
    const waiting = reader.next()
    // Microseconds of CPU time a millisecond; what earlier tests left behind is in some of them.
    const costs: number[] = []
    for (let times = 0; times < 4; times++) {
      const before = process.cpuUsage()
      await new Promise((resolve) => setTimeout(resolve, 500))
      const { user, system } = process.cpuUsage(before)
      costs.push((user + system) / 500)
    }
    // Waking up some times a second costs up to 95 of 1,000 on a slow host. To ask without a pause costs all of them.
    expect(Math.min(...costs)).toBeLessThan(150)
    await journal.append({ ...address, records: [record('wakes')] })
    expect(textsOf(((await waiting).value as Batch).records)).toEqual(['wakes'])
  })
}
