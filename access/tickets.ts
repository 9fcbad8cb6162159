import { hash, randomBytes } from 'node:crypto'
import { type StreamName, streamLimits } from '../contracts/streams.ts'
import type { Identity } from './identity.ts'

/**
 * The stream ticket port: what a browser, which cannot send a key, opens one stream with. A ticket is 32 random bytes;
 * a store knows its SHA-256 only. Every adapter passes `test/contracts/tickets-contract.ts`:
 * - a ticket is redeemed at most once, whatever runs, stops or dies when: who marks it in the store has redeemed it;
 * - it is issued once that is durable, and ends `streamLimits.ticketLifetimeMs` later, redeemed or not;
 * - a revoked key gets none, by the flag in the same store. Whether its key is still good is for the redeemer to judge.
 *
 * `now` is UTC milliseconds. Rejects with AccessError `unavailable`.
 */
export interface Tickets {
  issue(request: TicketRequest, now: number): Promise<TicketDecision>
  /** A text that is no ticket, and one that was redeemed before, cost no write. */
  redeem(ticket: string, now: number): Promise<Redemption>
}

/**
 * Why a ticket opens nothing. `expired` is said for a lifetime after the end, however often it is tried, and `used`, of one that
 * was tried before its end, until then too; later it is `unknown`, as is a ticket that was never issued. `revoked`: its key is.
 */
export type TicketRefusal = 'unknown' | 'used' | 'expired' | 'revoked'

export type Redemption =
  | { readonly ok: true; readonly grant: TicketGrant }
  | { readonly ok: false; readonly why: TicketRefusal }

/** What a ticket is good for: one stream of one key, for pages of one origin. */
export type TicketGrant = { readonly keyId: string; readonly stream: StreamName; readonly origin: string }

/** A grant, and whose key it is. */
export type TicketRequest = TicketGrant & Identity

export type TicketDecision =
  | { readonly outcome: 'issued'; readonly ticket: string; readonly expiresAt: number }
  | { readonly outcome: 'revoked' }

/** 43 characters of base64url. */
export const newTicket = (): string => randomBytes(32).toString('base64url')

export const isTicket = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

/** All that is ever stored of a ticket: 256 random bits need neither salt nor pepper. */
export const hashTicket = (ticket: string): string => hash('sha256', ticket, 'base64url')

/** How long a store remembers a ticket from its issue, ms: long enough to say why it is refused. */
export const TICKET_KEPT_MS = 2 * streamLimits.ticketLifetimeMs

/** One whose end is further off than a ticket lives was issued by a clock that has been set back: it is refused. */
export const isTicketAlive = (expiresAt: number, now: number): boolean =>
  now < expiresAt && expiresAt <= now + streamLimits.ticketLifetimeMs
