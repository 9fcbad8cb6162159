import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { parseRedisAddress } from '../../../base/redis/address.ts'
import { createClient } from '../../../base/redis/client.ts'
import { BullSchedule, queuePrefix } from '../../../ingest/schedule/bullmq.ts'
import type { Run } from '../../../ingest/schedule/schedule.ts'
import { hourly } from '../../contracts/schedule-contract.ts'
import { temporaryDirectory, until } from '../../support/journal.ts'
import { startRedisCluster } from '../../support/redis-cluster.ts'
import { serviceIsThere } from '../../support/services.ts'

it.skipIf(!serviceIsThere('redis'))(
  'BullMQ runs jobs on a Redis Cluster, also after its servers were away',
  async () => {
    const { servers, url } = await startRedisCluster(await temporaryDirectory())
    onTestFinished(async () => void (await Promise.all(servers.map((server) => server.stop()))))
    const ended: Run[] = []
    const schedule = new BullSchedule({
      connection: createClient(parseRedisAddress(url), 500, true),
      prefix: queuePrefix(randomUUID()),
      lockMs: 1_000,
      lookMs: 100,
      onRun: (_name, run) => ended.push(run),
    })
    onTestFinished(() => schedule.stop())
    await schedule.start([hourly('TEST/cluster')], async () => 'done')
    await until('it ran', () => ended.length === 1)
    expect(ended[0]).toMatchObject({ outcome: 'succeeded', attempt: 1 })

    await until('it rests', async () => (await schedule.list())[0]?.running === false)
    for (const server of servers) await server.kill()
    await Promise.all(servers.map((server) => server.start()))
    const start = () =>
      schedule.trigger('TEST/cluster').then(
        (outcome) => outcome === 'started',
        () => false,
      )
    await until('it is started by hand', start)
    await until('it ran again', () => ended.length === 2)
  },
)
