import type { Plan } from '../contracts/resources.ts'
import type { StreamErrorCode, StreamName } from '../contracts/streams.ts'

/**
 * The interface between the shell, which knows sockets, and the three streams, which know what to send. The shell checks
 * frames, deadlines, access and slow clients for all streams. A stream reads its subscribe message and feeds subscribers.
 */

/** Where a stream writes to one subscriber. A frame is a complete JSON text in UTF-8, encoded once for all its receivers. */
export interface Outlet {
  /**
   * Sends one frame. Frames arrive in order, unless the connection ends. Returns false if the client is behind: the frame was
   * taken, but a stream must send nothing more until `Feed.resume` is called. A frame sent too early is discarded.
   */
  send(frame: Uint8Array): boolean
  /** Batches the frames that `write` sends into one system call. */
  cork(write: () => void): void
  /** Ends the connection with an error message and a close code, and detaches the feed. */
  fail(code: StreamErrorCode, detail?: string): void
}

/** One subscriber's side of a stream. */
export interface Feed {
  /** Called when the outlet takes frames again. */
  resume(): void
  /** Called when the connection ends. The feed must send nothing more. */
  detach(): void
  /**
   * The cursor to continue from, for heartbeats, notices and errors. Only on streams that have cursors; undefined while the
   * place is being looked up.
   */
  readonly cursor?: () => string | undefined
}

/** Why a client's message is refused: the code, what is wrong and where, and a cursor to continue from. */
export type Refusal = {
  readonly refused: StreamErrorCode
  readonly detail: string
  /** WebSocket close code, if it differs from the error's own. */
  readonly close?: number
  readonly resumeCursor?: string
}

/** One of the three streams. `S` is its type of subscription. */
export interface Stream<S = unknown> {
  readonly name: StreamName
  /** Whether only the newest values matter. Sending to a client then pauses while too many bytes are unread. */
  readonly sendsNewestOnly?: boolean
  /** Reads a subscribe message. Checks shape and limits first, then whether the values are served. */
  read(message: Readonly<Record<string, unknown>>, plan: Plan): S | Refusal
  /** Sends `subscribed`, the current state, then every change. It may begin at once or in a later turn. */
  attach(outlet: Outlet, subscription: S): Feed
  /** How fresh the stream is, for heartbeats: UTC. */
  asOf(): string
  /** Extra headers of the handshake's answer, for facts that no message has a field for. */
  handshakeHeaders?(): Readonly<Record<string, string>>
  /** False while its data is not loaded or its source cannot be reached. Connections then end in `unavailable`. */
  isAvailable(): boolean
}

export const isRefusal = (outcome: unknown): outcome is Refusal =>
  typeof outcome === 'object' && outcome !== null && 'refused' in outcome

const encoder = new TextEncoder()
/** A message as a frame. */
export const frameOf = (message: object): Uint8Array => encoder.encode(JSON.stringify(message))
