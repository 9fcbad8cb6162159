import type { Plan } from '../contracts/resources.ts'
import type { StreamErrorCode, StreamName } from '../contracts/streams.ts'

/**
 * The seam between the shell, which knows sockets, and the three streams, which know what is sent. The shell judges
 * frames, deadlines, access and slow clients alike for all; a stream reads its own subscribe message and feeds subscribers.
 */

/** Where a stream writes to one subscriber. Frames are complete JSON texts, in UTF-8, encoded once for all who get them. */
export interface Outlet {
  /**
   * Sends one frame; it arrives, in order, unless the connection ends. False: the client is behind, and nothing more may
   * be sent until `Feed.resume` is called. Sending to an outlet that has said false, or is closed, is a fault of ours.
   */
  send(frame: Uint8Array): boolean
  /** Writes of many frames in one go: one system call instead of one a frame. */
  cork(write: () => void): void
  /** Ends the connection with an error message and close code; the feed is detached. */
  fail(code: StreamErrorCode): void
}

/** What one subscriber is being sent. */
export interface Feed {
  /** The outlet takes frames again. */
  resume(): void
  /** Nothing more may be sent: the connection is gone or going. */
  detach(): void
  /** Where the client would go on: members for heartbeats, notices and errors of streams that have cursors. */
  readonly cursor?: () => string
}

/** Why a subscribe message is refused: the code, what was wrong and where, and where to go on. */
export type Refusal = {
  readonly refused: StreamErrorCode
  readonly detail: string
  /** WebSocket close code, where it isn't the error's own. */
  readonly close?: number
  readonly resumeCursor?: string
}

/** One of the three streams; `S` is a subscription as it understands it. */
export interface Stream<S = unknown> {
  readonly name: StreamName
  /** True: what a client hasn't read is better replaced than followed. It is sent no more while too much is unread. */
  readonly sendsNewestOnly?: boolean
  /** Reads a subscribe message (a JSON object whose `action` is `subscribe`): shape, limits, then what is served. */
  read(message: Readonly<Record<string, unknown>>, plan: Plan): S | Refusal
  /** Sends `subscribed`, then what the subscription begins with, and goes on as things change. Sends at once or later. */
  attach(outlet: Outlet, subscription: S): Feed
  /** As of which instant what it sends is known: UTC, for heartbeats. */
  asOf(): string
  /** Headers of the answer to a handshake: what a subscriber should know that no message has room for. */
  handshakeHeaders?(): Readonly<Record<string, string>>
  /** False while what it serves is not loaded, or its source is away: connections end in `unavailable`. */
  isAvailable(): boolean
}

export const isRefusal = (outcome: unknown): outcome is Refusal =>
  typeof outcome === 'object' && outcome !== null && 'refused' in outcome

const encoder = new TextEncoder()
/** A message as a frame. */
export const frameOf = (message: object): Uint8Array => encoder.encode(JSON.stringify(message))
