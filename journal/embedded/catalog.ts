/** Creates topics and finds the log of a partition. */
import { type EnsureOptions, JournalError, type PartitionAddress, type TopicSettings } from '../journal.ts'
import type { Environment } from './environment.ts'
import type { Store, TopicRow } from './store.ts'
import type { PartitionLog } from './transaction.ts'

const NAME = /^[A-Za-z0-9._-]{1,249}$/

export class EmbeddedCatalog {
  readonly #environment: Environment
  /** Cache of topics. A topic's logs never change, so its row is read only once. */
  readonly #seen = new Map<string, TopicRow>()

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Throws `unknown_topic`. */
  find({ topic, partition }: PartitionAddress): PartitionLog {
    const row = this.#seen.get(topic) ?? this.#environment.snapshot((store) => store.topic(topic))
    if (!row) throw new JournalError('unknown_topic', topic)
    this.#seen.set(topic, row)
    if (!Number.isInteger(partition) || partition < 0 || partition >= row.partitions)
      throw new JournalError('unknown_topic', `${topic}/${partition}: the topic has ${row.partitions} partitions`)
    return { log: row.firstLog + partition, compacted: row.cleanup === 'compact' }
  }

  /**
   * Creates missing topics and, unless `inUse`, applies changed retention times. Throws `topic_mismatch` and
   * `no_journal` before it changes anything.
   */
  async ensure(topics: Readonly<Record<string, TopicSettings>>, { inUse = false }: EnsureOptions = {}): Promise<void> {
    for (const [name, { partitions }] of Object.entries(topics)) {
      if (!NAME.test(name)) throw new RangeError(`topic name ${JSON.stringify(name)} does not match ${NAME.source}`)
      if (!Number.isInteger(partitions) || partitions < 1)
        throw new RangeError(`topic ${name} needs a whole number of partitions from 1 on, not ${partitions}`)
    }
    const names = Object.keys(topics)
    if (inUse && !this.#environment.snapshot((store) => names.some((name) => store.topic(name))))
      throw new JournalError('no_journal', `the journal has no topic ${names[0]}, and no other with its prefix`)
    if (this.#environment.snapshot((store) => differing(store, topics, inUse)).length === 0) return
    await this.#environment.write((tx) => {
      const changes = differing(tx.store, topics, inUse)
      const added = changes.reduce((sum, { settings, row }) => sum + (row ? 0 : settings.partitions), 0)
      let firstLog = tx.takeLogs(added)
      for (const { name, settings, row } of changes) {
        tx.putTopic(name, { ...settings, firstLog: row?.firstLog ?? firstLog })
        if (!row) firstLog += settings.partitions
      }
    })
  }
}

function differing(store: Store, topics: Readonly<Record<string, TopicSettings>>, keepRetention: boolean) {
  const changes: { name: string; settings: TopicSettings; row: TopicRow | undefined }[] = []
  for (const [name, { partitions, cleanup, retentionMs }] of Object.entries(topics)) {
    const row = store.topic(name)
    if (row && (row.partitions !== partitions || row.cleanup !== cleanup)) {
      const asked = `${partitions} partitions, ${cleanup}`
      throw new JournalError(
        'topic_mismatch',
        `${name} has ${row.partitions} partitions, ${row.cleanup}; asked for ${asked}`,
      )
    }
    if (row && keepRetention) continue
    if (row?.retentionMs !== retentionMs) changes.push({ name, settings: { partitions, cleanup, retentionMs }, row })
  }
  return changes
}
