import { streamLimits } from '../../contracts/streams.ts'
import { AccessError } from '../error.ts'
import type { Identity } from '../identity.ts'
import type { LeaseDecision, Leases } from '../leases.ts'
import { accessPartition, leasesName, partitions, revokedName, runName } from './names.ts'
import { asOf, type RedisStore, script } from './store.ts'

/** A row is kept longer than its leases last. Each lease ends at the time in the row. */
const ROW_TTL_MS = 2 * streamLimits.leaseMs

/**
 * Lua: whether a server process is still in its settling time. A process that has just begun to decide may lack leases that an
 * earlier server granted and that their holders still hold. Until these have ended, no new lease is granted. All times are the
 * server's own. A first server counts from its start. A server that replaces another counts from when it is first seen, because
 * it may have been a replica for a long time.
 *
 * A server that merely restarted lacks no lease. It is recognised by the mark of the previous process in the file that it has
 * read (`kept`, see `witness`). The mark must be younger than a lease, because any server that took over meanwhile has granted
 * nothing within that time. Once the new process, too, is known to be durable, it counts from when the previous one did.
 * `restart` holds its run id, the time from which it counts until then, and the time from which it counts after that.
 */
const SETTLING = `
local function wasNoReplica()
  local info = redis.call('INFO', 'replication')
  return string.find(info, 'role:master') ~= nil and string.find(info, 'second_repl_offset:%-1%s') ~= nil
end
local function settling(name, wait)
  local id, uptime = run()
  local time = clock()
  local known = redis.call('HMGET', name, 'id', 'since', 'kept')
  local since = tonumber(known[2])
  if known[1] ~= id then
    since = known[1] and time or time - 1000 * math.max(0, uptime - 1)
    local marked, at = string.match(known[3] or '', '^(%x+) (%d+)$')
    local age = marked and marked == known[1] and time - at or -1
    if age >= 0 and age < ${streamLimits.leaseMs} and wasNoReplica() then
      redis.call('HSET', name, 'restart', id .. ' ' .. exact(since) .. ' ' .. known[2])
    end
  end
  if since > time then since = time end
  if known[1] ~= id or since ~= tonumber(known[2]) then redis.call('HSET', name, 'id', id, 'since', exact(since)) end
  return time - since < wait
end
`

/**
 * Lua: drops the leases that have ended. A lease that would end later than a whole term from now was renewed by a clock
 * that has been set back since. The time left is then unknown, so the lease gets one term from now.
 */
const RUNNING = `
local now, term = tonumber(ARGV[1]) or clock(), tonumber(ARGV[2])
local function running(name)
  local row, all, count = redis.call('HGETALL', name), {}, 0
  for i = 1, #row, 2 do
    local ends = tonumber(row[i + 1])
    if ends <= now then redis.call('HDEL', name, row[i])
    else
      if ends > now + term then redis.call('HSET', name, row[i], exact(now + term)) end
      all[row[i]] = true
      count = count + 1
    end
  end
  return all, count
end
`

const take = script(
  'lease_take',
  `${SETTLING}${RUNNING}
if redis.call('SISMEMBER', KEYS[1], ARGV[3]) == 1 then return 'revoked' end
if settling(KEYS[3], tonumber(ARGV[7])) then return 'settling' end
local _, count = running(KEYS[2])
if count >= tonumber(ARGV[4]) then return 'limit' end
redis.call('HSET', KEYS[2], ARGV[5], exact(now + term))
redis.call('PEXPIRE', KEYS[2], ARGV[6])
return 'granted'
`,
)

/**
 * While the server settles, it adopts a lease that it does not have. Its holder holds the lease by its own clock, and
 * all leases granted before were within the limit.
 */
const renew = script(
  'lease_renew',
  `${SETTLING}${RUNNING}
local leases, lost = {}, {}
for i = 6, #ARGV do leases[#leases + 1] = ARGV[i] end
if redis.call('SISMEMBER', KEYS[1], ARGV[3]) == 1 then return leases end
local held = running(KEYS[2])
local adopts = settling(KEYS[3], tonumber(ARGV[5]))
for _, lease in ipairs(leases) do
  if held[lease] or adopts then redis.call('HSET', KEYS[2], lease, exact(now + term))
  else lost[#lost + 1] = lease end
end
if #lost < #leases then redis.call('PEXPIRE', KEYS[2], ARGV[4]) end
return lost
`,
)

const count = script('lease_count', `${RUNNING}local _, count = running(KEYS[1]) return count`)

/**
 * Lua: records which server process decides. For a durable server it also writes a mark with the time. The mark goes to
 * the append-only file only, because a replica or a snapshot may lack what was acknowledged before.
 */
const witness = script(
  'witness',
  `${SETTLING}
settling(KEYS[1], 0)
local id = run()
for _, durable in ipairs(ARGV) do
  if durable == id then
    local row = redis.call('HMGET', KEYS[1], 'since', 'restart')
    local seen, since = string.match(row[2] or '', '^' .. id .. ' (%S+) (%S+)$')
    if seen and seen == row[1] then redis.call('HSET', KEYS[1], 'since', since) end
    redis.call('HDEL', KEYS[1], 'restart', 'kept')
    redis.set_repl(redis.REPL_AOF)
    redis.call('HSET', KEYS[1], 'kept', id .. ' ' .. exact(clock()))
    redis.set_repl(redis.REPL_NONE)
    redis.call('HDEL', KEYS[1], 'kept')
    redis.set_repl(redis.REPL_ALL)
  end
end
`,
)

/**
 * Leases in Redis, one hash for each account with the end of each lease. Each decision reads and writes that hash in
 * one script.
 */
export class RedisLeases implements Leases {
  readonly #store: RedisStore

  constructor(store: RedisStore) {
    this.#store = store
  }

  /** Rejects with `unavailable` during the settling time, until the leases of an earlier server have ended. */
  async take({ keyId, account }: Identity, limit: number, now: number): Promise<LeaseDecision> {
    const lease = this.#store.time.uuid()
    const time = [asOf(this.#store, now), streamLimits.leaseMs]
    const args = [...time, keyId, limit, lease, ROW_TTL_MS, this.#store.settleMs]
    const outcome = await this.#store.connection.run(take, namesOf(account), args)
    if (outcome === 'granted') return { outcome, lease }
    if (outcome === 'limit' || outcome === 'revoked') return { outcome }
    throw new AccessError(
      'unavailable',
      'this Redis server is new and may lack leases that another granted: new streams wait until those have ended',
    )
  }

  async renew({ keyId, account }: Identity, leases: readonly string[], now: number): Promise<readonly string[]> {
    const time = [asOf(this.#store, now), streamLimits.leaseMs]
    const args = [...time, keyId, ROW_TTL_MS, this.#store.settleMs, ...leases]
    // The reply of the script `renew`.
    return (await this.#store.connection.run(renew, namesOf(account), args)) as readonly string[]
  }

  async release({ account }: Identity, lease: string): Promise<void> {
    await this.#store.connection.call('HDEL', leasesName(account), lease)
  }

  async count({ account }: Identity, now: number): Promise<number> {
    const args = [asOf(this.#store, now), streamLimits.leaseMs]
    return Number(await this.#store.connection.run(count, [leasesName(account)], args))
  }

  /**
   * Records which servers decide now, so that a change is noticed when it happens and not at the next stream.
   * `durableRunIds` has the `run_id` of each server that loses nothing that it acknowledged when it restarts.
   */
  async witness(durableRunIds: readonly string[] = []): Promise<void> {
    const { connection } = this.#store
    await Promise.all(partitions.map((partition) => connection.run(witness, [runName(partition)], durableRunIds)))
  }
}

const namesOf = (account: string): string[] => {
  const partition = accessPartition(account)
  return [revokedName(partition), leasesName(account), runName(partition)]
}
