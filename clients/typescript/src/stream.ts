import { Buffer } from './buffer.ts'
import { type CursorStore, CursorWriter } from './cursor-store.ts'
import { ProblemError, StreamError } from './errors.ts'
import { type Message, readFrame } from './frames.ts'
import { table } from './generated/transitions.ts'
import {
  type Effect,
  type Failure,
  type Input,
  initialMachine,
  type Machine,
  type MachineOptions,
  step,
} from './machine.ts'
import type { Socket, SocketOpener } from './socket.ts'

export type StreamTuning = {
  /** Messages that are kept before the consumer takes them: 1,024 unless given. Nothing is read beyond that. */
  readonly bufferItems?: number
  /** Their characters: 4 Mi unless given. */
  readonly bufferBytes?: number
  /** Most items of a batch: 256 unless given. */
  readonly batchItems?: number
  /** Longest pause before the first attempt and before any attempt, ms: 1,000 and 30,000 unless given. */
  readonly backoff?: { readonly first: number; readonly max: number }
  /** Attempts in a row that may fail. Without it the stream goes on trying for ever. */
  readonly maxAttempts?: number
  /** Called after each step of the stream's state machine. `machine.state` is the new state. */
  readonly onStep?: (input: Input, machine: Machine, effects: readonly Effect[]) => void
}

/** Where a stream's messages come from, and what becomes of them. Made by the client. */
export type StreamSource<T> = StreamTuning & {
  /** The subscribe message, without the cursor. */
  readonly subscribe: Readonly<Record<string, unknown>>
  readonly sockets: () => Promise<SocketOpener>
  /** Address and headers of a new connection; fetches a ticket where tickets are used. */
  readonly address: () => Promise<{ readonly url: string; readonly headers: Readonly<Record<string, string>> }>
  readonly usesTickets: boolean
  readonly itemOf: (message: Message) => T
  /** Where to begin if the store has no cursor. */
  readonly cursor?: string | undefined
  /** The same, as a sequence or a time. Sent only while no cursor is known. */
  readonly start?: string | undefined
  readonly store?: CursorStore | undefined
  readonly onLostPlace?: 'fail' | 'resume' | undefined
  /** Called when the stream continues elsewhere, because its cursor is no longer honoured. */
  readonly onMoved?: ((code: string, cursor: string) => void) | undefined
}

/** Items that belong together, in order, with the place behind them. */
export type Batch<T> = {
  readonly items: readonly T[]
  /** Cursor behind the last item; null on streams without cursors. */
  readonly cursor: string | null
  /** Whether everything on record had been sent by the end of this batch. Such a batch may have no items. */
  readonly isCaughtUp: boolean
  /** Saves the cursor behind the first `count` items, or behind all. Call it once they have been processed. */
  ack(count?: number): Promise<void>
}

/** Share of the buffer that may be used when reading goes on, and when a closed connection is opened again. */
const RESUME_AT = 0.75
const REOPEN_AT = 0.5
/** A timer beyond this many ms would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** A stream that survives lost connections. It is opened by the first pull and closed when the loop over it ends. */
export class Stream<T> implements AsyncIterable<T> {
  readonly #source: StreamSource<T>
  readonly #buffer: Buffer<T>
  readonly #writer: CursorWriter
  #machine: Machine = initialMachine({ cursor: null })
  #options: MachineOptions | undefined
  #opener: SocketOpener | undefined
  #socket: Socket | undefined
  /** Counts connections: what an older one reports is ignored. */
  #connection = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #deadline = 0
  #timerDue = 0
  #wake: (() => void) | undefined
  #failure: Failure | undefined
  /** Taken by the consumer, and of these acknowledged. */
  #taken = 0
  #acknowledged = 0
  #delivered = 0
  #fault: { readonly error: unknown } | undefined

  constructor(source: StreamSource<T>) {
    this.#source = source
    this.#buffer = new Buffer(source.bufferItems ?? 1_024, source.bufferBytes ?? 4 * 1_024 * 1_024)
    this.#writer = new CursorWriter(source.store)
  }

  get state(): Machine['state'] {
    return this.#machine.state
  }

  /** Whether the stream is live: everything on record has been received. */
  get isCaughtUp(): boolean {
    return this.#machine.caught_up
  }

  /** Each item by itself. It is acknowledged when the next one is asked for. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const batch of this.batches()) {
      let processed = 0
      try {
        for (const item of batch.items) {
          yield item
          processed++
        }
      } finally {
        // Also where the loop is left: the item at which it is left may not be processed.
        if (processed > 0 || batch.items.length === 0) await batch.ack(processed)
      }
    }
  }

  /** Items as they have arrived, to be acknowledged by `batch.ack()`. Resumes at the store's cursor. */
  async *batches(): AsyncGenerator<Batch<T>, void, undefined> {
    await this.#start()
    try {
      for (;;) {
        const batch = await this.#pull()
        if (!batch) return
        yield batch
      }
    } finally {
      this.stop()
    }
  }

  /** Closes the connection. The consumer's loop ends. */
  stop(): void {
    this.#feed({ on: 'stop' })
  }

  async #start(): Promise<void> {
    if (this.#options) throw new Error('A stream is read once. Open another one.')
    const {
      sockets,
      store,
      cursor = null,
      usesTickets,
      onLostPlace = 'fail',
      maxAttempts = null,
      backoff,
    } = this.#source
    const { first_ms, max_ms } = table.backoff
    const options = {
      uses_tickets: usesTickets,
      on_lost_place: onLostPlace,
      max_attempts: maxAttempts,
      first_ms: backoff?.first ?? first_ms,
      max_ms: backoff?.max ?? max_ms,
      cursor,
      can_pause: false,
    }
    this.#options = options
    this.#opener = await sockets()
    this.#options = {
      ...options,
      cursor: (await store?.load()) ?? cursor,
      can_pause: this.#opener.canPause,
    }
    // Stopped meanwhile.
    if (this.#machine.state !== 'idle') return
    this.#machine = initialMachine(this.#options)
    this.#feed({ on: 'start' })
  }

  async #pull(): Promise<Batch<T> | undefined> {
    while (this.#buffer.size === 0) {
      if (this.#fault) throw this.#fault.error
      if (this.#failure) throw new StreamError(this.#failure)
      if (this.#machine.state === 'closed') return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#machine.state === 'closed') return undefined
    const { items, cursors, isCaughtUp } = this.#buffer.take(this.#source.batchItems ?? 256)
    this.#taken += items.length
    const taken = this.#taken
    this.#refill()
    return {
      items,
      cursor: cursors.at(-1) ?? null,
      isCaughtUp,
      ack: (count = items.length) =>
        this.#acknowledge(taken - items.length + count, count === items.length ? cursors.at(-1) : cursors[count - 1]),
    }
  }

  #refill(): void {
    const { state } = this.#machine
    const hasRoom = state === 'paused' ? !this.#buffer.isAbove(RESUME_AT) : !this.#buffer.isAbove(REOPEN_AT)
    if ((state === 'paused' || state === 'parked') && hasRoom) this.#feed({ on: 'low' })
  }

  async #acknowledge(through: number, cursor: string | null | undefined): Promise<void> {
    if (through < this.#acknowledged) return
    this.#acknowledged = through
    // Behind the last item the machine may know a later place, from a checkpoint.
    const place = this.#isAllAcknowledged() ? this.#machine.cursor : cursor
    if (place !== null && place !== undefined) await this.#writer.save(place)
  }

  #isAllAcknowledged(): boolean {
    return this.#acknowledged === this.#delivered
  }

  #feed(input: Input): void {
    const options = this.#options
    if (!options) {
      // Never started: there is nothing to close.
      if (input.on === 'stop') this.#machine = { ...this.#machine, state: 'closed' }
      return
    }
    const before = this.#machine.state
    const { machine, effects } = step(this.#machine, input, options, Math.random())
    this.#machine = machine
    if (machine.state !== before) this.#deadline = 0
    for (const effect of effects) this.#perform(effect)
    // The timer belongs to the state that was left.
    if (this.#deadline === 0) this.#clearTimer()
    this.#source.onStep?.(input, machine, effects)
  }

  #perform(effect: Effect): void {
    switch (effect.do) {
      case 'connect':
        void this.#connect()
        return
      case 'close':
        this.#connection++
        this.#socket?.close()
        this.#socket = undefined
        return
      case 'pause':
        this.#socket?.pause()
        return
      case 'resume':
        this.#socket?.resume()
        return
      case 'subscribe': {
        const { subscribe, start } = this.#source
        const place = effect.cursor === null ? { start } : { cursor: effect.cursor }
        this.#socket?.send(JSON.stringify({ action: 'subscribe', ...subscribe, ...place }))
        return
      }
      case 'timer':
        this.#setTimer(effect.ms)
        return
      case 'deliver':
        this.#delivered++
        this.#buffer.add(this.#source.itemOf(effect.message), effect.cursor, this.#frameLength)
        this.#notify()
        return
      case 'mark':
        this.#mark(effect.cursor, effect.caught_up)
        return
      case 'moved':
        this.#source.onMoved?.(effect.code, effect.cursor)
        return
      case 'fail':
        this.#failure = effect
        this.#notify()
        return
      case 'finish':
        this.#notify()
    }
  }

  #mark(cursor: string, isCaughtUp: boolean): void {
    this.#buffer.mark(cursor, isCaughtUp)
    this.#notify()
    if (!this.#isAllAcknowledged()) return
    // The consumer has processed everything before it. It waits for nothing here, so it hears of a failure at its next pull.
    this.#writer.save(cursor).catch((error: unknown) => this.#break(error))
  }

  /** Ends the stream by an error of this program: the consumer gets it after what is in the buffer. */
  #break(error: unknown): void {
    this.#fault = { error }
    this.#notify()
  }

  #notify(): void {
    this.#wake?.()
    this.#wake = undefined
  }

  /** Length of the frame that is being taken. */
  #frameLength = 0

  async #connect(): Promise<void> {
    const connection = ++this.#connection
    const feed = (input: Input) => {
      if (connection === this.#connection) this.#feed(input)
    }
    try {
      const { url, headers } = await this.#source.address()
      // Stopped, or timed out, while a ticket was fetched.
      if (connection !== this.#connection) return
      this.#socket = this.#opener?.open(url, headers, {
        opened: () => feed({ on: 'opened' }),
        refused: (refusal) => feed({ on: 'refused', ...refusal }),
        closed: (code, reason) => feed({ on: 'closed', code, reason }),
        frame: (data) => {
          if (connection === this.#connection) this.#take(data)
        },
      })
    } catch (error) {
      feed({ on: 'refused', ...refusalOf(error) })
    }
  }

  #take(data: unknown): void {
    this.#frameLength = typeof data === 'string' ? data.length : 0
    try {
      this.#feed(readFrame(data))
      if (this.#buffer.isFull) this.#feed({ on: 'full' })
    } catch (error) {
      // A message that is not what the service describes, or a callback that fails.
      this.#break(error)
    }
  }

  /** Sets the deadline. A timer that is due before it stays, and looks again: deadlines move with every message. */
  #setTimer(ms: number): void {
    this.#deadline = Date.now() + ms
    if (this.#timer !== undefined && this.#timerDue <= this.#deadline) return
    this.#clearTimer()
    this.#timerDue = this.#deadline
    this.#timer = setTimeout(() => this.#timerFired(), Math.min(ms, MAX_TIMER_MS))
  }

  #clearTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #timerFired(): void {
    this.#timer = undefined
    if (this.#deadline === 0) return
    const left = this.#deadline - Date.now()
    if (left > 0) this.#setTimer(left)
    else {
      this.#deadline = 0
      this.#feed({ on: 'timeout' })
    }
  }
}

/** What an error in fetching a ticket tells the machine. */
function refusalOf(error: unknown): Omit<Input, 'on'> {
  if (!(error instanceof ProblemError)) return { detail: String(error) }
  const { status, code, retryAfter, message } = error
  return { status, code, detail: message, ...(retryAfter === null ? {} : { retry_after_ms: retryAfter * 1_000 }) }
}
