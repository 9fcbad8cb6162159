import type { Limits } from '../contracts/plans.ts'
import type { AccessKey } from '../contracts/records.ts'
import type { Plan } from '../contracts/resources.ts'
import { type StreamErrorCode, type StreamName, seconds, streamLimits } from '../contracts/streams.ts'
import type { Burst } from './burst.ts'
import { bearerKey, malformedBearer } from './credentials.ts'
import { AccessError } from './error.ts'
import { type Identity, identityOf } from './identity.ts'
import type { KeyTable } from './key-table.ts'
import type { Leases } from './leases.ts'
import { OwnedLeases, type OwnedLeasesOptions } from './owned-leases.ts'
import type { Quota } from './quota.ts'
import type { Revocations } from './revocations.ts'
import type { TicketRefusal, Tickets } from './tickets.ts'

export type StreamDoorParts = OwnedLeasesOptions & {
  readonly keys: Pick<KeyTable, 'find' | 'standing'>
  readonly burst: Burst
  readonly leases: Leases
  readonly tickets: Pick<Tickets, 'redeem'>
  readonly quota: Pick<Quota, 'take'>
  readonly revocations: Pick<Revocations, 'isRevoked'>
  readonly plans: Readonly<Record<Plan, Limits>>
}

/**
 * The parts of a request that opens a stream. An empty text counts as absent, because some servers cannot tell the two apart.
 */
export type Arrival = {
  readonly stream: StreamName
  readonly authorization?: string | undefined
  /** The query parameter `ticket`. With an `authorization` it is ignored, and so not spent. */
  readonly ticket?: string | undefined
  readonly origin?: string | undefined
}

/** A stream that may open. It was charged one call and holds a lease until `leave`. `plan` is the plan at the admission. */
export type Admission = Identity & {
  readonly stream: StreamName
  readonly plan: Plan
  readonly lease: string
}

type DoorCode = Extract<
  StreamErrorCode,
  'unauthorized' | 'plan_upgrade_required' | 'stream_limit' | 'quota_unavailable'
>
/** A refusal. `detail` is for the client; `cause` is for logs only. */
type Refusal = { readonly refused: DoorCode; readonly detail: string; readonly cause?: unknown }

/**
 * Details for a refused client, besides the code. A ticket is spent before they are sent, so they help no attacker. A key is
 * only valid or not valid. The origin that a ticket was made for is never named.
 */
const details = {
  missing: 'The request has neither an Authorization header nor a ticket.',
  malformed: malformedBearer,
  // Does not tell whether the key ever existed or has ended.
  invalid: 'The API key is not valid.',
  stream: 'The ticket was issued for another stream.',
  noOrigin: 'A request with a ticket needs the Origin header that browsers send.',
  origin: 'The Origin is not the one that the ticket was issued for.',
  plan: 'The plan of the key does not include this stream.',
  burst: 'The calls a minute of the plan are used up.',
  limit: 'The account has as many streams open as its plan allows.',
  exhausted: 'The calls of the month are used up.',
  unchecked: 'The allowance of the key cannot be checked just now.',
} as const

const ticketDetails: Readonly<Record<TicketRefusal, string>> = {
  unknown: 'The ticket is unknown: it was never issued, or it ended more than half a minute ago.',
  used: 'The ticket was used before; it opens one stream once.',
  expired: `The ticket has expired; it lives for ${seconds(streamLimits.ticketLifetimeMs)}.`,
  revoked: 'The API key of the ticket is no longer valid.',
}

/** Whether a plan includes a stream. Only the prices stream is missing from some plans. */
export const includesStream = ({ pricesStream }: Pick<Limits, 'pricesStream'>, stream: StreamName): boolean =>
  stream !== 'prices' || pricesStream

/**
 * Whether the plan `now` still grants what a stream was opened for under the plan `then`. An events stream chooses its
 * families when it opens, so it needs all families of `then`.
 */
const grantsAll = (now: Limits, stream: StreamName, then: Limits): boolean =>
  includesStream(now, stream) && (stream !== 'events' || then.families.every((family) => now.families.includes(family)))

/**
 * Shortest time between two reads of a key's revocation flag, ms, however many streams the key has. It allows two reads
 * within the second in which a revocation must take effect.
 */
const FLAG_READ_INTERVAL_MS = 400

/**
 * Admits or refuses every stream. It judges in this order: key or ticket → plan → burst limit → stream limit → quota.
 * An admitted stream was charged one call and holds a lease, which `run` renews and `leave` releases. An account that
 * connects too often gets `quota_unavailable` before the stores of leases and quota are asked.
 */
export class StreamDoor {
  readonly #parts: StreamDoorParts
  readonly #owned: OwnedLeases
  /** Keys whose revocation flag was seen. A store that answers with a promise adds them later. */
  readonly #flagged = new Set<string>()
  /** Keys whose flag is not read again before `#nextReadAt`, monotonic ms. */
  readonly #recentlyRead = new Set<string>()
  #nextReadAt = 0

  constructor(parts: StreamDoorParts) {
    this.#parts = parts
    this.#owned = new OwnedLeases(parts.leases, parts)
  }

  /** Decides on a stream. Never rejects because of a store: if the store cannot decide, the answer is `quota_unavailable`. */
  async enter(arrival: Arrival): Promise<Admission | Refusal> {
    try {
      const found = await this.#keyOf(arrival)
      return 'refused' in found ? found : await this.#admit(found, arrival.stream)
    } catch (cause) {
      if (cause instanceof AccessError) return { refused: 'quota_unavailable', detail: details.unchecked, cause }
      throw cause
    }
  }

  /**
   * Whether an open stream may go on. Takes some microseconds, so that servers can ask several times a second.
   * `revoked` means one of these:
   * - the key is revoked, by its record or its flag, or has expired;
   * - its plan no longer includes the stream or part of what it sends;
   * - the lease is lost.
   *
   * A store that cannot be read decides nothing. It cannot renew the lease either, so the lease ends.
   */
  standing(admission: Admission): 'ok' | 'revoked' {
    const { stream, keyId, lease, plan } = admission
    const { keys, plans, time } = this.#parts
    if (!this.#owned.holds(lease)) return 'revoked'
    const found = keys.standing(keyId, time.now())
    if (!found.ok || !grantsAll(plans[found.key.plan], stream, plans[plan])) return 'revoked'
    return this.#isFlagged(admission) ? 'revoked' : 'ok'
  }

  /** Releases the lease. Safe to repeat, never rejects. Call it when the socket has closed, for whatever reason. */
  leave(admission: Pick<Admission, keyof Identity | 'lease'>): Promise<void> {
    return this.#owned.release(admission, admission.lease)
  }

  /** Renews the leases owned until `signal` aborts. Abort it at the end of a drain, when no stream is open any more. */
  run(signal: AbortSignal): Promise<void> {
    return this.#owned.run(signal)
  }

  /** Releases every lease still owned and refuses later arrivals. Never rejects. */
  close(): Promise<void> {
    return this.#owned.close()
  }

  async #keyOf({ stream, authorization, ticket, origin }: Arrival): Promise<AccessKey | Refusal> {
    const { keys, tickets, time } = this.#parts
    if (authorization) {
      const presented = bearerKey(authorization)
      if (presented === undefined) return unauthorized(details.malformed, 'malformed')
      const found = keys.find(presented, time.now())
      return found.ok ? found.key : unauthorized(details.invalid, found.why)
    }
    if (!ticket) return unauthorized(details.missing, 'missing')
    const redemption = await tickets.redeem(ticket, time.now())
    if (!redemption.ok) return unauthorized(ticketDetails[redemption.why], `ticket ${redemption.why}`)
    // The ticket is spent from here on, even if one of the following checks refuses it.
    const { grant } = redemption
    if (grant.stream !== stream) return unauthorized(details.stream, 'stream')
    if (grant.origin !== origin) return unauthorized(origin ? details.origin : details.noOrigin, 'origin')
    const found = keys.standing(grant.keyId, time.now())
    return found.ok ? found.key : unauthorized(ticketDetails.revoked, found.why)
  }

  async #admit(key: AccessKey, stream: StreamName): Promise<Admission | Refusal> {
    const { burst, quota, plans, time } = this.#parts
    const { plan } = key
    const identity = identityOf(key)
    const limits = plans[plan]
    if (!includesStream(limits, stream)) return { refused: 'plan_upgrade_required', detail: details.plan }
    const { allowed } = await burst.take(identity, limits.callsPerMinute, time.now())
    if (!allowed) return { refused: 'quota_unavailable', detail: details.burst, cause: 'burst' }
    const taken = await this.#owned.take(identity, limits.concurrentStreams)
    if (taken.outcome !== 'granted') {
      return taken.outcome === 'revoked'
        ? unauthorized(details.invalid, 'revoked')
        : { refused: 'stream_limit', detail: details.limit }
    }
    const { lease } = taken
    let admitted = false
    try {
      const { outcome } = await quota.take(identity, limits.callsPerMonth, time.now())
      admitted = outcome === 'granted'
      if (admitted) return { stream, ...identity, plan, lease }
      return outcome === 'revoked'
        ? unauthorized(details.invalid, 'revoked')
        : { refused: 'quota_unavailable', detail: details.exhausted, cause: 'exhausted' }
    } finally {
      if (!admitted) await this.#owned.release(identity, lease)
    }
  }

  #isFlagged(identity: Identity): boolean {
    const { keyId } = identity
    if (this.#flagged.has(keyId)) return true
    const now = this.#parts.time.monotonic()
    if (now >= this.#nextReadAt) {
      this.#recentlyRead.clear()
      this.#nextReadAt = now + FLAG_READ_INTERVAL_MS
    }
    if (this.#recentlyRead.has(keyId)) return false
    this.#recentlyRead.add(keyId)
    try {
      const flagged = this.#parts.revocations.isRevoked(identity)
      if (flagged === true) this.#flagged.add(keyId)
      // The answer counts from the next call on. A failed read decides nothing: the lease ends by itself if the store
      // stays away.
      else if (flagged instanceof Promise) flagged.then((yes) => yes && this.#flagged.add(keyId)).catch(() => undefined)
      return flagged === true
    } catch (error) {
      if (!(error instanceof AccessError)) throw error
    }
    return false
  }
}

const unauthorized = (detail: string, cause: string): Refusal => ({ refused: 'unauthorized', detail, cause })
