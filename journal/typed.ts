import type { Generation } from '../contracts/generations.ts'
import { type RecordOf, type Retention, type Topic, topicNames } from '../contracts/topics.ts'
import { type Codec, codecFor } from './codec.ts'
import { type FindVersion, releasedVersions } from './copy-schemas.ts'
import { DecodedRecords } from './decoded-records.ts'
import {
  type Batch,
  type Claim,
  type FollowOptions,
  type Journal,
  type NewRecord,
  type PartitionAddress,
  type Position,
  type ReadLimits,
  type ReadOptions,
  type ReadPosition,
  type RecordHead,
  startPast,
  type ValueRun,
  type Write,
} from './journal.ts'
import { keys, PUBLICATION_END, partitionOf, RELEASED_ON, retentionOf, topicSettings } from './layout.ts'
import { type PortableBatch, portableRecords } from './portable-records.ts'
import { readUntil } from './read-until.ts'
import type { SchemaRegistry } from './registry.ts'
import { assertSameRegistry } from './schema-check.ts'
import { type TypedCut, typedCut } from './typed-cut.ts'
import { readUpToDate, upToDateBatch } from './up-to-date.ts'

/** A record of the journal, decoded. */
export type JournalRecord<T extends Topic> = {
  readonly topic: T
  readonly partition: number
  readonly offset: number
  readonly key: string | null
  readonly value: RecordOf<T>
  /** UTC milliseconds. */
  readonly timestamp: number
  readonly headers: Readonly<Record<string, string>>
}

export type TypedBatch<T extends Topic> = Omit<Batch, 'records'> & { readonly records: readonly JournalRecord<T>[] }

/** Address of the record that caused another one. */
type Cause = { readonly topic: Topic; readonly partition: number; readonly offset: number }

export type Draft<T extends Topic> = {
  readonly value: RecordOf<T>
  /** Permanent id, derived from the content, by which a reader recognises a repeated record. */
  readonly id: string
  /** UTC milliseconds. */
  readonly at: number
  readonly cause?: Cause
  /** Marks the last release of a publication. Derived figures are computed when it arrives. */
  readonly endsPublication?: boolean
  /** The header `RELEASED_ON` of an event or a signal. */
  readonly releasedOn?: string | undefined
}

/** Typed access to the topics of `contracts/` in a journal of bytes. All code except the adapters uses this class. */
export class TypedJournal {
  readonly #journal: Journal
  readonly #codecs: { readonly [T in Topic]: Codec<T> }
  readonly #prefix: string
  readonly #retention: Retention
  readonly #findVersion: FindVersion
  /** By topic and partition. */
  readonly #decoded = new Map<string, DecodedRecords<JournalRecord<Topic>>>()
  #spelled = { at: Number.NaN, iso: '' }

  private constructor(
    journal: Journal,
    codecs: { readonly [T in Topic]: Codec<T> },
    prefix: string,
    retention: Retention,
    findVersion: FindVersion,
  ) {
    this.#journal = journal
    this.#codecs = codecs
    this.#prefix = prefix
    this.#retention = retention
    this.#findVersion = findVersion
  }

  /**
   * Creates missing topics and registers the schemas. Throws if a schema is not compatible, and `OtherRegistryError` if
   * the journal was written with another registry. Without `create` it throws `no_journal` if no topic has the prefix,
   * leaves the settings of existing topics as they are, and creates only topics that a newer release has added.
   */
  static async open(
    journal: Journal,
    registry: SchemaRegistry,
    prefix = 'almanac.',
    retention: Retention = {},
    { create = true }: { readonly create?: boolean } = {},
  ): Promise<TypedJournal> {
    await journal.ensureTopics(topicSettings(prefix, retention), { inUse: !create })
    // Checked before schemas are registered, because a command with a wrong registry address must not write there.
    if (!create) await assertSameRegistry(journal, registry, prefix)
    // Cast: `fromEntries` forgets that each codec belongs to the topic that is its key.
    const codecs = Object.fromEntries(
      await Promise.all(topicNames.map(async (topic) => [topic, await codecFor(topic, registry)] as const)),
    ) as unknown as { readonly [T in Topic]: Codec<T> }
    if (create) await assertSameRegistry(journal, registry, prefix)
    return new TypedJournal(journal, codecs, prefix, retention, releasedVersions(registry))
  }

  get id(): string {
    return this.#journal.id
  }

  /** As `Journal.generations`. */
  get generations(): readonly Generation[] {
    return this.#journal.generations
  }

  /** Configured retention of a topic, ms; null: for ever. An operator may have set another one on Kafka itself. */
  retentionMs(topic: Topic): number | null {
    return retentionOf(topic, this.#retention)
  }

  partitionFor(topic: Topic, key: string): number {
    return partitionOf(topic, key)
  }

  #address(topic: Topic, partition: number): PartitionAddress {
    return { topic: this.#prefix + topic, partition }
  }

  #encode<T extends Topic>(topic: T, { value, id, at, cause, endsPublication, releasedOn }: Draft<T>): NewRecord {
    const headers: Record<string, string> = { 'record-id': id, 'recorded-at': this.#isoOf(at) }
    if (endsPublication) headers[PUBLICATION_END] = 'true'
    if (releasedOn) headers[RELEASED_ON] = releasedOn
    if (cause) headers.cause = `${cause.topic}/${cause.partition}/${cause.offset}`
    return {
      // Cast: TypeScript can't tie `keys[topic]` to the same T as `value`.
      key: (keys[topic] as (value: RecordOf<T>) => string | null)(value),
      value: this.#codecs[topic].encode(value),
      timestamp: at,
      headers,
    }
  }

  /** Formats a time as ISO 8601. Caches the last one, because the records of a batch share one time. */
  #isoOf(at: number): string {
    if (this.#spelled.at !== at) this.#spelled = { at, iso: new Date(at).toISOString() }
    return this.#spelled.iso
  }

  /** Builds a write for `transact`. */
  writeOf<T extends Topic>(topic: T, partition: number, drafts: readonly Draft<T>[]): Write {
    return { ...this.#address(topic, partition), records: drafts.map((draft) => this.#encode(topic, draft)) }
  }

  position(topic: Topic, partition: number, offset: number): Position {
    return { ...this.#address(topic, partition), offset }
  }

  append<T extends Topic>(
    topic: T,
    partition: number,
    drafts: readonly Draft<T>[],
  ): Promise<{ readonly firstOffset: number }> {
    return this.#journal.append(this.writeOf(topic, partition, drafts))
  }

  transact(claim: Claim, writes: readonly Write[], positions: readonly Position[] = []) {
    return this.#journal.transact(claim, writes, positions)
  }

  claim(name: string, signal?: AbortSignal): Promise<Claim> {
    return this.#journal.claim(name, signal)
  }

  /** Returns the position committed under the claim's name, or another, for an input; 0 before the first commit. */
  async positionOf(claim: Claim, topic: Topic, partition: number, name?: string): Promise<number> {
    return (await claim.position(this.#address(topic, partition), name)) ?? 0
  }

  bounds(topic: Topic, partition: number): Promise<{ readonly start: number; readonly end: number }> {
    return this.#journal.bounds(this.#address(topic, partition))
  }

  /** Returns the offset of the first record at or after a time (UTC ms), the end if there is none. */
  offsetForTime(topic: Topic, partition: number, time: number): Promise<number> {
    return this.#journal.offsetForTime(this.#address(topic, partition), time)
  }

  /** Finds a consistent moment of all topics. `tails`: from where on it holds records, by `topic/partition`. */
  cut(tails: Readonly<Record<string, number>>): Promise<TypedCut> {
    return typedCut(this.#journal, this.#prefix, this.#findVersion, tails)
  }

  async read<T extends Topic>(
    topic: T,
    partition: number,
    offset: number,
    options?: ReadOptions,
  ): Promise<TypedBatch<T>> {
    return this.#decode(topic, partition, await this.#journal.read(this.#address(topic, partition), offset, options))
  }

  async *follow<T extends Topic>(
    topic: T,
    partition: number,
    offset: number,
    signal: AbortSignal,
    options?: FollowOptions,
  ): AsyncGenerator<TypedBatch<T>> {
    const decoded = this.#decodedOf(topic, partition)
    const follower = { next: offset }
    decoded.enter(follower)
    try {
      for await (const batch of this.#journal.follow(this.#address(topic, partition), offset, signal, options)) {
        const typed = await this.#decode(topic, partition, batch, decoded)
        decoded.pass(follower, typed.records, typed.next)
        yield typed
      }
    } finally {
      decoded.leave(follower)
    }
  }

  #decodedOf<T extends Topic>(topic: T, partition: number): DecodedRecords<JournalRecord<T>> {
    const key = `${topic}/${partition}`
    const decoded = this.#decoded.get(key) ?? new DecodedRecords<JournalRecord<Topic>>()
    this.#decoded.set(key, decoded)
    // Cast: what is kept under the name of a topic has its records.
    return decoded as unknown as DecodedRecords<JournalRecord<T>>
  }

  /** Reads values as `Journal.readValues` does, in Avro, converted to this release's schema. */
  readEncoded(
    topic: Topic,
    partition: number,
    offset: number,
    take: (run: ValueRun) => void,
    limits?: ReadLimits,
  ): Promise<ReadPosition> {
    const read = (each: (run: ValueRun) => void) =>
      this.#journal.readValues(this.#address(topic, partition), offset, each, limits)
    return readUpToDate(this.#codecs[topic], read, take)
  }

  /** Reads like `read`, with values in Avro, converted to this release's schema. */
  async readInAvro(topic: Topic, partition: number, offset: number, limits?: ReadLimits): Promise<Batch> {
    return upToDateBatch(this.#codecs[topic], await this.#journal.read(this.#address(topic, partition), offset, limits))
  }

  /** Follows like `follow`, with values in Avro, converted to this release's schema. */
  async *followEncoded(
    topic: Topic,
    partition: number,
    offset: number,
    signal: AbortSignal,
    options?: FollowOptions,
  ): AsyncGenerator<Batch> {
    for await (const batch of this.#journal.follow(this.#address(topic, partition), offset, signal, options)) {
      yield await upToDateBatch(this.#codecs[topic], batch)
    }
  }

  /** Reads like `read`, with values as they were written: no schema is converted, and none of a registry is named. */
  async readPortable(topic: Topic, partition: number, offset: number, limits?: ReadLimits): Promise<PortableBatch> {
    return this.#portable(topic, await this.#journal.read(this.#address(topic, partition), offset, limits))
  }

  /** Follows like `follow`, with values as `readPortable` gives them. */
  async *followPortable(
    topic: Topic,
    partition: number,
    offset: number,
    signal: AbortSignal,
    options?: FollowOptions,
  ): AsyncGenerator<PortableBatch> {
    for await (const batch of this.#journal.follow(this.#address(topic, partition), offset, signal, options)) {
      yield await this.#portable(topic, batch)
    }
  }

  /** Decodes a value that `readEncoded` or `followEncoded` passed on. */
  decode<T extends Topic>(topic: T, value: Uint8Array): RecordOf<T> {
    const decoded = this.#codecs[topic].decode(value)
    if (decoded instanceof Promise)
      throw new Error(`a value of topic ${topic} has a schema of another version; read it with readEncoded first`)
    return decoded
  }

  /**
   * Yields batches from `offset` (default: the log start), at least to the end seen at the call. Leaves out what retention has
   * deleted, or deletes meanwhile. `isWanted`: see `ReadOptions`.
   */
  async *readToEnd<T extends Topic>(
    topic: T,
    partition: number,
    offset?: number,
    isWanted?: (head: RecordHead) => boolean,
  ): AsyncGenerator<TypedBatch<T>> {
    const { start, end } = await this.bounds(topic, partition)
    yield* readUntil((at) => this.read(topic, partition, at, { isWanted }), Math.max(offset ?? start, start), end)
  }

  /**
   * Returns the newest record of a partition. Looks back in growing steps, because offsets have holes. If retention deletes
   * records where it is looking, it looks again from the new start of the log.
   */
  async newest<T extends Topic>(topic: T, partition: number): Promise<JournalRecord<T> | undefined> {
    let { start, end } = await this.bounds(topic, partition)
    for (let back = 4; ; back *= 16) {
      const from = Math.max(start, end - back)
      try {
        const newest = await this.#newestFrom(topic, partition, from, end)
        if (newest || from === start) return newest
      } catch (error) {
        if (startPast(from, error) === undefined) throw error
        ;({ start, end } = await this.bounds(topic, partition))
      }
    }
  }

  async #newestFrom<T extends Topic>(
    topic: T,
    partition: number,
    from: number,
    end: number,
  ): Promise<JournalRecord<T> | undefined> {
    let newest: JournalRecord<T> | undefined
    for (let at = from; at < end; ) {
      const batch = await this.read(topic, partition, at)
      newest = batch.records.at(-1) ?? newest
      at = batch.next
    }
    return newest
  }

  retain(now: number): Promise<void> {
    return this.#journal.retain(now)
  }

  close(): Promise<void> {
    return this.#journal.close()
  }

  async #portable(topic: Topic, batch: Batch): Promise<PortableBatch> {
    return { ...batch, records: await portableRecords(topic, batch.records, this.#findVersion) }
  }

  /** `known`: those that another follower has decoded are not decoded again. */
  async #decode<T extends Topic>(
    topic: T,
    partition: number,
    batch: Batch,
    known?: DecodedRecords<JournalRecord<T>>,
  ): Promise<TypedBatch<T>> {
    const codec = this.#codecs[topic]
    const records: JournalRecord<T>[] = []
    for (const { offset, key, value, timestamp, headers } of batch.records) {
      const before = known?.at(offset)
      if (before) {
        records.push(before)
        continue
      }
      const decoded = codec.decode(value)
      const record = decoded instanceof Promise ? await decoded : decoded
      // Cast: `await` widens the type of a generic record.
      records.push({ topic, partition, offset, key, value: record as RecordOf<T>, timestamp, headers })
    }
    return { records, next: batch.next, end: batch.end }
  }
}

/** A topic of one partition that is read to its end again and again, each record once, until what was read is forgotten. */
export class CatchUp<T extends Topic> {
  readonly #journal: TypedJournal
  readonly #topic: T
  #next = 0

  constructor(journal: TypedJournal, topic: T) {
    this.#journal = journal
    this.#topic = topic
  }

  /** Offset of the next record to read. */
  get next(): number {
    return this.#next
  }

  /**
   * Passes to `apply` what any process has written since the last call. Only records for which `isWanted` returns true are
   * decoded.
   */
  async read(apply: (record: JournalRecord<T>) => void, isWanted?: (head: RecordHead) => boolean): Promise<void> {
    for await (const batch of this.#journal.readToEnd(this.#topic, 0, this.#next, isWanted)) {
      for (const record of batch.records) apply(record)
      this.#next = batch.next
    }
  }

  /** Goes on from an offset, because nothing before it has to be read. Never goes back. */
  skipTo(offset: number): void {
    this.#next = Math.max(this.#next, offset)
  }

  /** Begins again at the start. */
  forget(): void {
    this.#next = 0
  }
}
