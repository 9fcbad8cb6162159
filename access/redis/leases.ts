import { randomUUID } from 'node:crypto'
import { streamLimits } from '../../contracts/streams.ts'
import { AccessError } from '../error.ts'
import type { Identity } from '../identity.ts'
import type { LeaseDecision, Leases } from '../leases.ts'
import { accessPartition, leasesName, partitions, revokedName, runName } from './names.ts'
import { asOf, type RedisStore, script } from './store.ts'

/** A row outlives its leases, each of which ends by the time in the row. */
const KEPT_MS = 2 * streamLimits.leaseMs

/**
 * Whether the server process that runs this has decided for so short a time that it may lack leases which an earlier one
 * granted, and their holders still hold. The time is always the server's own. One that has never been seen counts from its
 * start; one that comes after another, from when it is first seen, as it may have been a replica for long.
 *
 * A server that merely started again lacks nothing. It is known by the mark of the process before in the file that it has
 * read (`kept`, see `witness`): one younger than a lease, since whoever may have taken over meanwhile has granted nothing
 * before that time was over. Once the new process is known to keep what it acknowledges, too, it counts from when the one
 * before did (`restart`: its id, since when it counts until then, and since when from then on).
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
    local keeper, at = string.match(known[3] or '', '^(%x+) (%d+)$')
    local age = keeper and keeper == known[1] and time - at or -1
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
 * Drops what has ended. What would end later than a whole term from now was renewed by a clock that has been set back
 * since: how much of it is left can't be known, so it has one term from now.
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
 * While nobody is let in, a lease that isn't there is taken on: its holder holds it by its own clock, and all that were
 * granted are within the limit.
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
 * Notes down which process decides, and of a keeper that it is one, and when: in its append-only file and nowhere else, as
 * neither a replica nor a snapshot need have all that was acknowledged before.
 */
const witness = script(
  'witness',
  `${SETTLING}
settling(KEYS[1], 0)
local id = run()
for _, keeper in ipairs(ARGV) do
  if keeper == id then
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

/** Leases in Redis, a hash an account with when each ends: each decision reads and writes that hash in one script. */
export class RedisLeases implements Leases {
  readonly #store: RedisStore

  constructor(store: RedisStore) {
    this.#store = store
  }

  /** Rejects with `unavailable` while the leases of an earlier server run out. */
  async take({ keyId, account }: Identity, limit: number, now: number): Promise<LeaseDecision> {
    const lease = randomUUID()
    const time = [asOf(this.#store, now), streamLimits.leaseMs]
    const args = [...time, keyId, limit, lease, KEPT_MS, this.#store.settleMs]
    const outcome = await this.#store.connection.run(take, namesOf(account), args)
    if (outcome === 'granted') return { outcome, lease }
    if (outcome === 'limit' || outcome === 'revoked') return { outcome }
    throw new AccessError('unavailable', 'Redis is new or another one: leases it may not know of run out first')
  }

  async renew({ keyId, account }: Identity, leases: readonly string[], now: number): Promise<readonly string[]> {
    const time = [asOf(this.#store, now), streamLimits.leaseMs]
    const args = [...time, keyId, KEPT_MS, this.#store.settleMs, ...leases]
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
   * Notes down which servers decide now, so that a change is noticed when it happens and not with the next stream.
   * `keepers`: the `run_id` of each that loses nothing that it acknowledges when it is started again.
   */
  async witness(keepers: readonly string[] = []): Promise<void> {
    const { connection } = this.#store
    await Promise.all(partitions.map((partition) => connection.run(witness, [runName(partition)], keepers)))
  }
}

const namesOf = (account: string): string[] => {
  const partition = accessPartition(account)
  return [revokedName(partition), leasesName(account), runName(partition)]
}
