/** What a run of the world of access leaves behind for its judges. Times are simulated ms since the start, unless said. */

/** A call that asked for one of the month. `granted` and `exhausted` as the process was told; undefined if it never was. */
export type QuotaCall = {
  readonly kind: 'take' | 'refund'
  readonly process: number
  readonly account: string
  /** By the clock that the call was made with, such as `2026-01`. */
  readonly month: string
  readonly calledAt: number
  answeredAt: number
  outcome: 'granted' | 'exhausted' | 'refunded' | 'failed' | undefined
}

export type TicketTry = {
  readonly ticket: number
  /** Wall clock of the machine when the ticket was issued, and when it was tried; UTC ms. */
  readonly issuedAt: number
  readonly triedAt: number
  readonly calledAt: number
  answeredAt: number
  outcome: 'redeemed' | 'used' | 'expired' | 'unknown' | 'revoked' | 'failed' | undefined
}

/** A stream that was admitted. It is open until its process has closed it or was killed. */
export type OpenStream = { readonly account: string; readonly process: number; readonly from: number; to: number }

/** A change of a count that a process decided on: of the calls of an account in a month (`row`). */
export type CountWrite = {
  readonly process: number
  readonly row: string
  readonly calls: number
  readonly decidedAt: number
  /** False if the commit failed, or the process was killed before. */
  isCommitted: boolean
}

export type AccessEvidence = {
  readonly accounts: readonly { readonly account: string; readonly callsPerMonth: number; readonly streams: number }[]
  readonly calls: readonly QuotaCall[]
  /** Counts of the store in the end, by account and month, after every process has returned what it had reserved. */
  readonly counts: Readonly<Record<string, number>>
  readonly writes: readonly CountWrite[]
  /** Processes that returned what they had reserved: they ended by themselves, and the store answered in time. */
  readonly returned: readonly number[]
  readonly tries: readonly TicketTry[]
  readonly streams: readonly OpenStream[]
  /** Spans in which a process stood still. */
  readonly stops: readonly { readonly process: number; readonly from: number; to: number }[]
  /** Times at which the clock of the machine was set forward, so that leases ended early. */
  readonly clockForward: readonly number[]
  /** In the end, when no stream is open: how many streams could be opened within a lease's life. */
  readonly free: Readonly<Record<string, number>>
  readonly failures: readonly string[]
}
