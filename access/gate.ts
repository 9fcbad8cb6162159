import type { Time } from '../base/time.ts'
import type { Limits } from '../contracts/plans.ts'
import { ProblemError } from '../contracts/problems.ts'
import type { AccessKey } from '../contracts/records.ts'
import type { Plan, Usage } from '../contracts/resources.ts'
import type { Burst, BurstDecision } from './burst.ts'
import { readBearer, readBearerOrBasic } from './credentials.ts'
import { AccessError } from './error.ts'
import { type Identity, identityOf } from './identity.ts'
import { isAddressKey } from './key.ts'
import type { KeyFinding, KeyRefusal, KeyTable } from './key-table.ts'
import { monthOf } from './month.ts'
import type { Quota, QuotaDecision, QuotaState } from './quota.ts'
import { rateLimit, rateLimitPolicy, secondsUntil } from './rate-limit.ts'
import type { Revocations } from './revocations.ts'

export type GateParts = {
  readonly keys: Pick<KeyTable, 'find' | 'findInAddress' | 'standing'>
  readonly burst: Burst
  readonly quota: Quota
  readonly revocations: Pick<Revocations, 'isRevoked'>
  readonly plans: Readonly<Record<Plan, Limits>>
  /** Number of open streams of an account, on all nodes. */
  readonly streamsOpen: (identity: Identity) => number | Promise<number>
  readonly time: Pick<Time, 'now'>
}

/** One call on its way through the gate: its key, its limits and the decisions made so far. */
export type Caller = Identity & {
  readonly plan: Plan
  readonly limits: Limits
  readonly key: AccessKey
  /** The last decision of each limit on this call; undefined before the first. */
  burst: BurstDecision | undefined
  month: QuotaState | undefined
  /** Time of the charge, UTC milliseconds, while it can still be refunded. */
  chargedAt: number | undefined
}

const RETRY_AFTER_UNAVAILABLE = '5'

const notKnown = 'The API key is not valid: a character of it is wrong or missing, or it is of another service.'
/**
 * Details for a client that presented a key in a header. That a key has ended is told to the holder of the whole key alone: 178
 * random bits cannot be guessed, so nobody else learns that it existed.
 */
const refusedKeys: Readonly<Record<KeyRefusal, string>> = {
  malformed: notKnown,
  unknown: notKnown,
  revoked: 'The API key was revoked.',
  expired: 'The API key has expired.',
}

/** Details for a key in the wrong place. They follow from its shape alone, and so tell nothing of whether it exists. */
const misplaced = {
  fullKey:
    'This key must not stand in an address, because addresses are logged on their way. Send it in the header Authorization. For a client that cannot, the operator makes a read-only key of 32 characters: ./almanac keys derive KEY_ID. If others may have seen the address, have the key replaced: ./almanac keys rotate KEY_ID.',
  addressKey:
    'A read-only key of 32 characters is valid in an address only (api_key=). Send a full key in this header.',
  notAddressKey:
    'The key in the address is not valid. It must be a read-only key of 32 lower-case letters and digits: ./almanac keys derive KEY_ID makes one.',
} as const

/** How a full key begins, whether the rest is right or not. */
const fullKeyStart = /^\s*alm_/i

/**
 * Admits or refuses every call, over REST and MCP alike; streams have `StreamDoor`. The order is `authenticate` → `burst` →
 * (validation) → `charge` → the work → `refund` if the work failed through a fault of the server. Throws, or rejects with,
 * ProblemError only. A decision made from memory is returned at once; a promise is returned only if the store must answer.
 */
export class Gate {
  readonly #parts: GateParts
  readonly #policies: Readonly<Record<Plan, string>>

  constructor(parts: GateParts) {
    this.#parts = parts
    const { free, basic, pro } = parts.plans
    this.#policies = { free: rateLimitPolicy(free), basic: rateLimitPolicy(basic), pro: rateLimitPolicy(pro) }
  }

  /**
   * Finds the key in the header `Authorization`, which must be Bearer. Throws `unauthorized`; its `cause` gives the reason
   * for logs, not for clients.
   */
  authenticate(authorization: string | undefined): Caller {
    return this.#authenticate(authorization, readBearer)
  }

  /** As `authenticate`, for GET and HEAD: HTTP Basic with the key as user name or as password is accepted, too. */
  authenticateRead(authorization: string | undefined): Caller {
    return this.#authenticate(authorization, readBearerOrBasic)
  }

  /**
   * Finds the read-only key that a client has put into the address. Only for reads on surfaces whose clients can send a key
   * no other way. A full key is refused, valid or not. Throws `unauthorized`, which never repeats the key.
   */
  authenticateAddressKey(key: string): Caller {
    if (fullKeyStart.test(key)) throw unauthorized(misplaced.fullKey, 'full key in an address')
    return this.#callerOf(this.#parts.keys.findInAddress(key, this.#parts.time.now()), () => misplaced.notAddressKey)
  }

  /** Counts one call against the burst limit. Throws `rate_limited` or `unavailable`. */
  burst(caller: Caller): void | Promise<void> {
    const { burst, time } = this.#parts
    const { callsPerMinute } = caller.limits
    return whenDecided(
      () => burst.take(caller, callsPerMinute, time.now()),
      (decision) => {
        caller.burst = decision
        if (decision.allowed) return
        throw new ProblemError('rate_limited', `The plan ${caller.plan} allows ${callsPerMinute} calls a minute.`, {
          headers: { 'retry-after': String(decision.retryAfter) },
        })
      },
    )
  }

  /** Takes one call of the monthly quota. Throws `quota_exhausted`, `unauthorized` (revoked since) or `unavailable`. */
  charge(caller: Caller): void | Promise<void> {
    const { quota, time } = this.#parts
    const now = time.now()
    const { callsPerMonth } = caller.limits
    return whenDecided(
      () => quota.take(caller, callsPerMonth, now),
      (decision) => this.#charged(caller, decision, now, callsPerMonth),
    )
  }

  /** Refunds the last charge, at most once. A refund that the store cannot keep is lost. Never throws. */
  refund(caller: Caller): void {
    const { chargedAt, month } = caller
    if (chargedAt === undefined) return
    caller.chargedAt = undefined
    if (month) caller.month = { ...month, used: month.used - 1, remaining: month.remaining + 1 }
    this.#parts.quota.refund(caller, chargedAt)
  }

  /** Values of the headers RateLimit-Policy and RateLimit, from the decisions made so far on this call. */
  rateLimit(caller: Caller): { readonly policy: string; readonly limit: string } {
    return {
      policy: this.#policies[caller.plan],
      limit: rateLimit(caller.burst, caller.month, this.#parts.time.now()),
    }
  }

  /**
   * The account's use of this month and the limits of the key's plan. Costs no call. Throws `unauthorized` (revoked
   * since) or `unavailable`.
   */
  async usage(caller: Caller): Promise<Usage> {
    const { quota, revocations, streamsOpen, time } = this.#parts
    const { plan, limits } = caller
    const { callsPerMonth, callsPerMinute, concurrentStreams } = limits
    const now = time.now()
    try {
      if (await revocations.isRevoked(caller)) throw revoked()
      caller.month = await quota.peek(caller, callsPerMonth, now)
      return {
        plan,
        month: monthOf(now).name,
        used: caller.month.used,
        remaining: caller.month.remaining,
        streams_open: await streamsOpen(caller),
        limits: {
          calls_per_month: callsPerMonth,
          calls_per_minute: callsPerMinute,
          concurrent_streams: concurrentStreams,
        },
      }
    } catch (error) {
      throw asProblem(error)
    }
  }

  /**
   * The key that was admitted before, or undefined if it has expired or was revoked since. Counts nothing. Rejects with
   * `unavailable`.
   */
  async stillAdmits(keyId: string): Promise<(Identity & { readonly plan: Plan }) | undefined> {
    const { keys, revocations, time } = this.#parts
    const found = keys.standing(keyId, time.now())
    if (!found.ok) return undefined
    const key = { ...identityOf(found.key), plan: found.key.plan }
    try {
      return (await revocations.isRevoked(key)) ? undefined : key
    } catch (error) {
      throw asProblem(error)
    }
  }

  #authenticate(authorization: string | undefined, read: typeof readBearer): Caller {
    if (authorization === undefined) throw unauthorized('There is no Authorization header.', 'missing')
    const presented = read(authorization)
    if ('fault' in presented) throw unauthorized(presented.fault, 'malformed')
    if (isAddressKey(presented.key)) throw unauthorized(misplaced.addressKey, 'read-only key in a header')
    return this.#callerOf(this.#parts.keys.find(presented.key, this.#parts.time.now()), (why) => refusedKeys[why])
  }

  #callerOf(found: KeyFinding, detailOf: (why: KeyRefusal) => string): Caller {
    if (!found.ok) throw unauthorized(detailOf(found.why), found.why)
    const { key } = found
    const { plan } = key
    const limits = this.#parts.plans[plan]
    return { ...identityOf(key), plan, limits, key, burst: undefined, month: undefined, chargedAt: undefined }
  }

  #charged(caller: Caller, decision: QuotaDecision, now: number, callsPerMonth: number): void {
    if (decision.outcome === 'revoked') throw revoked()
    caller.month = decision
    if (decision.outcome === 'granted') {
      caller.chargedAt = now
      return
    }
    throw new ProblemError(
      'quota_exhausted',
      `All ${callsPerMonth} calls of the plan ${caller.plan} are used until ${new Date(decision.resetAt).toISOString()}.`,
      { headers: { 'retry-after': String(secondsUntil(decision.resetAt, now)) } },
    )
  }
}

const unauthorized = (detail: string, why: string): ProblemError =>
  new ProblemError('unauthorized', detail, { cause: why, headers: { 'www-authenticate': 'Bearer' } })

/** Refusal of a key whose revocation flag is set, whatever the key table says. */
export const revoked = (): ProblemError => unauthorized(refusedKeys.revoked, 'revoked')

/** Passes the answer of a port on: at once if the port answers at once, else in a promise. */
function whenDecided<T>(ask: () => T | Promise<T>, next: (answer: T) => void): void | Promise<void> {
  let answer: T | Promise<T>
  try {
    answer = ask()
  } catch (error) {
    throw asProblem(error)
  }
  if (!(answer instanceof Promise)) return next(answer)
  return answer.then(next, (error: unknown) => {
    throw asProblem(error)
  })
}

/** Turns an AccessError into `unavailable`. Any other error stays what it is. */
const asProblem = (error: unknown): unknown =>
  error instanceof AccessError
    ? new ProblemError('unavailable', 'The allowance of the key cannot be checked.', {
        cause: error,
        headers: { 'retry-after': RETRY_AFTER_UNAVAILABLE },
      })
    : error
