import type { Limits } from '../contracts/plans.ts'
import type { AccessKey } from '../contracts/records.ts'
import type { Plan } from '../contracts/resources.ts'
import { type StreamErrorCode, type StreamName, seconds, streamLimits } from '../contracts/streams.ts'
import type { Burst } from './burst.ts'
import { AccessError } from './error.ts'
import { bearerKey, keyFaults } from './gate.ts'
import { HeldLeases, type HeldLeasesOptions } from './held-leases.ts'
import { type Identity, identityOf } from './identity.ts'
import type { KeyTable } from './key-table.ts'
import type { Leases } from './leases.ts'
import type { Quota } from './quota.ts'
import type { Revocations } from './revocations.ts'
import type { TicketRefusal, Tickets } from './tickets.ts'

export type StreamDoorParts = HeldLeasesOptions & {
  readonly keys: Pick<KeyTable, 'find' | 'standing'>
  readonly burst: Burst
  readonly leases: Leases
  readonly tickets: Pick<Tickets, 'redeem'>
  readonly quota: Pick<Quota, 'take'>
  readonly revocations: Pick<Revocations, 'isRevoked'>
  readonly plans: Readonly<Record<Plan, Limits>>
}

/** What a client brings to the door of a stream. An empty text is as none: some servers cannot tell them apart. */
export type Arrival = {
  readonly stream: StreamName
  /** The header `Authorization`. */
  readonly authorization?: string | undefined
  /** The query parameter `ticket`; not looked at, and so not spent, where there is an `authorization`. */
  readonly ticket?: string | undefined
  /** The header `Origin`. */
  readonly origin?: string | undefined
}

/** A stream that may open: charged, and holding a lease until `leave`. `plan` is as of the admission. */
export type Admission = Identity & {
  readonly stream: StreamName
  readonly plan: Plan
  readonly lease: string
}

type DoorCode = Extract<
  StreamErrorCode,
  'unauthorized' | 'plan_upgrade_required' | 'stream_limit' | 'quota_unavailable'
>
/** `detail` is for the client; `cause` is for logs alone. */
type TurnedAway = { readonly refused: DoorCode; readonly detail: string; readonly cause?: unknown }

/**
 * What a refused client is told besides its code. A ticket is spent when these are said of it, so they help nobody to get in.
 * A key is valid or not, as over REST, and the origin that a ticket was made for is never named.
 */
const details = {
  missing: 'Neither an Authorization header nor a ticket came.',
  ...keyFaults,
  unknownTicket: 'The ticket is unknown: never issued, or ended more than half a minute ago.',
  usedTicket: 'The ticket was used before; it opens one stream once.',
  expiredTicket: `The ticket has expired; it lives for ${seconds(streamLimits.ticketLifetimeMs)}.`,
  revokedTicket: 'The API key of the ticket is not valid any more.',
  stream: 'The ticket was issued for another stream.',
  noOrigin: 'A ticket needs the Origin header of a browser.',
  origin: 'The Origin is not the one that the ticket was issued for.',
  plan: 'The plan of the key does not include this stream.',
  burst: 'The calls a minute of the plan are used up.',
  limit: 'The account has as many streams open as its plan allows.',
  exhausted: 'The calls of the month are used up.',
  unchecked: 'The allowance of the key cannot be checked just now.',
} as const

const ticketDetails: Readonly<Record<TicketRefusal, string>> = {
  unknown: details.unknownTicket,
  used: details.usedTicket,
  expired: details.expiredTicket,
  revoked: details.revokedTicket,
}

/** Whether a plan includes a stream: only prices are barred to some. */
export const includesStream = ({ pricesStream }: Pick<Limits, 'pricesStream'>, stream: StreamName): boolean =>
  stream !== 'prices' || pricesStream

/** Whether a plan still grants what a stream was opened for under another: events choose their families at the start. */
const grantsAll = (now: Limits, stream: StreamName, then: Limits): boolean =>
  includesStream(now, stream) && (stream !== 'events' || then.families.every((family) => now.families.includes(family)))

/** A flag is asked for once in so long a key, ms, however many streams it has: twice within the promised second. */
const FLAG_EVERY_MS = 400

/**
 * The door that every stream opens through, judged in this order: key or ticket → plan → calls a minute → limit → quota.
 * Who is admitted has been charged one call and holds a lease, which `run` renews and `leave` gives back. An account that
 * connects too often is refused as if its quota could not be checked: the stores of leases and quota are not asked.
 */
export class StreamDoor {
  readonly #parts: StreamDoorParts
  readonly #held: HeldLeases
  /** Keys whose flag was seen, of stores that answer later. */
  readonly #flagged = new Set<string>()
  /** Keys whose flag need not be asked for again before `#askAgainAt`, monotonic ms. */
  readonly #asked = new Set<string>()
  #askAgainAt = 0

  constructor(parts: StreamDoorParts) {
    this.#parts = parts
    this.#held = new HeldLeases(parts.leases, parts)
  }

  /** Never rejects for what a store does: a decision that can't be had is `quota_unavailable`. */
  async enter(arrival: Arrival): Promise<Admission | TurnedAway> {
    try {
      const found = await this.#keyOf(arrival)
      return 'refused' in found ? found : await this.#admit(found, arrival.stream)
    } catch (cause) {
      if (cause instanceof AccessError) return { refused: 'quota_unavailable', detail: details.unchecked, cause }
      throw cause
    }
  }

  /**
   * Whether an open stream may go on; to be asked several times a second, and costs some microseconds. `revoked`: the
   * key is revoked (by its record or by its flag), has expired, is of a plan now that bars the stream or part of what it
   * sends, or the lease is lost. A store that cannot be read is no verdict: then the lease, which it cannot renew, runs out.
   */
  standing(admission: Admission): 'ok' | 'revoked' {
    const { stream, keyId, lease, plan } = admission
    const { keys, plans, clock } = this.#parts
    if (!this.#held.holds(lease)) return 'revoked'
    const found = keys.standing(keyId, clock())
    if (!found.ok || !grantsAll(plans[found.key.plan], stream, plans[plan])) return 'revoked'
    return this.#isFlagged(admission) ? 'revoked' : 'ok'
  }

  /** Gives the lease back; safe to repeat, never rejects. To be called when the socket is gone, whyever it went. */
  leave(admission: Pick<Admission, keyof Identity | 'lease'>): Promise<void> {
    return this.#held.release(admission, admission.lease)
  }

  /** Renews the leases held, until `signal` is aborted: at the end of a drain, when no stream is open any more. */
  run(signal: AbortSignal): Promise<void> {
    return this.#held.run(signal)
  }

  /** Gives back every lease still held; whoever comes later is refused. Never rejects. */
  close(): Promise<void> {
    return this.#held.close()
  }

  async #keyOf({ stream, authorization, ticket, origin }: Arrival): Promise<AccessKey | TurnedAway> {
    const { keys, tickets, clock } = this.#parts
    if (authorization) {
      const presented = bearerKey(authorization)
      if (presented === undefined) return unauthorized(details.malformed, 'malformed')
      const found = keys.find(presented, clock())
      return found.ok ? found.key : unauthorized(details.invalid, found.why)
    }
    if (!ticket) return unauthorized(details.missing, 'missing')
    const redemption = await tickets.redeem(ticket, clock())
    if (!redemption.ok) return unauthorized(ticketDetails[redemption.why], `ticket ${redemption.why}`)
    // It is spent now, whatever it turns out to be good for.
    const { grant } = redemption
    if (grant.stream !== stream) return unauthorized(details.stream, 'stream')
    if (grant.origin !== origin) return unauthorized(origin ? details.origin : details.noOrigin, 'origin')
    const found = keys.standing(grant.keyId, clock())
    return found.ok ? found.key : unauthorized(details.revokedTicket, found.why)
  }

  async #admit(key: AccessKey, stream: StreamName): Promise<Admission | TurnedAway> {
    const { burst, quota, plans, clock } = this.#parts
    const { plan } = key
    const who = identityOf(key)
    const limits = plans[plan]
    if (!includesStream(limits, stream)) return { refused: 'plan_upgrade_required', detail: details.plan }
    const { allowed } = await burst.take(who, limits.callsPerMinute, clock())
    if (!allowed) return { refused: 'quota_unavailable', detail: details.burst, cause: 'burst' }
    const taken = await this.#held.take(who, limits.concurrentStreams)
    if (taken.outcome !== 'granted') {
      return taken.outcome === 'revoked'
        ? unauthorized(details.invalid, 'revoked')
        : { refused: 'stream_limit', detail: details.limit }
    }
    const { lease } = taken
    let admitted = false
    try {
      const { outcome } = await quota.take(who, limits.callsPerMonth, clock())
      admitted = outcome === 'granted'
      if (admitted) return { stream, ...who, plan, lease }
      return outcome === 'revoked'
        ? unauthorized(details.invalid, 'revoked')
        : { refused: 'quota_unavailable', detail: details.exhausted, cause: 'exhausted' }
    } finally {
      if (!admitted) await this.#held.release(who, lease)
    }
  }

  #isFlagged(who: Identity): boolean {
    const { keyId } = who
    if (this.#flagged.has(keyId)) return true
    const now = this.#parts.monotonic()
    if (now >= this.#askAgainAt) {
      this.#asked.clear()
      this.#askAgainAt = now + FLAG_EVERY_MS
    }
    if (this.#asked.has(keyId)) return false
    this.#asked.add(keyId)
    try {
      const flagged = this.#parts.revocations.isRevoked(who)
      if (flagged === true) this.#flagged.add(keyId)
      // Heard by the next time it is asked.
      else if (flagged instanceof Promise) flagged.then((yes) => yes && this.#flagged.add(keyId)).catch(() => undefined)
      return flagged === true
    } catch (error) {
      if (!(error instanceof AccessError)) throw error
    }
    return false
  }
}

const unauthorized = (detail: string, cause: string): TurnedAway => ({ refused: 'unauthorized', detail, cause })
