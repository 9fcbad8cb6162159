/** What a job may do inside a write transaction. Offsets are given out here, under the lock of all processes. */
import { JournalError } from '../journal.ts'
import { placeKey, seal } from './envelope.ts'
import { type Bounds, type ClaimRow, type JournalRow, MAX_LOGS, type Store, stateKey, type TopicRow } from './store.ts'

export type Encoded = { readonly key: string | null; readonly bytes: Buffer }
export type PartitionLog = { readonly log: number; readonly compacted: boolean }

/** What is waited for beside logs: a claim that changed hands. */
export const CLAIMS = -1

/** Throws `moved`. */
export function throwIfMoved(row: JournalRow | undefined): void {
  if (!row?.copy?.movedAt) return
  const { to, movedAt } = row.copy
  throw new JournalError('moved', `journal ${row.id} has been at ${to} since ${movedAt}`)
}

export class Transaction {
  readonly store: Store
  /** The logs (and `CLAIMS`) that followers should look at again. */
  readonly touched = new Set<number>()
  /** How many writes there have been: a job that refuses must do so before its first. */
  writes = 0
  private isHere = false
  private readonly bounds = new Map<number, Bounds>()

  constructor(store: Store) {
    this.store = store
  }

  boundsOf(log: number): Bounds {
    return this.bounds.get(log) ?? this.store.bounds(log)
  }

  /** Throws `moved`. */
  mustBeHere(): void {
    if (!this.isHere) throwIfMoved(this.store.journal())
    this.isHere = true
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

  /** Takes one offset that no record will ever have: what a transaction marker is in Kafka. */
  leaveHole(log: number): void {
    const { start, end } = this.boundsOf(log)
    this.setBounds(log, { start, end: end + 1 })
  }

  /** Deletes records below `start`, which is the log's new start; `offsets` are all there are. */
  cut(log: number, offsets: readonly number[], start: number): void {
    for (const offset of offsets) this.store.records.remove([log, offset])
    this.setBounds(log, { start, end: this.boundsOf(log).end })
  }

  putTopic(name: string, row: TopicRow): void {
    this.put(stateKey.topic(name), row)
  }

  /** The first of `count` log numbers that nobody has. */
  takeLogs(count: number): number {
    const first: number = this.store.state.get(stateKey.nextLog) ?? 0
    if (first + count > MAX_LOGS) throw new JournalError('full', `${MAX_LOGS} partitions in all topics together`)
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
