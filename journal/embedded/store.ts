/**
 * Layout on disk: one LMDB environment with three databases.
 *
 *   records  [log, offset of the last record] → entry (log-entry.ts), which holds one record or a batch. Every partition of
 *            every topic has a log number of its own.
 *   newest   [log, record key] → offset of the newest record with that key; compacted topics only.
 *   state    everything else, as JSON (the `state…` keys below).
 *
 * This file reads; `transaction.ts` writes.
 */
import { type Database, open, type RootDatabase } from 'lmdb'
import type { ProcessIdentity } from '../../base/process/process-identity.ts'
import type { Generation } from '../../contracts/generations.ts'
import type { TopicSettings } from '../journal.ts'
import { type BlockTime, blockTimeIn } from './block-time.ts'

/**
 * Version of the layout on disk. Version 2 allows batches of records; a journal of version 1 becomes one of version 2 when
 * its first batch is written, so that a release that reads version 1 only refuses it from then on.
 */
export const FORMAT = 2
export const FORMAT_WITHOUT_BATCHES = 1

export type Bounds = { readonly start: number; readonly end: number }
/** Bounds of a log, and the greatest time in the block of offsets that `end` lies in (`time-index.ts`). */
export type LogState = Bounds & { readonly blockTime: BlockTime }
export type JournalRow = {
  readonly format: number
  readonly id: string
  /** See `Journal.generations`. Absent in the first generation. */
  readonly generations?: readonly Generation[]
  /** The copy that was begun last, and its destination. `movedAt`: since when this journal refuses writes. */
  readonly copy?: { readonly id: string; readonly to: string; readonly movedAt?: string }
  /**
   * The copy that brought this journal here: its id, the registry of its values, and the ends that it had. Without `ends` it
   * is unfinished, and the journal may not be opened.
   */
  readonly received?: {
    readonly id: string
    readonly registry: string
    readonly ends?: Readonly<Record<string, number>>
  }
}
/** Partition p of the topic has the log number `firstLog + p`. */
export type TopicRow = TopicSettings & { readonly firstLog: number }
/** `beat` grows while the owner lives; null owner: released. `instance` tells openings of one process apart. */
export type ClaimRow = {
  readonly epoch: number
  readonly beat: number
  readonly owner: { readonly instance: string; readonly process: ProcessIdentity } | null
}

type LogKey = [log: number, offset: number]
type IndexKey = [log: number, key: string]

export const stateKey = {
  journal: ['journal'],
  commits: ['commits'],
  nextLog: ['next-log'],
  topic: (name: string) => ['topic', name],
  bounds: (log: number) => ['bounds', log],
  claim: (name: string) => ['claim', name],
  position: (claim: string, log: number) => ['position', claim, log],
  /** Greatest time of the records in a block of offsets that is full. */
  blockTime: (log: number, block: number) => ['time', log, block],
}

export const MAX_LOGS = 0xffff

/** Keys of entries: u16 log · u48 offset, so that LMDB's byte order is the order of the log. */
const logKeys = {
  writeKey([log, offset]: LogKey, target: Buffer, at: number): number {
    target.writeUInt16BE(log, at)
    return target.writeUIntBE(offset, at + 2, 6)
  },
  readKey: (source: Buffer, at: number): LogKey => [source.readUInt16BE(at), source.readUIntBE(at + 2, 6)],
}

const indexKeys = {
  writeKey([log, key]: IndexKey, target: Buffer, at: number): number {
    const text = target.writeUInt16BE(log, at)
    return text + target.write(key, text)
  },
  readKey: (source: Buffer, at: number, end: number): IndexKey => [
    source.readUInt16BE(at),
    source.toString('utf8', at + 2, end),
  ],
}

/** Encoder that copies values out of LMDB's page or shared buffer, because that is valid only during the call. */
const copies = {
  encode: (bytes: Buffer) => bytes,
  decode: (page: Buffer, size: unknown) => {
    const bytes = Buffer.allocUnsafe(typeof size === 'number' ? size : page.length)
    page.copy(bytes, 0, 0, bytes.length)
    return bytes
  },
}

/** Encoder that returns views of LMDB's shared buffer. */
const views = {
  encode: (bytes: Buffer) => bytes,
  decode: (page: Buffer, size: unknown) =>
    // LMDB's buffer has a `length` of its own, which native code doesn't know.
    Buffer.from(page.buffer, page.byteOffset, typeof size === 'number' ? size : page.length),
}

/**
 * Opens the LMDB environment with two of lmdb-js's defaults off.
 * - Overlapping sync: without it a commit is flushed before any reader sees it, so visible records are durable, and a
 *   failed commit has written nothing.
 * - Event turn batching: it makes a promise of its own that rejects when a commit fails, where no caller can catch it.
 */
export function openRoot(path: string, mapSizeBytes: number): RootDatabase {
  const options = { mapSize: mapSizeBytes, maxDbs: 3, overlappingSync: false, eventTurnBatching: false }
  return open({ path, noSubdir: false, ...options })
}

/** Adds a key encoder to the options of a database. lmdb-js documents `keyEncoder`, but its types lack it. */
const keyed = <O>(options: O, keyEncoder: object): O & { readonly keyEncoder: object } => ({ ...options, keyEncoder })

export class Store {
  readonly root: RootDatabase
  readonly records: Database<Buffer, LogKey>
  /** The same database. A value that is read here is valid only until the next one is read, from any database. */
  readonly recordViews: Database<Buffer, LogKey>
  readonly newest: Database<number, IndexKey>
  readonly state: Database

  /** Creates the databases that do not exist yet, in a commit of its own. */
  constructor(root: RootDatabase) {
    this.root = root
    this.records = root.openDB(keyed({ name: 'records', encoder: copies }, logKeys))
    this.recordViews = root.openDB(keyed({ name: 'records', encoder: views }, logKeys))
    this.newest = root.openDB(keyed({ name: 'newest', encoding: 'json' }, indexKeys))
    this.state = root.openDB({ name: 'state', encoding: 'json' })
  }

  /** Number of commits of all processes. */
  commits(): number {
    return this.state.get(stateKey.commits) ?? 0
  }

  journal(): JournalRow | undefined {
    return this.state.get(stateKey.journal)
  }

  topic(name: string): TopicRow | undefined {
    return this.state.get(stateKey.topic(name))
  }

  // Casts, here and in `claims`: LMDB's type for a key is any; those in this range are [kind, name], see `stateKey`.
  topics(): { name: string; row: TopicRow }[] {
    const range = this.state.getRange({ start: ['topic'], end: ['topic', MAX_TEXT] })
    return Array.from(range, ({ key, value }) => ({ name: (key as string[])[1] as string, row: value }))
  }

  bounds(log: number): Bounds {
    const { start, end } = this.logState(log)
    return { start, end }
  }

  logState(log: number): LogState {
    const [start, end, ...blockTime] = this.state.get(stateKey.bounds(log)) ?? [0, 0, null]
    return { start, end, blockTime: blockTimeIn(blockTime, end) }
  }

  /** Greatest times of the full blocks from number `from` to before `to`, as far as they are known, in order. */
  *blockTimes(log: number, from: number, to: number): Generator<{ block: number; time: number }> {
    const range = { start: stateKey.blockTime(log, from), end: stateKey.blockTime(log, to) }
    // Cast: LMDB's type for a key is any; those in this range are `stateKey.blockTime`.
    for (const { key, value } of this.state.getRange(range))
      yield { block: (key as number[])[2] as number, time: value }
  }

  claims(): { name: string; row: ClaimRow }[] {
    const range = this.state.getRange({ start: ['claim'], end: ['claim', MAX_TEXT] })
    return Array.from(range, ({ key, value }) => ({ name: (key as string[])[1] as string, row: value }))
  }

  claim(name: string): ClaimRow | undefined {
    return this.state.get(stateKey.claim(name))
  }

  position(claim: string, log: number): number | undefined {
    return this.state.get(stateKey.position(claim, log))
  }
}

const MAX_TEXT = '\u{10ffff}'
