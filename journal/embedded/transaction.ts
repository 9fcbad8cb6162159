/** Operations of a job inside a write transaction. Offsets are assigned here, under the lock of all processes. */
import { errorMessage } from '../../base/errors.ts'
import { DamagedFileError } from '../../base/lmdb/usable-files.ts'
import { JournalError } from '../journal.ts'
import { BLOCK, type BlockTime, blockOf, greatestTime } from './block-time.ts'
import { entryFrom, entryKey, isBatchEntry, type NewEntry, seal } from './log-entry.ts'
import {
  type Bounds,
  type ClaimRow,
  FORMAT,
  FORMAT_WITHOUT_BATCHES,
  type JournalRow,
  type LogState,
  MAX_LOGS,
  type Store,
  stateKey,
  type TopicRow,
} from './store.ts'

export type PartitionLog = { readonly log: number; readonly compacted: boolean }

/** Stands in `touched` and `Tail.wait` for a change of claims instead of a log. */
export const CLAIMS = -1

/** Throws `moved` if the journal has been moved. */
export function throwIfMoved(row: JournalRow | undefined): void {
  if (!row?.copy?.movedAt) return
  const { to, movedAt } = row.copy
  throw new JournalError('moved', `journal ${row.id} was moved to ${to} at ${movedAt}`)
}

/** Throws `unfinished_copy` if the journal is being copied here. */
export function throwIfUnfinished({ id, received }: JournalRow, dir: string): void {
  if (received && !received.ends)
    throw new JournalError('unfinished_copy', `${dir} holds an unfinished copy of journal ${id}`)
}

/** As `entryFrom`, but throws DamagedFileError with the place. */
function shortened(bytes: Buffer, log: number, last: number, start: number): Buffer | undefined {
  try {
    return entryFrom(bytes, log, last, start)
  } catch (cause) {
    throw new DamagedFileError(`damaged record ${last} of log ${log}: ${errorMessage(cause)}`, { cause })
  }
}

export class Transaction {
  readonly store: Store
  /** Changed logs, and `CLAIMS` if a claim changed: their waiters wake up after the commit. */
  readonly touched = new Set<number>()
  /** Number of writes so far. A job may refuse only before its first write. */
  writes = 0
  #isKnownNotMoved = false
  #hasBatches = false
  readonly #logs = new Map<number, LogState>()

  constructor(store: Store) {
    this.store = store
  }

  boundsOf(log: number): Bounds {
    return this.#stateOf(log)
  }

  /** Throws `moved`. Reads the journal's row only once in a transaction. */
  assertNotMoved(): void {
    if (!this.#isKnownNotMoved) throwIfMoved(this.store.journal())
    this.#isKnownNotMoved = true
  }

  /** Appends at the end of a log and returns the offset of the first record. */
  append({ log, compacted }: PartitionLog, entries: readonly NewEntry[]): number {
    const { start, end, ...state } = this.#stateOf(log)
    let { blockTime } = state
    let next = end
    for (const { count, key, time, bytes } of entries) {
      blockTime = this.#noteTime(log, blockTime, next, next + count, time)
      next += count
      const last = next - 1
      this.store.records.put([log, last], seal(bytes, entryKey(log, last)))
      if (compacted && key !== null) this.#supersede(log, key, last)
    }
    this.#setState(log, { start, end: next, blockTime })
    if (entries.some(({ bytes }) => isBatchEntry(bytes))) this.#allowBatches()
    return end
  }

  /** Takes one offset that no record will ever have, as a transaction marker does in Kafka. */
  leaveHole(log: number): void {
    this.skipTo(log, this.boundsOf(log).end + 1)
  }

  /** Makes `to` the end of a log. No offset that is left out will ever have a record. */
  skipTo(log: number, to: number): void {
    const { start, end, blockTime } = this.#stateOf(log)
    this.#setState(log, { start, end: to, blockTime: this.#noteTime(log, blockTime, end, to, null) })
  }

  /**
   * Deletes the records below `start`, makes it the log start, and shortens the batch that it lies in. Throws DamagedFileError
   * before it writes anything if that batch is damaged.
   */
  cut(log: number, start: number): void {
    const bounds = this.#stateOf(log)
    const range = { start: [log, bounds.start] as [number, number], end: [log, bounds.end] as [number, number] }
    const doomed: number[] = []
    for (const { key, value } of this.store.records.getRange(range)) {
      const [, last] = key
      if (last < start) doomed.push(last)
      else {
        const rest = shortened(value, log, last, start)
        if (rest) this.store.records.put([log, last], seal(rest, entryKey(log, last)))
        break
      }
    }
    for (const last of doomed) this.store.records.remove([log, last])
    for (let block = blockOf(bounds.start); block < blockOf(start); block++)
      this.store.state.remove(stateKey.blockTime(log, block))
    this.#setState(log, { ...bounds, start })
  }

  putTopic(name: string, row: TopicRow): void {
    this.put(stateKey.topic(name), row)
  }

  /** Takes `count` unused log numbers and returns the first. */
  takeLogs(count: number): number {
    const first: number = this.store.state.get(stateKey.nextLog) ?? 0
    if (first + count > MAX_LOGS)
      throw new JournalError('full', `all topics together may have at most ${MAX_LOGS} partitions`)
    this.put(stateKey.nextLog, first + count)
    return first
  }

  putClaim(name: string, row: ClaimRow): void {
    this.put(stateKey.claim(name), row)
    this.touched.add(CLAIMS)
  }

  putPosition(claim: string, log: number, offset: number): void {
    this.put(stateKey.position(claim, log), offset)
  }

  put(key: (string | number)[], row: unknown): void {
    this.store.state.put(key, row)
    this.writes++
  }

  finish(): void {
    if (this.writes === 0) return
    for (const [log, { start, end, blockTime }] of this.#logs)
      this.put(stateKey.bounds(log), blockTime === undefined ? [start, end] : [start, end, blockTime])
    this.put(stateKey.commits, this.store.commits() + 1)
  }

  #allowBatches(): void {
    if (this.#hasBatches) return
    const row = this.store.journal()
    if (row?.format === FORMAT_WITHOUT_BATCHES) this.put(stateKey.journal, { ...row, format: FORMAT })
    this.#hasBatches = true
  }

  #supersede(log: number, key: string, offset: number): void {
    const older = this.store.newest.get([log, key])
    if (older !== undefined) this.store.records.remove([log, older])
    this.store.newest.put([log, key], offset)
  }

  #stateOf(log: number): LogState {
    return this.#logs.get(log) ?? this.store.logState(log)
  }

  /**
   * Notes the greatest time of records that take the offsets from `from` to before `to`; null if these stay without a record.
   * Stores the times of the blocks that are full then. Returns that of the block in which `to` lies.
   */
  #noteTime(log: number, known: BlockTime, from: number, to: number, time: number | null): BlockTime {
    let own = greatestTime(known, time)
    for (let block = blockOf(from); block < blockOf(to); block++) {
      if (typeof own === 'number') this.put(stateKey.blockTime(log, block), own)
      own = (block + 1) * BLOCK < to ? time : null
    }
    return own
  }

  #setState(log: number, state: LogState): void {
    this.#logs.set(log, state)
    this.touched.add(log)
    this.writes++
  }
}
