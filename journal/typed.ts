import { type RecordOf, type Retention, type Topic, topics } from '../contracts/topics.ts'
import { type Codec, codecFor } from './codec.ts'
import type {
  Batch,
  Claim,
  FollowOptions,
  Journal,
  NewRecord,
  PartitionAddress,
  Position,
  ReadLimits,
  StoredRecord,
  Write,
} from './journal.ts'
import { keys, PUBLICATION_END, partitionOf, retentionOf, topicSettings } from './layout.ts'
import type { SchemaRegistry } from './registry.ts'
import { mustBeOfRegistry } from './schema-check.ts'

/** A record as it stands in the journal, decoded. */
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

/** Where a record came from: the record that caused it. */
type Cause = { readonly topic: Topic; readonly partition: number; readonly offset: number }

export type Draft<T extends Topic> = {
  readonly value: RecordOf<T>
  /** Names the record for ever, derived from its content: what a reader recognises a repeat by. */
  readonly id: string
  /** UTC milliseconds. */
  readonly at: number
  readonly cause?: Cause
  /** Of a release: the last of those that were published together; what is derived is derived then. */
  readonly endsPublication?: boolean
}

/** The topics of `contracts/`, typed, over a journal of bytes. What everybody but the adapters works with. */
export class TypedJournal {
  readonly #journal: Journal
  readonly #codecs: { readonly [T in Topic]: Codec<T> }
  readonly #prefix: string
  readonly #retention: Retention
  #spelled = { at: Number.NaN, iso: '' }

  private constructor(
    journal: Journal,
    codecs: { readonly [T in Topic]: Codec<T> },
    prefix: string,
    retention: Retention,
  ) {
    this.#journal = journal
    this.#codecs = codecs
    this.#prefix = prefix
    this.#retention = retention
  }

  /**
   * Creates missing topics and agrees with the registry on the schemas; throws where they are not compatible, and where the
   * journal was written with another registry (`OtherRegistryError`). Without `create` it throws `no_journal` where no topic
   * has the prefix, and leaves the settings of existing topics as they are: topics that only a newer release has are made.
   */
  static async open(
    journal: Journal,
    registry: SchemaRegistry,
    prefix = 'almanac.',
    retention: Retention = {},
    { create = true }: { readonly create?: boolean } = {},
  ): Promise<TypedJournal> {
    const names = Object.keys(topics) as Topic[]
    await journal.ensureTopics(topicSettings(prefix, retention), { inUse: !create })
    // Before schemas are registered: a command with a wrong registry address must not write to that registry.
    if (!create) await mustBeOfRegistry(journal, registry, prefix)
    const codecs = Object.fromEntries(
      await Promise.all(names.map(async (topic) => [topic, await codecFor(topic, registry)] as const)),
    ) as unknown as { readonly [T in Topic]: Codec<T> }
    if (create) await mustBeOfRegistry(journal, registry, prefix)
    return new TypedJournal(journal, codecs, prefix, retention)
  }

  get id(): string {
    return this.#journal.id
  }

  /** How long a topic's records are meant to be kept, ms; null: for ever. Kafka's operator may have set something else. */
  retentionMs(topic: Topic): number | null {
    return retentionOf(topic, this.#retention)
  }

  partitionFor(topic: Topic, key: string): number {
    return partitionOf(topic, key)
  }

  #address(topic: Topic, partition: number): PartitionAddress {
    return { topic: this.#prefix + topic, partition }
  }

  #encode<T extends Topic>(topic: T, { value, id, at, cause, endsPublication }: Draft<T>): NewRecord {
    return {
      key: (keys[topic] as (value: RecordOf<T>) => string | null)(value),
      value: this.#codecs[topic].encode(value),
      timestamp: at,
      headers: {
        'record-id': id,
        'recorded-at': this.#isoOf(at),
        ...(endsPublication ? { [PUBLICATION_END]: 'true' } : {}),
        ...(cause ? { cause: `${cause.topic}/${cause.partition}/${cause.offset}` } : {}),
      },
    }
  }

  /** The records of a batch share one time: it is spelled out once. */
  #isoOf(at: number): string {
    if (this.#spelled.at !== at) this.#spelled = { at, iso: new Date(at).toISOString() }
    return this.#spelled.iso
  }

  /** A write for `transact`. */
  write<T extends Topic>(topic: T, partition: number, drafts: readonly Draft<T>[]): Write {
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
    return this.#journal.append(this.write(topic, partition, drafts))
  }

  transact(claim: Claim, writes: readonly Write[], positions: readonly Position[] = []) {
    return this.#journal.transact(claim, writes, positions)
  }

  claim(name: string, signal?: AbortSignal): Promise<Claim> {
    return this.#journal.claim(name, signal)
  }

  /** The position that `claim`'s name has committed on an input partition; 0 before the first. */
  async positionOf(claim: Claim, topic: Topic, partition: number): Promise<number> {
    return (await claim.position(this.#address(topic, partition))) ?? 0
  }

  bounds(topic: Topic, partition: number): Promise<{ readonly start: number; readonly end: number }> {
    return this.#journal.bounds(this.#address(topic, partition))
  }

  async read<T extends Topic>(
    topic: T,
    partition: number,
    offset: number,
    limits?: ReadLimits,
  ): Promise<TypedBatch<T>> {
    return this.#decode(topic, partition, await this.#journal.read(this.#address(topic, partition), offset, limits))
  }

  async *follow<T extends Topic>(
    topic: T,
    partition: number,
    offset: number,
    signal: AbortSignal,
    options?: FollowOptions,
  ): AsyncGenerator<TypedBatch<T>> {
    for await (const batch of this.#journal.follow(this.#address(topic, partition), offset, signal, options)) {
      yield await this.#decode(topic, partition, batch)
    }
  }

  /** As `read`, with values left in Avro, of this release's schema: for who makes something else of them than objects. */
  async readEncoded(topic: Topic, partition: number, offset: number, limits?: ReadLimits): Promise<Batch> {
    return this.#upToDate(topic, await this.#journal.read(this.#address(topic, partition), offset, limits))
  }

  /** As `follow`, with values as `readEncoded` leaves them. */
  async *followEncoded(
    topic: Topic,
    partition: number,
    offset: number,
    signal: AbortSignal,
    options?: FollowOptions,
  ): AsyncGenerator<Batch> {
    for await (const batch of this.#journal.follow(this.#address(topic, partition), offset, signal, options)) {
      yield await this.#upToDate(topic, batch)
    }
  }

  /** A value as `readEncoded` leaves it. */
  decode<T extends Topic>(topic: T, value: Uint8Array): RecordOf<T> {
    const decoded = this.#codecs[topic].decode(value)
    if (decoded instanceof Promise) throw new Error(`a value of topic ${topic} is of a schema not met before`)
    return decoded
  }

  /** Everything from `offset` to the end seen at the call, batch by batch. */
  async *readToEnd<T extends Topic>(topic: T, partition: number, offset?: number): AsyncGenerator<TypedBatch<T>> {
    const { start, end } = await this.bounds(topic, partition)
    for (let at = Math.max(offset ?? start, 0); at < end; ) {
      const batch = await this.read(topic, partition, at)
      yield batch
      at = batch.next
    }
  }

  /** The newest record of a partition; looks back in growing steps, since offsets have holes. */
  async newest<T extends Topic>(topic: T, partition: number): Promise<JournalRecord<T> | undefined> {
    const { start, end } = await this.bounds(topic, partition)
    for (let back = 4; ; back *= 16) {
      const from = Math.max(start, end - back)
      let newest: JournalRecord<T> | undefined
      for (let at = from; at < end; ) {
        const batch = await this.read(topic, partition, at)
        newest = batch.records.at(-1) ?? newest
        at = batch.next
      }
      if (newest || from === start) return newest
    }
  }

  retain(now: number): Promise<void> {
    return this.#journal.retain(now)
  }

  close(): Promise<void> {
    return this.#journal.close()
  }

  async #upToDate(topic: Topic, batch: Batch): Promise<Batch> {
    const codec = this.#codecs[topic]
    const records: StoredRecord[] = []
    for (const record of batch.records) {
      const value = codec.upToDate(record.value)
      if (value === record.value) records.push(record)
      else records.push({ ...record, value: await value })
    }
    return { ...batch, records }
  }

  async #decode<T extends Topic>(topic: T, partition: number, batch: Batch): Promise<TypedBatch<T>> {
    const codec = this.#codecs[topic]
    const records: JournalRecord<T>[] = []
    for (const { offset, key, value, timestamp, headers } of batch.records) {
      const decoded = codec.decode(value)
      const record = decoded instanceof Promise ? await decoded : decoded
      records.push({ topic, partition, offset, key, value: record as RecordOf<T>, timestamp, headers })
    }
    return { records, next: batch.next, end: batch.end }
  }
}
