import { hash, randomBytes } from 'node:crypto'
import { type StreamName, streamLimits } from '../contracts/streams.ts'
import type { Identity } from './identity.ts'

/**
 * Port for stream tickets. A browser must not hold a key, so it opens one stream with a ticket. A ticket is 32 random
 * bytes, of which a store keeps the SHA-256 only. Every adapter passes `test/contracts/tickets-contract.ts`:
 * - A ticket is redeemed at most once, whichever process stops or dies at any time: marking it as used in the store
 *   redeems it.
 * - A ticket is issued only after it is durable, and ends `streamLimits.ticketLifetimeMs` later, redeemed or not.
 * - A revoked key gets no ticket, because the flag is in the same store. On redemption the caller judges the key.
 *
 * `now` is UTC milliseconds. Rejects with AccessError `unavailable`.
 */
export interface Tickets {
  issue(request: TicketRequest, now: number): Promise<TicketDecision>
  /** Redeems a ticket. A text that is no ticket, and a ticket that was redeemed before, cost no write. */
  redeem(ticket: string, now: number): Promise<Redemption>
}

/**
 * Reason for refusing a ticket. `expired` stands for a ticket that was first tried after its end, and `used` for one
 * that was tried before its end. Both are remembered for one lifetime after the end, however often the ticket is tried.
 * Later the answer is `unknown`, as for a ticket that was never issued. `revoked`: its key is revoked.
 */
export type TicketRefusal = 'unknown' | 'used' | 'expired' | 'revoked'

export type Redemption =
  | { readonly ok: true; readonly grant: TicketGrant }
  | { readonly ok: false; readonly why: TicketRefusal }

/** The right that a ticket carries: one stream of one key, from pages of one origin. */
export type TicketGrant = { readonly keyId: string; readonly stream: StreamName; readonly origin: string }

export type TicketRequest = TicketGrant & Identity

export type TicketDecision =
  | { readonly outcome: 'issued'; readonly ticket: string; readonly expiresAt: number }
  | { readonly outcome: 'revoked' }

/** 43 characters of base64url. */
export const newTicket = (): string => randomBytes(32).toString('base64url')

export const isTicket = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

/** The only form in which a ticket is stored: 256 random bits need neither salt nor pepper. */
export const hashTicket = (ticket: string): string => hash('sha256', ticket, 'base64url')

/** How long after its issue a store remembers a ticket, ms: long enough to tell why it is refused. */
export const TICKET_KEPT_MS = 2 * streamLimits.ticketLifetimeMs

/**
 * Whether a ticket can be redeemed. An end further off than a ticket's lifetime means that the clock was set back after
 * the issue; such a ticket is refused.
 */
export const isTicketAlive = (expiresAt: number, now: number): boolean =>
  now < expiresAt && expiresAt <= now + streamLimits.ticketLifetimeMs
