/** How the records of `contracts/` lie in a journal: keys, partitions, the settings of topics. */
import { crc32 } from 'node:zlib'
import { type RecordOf, type Retention, type Topic, topics } from '../contracts/topics.ts'
import type { TopicSettings } from './journal.ts'

/** Header of a release that ends a publication: the releases of one date that a document brought together. */
export const PUBLICATION_END = 'publication-end'

/** What records are keyed by: those of one key stay in order, and of a compacted topic the newest of each stays. */
export const keys: { readonly [T in Topic]: (value: RecordOf<T>) => string | null } = {
  releases: (release) => release.series.country,
  ticks: (tick) => tick.symbol,
  signals: (signal) => signal.key,
  events: () => null,
  quotes: (quote) => quote.symbol,
  sessions: (session) => session.market,
  predictions: (prediction) => `${prediction.country}.${prediction.indicator}`,
  access: (key) => key.key_id,
  quarantine: (rejected) => rejected.source,
}

/** The partition of a key: fixed for ever, since a topic's partition count is. */
export const partitionOf = (topic: Topic, key: string): number => crc32(key) % topics[topic].partitions

/** What the topics of `contracts/` are created with, by their full names. */
export const topicSettings = (prefix: string, retention: Retention = {}): Readonly<Record<string, TopicSettings>> =>
  Object.fromEntries(
    (Object.keys(topics) as Topic[]).map((topic) => {
      const { partitions, cleanup } = topics[topic]
      return [prefix + topic, { partitions, cleanup, retentionMs: retentionOf(topic, retention) }]
    }),
  )

/** ms; null: for ever. */
export function retentionOf(topic: Topic, retention: Retention): number | null {
  const { [topic as keyof Retention]: set } = retention
  return set === undefined ? topics[topic].retentionMs : set
}
