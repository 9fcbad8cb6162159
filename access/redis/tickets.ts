import { type StreamName, streamLimits } from '../../contracts/streams.ts'
import {
  hashTicket,
  isTicket,
  newTicket,
  type Redemption,
  TICKET_KEPT_MS,
  type TicketDecision,
  type TicketRefusal,
  type TicketRequest,
  type Tickets,
} from '../tickets.ts'
import { accessPartition, revokedName, ticketName } from './names.ts'
import { asOf, type RedisStore, script } from './store.ts'

/** A row outlives its ticket, which ends by the time in the row. */
const KEPT_SECONDS = TICKET_KEPT_MS / 1_000

const issue = script(
  'ticket_issue',
  `
if redis.call('SISMEMBER', KEYS[1], ARGV[3]) == 1 then return false end
local ends = (tonumber(ARGV[1]) or clock()) + ARGV[2]
redis.call('HSET', KEYS[2], 'key', ARGV[3], 'stream', ARGV[4], 'origin', ARGV[5], 'ends', exact(ends), 'run', (run()))
redis.call('EXPIRE', KEYS[2], ARGV[6])
return ends
`,
)

/**
 * What another server process issued is refused: its redemption may be what was lost on the way to this one, and a ticket
 * lives no longer than a failover takes.
 */
const redeem = script(
  'ticket_redeem',
  `
local row = redis.call('HMGET', KEYS[2], 'key', 'stream', 'origin', 'ends', 'run', 'used')
if row[6] then return {row[6] == 'late' and 'expired' or 'used'} end
if not row[1] then return {'unknown'} end
local now, ends = tonumber(ARGV[1]) or clock(), tonumber(row[4])
-- One whose end is further off than a ticket lives was issued by a clock that has been set back.
local late = now >= ends or ends > now + ARGV[2]
-- The mark alone is left, until the row's time is over: nodes of an older release find no ticket in it.
redis.call('HSET', KEYS[2], 'used', late and 'late' or 1)
redis.call('HDEL', KEYS[2], 'key', 'stream', 'origin', 'ends', 'run')
if row[5] ~= run() then return {'unknown'} end
if redis.call('SISMEMBER', KEYS[1], row[1]) == 1 then return {'revoked'} end
if late then return {'expired'} end
return {'granted', row[1], row[2], row[3]}
`,
)

/** Tickets in Redis, by their hashes. Whose script marks one as used has redeemed it. */
export class RedisTickets implements Tickets {
  readonly #store: RedisStore

  constructor(store: RedisStore) {
    this.#store = store
  }

  async issue({ keyId, account, stream, origin }: TicketRequest, now: number): Promise<TicketDecision> {
    const partition = accessPartition(account)
    // Its first six bits say where it is; the other 250 are random.
    const ticket = partition + newTicket().slice(1)
    const args = [asOf(this.#store, now), streamLimits.ticketLifetimeMs, keyId, stream, origin, KEPT_SECONDS]
    const expiresAt = await this.#store.connection.run(issue, namesOf(partition, ticket), args)
    return expiresAt === null ? { outcome: 'revoked' } : { outcome: 'issued', ticket, expiresAt: Number(expiresAt) }
  }

  async redeem(ticket: string, now: number): Promise<Redemption> {
    if (!isTicket(ticket)) return { ok: false, why: 'unknown' }
    const args = [asOf(this.#store, now), streamLimits.ticketLifetimeMs]
    const answer = await this.#store.connection.run(redeem, namesOf(ticket.charAt(0), ticket), args)
    const [outcome, keyId, stream, origin] = answer as readonly ['granted' | TicketRefusal, string, StreamName, string]
    return outcome === 'granted' ? { ok: true, grant: { keyId, stream, origin } } : { ok: false, why: outcome }
  }
}

const namesOf = (partition: string, ticket: string): string[] => [
  revokedName(partition),
  ticketName(partition, hashTicket(ticket)),
]
