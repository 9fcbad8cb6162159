import { AccessError } from '../error.ts'
import type { Identity } from '../identity.ts'
import { monthOf } from '../month.ts'
import type { Quota, QuotaDecision, QuotaState } from '../quota.ts'
import { accessPartition, quotaName, revokedName } from './names.ts'
import { type RedisStore, script } from './store.ts'

/** A count is kept so long after its first call: over two months past its month, for whoever asks what was used. */
const KEPT_SECONDS = 100 * 86_400

const take = script(
  'quota_take',
  `
local used = tonumber(redis.call('GET', KEYS[2]) or '0')
if redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 1 then return {'revoked', used} end
if used >= tonumber(ARGV[2]) then return {'exhausted', used} end
used = redis.call('INCR', KEYS[2])
if used == 1 then redis.call('EXPIRE', KEYS[2], ARGV[3]) end
return {'granted', used}
`,
)

const refund = script(
  'quota_refund',
  `if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end`,
)

/**
 * The monthly quota in Redis, one count an account and month, one script a call: nothing is reserved ahead. The month is
 * that of the caller's clock.
 */
export class RedisQuota implements Quota {
  readonly #store: RedisStore
  readonly #refunds = new Set<Promise<unknown>>()
  #closed = false

  constructor(store: RedisStore) {
    this.#store = store
  }

  async take({ keyId, account }: Identity, limit: number, now: number): Promise<QuotaDecision> {
    this.#checkOpen()
    const { name, end } = monthOf(now)
    const keys = [revokedName(accessPartition(account)), quotaName(account, name)]
    const reply = await this.#store.connection.run(take, keys, [keyId, limit, KEPT_SECONDS])
    const [outcome, used] = reply as readonly [QuotaDecision['outcome'], number]
    return { outcome, ...state(used, limit, end) }
  }

  refund({ account }: Identity, takenAt: number): void {
    if (this.#closed) return
    // Not tried again if it fails, as it may have been done.
    const refunded = this.#store.connection
      .run(refund, [quotaName(account, monthOf(takenAt).name)], [])
      .catch(() => undefined)
      .finally(() => this.#refunds.delete(refunded))
    this.#refunds.add(refunded)
  }

  async peek({ account }: Identity, limit: number, now: number): Promise<QuotaState> {
    this.#checkOpen()
    const { name, end } = monthOf(now)
    const used = await this.#store.connection.call('GET', quotaName(account, name))
    return state(Number(used ?? 0), limit, end)
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#refunds)
  }

  #checkOpen(): void {
    if (this.#closed) throw new AccessError('unavailable', 'the quota is closed')
  }
}

const state = (used: number, limit: number, resetAt: number): QuotaState => ({
  used,
  remaining: Math.max(0, limit - used),
  resetAt,
})
