import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseRedisAddress } from '../../../base/redis/address.ts'
import { createClient } from '../../../base/redis/client.ts'
import { startRedis } from '../../../infra/services/redis.ts'
import { BullSchedule } from '../../../ingest/schedule/bullmq.ts'
import { ScheduleUnavailable } from '../../../ingest/schedule/schedule.ts'
import { hourly } from '../../contracts/schedule-contract.ts'
import { temporaryDirectory } from '../../support/journal.ts'
import { serviceIsThere } from '../../support/services.ts'

describe.skipIf(!serviceIsThere('redis'))('the schedule, with a database that Redis does not have', () => {
  it('waits, says why, and queues nothing in another', async () => {
    const redis = await startRedis({ dir: await temporaryDirectory() })
    onTestFinished(() => redis.stop())
    const admin = new Redis(redis.url)
    onTestFinished(() => admin.disconnect())
    const messages: string[] = []
    const planned = (connection: string | Redis) =>
      new BullSchedule({ connection, prefix: '{TEST}', onError: (error) => messages.push((error as Error).message) })
    const client = createClient(parseRedisAddress(`${redis.url}/99`), 500, true) as Redis
    for (const connection of [`${redis.url}/99`, client]) {
      const schedule = planned(connection)
      onTestFinished(() => schedule.stop())
      await expect(schedule.start([hourly('TEST/a')], async () => '')).rejects.toThrow(ScheduleUnavailable)
      expect(messages.splice(0)).toContain('ERR DB index is out of range')
      expect(await admin.dbsize()).toBe(0)
    }
    const right = planned(`${redis.url}/15`)
    onTestFinished(() => right.stop())
    await right.start([hourly('TEST/a')], async () => '')
    expect(await admin.info('keyspace')).toMatch(/db15:keys=/)
    expect(await admin.dbsize()).toBe(0)
  })
})
