import type { Limits } from '../contracts/plans.ts'
import { ProblemError } from '../contracts/problems.ts'
import type { AccessKey } from '../contracts/records.ts'
import type { Plan, Usage } from '../contracts/resources.ts'
import type { Burst, BurstDecision } from './burst.ts'
import { AccessError } from './error.ts'
import { type Identity, identityOf } from './identity.ts'
import type { KeyTable } from './key-table.ts'
import { monthOf } from './month.ts'
import type { Quota, QuotaDecision, QuotaState } from './quota.ts'
import { rateLimit, rateLimitPolicy, secondsUntil } from './rate-limit.ts'
import type { Revocations } from './revocations.ts'

export type GateParts = {
  readonly keys: Pick<KeyTable, 'find'>
  readonly burst: Burst
  readonly quota: Quota
  readonly revocations: Pick<Revocations, 'isRevoked'>
  readonly plans: Readonly<Record<Plan, Limits>>
  /** How many streams of an account are open, on all nodes. */
  readonly streamsOpen: (who: Identity) => number | Promise<number>
  /** UTC milliseconds. */
  readonly clock: () => number
}

/** One call and who makes it, as it goes through the gate. */
export type Caller = Identity & {
  readonly plan: Plan
  readonly limits: Limits
  readonly key: AccessKey
  /** What was last decided for this call, if it has been. */
  burst: BurstDecision | undefined
  month: QuotaState | undefined
  /** When the charge that can still be refunded was taken. */
  chargedAt: number | undefined
}

const RETRY_AFTER_UNAVAILABLE = '5'
const credentials = /^Bearer +([^ ]+) *$/i

/** The key in the header `Authorization`; undefined if that isn't "Bearer <API_KEY>". */
export const bearerKey = (authorization: string): string | undefined => credentials.exec(authorization)?.[1]

/** What a caller is told of a key that is refused: not whether it was ever one, or is one no longer. */
export const keyFaults = {
  malformed: 'The Authorization header is not "Bearer <API_KEY>".',
  invalid: 'The API key is not valid.',
} as const

/**
 * The door that every call goes through, REST and MCP alike (streams have `StreamDoor`): `authenticate` → `burst` → (validation) → `charge`
 * → the work → `refund` if that failed for a fault of ours. Throws, or rejects with, ProblemError only. What is decided
 * in memory is decided at once: a promise is returned only where something must be waited for.
 */
export class Gate {
  readonly #parts: GateParts
  readonly #policies: Readonly<Record<Plan, string>>

  constructor(parts: GateParts) {
    this.#parts = parts
    const { free, basic, pro } = parts.plans
    this.#policies = { free: rateLimitPolicy(free), basic: rateLimitPolicy(basic), pro: rateLimitPolicy(pro) }
  }

  /** From the header `Authorization`. Throws `unauthorized`; why is in `cause`, for logs, and not for the caller. */
  authenticate(authorization: string | undefined): Caller {
    if (authorization === undefined) throw unauthorized('There is no Authorization header.', 'missing')
    const presented = bearerKey(authorization)
    if (presented === undefined) throw unauthorized(keyFaults.malformed, 'malformed')
    const found = this.#parts.keys.find(presented, this.#parts.clock())
    if (!found.ok) throw unauthorized(keyFaults.invalid, found.why)
    const { key } = found
    const { plan } = key
    const limits = this.#parts.plans[plan]
    return { ...identityOf(key), plan, limits, key, burst: undefined, month: undefined, chargedAt: undefined }
  }

  /** Counts one call of the minute. Throws `rate_limited` or `unavailable`. */
  burst(caller: Caller): void | Promise<void> {
    const { burst, clock } = this.#parts
    const { callsPerMinute } = caller.limits
    return decided(
      () => burst.take(caller, callsPerMinute, clock()),
      (decision) => {
        caller.burst = decision
        if (decision.allowed) return
        throw new ProblemError('rate_limited', `The plan ${caller.plan} allows ${callsPerMinute} calls a minute.`, {
          headers: { 'retry-after': String(decision.retryAfter) },
        })
      },
    )
  }

  /** Takes one call of the month. Throws `quota_exhausted`, `unauthorized` (revoked since) or `unavailable`. */
  charge(caller: Caller): void | Promise<void> {
    const { quota, clock } = this.#parts
    const now = clock()
    const { callsPerMonth } = caller.limits
    return decided(
      () => quota.take(caller, callsPerMonth, now),
      (decision) => this.#charged(caller, decision, now, callsPerMonth),
    )
  }

  /** Gives the last charge back, once and as far as possible. Never throws. */
  refund(caller: Caller): void {
    const { chargedAt, month } = caller
    if (chargedAt === undefined) return
    caller.chargedAt = undefined
    if (month) caller.month = { ...month, used: month.used - 1, remaining: month.remaining + 1 }
    this.#parts.quota.refund(caller, chargedAt)
  }

  /** The values of the headers RateLimit-Policy and RateLimit, as far as this call has come. */
  rateLimit(caller: Caller): { readonly policy: string; readonly limit: string } {
    return {
      policy: this.#policies[caller.plan],
      limit: rateLimit(caller.burst, caller.month, this.#parts.clock()),
    }
  }

  /**
   * What the key's account has used this month, and the limits of the key's plan; costs nothing. Throws `unauthorized`
   * (revoked since) or `unavailable`.
   */
  async usage(caller: Caller): Promise<Usage> {
    const { quota, revocations, streamsOpen, clock } = this.#parts
    const { plan, limits } = caller
    const { callsPerMonth, callsPerMinute, concurrentStreams } = limits
    const now = clock()
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

/** The refusal of a key whose flag says that it is revoked, whatever the key table says. */
export const revoked = (): ProblemError => unauthorized(keyFaults.invalid, 'revoked')

/** Goes on with what a port answers: at once if it can, else in a promise. */
function decided<T>(ask: () => T | Promise<T>, goOn: (answer: T) => void): void | Promise<void> {
  let answer: T | Promise<T>
  try {
    answer = ask()
  } catch (error) {
    throw asProblem(error)
  }
  if (!(answer instanceof Promise)) return goOn(answer)
  return answer.then(goOn, (error: unknown) => {
    throw asProblem(error)
  })
}

/** What isn't the store's own trouble stays what it is. */
const asProblem = (error: unknown): unknown =>
  error instanceof AccessError
    ? new ProblemError('unavailable', 'The allowance of the key cannot be checked.', {
        cause: error,
        headers: { 'retry-after': RETRY_AFTER_UNAVAILABLE },
      })
    : error
