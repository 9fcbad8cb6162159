/** Operations of a job inside a write transaction. Offsets are assigned here, under the lock of all processes. */
import { JournalError } from '../journal.ts'
import { placeKey, seal } from './envelope.ts'
import { type Bounds, type ClaimRow, type JournalRow, MAX_LOGS, type Store, stateKey, type TopicRow } from './store.ts'

export type Encoded = { readonly key: string | null; readonly bytes: Buffer }
export type PartitionLog = { readonly log: number; readonly compacted: boolean }

/** Stands in `touched` and `Tail.wait` for a change of claims instead of a log. */
export const CLAIMS = -1

/** Throws `moved` if the journal has been moved. */
export function throwIfMoved(row: JournalRow | undefined): void {
  if (!row?.copy?.movedAt) return
  const { to, movedAt } = row.copy
  throw new JournalError('moved', `journal ${row.id} was moved to ${to} at ${movedAt}`)
}

export class Transaction {
  readonly store: Store
  /** Changed logs, and `CLAIMS` if a claim changed: their waiters wake up after the commit. */
  readonly touched = new Set<number>()
  /** Number of writes so far. A job may refuse only before its first write. */
  writes = 0
  private isKnownNotMoved = false
  private readonly bounds = new Map<number, Bounds>()

  constructor(store: Store) {
    this.store = store
  }

  boundsOf(log: number): Bounds {
    return this.bounds.get(log) ?? this.store.bounds(log)
  }

  /** Throws `moved`. Reads the journal's row only once in a transaction. */
  assertNotMoved(): void {
    if (!this.isKnownNotMoved) throwIfMoved(this.store.journal())
    this.isKnownNotMoved = true
  }

  /** Appends at the end of a log and returns the offset of the first record. */
  append({ log, compacted }: PartitionLog, records: readonly Encoded[]): number {
    const { start, end } = this.boundsOf(log)
    let offset = end
    for (const { key, bytes } of records) {
      this.store.records.put([log, offset], seal(bytes, placeKey(log, offset)))
      if (compacted && key !== null) this.supersede(log, key, offset)
      offset++
    }
    this.setBounds(log, { start, end: offset })
    return end
  }

  /** Takes one offset that no record will ever have, as a transaction marker does in Kafka. */
  leaveHole(log: number): void {
    const { start, end } = this.boundsOf(log)
    this.setBounds(log, { start, end: end + 1 })
  }

  /** Deletes the records at `offsets`, which are all records below `start`, and makes `start` the log start. */
  cut(log: number, offsets: readonly number[], start: number): void {
    for (const offset of offsets) this.store.records.remove([log, offset])
    this.setBounds(log, { start, end: this.boundsOf(log).end })
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
    for (const [log, { start, end }] of this.bounds) this.put(stateKey.bounds(log), [start, end])
    this.put(stateKey.commits, this.store.commits() + 1)
  }

  private supersede(log: number, key: string, offset: number): void {
    const older = this.store.newest.get([log, key])
    if (older !== undefined) this.store.records.remove([log, older])
    this.store.newest.put([log, key], offset)
  }

  private setBounds(log: number, bounds: Bounds): void {
    this.bounds.set(log, bounds)
    this.touched.add(log)
    this.writes++
  }
}
