/** Layout of the records of `contracts/` in a journal: keys, partitions and topic settings. */
import { crc32 } from 'node:zlib'
import type { NewestPrice } from '../contracts/records.ts'
import { type RecordOf, type Retention, type Topic, topicNames, topics } from '../contracts/topics.ts'
import type { TopicSettings } from './journal.ts'

/** Header on the last release of a publication (`docs/glossary.md`). Its releases are those after the mark before. */
export const PUBLICATION_END = 'publication-end'

/**
 * Header on the event of a release, on the signal of a prediction, and on the event of that: the day of the release, or the latest
 * day of those that were known of the country and indicator. As of an earlier day there is no such event.
 */
export const RELEASED_ON = 'released-on'

/** Key of the newest price of a symbol and source. */
export function newestPriceKey({ symbol, source }: Pick<NewestPrice, 'symbol' | 'source'>): string {
  return `${symbol} ${source}`
}

/** Record keys by topic. Records of one key stay in order; a compacted topic keeps the newest record of each key. */
export const keys: { readonly [T in Topic]: (value: RecordOf<T>) => string | null } = {
  releases: (release) => release.series.country,
  ticks: (tick) => tick.symbol,
  price_history: (price) => price.symbol,
  newest_prices: newestPriceKey,
  standings: ({ symbol }) => symbol,
  signals: (signal) => signal.key,
  events: () => null,
  quotes: (quote) => quote.symbol,
  sessions: (session) => session.market,
  predictions: (prediction) => `${prediction.country}.${prediction.indicator}`,
  calendar: ({ country, indicator }) => `${country}.${indicator}`,
  release_dates: ({ calendar, release }) => `${calendar}/${release}`,
  fetches: ({ source, dataset }) => `${source} ${dataset}`,
  access: (key) => key.key_id,
  quarantine: (rejected) => rejected.source,
}

/** Partition of a key. It never changes, because a topic's partition count never does. */
export const partitionOf = (topic: Topic, key: string): number => crc32(key) % topics[topic].partitions

/** Name of the claim under which a processor writes what it makes of a partition of its inputs. */
export const processorClaim = (processor: string, partition: number): string => `processor/${processor}/${partition}`

/** Settings of the topics of `contracts/`, by full name. */
export const topicSettings = (prefix: string, retention: Retention = {}): Readonly<Record<string, TopicSettings>> =>
  Object.fromEntries(
    topicNames.map((topic) => {
      const { partitions, cleanup } = topics[topic]
      return [prefix + topic, { partitions, cleanup, retentionMs: retentionOf(topic, retention) }]
    }),
  )

/** Retention of a topic in ms; null: for ever. */
export function retentionOf(topic: Topic, retention: Retention): number | null {
  const { [topic as keyof Retention]: set } = retention
  return set === undefined ? topics[topic].retentionMs : set
}
