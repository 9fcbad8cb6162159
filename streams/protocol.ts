import { MESSAGE_TOO_BIG, type StreamErrorCode, seconds, streamLimits } from '../contracts/streams.ts'
import { binaryRefusal, readFrame } from './frame.ts'
import { isRefusal, type Refusal } from './stream.ts'

/**
 * The life of a connection, the same for the three streams (specification, section 3): a pure step from a phase and what
 * happened to the next phase and what is to be done. The shell does it; deadlines are the shell’s to measure.
 */
export const phases = ['connecting', 'awaiting_subscribe', 'subscribed', 'closed'] as const
export type Phase = (typeof phases)[number]

export type ProtocolState = {
  readonly phase: Phase
  /** Frames read, not counting those that wait. */
  readonly frames: number
  /** Frames of a client that didn’t wait for `ready`, to be read once it is admitted. */
  readonly early: readonly Frame[]
}
export const initialState: ProtocolState = { phase: 'connecting', frames: 0, early: [] }

type Frame = { readonly type: 'frame'; readonly bytes: ArrayBuffer | Uint8Array; readonly isBinary: boolean }

export type ProtocolInput =
  | { readonly type: 'admitted' }
  | { readonly type: 'refused'; readonly code: StreamErrorCode; readonly detail?: string | undefined }
  | Frame
  /** 5 s after `ready`. */
  | { readonly type: 'subscribe_overdue' }
  | { readonly type: 'heartbeat_due' }
  /** The client hasn't read on for 5 s. */
  | { readonly type: 'stalled' }
  | { readonly type: 'revoked' }
  | { readonly type: 'unavailable' }
  /** The server ends: the stream says so in its own way. */
  | { readonly type: 'going_away' }
  /** The stream itself ends the connection, e.g. because its cursor has expired. */
  | { readonly type: 'failed'; readonly code: StreamErrorCode }
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
  /** WebSocket close code, where it isn't the error's own. */
  readonly close?: number | undefined
}

type Step<S> = readonly [ProtocolState, readonly Effect<S>[]]

/** Reads the content of a subscribe message, and of a ping, whose members are as strict. */
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
      return failed(state, { code: input.code, detail: input.detail })
    case 'failed':
      return failed(state, { code: input.code })
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
      return state.phase === 'connecting' ? keep(state, input) : takeFrame(state, input, readers)
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

/** Who isn't admitted yet is kept no more for than an honest client sends. A socket’s bytes are its own after the call. */
function keep<S>(state: ProtocolState, { bytes, isBinary }: Frame): Step<S> {
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

/** Judged in this order: how many, JSON, a known action, a second subscribe, shape (text, not binary) and limits, what is served. */
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
