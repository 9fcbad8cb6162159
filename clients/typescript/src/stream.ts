import { ClientConnection } from './client-connection.ts'
import { CursorSaver } from './cursor-saver.ts'
import { Deadline } from './deadline.ts'
import { StreamError } from './errors.ts'
import { inputOfFrame } from './frames.ts'
import { table } from './generated/transitions.ts'
import {
  initialMachine,
  type Machine,
  type MachineEffect,
  type MachineFailure,
  type MachineInput,
  type MachineOptions,
  stepMachine,
} from './machine.ts'
import { MessageBuffer } from './message-buffer.ts'
import type { StreamSource } from './stream-source.ts'

/** Items that belong together, in order, with the place behind them. */
export type StreamBatch<T> = {
  readonly items: readonly T[]
  /** Cursor behind the last item; null on streams without cursors. */
  readonly cursor: string | null
  /** Whether everything on record had been sent by the end of this batch. Such a batch may have no items. */
  readonly isCaughtUp: boolean
  /** Saves the cursor behind the first `count` items, or behind all. Call it once they have been processed. */
  ack(count?: number): Promise<void>
}

/** Share of the buffer that may be used when reading goes on, and when a closed connection is opened again. */
const room: Partial<Record<Machine['state'], number>> = { paused: 0.75, parked: 0.5 }

/** A stream that survives lost connections. It is opened by the first pull and closed when the loop over it ends. */
export class ResumingStream<T> implements AsyncIterable<T> {
  readonly #source: StreamSource<T>
  readonly #buffer: MessageBuffer<T>
  readonly #saver: CursorSaver
  readonly #deadline = new Deadline(() => this.#feed({ on: 'timeout' }))
  #machine: Machine = initialMachine({ cursor: null })
  #options: MachineOptions | undefined
  #connection: ClientConnection | undefined
  /** Length of the frame that is being taken. */
  #frameLength = 0
  #wake: (() => void) | undefined
  #failure: MachineFailure | undefined
  /** An error of this program: of a callback, a converter or the store. */
  #fault: { readonly error: unknown } | undefined
  /** Items delivered into the buffer, taken from it by the consumer, and of these acknowledged. */
  #delivered = 0
  #taken = 0
  #acknowledged = 0

  constructor(source: StreamSource<T>) {
    for (const name of ['bufferItems', 'bufferBytes', 'batchItems', 'maxAttempts'] as const) {
      const value = source[name] ?? undefined // Programs without types write null for no limit.
      if (value !== undefined && !(Number.isInteger(value) && value >= 1))
        throw new RangeError(`${name} must be an integer of 1 or more: ${value}`)
    }
    this.#source = source
    const { bufferItems = 1_024, bufferBytes = 4 * 1_024 * 1_024, keyOf } = source
    // With keys the buffer is as large as their number at most. Pausing would only make what waits in it outdated.
    const unbounded = Number.POSITIVE_INFINITY
    this.#buffer = keyOf ? new MessageBuffer(unbounded, unbounded) : new MessageBuffer(bufferItems, bufferBytes)
    this.#saver = new CursorSaver(source.store)
  }

  get state(): Machine['state'] {
    return this.#machine.state
  }

  /** Whether the stream is live: everything on record has been received. */
  get isCaughtUp(): boolean {
    return this.#machine.caught_up
  }

  /** Each item by itself. Items are acknowledged at the end of their batch, and where the loop ends. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    // An item that waits in a batch would not be replaced by a newer one.
    for await (const batch of this.#batches(this.#source.keyOf ? 1 : this.#source.batchItems)) {
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
  batches(): AsyncGenerator<StreamBatch<T>, void, undefined> {
    return this.#batches(this.#source.batchItems)
  }

  async *#batches(most = 256): AsyncGenerator<StreamBatch<T>, void, undefined> {
    await this.#start()
    try {
      for (;;) {
        const batch = await this.#pull(most)
        if (!batch) return
        yield batch
      }
    } finally {
      this.stop()
    }
  }

  /** Closes the connection. The consumer's loop ends. */
  stop(): void {
    this.#step({ on: 'stop' })
  }

  async #start(): Promise<void> {
    if (this.#options) throw new Error('A stream is read once. Open another one.')
    const {
      sockets,
      address,
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
    const opener = await sockets()
    this.#connection = new ClientConnection(opener, address, {
      input: (input) => this.#feed(input),
      frame: (data) => this.#take(data),
      fault: (error) => this.#break(error),
    })
    this.#options = {
      ...options,
      cursor: (await store?.load()) ?? cursor,
      can_pause: opener.canPause,
    }
    // Stopped meanwhile.
    if (this.#machine.state !== 'idle') return
    this.#machine = initialMachine(this.#options)
    this.#feed({ on: 'start' })
  }

  async #pull(most: number): Promise<StreamBatch<T> | undefined> {
    while (this.#buffer.size === 0) {
      if (this.#fault) throw this.#fault.error
      if (this.#failure) throw new StreamError(this.#failure)
      if (this.#isStopped()) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#isStopped()) return undefined
    const { items, cursors, isCaughtUp } = this.#buffer.take(most)
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
    const share = room[this.#machine.state]
    if (share !== undefined && !this.#buffer.isAbove(share)) this.#feed({ on: 'low' })
  }

  async #acknowledge(through: number, cursor: string | null | undefined): Promise<void> {
    if (through < this.#acknowledged) return
    this.#acknowledged = through
    // Behind the last item the machine may know a later place, from a checkpoint.
    const place = this.#isAllAcknowledged() ? this.#machine.cursor : cursor
    if (place !== null && place !== undefined) await this.#saver.save(place)
  }

  #isAllAcknowledged(): boolean {
    return this.#acknowledged === this.#delivered
  }

  /** Whether the consumer has stopped the stream; a fault ends it too, but lets what is in the buffer be taken. */
  #isStopped(): boolean {
    return this.#machine.state === 'closed' && !this.#fault
  }

  /** Takes an input. What a callback throws goes to the consumer: in an event of a socket or a timer nobody could catch it. */
  #feed(input: MachineInput): void {
    try {
      this.#step(input)
    } catch (error) {
      this.#break(error)
    }
  }

  #step(input: MachineInput): void {
    const options = this.#options
    if (!options) {
      // Never started: there is nothing to close.
      if (input.on === 'stop') this.#machine = { ...this.#machine, state: 'closed' }
      return
    }
    const before = this.#machine.state
    const { machine, effects } = stepMachine(this.#machine, input, options, Math.random())
    this.#machine = machine
    // The deadline belongs to the state that was left.
    if (machine.state !== before) this.#deadline.clear()
    for (const effect of effects) this.#perform(effect)
    // After a fault the consumer gets that one error, and not what the callback throws at the end.
    if (!this.#fault) this.#source.onStep?.(input, machine, effects)
  }

  #perform(effect: MachineEffect): void {
    switch (effect.do) {
      case 'connect':
        void this.#connection?.open()
        return
      case 'close':
      case 'pause':
      case 'resume':
        this.#connection?.[effect.do]()
        return
      case 'subscribe': {
        const { subscribe, start } = this.#source
        const place = effect.cursor === null ? { start: start?.toString() } : { cursor: effect.cursor }
        this.#connection?.send({ action: 'subscribe', ...subscribe, ...place })
        return
      }
      case 'timer':
        this.#deadline.set(effect.ms)
        return
      case 'deliver': {
        this.#delivered++
        const { itemOf, keyOf } = this.#source
        const item = itemOf(effect.message)
        this.#buffer.add(item, effect.cursor, this.#frameLength, keyOf?.(item))
        this.#notify()
        return
      }
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
    this.#saver.save(cursor).catch((error: unknown) => this.#break(error))
  }

  /**
   * Ends the stream by an error of this program. The consumer gets it after what is in the buffer. Nothing more is received,
   * because the message at fault would be left out.
   */
  #break(error: unknown): void {
    this.#fault ??= { error }
    this.#step({ on: 'stop' })
    this.#notify()
  }

  #notify(): void {
    this.#wake?.()
    this.#wake = undefined
  }

  #take(data: unknown): void {
    this.#frameLength = typeof data === 'string' ? data.length : 0
    this.#feed(inputOfFrame(data))
    if (this.#buffer.isFull) this.#feed({ on: 'full' })
  }
}
