import type { Burst, BurstDecision } from '../burst.ts'
import type { Identity } from '../identity.ts'
import { burstName } from './names.ts'
import { asOf, type RedisStore, script } from './store.ts'

/** A bucket is full again within a minute, and a missing bucket counts as full. */
const BUCKET_TTL_SECONDS = 120

/** `takeFromBucket` in Lua. A refusal writes nothing, because the next call computes the same refill from the older row. */
const take = script(
  'burst_take',
  `
local now, per_minute, rounding = tonumber(ARGV[1]) or clock(), tonumber(ARGV[2]), 1e-6
local bucket = redis.call('HMGET', KEYS[1], 'calls', 'at')
local calls, at = tonumber(bucket[1]) or per_minute, tonumber(bucket[2]) or now
calls = math.min(per_minute, calls + math.max(0, now - at) * per_minute / 60000)
local allowed = calls + rounding >= 1
if allowed then calls = math.max(0, calls - 1) end
if allowed or now < at then
  redis.call('HSET', KEYS[1], 'calls', exact(calls), 'at', exact(now))
  redis.call('EXPIRE', KEYS[1], ARGV[3])
end
local function seconds(missing) return math.ceil(missing * 60 / per_minute - rounding) end
local retry_after = 0
if calls + rounding < 1 then retry_after = seconds(1 - calls) end
return {allowed and 1 or 0, math.floor(calls + rounding), seconds(per_minute - calls), retry_after}
`,
)

/** Burst limits that all nodes share. */
export class RedisBurst implements Burst {
  readonly #store: RedisStore

  constructor(store: RedisStore) {
    this.#store = store
  }

  async take({ account }: Identity, perMinute: number, now: number): Promise<BurstDecision> {
    const args = [asOf(this.#store, now), perMinute, BUCKET_TTL_SECONDS]
    const reply = await this.#store.connection.run(take, [burstName(account)], args)
    // The reply of the script above.
    const [allowed, remaining, resetAfter, retryAfter] = reply as readonly [number, number, number, number]
    return { allowed: allowed === 1, remaining, resetAfter, retryAfter }
  }
}
