import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { AccessEnvironment } from '../../access/embedded/environment.ts'
import { EmbeddedQuota } from '../../access/embedded/quota.ts'
import { EmbeddedRevocations } from '../../access/embedded/revocations.ts'
import { systemTime } from '../../base/time.ts'
import { settle } from '../support/simulated-time.ts'

const NOON = Date.UTC(2026, 8, 15, 12)

it('no call is granted before the block that it belongs to is durable', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'almanac-quota-'))
  const environment = await AccessEnvironment.open(dir, systemTime)
  onTestFinished(async () => {
    await environment.close()
    rmSync(dir, { recursive: true, force: true })
  })
  const decided = Promise.withResolvers<void>()
  const flushed = Promise.withResolvers<void>()
  const write = async <T>(decide: () => T): Promise<T> => {
    const result = await environment.write(decide)
    decided.resolve()
    await flushed.promise
    return result
  }
  const slow: AccessEnvironment = Object.create(environment, { write: { value: write } })
  const quota = new EmbeddedQuota(slow, new EmbeddedRevocations(environment), 600_000)
  const who = { keyId: 'key_of_a_test', account: 'account_of_a_test' }
  const outcomes: string[] = []
  const take = async () => {
    const { outcome } = await quota.take(who, 1_000_000, NOON)
    outcomes.push(outcome)
  }
  const first = take()
  await decided.promise
  // These find the reservation of the first call under way.
  const others = [take(), take()]
  await settle()
  expect(outcomes).toEqual([])
  flushed.resolve()
  await Promise.all([first, ...others])
  expect(outcomes).toEqual(['granted', 'granted', 'granted'])
  await quota.close()
})
