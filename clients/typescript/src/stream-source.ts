import type { CursorStore } from './cursor-store.ts'
import type { Message } from './frames.ts'
import type { Machine, MachineEffect, MachineInput } from './machine.ts'
import type { SocketOpener } from './socket.ts'

export type StreamTuning = {
  /**
   * Events that are kept before the consumer takes them: 1,024 unless given. Nothing is read beyond that. Of prices and
   * predictions only the newest of each key is kept, however many keys there are.
   */
  readonly bufferItems?: number
  /** Their characters: 4 Mi unless given. */
  readonly bufferBytes?: number
  /** Most items of a batch: 256 unless given. */
  readonly batchItems?: number
  /** Longest pause before the first attempt after a loss and before any attempt, ms: 1,000 and 30,000 unless given. */
  readonly backoff?: { readonly first: number; readonly max: number }
  /** Attempts in a row that may fail. Without it the stream goes on trying for ever. */
  readonly maxAttempts?: number
  /** Called after each step of the stream's state machine. `machine.state` is the new state. What it throws ends the stream. */
  readonly onStep?: (input: MachineInput, machine: Machine, effects: readonly MachineEffect[]) => void
}

/** Address and headers of a new connection. */
export type StreamAddress = { readonly url: string; readonly headers: Readonly<Record<string, string>> }

export const isStreamUrl = (url: unknown): url is string => typeof url === 'string' && /^wss?:\/\//.test(url)

/** Source of a stream: where its messages come from, and what becomes of them. Made by the client. */
export type StreamSource<T> = StreamTuning & {
  /** The subscribe message, without the cursor. */
  readonly subscribe: Readonly<Record<string, unknown>>
  readonly sockets: () => Promise<SocketOpener>
  /** Called for each connection; requests a ticket where tickets are used. */
  readonly address: () => Promise<StreamAddress>
  readonly usesTickets: boolean
  readonly itemOf: (message: Message) => T
  /** What an item is the current value of: it takes the place of an older one that still waits. Left out: all are kept. */
  readonly keyOf?: ((item: T) => string) | undefined
  /** Where to begin if the store has no cursor. */
  readonly cursor?: string | undefined
  /** The same, as a sequence or a time. Sent only while no cursor is known. */
  readonly start?: string | number | undefined
  readonly store?: CursorStore | undefined
  readonly onLostPlace?: 'fail' | 'resume' | undefined
  /** Called when the stream continues elsewhere, because its cursor is no longer honoured. What it throws ends the stream. */
  readonly onMoved?: ((code: string, cursor: string) => void) | undefined
}
