import type { Branch, Generation } from '../../contracts/generations.ts'
import type { Journal, NewRecord, PartitionAddress } from '../../journal/journal.ts'
import { MemoryServer, type MemoryServerOptions } from '../support/memory-journal/server.ts'
import type { WrittenRecord } from './evidence.ts'
import { EVENTS_RETENTION_MS } from './node.ts'
import { decodePublished } from './published-schemas.ts'

export const TOPIC_PREFIX = 'almanac.'

type Backup = { readonly state: ReturnType<MemoryServer['backup']>; readonly records: number }

type WorldJournalOptions = {
  readonly server: MemoryServerOptions
  /** Simulated ms since the start. */
  readonly monotonic: () => number
  /** Wall clock of the operator, UTC ms. */
  readonly now: () => number
  readonly onWritten: (record: WrittenRecord, raw: NewRecord) => void
}

/** The journal of a world: its server, all that was written to it, retention, and backups that are restored. */
export class WorldJournal {
  readonly #options: WorldJournalOptions
  #server: MemoryServer
  #operator: Journal
  #generations: readonly Generation[] = []
  #records: WrittenRecord[] = []
  readonly #eventStarts: { at: number; start: number }[] = [{ at: 0, start: 0 }]
  #backup: Backup | undefined
  #isRetaining = false

  constructor(options: WorldJournalOptions) {
    this.#options = options
    this.#server = this.#open()
    this.#operator = this.#server.open({ machine: 'operator' })
  }

  get server(): MemoryServer {
    return this.#server
  }

  /** All records of the current generation and of what it goes on from, in the order in which they were written. */
  get records(): readonly WrittenRecord[] {
    return this.#records
  }

  get eventStarts(): readonly { readonly at: number; readonly start: number }[] {
    return this.#eventStarts
  }

  /** Whether a backup waits to be restored. */
  get hasBackup(): boolean {
    return this.#backup !== undefined
  }

  /** Takes a backup. Returns false if there is one, or if retention has deleted what read models could not be filled with again. */
  backUp(): boolean {
    if (this.#backup || this.#isRetaining || this.#eventStarts.length > 1) return false
    this.#backup = {
      state: this.#server.backup(),
      records: this.#records.length,
    }
    return true
  }

  /**
   * Replaces the journal by what it was at the backup, as a new generation. Nodes and their clients must have ended.
   * Returns the sequence of the first event that the two generations do not have in common.
   */
  restore(): number {
    if (!this.#backup) throw new Error('nothing was backed up')
    const { state, records } = this.#backup
    this.#backup = undefined
    this.#records = this.#records.slice(0, records)
    const newest = this.#records.findLast(({ topic }) => topic === 'events')
    const event = newest ? Number(newest.value.sequence) + 1 : 1
    const ends = Object.entries(state.ends).map(([key, end]) => [key.slice(TOPIC_PREFIX.length), end])
    const branch: Branch = { event, ends: Object.fromEntries(ends) }
    this.#generations = [...this.#generations, { id: `restored${this.#generations.length + 1}`, branch }]
    this.#server = this.#open(state)
    this.#operator = this.#server.open({ machine: 'operator' })
    return event
  }

  /**
   * Deletes old events up to `watermark`, the newest that is in the read model: an operator keeps the others, because the read
   * model would have to be rebuilt. Clients of the stream are told. Calls `onRetained` once it is done.
   */
  retain(watermark: number, onRetained: () => void): void {
    const at = this.#options.monotonic()
    const events = this.#records.filter(({ topic }) => topic === 'events')
    const unread = events.find(({ offset }) => offset > watermark)?.timestamp ?? Number.POSITIVE_INFINITY
    const now = Math.min(this.#options.now(), unread + EVENTS_RETENTION_MS)
    const kept = events.findIndex(({ timestamp }) => timestamp >= now - EVENTS_RETENTION_MS)
    const last = events[(kept < 0 ? events.length : kept) - 1]
    if (!last || this.#isRetaining) return
    this.#isRetaining = true
    const retained = this.#operator.retain(now).then(() => {
      onRetained()
      this.#eventStarts.push({ at, start: events[kept]?.offset ?? last.offset + 1 })
    })
    // A refused call has deleted nothing.
    retained.catch(() => undefined).finally(() => (this.#isRetaining = false))
  }

  #open(restores?: Backup['state']): MemoryServer {
    const server: MemoryServer = new MemoryServer({
      ...this.#options.server,
      restores,
      generations: this.#generations,
      onWritten: (address, first, records) => {
        // What still arrives at the journal from before a restore is part of no history.
        if (server === this.#server) this.#written(address, first, records)
      },
    })
    return server
  }

  #written({ topic, partition }: PartitionAddress, first: number, records: readonly NewRecord[]): void {
    const name = topic.slice(TOPIC_PREFIX.length)
    for (const [i, raw] of records.entries()) {
      const { value, timestamp, headers } = raw
      const offset = first + i
      const writtenAt = this.#options.monotonic()
      const record = { topic: name, partition, offset, timestamp, headers, value: decodePublished(value), writtenAt }
      this.#records.push(record)
      this.#options.onWritten(record, raw)
    }
  }
}
