import { MESSAGE_TOO_BIG, type StreamErrorCode, seconds, streamLimits } from '../contracts/streams.ts'
import { binaryRefusal, readFrame } from './frame.ts'
import { isRefusal, type Refusal } from './stream.ts'

/**
 * The life of a connection, the same for all three streams (specification, section 3). `step` is pure: it takes a state and an
 * input, and returns the next state and the effects. The shell carries out the effects and measures the deadlines.
 */
export const phases = ['connecting', 'awaiting_subscribe', 'subscribed', 'closed'] as const
export type Phase = (typeof phases)[number]

export type ProtocolState = {
  readonly phase: Phase
  /** Number of frames read. Early frames count once they are read. */
  readonly frames: number
  /** Frames that came before `ready`. They are read once the client is admitted. */
  readonly early: readonly Frame[]
}
export const initialState: ProtocolState = { phase: 'connecting', frames: 0, early: [] }

type Frame = { readonly type: 'frame'; readonly bytes: ArrayBuffer | Uint8Array; readonly isBinary: boolean }

export type ProtocolInput =
  | { readonly type: 'admitted' }
  | { readonly type: 'refused'; readonly code: StreamErrorCode; readonly detail?: string | undefined }
  | Frame
  /** No subscribe message came within 5 s of `ready`. */
  | { readonly type: 'subscribe_overdue' }
  | { readonly type: 'heartbeat_due' }
  /** The client has read nothing for 5 s. */
  | { readonly type: 'stalled' }
  | { readonly type: 'revoked' }
  | { readonly type: 'unavailable' }
  /** The server is shutting down. */
  | { readonly type: 'going_away' }
  /** The stream ends the connection, for example because its cursor has expired. */
  | { readonly type: 'failed'; readonly code: StreamErrorCode; readonly detail?: string | undefined }
  /** The socket is closed. */
  | { readonly type: 'gone' }

export type Effect<S> =
  | { readonly type: 'ready' }
  | { readonly type: 'attach'; readonly subscription: S }
  | { readonly type: 'pong' }
  | { readonly type: 'heartbeat' }
  | { readonly type: 'leave' }
  | ({ readonly type: 'fail' } & Failure)

export type Failure = {
  readonly code: StreamErrorCode
  readonly detail?: string | undefined
  readonly resumeCursor?: string | undefined
  /** WebSocket close code, if it differs from the error's own. */
  readonly close?: number | undefined
}

type Step<S> = readonly [ProtocolState, readonly Effect<S>[]]

/** Reads the content of a subscribe message, and checks the members of a ping. */
export type Readers<S> = {
  subscribe(message: Readonly<Record<string, unknown>>): S | Refusal
  ping(message: Readonly<Record<string, unknown>>): Refusal | undefined
}

const UNREAD = `A WebSocket ping was not answered: nothing was read for ${seconds(streamLimits.stalledMs)}.`

export function step<S>(state: ProtocolState, input: ProtocolInput, readers: Readers<S>): Step<S> {
  if (state.phase === 'closed') return [state, []]
  switch (input.type) {
    case 'gone':
      return [{ ...state, phase: 'closed' }, []]
    case 'refused':
    case 'failed':
      return failed(state, { code: input.code, detail: input.detail })
    case 'unavailable':
      return failed(state, { code: 'unavailable' })
    case 'revoked':
      return failed(state, { code: 'revoked' })
    case 'going_away':
      return [{ ...state, phase: 'closed' }, [{ type: 'leave' }]]
    case 'admitted':
      return state.phase === 'connecting' ? admitted(state, readers) : [state, []]
    case 'stalled':
      return state.phase === 'connecting' ? [state, []] : failed(state, { code: 'slow_consumer', detail: UNREAD })
    case 'subscribe_overdue':
      return state.phase === 'awaiting_subscribe' ? failed(state, { code: 'subscribe_required' }) : [state, []]
    case 'heartbeat_due':
      return state.phase === 'subscribed' ? [state, [{ type: 'heartbeat' }]] : [state, []]
    case 'frame':
      return state.phase === 'connecting' ? keepEarly(state, input) : takeFrame(state, input, readers)
  }
}

function admitted<S>({ early, ...rest }: ProtocolState, readers: Readers<S>): Step<S> {
  let state: ProtocolState = { ...rest, phase: 'awaiting_subscribe', early: [] }
  const effects: Effect<S>[] = [{ type: 'ready' }]
  for (const frame of early) {
    const [next, more] = step(state, frame, readers)
    state = next
    effects.push(...more)
  }
  return [state, effects]
}

/**
 * Keeps a frame that came before the client was admitted, within the limits of an ordinary client. The bytes are copied,
 * because uWebSockets.js reuses its buffer after the call.
 */
function keepEarly<S>(state: ProtocolState, { bytes, isBinary }: Frame): Step<S> {
  const size = state.early.reduce((sum, frame) => sum + frame.bytes.byteLength, bytes.byteLength)
  if (size > streamLimits.frameBytes) {
    return failed(state, {
      code: 'invalid_frame',
      detail: `More than ${streamLimits.frameBytes} bytes came before \`ready\`.`,
      close: bytes.byteLength > streamLimits.frameBytes ? MESSAGE_TOO_BIG : undefined,
    })
  }
  if (state.early.length > streamLimits.clientFrames) return [state, []]
  return [{ ...state, early: [...state.early, { type: 'frame', bytes: bytes.slice(0), isBinary }] }, []]
}

/**
 * Reads a frame. Order of the checks: number of frames, size, JSON, known action, second subscribe, text rather than binary,
 * shape and limits, served values.
 */
function takeFrame<S>(before: ProtocolState, { bytes, isBinary }: Frame, readers: Readers<S>): Step<S> {
  const state = { ...before, frames: before.frames + 1 }
  if (state.frames > streamLimits.clientFrames) return failed(state, { code: 'command_limit' })
  const command = readFrame(bytes)
  if (isRefusal(command)) return refused(state, command)
  if (command.action === 'subscribe' && state.phase === 'subscribed') {
    return failed(state, { code: 'resubscribe_required' })
  }
  if (isBinary) return refused(state, binaryRefusal)
  if (command.action === 'ping') {
    const fault = readers.ping(command.message)
    return fault ? refused(state, fault) : [state, [{ type: 'pong' }]]
  }
  const subscription = readers.subscribe(command.message)
  if (isRefusal(subscription)) return refused(state, subscription)
  return [{ ...state, phase: 'subscribed' }, [{ type: 'attach', subscription }]]
}

const refused = <S>(state: ProtocolState, { refused: code, ...more }: Refusal): Step<S> =>
  failed(state, { code, ...more })

const failed = <S>(state: ProtocolState, failure: Failure): Step<S> => [
  { ...state, phase: 'closed' },
  [{ type: 'fail', ...failure }],
]
