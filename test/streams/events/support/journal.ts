import type { EventRecord } from '../../../../contracts/records.ts'
import { codecFor } from '../../../../journal/codec.ts'
import { type Batch, JournalError, type ReadLimits, runOf, type ValueRun } from '../../../../journal/journal.ts'
import { localRegistry } from '../../../../journal/registry.ts'
import type { JournalRecord } from '../../../../journal/typed.ts'
import type { EventJournal } from '../../../../streams/events/encoded-event.ts'
import { eventNumber } from '../../../support/journal-records.ts'

export const eventCodec = await codecFor('events', localRegistry())

type Stored = JournalRecord<'events'> & { readonly bytes: Uint8Array }

const stored = (value: EventRecord, offset: number): Stored => ({
  topic: 'events',
  partition: 0,
  offset,
  key: null,
  value,
  timestamp: Date.parse(value.time),
  headers: {},
  bytes: eventCodec.encode(value),
})

/**
 * The topic `events` in memory, with holes, retention and outages. `turn` is awaited before each answer, so that a test
 * decides when it comes; `reads` counts them.
 */
export class MemoryEvents {
  readonly id: string
  readonly generations = []
  readonly #turn: () => Promise<void>
  readonly #followers = new Set<() => void>()
  /** Every event there ever was, by sequence less one. */
  readonly all: Stored[] = []
  start = 0
  end = 0
  isDown = false
  reads = 0

  constructor(turn: () => Promise<void> = async () => undefined, id = 'TEST-journal') {
    this.#turn = turn
    this.id = id
  }

  get kept(): Stored[] {
    return this.all.filter(({ offset }) => offset >= this.start)
  }

  /** The first sequence kept, or the next to come. */
  get first(): number {
    return this.all.find(({ offset }) => offset >= this.start)?.value.sequence ?? this.all.length + 1
  }

  /** One transaction: `count` events at consecutive offsets, then `holes` offsets without a record. */
  append(count: number, holes = 1, make: (n: number) => EventRecord = eventNumber): void {
    for (let n = 0; n < count; n++) this.all.push(stored(make(this.all.length), this.end++))
    this.end += holes
    this.wake()
  }

  /** Moves the start, as retention does. */
  cut(start: number): void {
    this.start = Math.max(this.start, Math.min(start, this.end))
  }

  wake(): void {
    for (const wake of this.#followers) wake()
  }

  asJournal(): EventJournal {
    return {
      id: this.id,
      generations: this.generations,
      bounds: async () => {
        await this.#answer()
        return { start: this.start, end: this.end }
      },
      offsetForTime: async (_topic: string, _partition: number, time: number) => {
        await this.#answer()
        return this.kept.find(({ timestamp }) => timestamp >= time)?.offset ?? this.end
      },
      newest: async () => {
        await this.#answer()
        return this.kept.at(-1)
      },
      decode: (_topic: string, value: Uint8Array) => eventCodec.decode(value),
      readEncoded: async (
        _topic: string,
        _partition: number,
        offset: number,
        take: (run: ValueRun) => void,
        limits?: ReadLimits,
      ) => {
        this.reads++
        await this.#answer()
        const { records, ...range } = this.#batch(offset, limits)
        take(runOf(records))
        return range
      },
      followEncoded: (_topic: string, _partition: number, offset: number, signal: AbortSignal) =>
        this.#follow(offset, signal),
    } as unknown as EventJournal
  }

  async #answer(): Promise<void> {
    await this.#turn()
    if (this.isDown) throw new JournalError('unavailable', 'TEST')
  }

  #batch(offset: number, { maxRecords = 1_000 }: ReadLimits = {}): Batch {
    const { start, end } = this
    if (!Number.isSafeInteger(offset) || offset < start || offset > end) {
      throw new JournalError('offset_out_of_range', `TEST: ${offset}`, { range: { start, end } })
    }
    const from = this.all.findIndex((record) => record.offset >= offset)
    const some = from < 0 ? [] : this.all.slice(from, from + maxRecords)
    const records = some.map(({ bytes, offset: at, timestamp }) => ({
      offset: at,
      key: null,
      value: bytes,
      timestamp,
      headers: {},
    }))
    return { records, next: from < 0 ? end : (this.all[from + maxRecords]?.offset ?? end), end }
  }

  async *#follow(from: number, signal: AbortSignal): AsyncGenerator<Batch> {
    for (let at = from, isFirst = true; ; isFirst = false) {
      await this.#answer()
      if (signal.aborted) return
      const batch = this.#batch(at, { maxRecords: 5 })
      if (isFirst || batch.next > at) yield batch
      at = batch.next
      if (at >= this.end) await this.#appended(signal)
      if (signal.aborted) return
    }
  }

  async #appended(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => resolve()
    this.#followers.add(wake)
    signal.addEventListener('abort', wake)
    if (!signal.aborted) await promise
    this.#followers.delete(wake)
    signal.removeEventListener('abort', wake)
  }
}
