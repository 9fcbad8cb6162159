import { randomUUID } from 'node:crypto'
import type { Generation } from '../../../contracts/generations.ts'
import {
  type Cut,
  type EnsureOptions,
  JournalError,
  type NewRecord,
  type PartitionAddress,
  type PartitionToCut,
  type Position,
  partitionKey,
  type TopicSettings,
} from '../../../journal/journal.ts'
import { isSuperseded } from '../../../journal/ownership.ts'
import { MemoryLog, type SealedRecord } from './log.ts'

/** `beat` grows while the owner lives; null owner: released. `instance` is the client, `machine` the one that it runs on. */
export type ClaimRow = { readonly epoch: number; readonly beat: number; readonly owner: Owner | null }
export type Owner = { readonly instance: string; readonly machine: string }

/** Records for one log, which is found before they are sent. */
export type SealedWrite = { readonly log: MemoryLog; readonly records: readonly SealedRecord[] }

type Topic = { settings: TopicSettings; readonly logs: readonly MemoryLog[] }

/** What waiters wait for: a log, or any change of a claim. */
export const CLAIMS = 'claims'
type Subject = MemoryLog | typeof CLAIMS

export type StateOptions = {
  readonly id?: string
  readonly generations?: readonly Generation[]
  /** False: older records of a key stay until `compact` is called, as on Kafka. */
  readonly compactsAtOnce?: boolean
  /** Called for all that is written, in order, also for what compaction and retention remove later. */
  readonly onWritten?: (address: PartitionAddress, firstOffset: number, records: readonly NewRecord[]) => void
}

const TOPIC_NAME = /^[A-Za-z0-9._-]{1,249}$/

/** State of a journal: topics, claims and positions. Every method takes effect at once and as a whole, or throws. */
export class JournalState {
  readonly id: string
  readonly generations: readonly Generation[]
  readonly #compactsAtOnce: boolean
  readonly #onWritten: StateOptions['onWritten']
  readonly #topics = new Map<string, Topic>()
  readonly #claims = new Map<string, ClaimRow>()
  /** Committed offsets by claim name, then by partition. */
  readonly #positions = new Map<string, Map<string, number>>()
  readonly #waiters = new Set<{ readonly subject: Subject; readonly wake: () => void }>()

  constructor({ id = randomUUID(), generations = [], compactsAtOnce = true, onWritten }: StateOptions = {}) {
    this.id = id
    this.generations = generations
    this.#compactsAtOnce = compactsAtOnce
    this.#onWritten = onWritten
  }

  /** A journal of its own with the same content, as a restored backup has it: epochs and positions, and no owners. */
  copy({ generations, onWritten }: Pick<StateOptions, 'generations' | 'onWritten'>): JournalState {
    const { id } = this
    const compactsAtOnce = this.#compactsAtOnce
    const copy = new JournalState({
      id,
      compactsAtOnce,
      ...(generations && { generations }),
      ...(onWritten && { onWritten }),
    })
    for (const [name, { settings, logs }] of this.#topics)
      copy.#topics.set(name, { settings, logs: logs.map((log) => log.copy()) })
    for (const [name, { epoch }] of this.#claims) copy.#claims.set(name, { epoch, beat: 0, owner: null })
    for (const [name, committed] of this.#positions) copy.#positions.set(name, new Map(committed))
    return copy
  }

  /** End of each partition, by `topic/partition`. */
  get ends(): Readonly<Record<string, number>> {
    const logs = [...this.#topics.values()].flatMap((topic) => topic.logs)
    return Object.fromEntries(logs.map(({ address, bounds }) => [partitionKey(address), bounds.end]))
  }

  ensureTopics(topics: Readonly<Record<string, TopicSettings>>, { inUse = false }: EnsureOptions = {}): void {
    const wanted = Object.entries(topics)
    for (const [name, { partitions }] of wanted) {
      if (!TOPIC_NAME.test(name)) throw new RangeError(`topic name ${JSON.stringify(name)} is not allowed`)
      if (!Number.isInteger(partitions) || partitions < 1)
        throw new RangeError(`topic ${name} needs a whole number of partitions from 1 on, not ${partitions}`)
    }
    if (inUse && !wanted.some(([name]) => this.#topics.has(name)))
      throw new JournalError('no_journal', `the journal has no topic ${wanted[0]?.[0]}, and no other with its prefix`)
    for (const [name, { partitions, cleanup }] of wanted) {
      const known = this.#topics.get(name)?.settings
      if (known && (known.partitions !== partitions || known.cleanup !== cleanup))
        throw new JournalError('topic_mismatch', `${name} has ${known.partitions} partitions, ${known.cleanup}`)
    }
    for (const [name, settings] of wanted) {
      const known = this.#topics.get(name)
      if (!known) {
        const compactsAtOnce = this.#compactsAtOnce && settings.cleanup === 'compact'
        const logOf = (_: unknown, partition: number) => new MemoryLog({ topic: name, partition }, compactsAtOnce)
        const logs = Array.from({ length: settings.partitions }, logOf)
        this.#topics.set(name, { settings, logs })
      } else if (!inUse) known.settings = settings
    }
  }

  /** Throws `unknown_topic`. */
  find({ topic, partition }: PartitionAddress): MemoryLog {
    const log = this.#topics.get(topic)?.logs[partition]
    if (!log) throw new JournalError('unknown_topic', `${topic}/${partition}`)
    return log
  }

  append({ log, records }: SealedWrite): { firstOffset: number } {
    const firstOffset = log.append(records)
    if (records.length === 0) return { firstOffset }
    this.#onWritten?.(
      log.address,
      firstOffset,
      records.map(({ record }) => record),
    )
    this.#changed(log)
    return { firstOffset }
  }

  /** Throws `fenced` unless the epoch is the newest of the name and has not been released. */
  transact(
    { name, epoch }: { readonly name: string; readonly epoch: number },
    writes: readonly SealedWrite[],
    positions: readonly Position[],
  ): { firstOffset: number }[] {
    const row = this.#claims.get(name)
    if (row?.epoch !== epoch || !row.owner)
      throw new JournalError('fenced', `${name}: epoch ${epoch}, now ${row?.epoch}${row?.owner ? '' : ', released'}`)
    const appended = writes.map((write) => this.append(write))
    this.skip(writes, () => 1)
    const committed = this.#positions.get(name) ?? new Map<string, number>()
    this.#positions.set(name, committed)
    for (const position of positions) committed.set(partitionKey(position), position.offset)
    return appended
  }

  /** Leaves a hole in each log that the writes have records for. `sizeOf` is given the number of these records. */
  skip(writes: readonly SealedWrite[], sizeOf: (records: number) => number): void {
    for (const [log, all] of Map.groupBy(writes, ({ log }) => log)) {
      const count = all.reduce((sum, { records }) => sum + records.length, 0)
      if (count === 0) continue
      log.skip(sizeOf(count))
      this.#changed(log)
    }
  }

  position(name: string, address: PartitionAddress): number | undefined {
    return this.#positions.get(name)?.get(partitionKey(address))
  }

  cut(partitions: readonly PartitionToCut[]): Cut {
    const all = { maxRecords: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY }
    const tails = partitions.flatMap((at) =>
      at.tail === undefined ? [] : [[partitionKey(at), this.find(at).read(at.tail, all).records] as const],
    )
    const claims = [...this.#claims].map(([name, { epoch }]) => ({
      name,
      epoch,
      positions: Object.fromEntries(this.#positions.get(name) ?? []),
    }))
    return {
      bounds: Object.fromEntries(partitions.map((at) => [partitionKey(at), this.find(at).bounds])),
      tails: Object.fromEntries(tails),
      claims: claims.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    }
  }

  retain(now: number): void {
    for (const { settings, logs } of this.#topics.values()) {
      if (settings.cleanup !== 'delete' || settings.retentionMs === null) continue
      for (const log of logs) log.retain(now - settings.retentionMs)
    }
  }

  /** Removes older records of each key from all compacted topics. */
  compact(): void {
    for (const { settings, logs } of this.#topics.values())
      if (settings.cleanup === 'compact') for (const log of logs) log.compact()
  }

  claimRow(name: string): ClaimRow | undefined {
    return this.#claims.get(name)
  }

  /** Makes `owner` the owner, if the row is still as the contender has judged it. Returns the new epoch. */
  takeClaim(name: string, judged: ClaimRow | undefined, owner: Owner): number | undefined {
    const row = this.#claims.get(name)
    if (row?.epoch !== judged?.epoch || row?.beat !== judged?.beat) return undefined
    const epoch = (row?.epoch ?? 0) + 1
    this.#putClaim(name, { epoch, beat: 0, owner })
    return epoch
  }

  /** Notes a heartbeat. Returns false if a newer owner has the name. */
  beat(name: string, epoch: number): boolean {
    const row = this.#claims.get(name)
    if (!row || isSuperseded(epoch, row.epoch)) return false
    this.#putClaim(name, { ...row, beat: row.beat + 1 })
    return true
  }

  releaseClaim(name: string, epoch: number): void {
    const row = this.#claims.get(name)
    if (row?.epoch === epoch && row.owner) this.#putClaim(name, { ...row, owner: null })
  }

  /** Fences the owner, as a contender does that takes the name and releases it at once. */
  fence(name: string, epoch: number): void {
    const row = this.#claims.get(name)
    if (row?.epoch === epoch) this.#putClaim(name, { epoch: row.epoch + 1, beat: 0, owner: null })
  }

  /** Calls `wake` at the next change of the subject. Returns a function that cancels this. */
  onChange(subject: Subject, wake: () => void): () => void {
    const waiter = { subject, wake }
    this.#waiters.add(waiter)
    return () => this.#waiters.delete(waiter)
  }

  /** Wakes contenders, so that they read the rows of their claims again. */
  ownersChanged(): void {
    this.#changed(CLAIMS)
  }

  #putClaim(name: string, row: ClaimRow): void {
    this.#claims.set(name, row)
    this.#changed(CLAIMS)
  }

  #changed(subject: Subject): void {
    for (const waiter of [...this.#waiters]) if (waiter.subject === subject) waiter.wake()
  }
}
