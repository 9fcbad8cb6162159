import { WebSocket } from 'ws'
import type { MachineInput, MachineOptions } from '../../../clients/typescript/src/machine.ts'
import { Almanac, type AlmanacOptions, type SocketOpener, wsSockets } from '../../../clients/typescript/src/node.ts'
import type { ResumingStream } from '../../../clients/typescript/src/stream.ts'
import type { StreamTuning } from '../../../clients/typescript/src/stream-source.ts'
import { until } from '../../support/journal.ts'
import { type TraceInput, traceOf, writeTrace } from './trace.ts'

/** Fast attempts, so that a recording does not wait. */
const backoff = { first: 200, max: 1_000 }

/** Records what a real client meets on a real service. */
export class Recorder {
  readonly inputs: TraceInput[] = []
  state = 'idle'
  /** The frame that is being taken: the machine's input has it read. */
  #frame: string | null | undefined
  #options: MachineOptions | undefined

  readonly tuning: StreamTuning = { backoff, onStep: (input, { state }) => this.#note(input, state) }

  client(options: AlmanacOptions, opener: SocketOpener = wsSockets(WebSocket as never)): Almanac {
    this.#options = {
      cursor: null,
      can_pause: opener.canPause,
      uses_tickets: options.ticket !== undefined,
      on_lost_place: 'fail',
      max_attempts: null,
      first_ms: backoff.first,
      max_ms: backoff.max,
    }
    return new Almanac({ ...options, sockets: async () => this.#watched(opener) })
  }

  #watched(opener: SocketOpener): SocketOpener {
    return {
      canPause: opener.canPause,
      open: (url, headers, events) =>
        opener.open(url, headers, {
          ...events,
          frame: (data) => {
            this.#frame = typeof data === 'string' ? data : null
            events.frame(data)
          },
        }),
    }
  }

  #note(input: MachineInput, state: string): void {
    this.state = state
    const isFrame = input.message !== undefined || input.on === 'malformed'
    this.inputs.push(isFrame && this.#frame !== undefined ? { frame: this.#frame } : input)
  }

  seen(text: string): number {
    return this.inputs.filter((input) => 'frame' in input && input.frame?.includes(text)).length
  }

  reaches(state: string): Promise<void> {
    return until(`the stream is ${state}`, () => this.state === state)
  }

  sees(text: string, count = 1): Promise<void> {
    return until(`${count} × ${text}`, () => this.seen(text) >= count)
  }

  write(name: string, about: string, over: Partial<MachineOptions> = {}): void {
    if (!this.#options) throw new Error('nothing was recorded')
    const options = { ...this.#options, ...over }
    writeTrace(traceOf({ name, about, origin: 'recorded', options, random: 0.5 }, this.inputs))
  }
}

/** Reads a stream to its end, and resolves with what ended it. */
export async function readAll<T>(
  stream: ResumingStream<T>,
  isLast: (item: T) => boolean = () => false,
): Promise<unknown> {
  try {
    for await (const item of stream) if (isLast(item)) return undefined
    return undefined
  } catch (error) {
    return error
  }
}
