import type { Type } from '#typebox'
import * as records from './records.ts'
import { ReleaseDates } from './release-dates.ts'

const DAY = 86_400_000

/**
 * The journal’s topics: record, partitions, cleanup, retention and key of each. Topic names carry a configurable
 * prefix. The retention of `events` and `ticks` is a setting too (`Retention`). The values here are its defaults, and
 * for ticks also the longest possible retention.
 */
export const topics = {
  releases: { record: records.Release, partitions: 1, cleanup: 'delete', retentionMs: null, key: 'country' },
  ticks: { record: records.Tick, partitions: 6, cleanup: 'delete', retentionMs: 30 * DAY, key: 'symbol' },
  price_history: { record: records.HistoricPrice, partitions: 1, cleanup: 'delete', retentionMs: null, key: 'symbol' },
  newest_prices: {
    record: records.NewestPrice,
    partitions: 1,
    cleanup: 'compact',
    retentionMs: null,
    key: 'symbol and source',
  },
  standings: { record: records.Standing, partitions: 1, cleanup: 'delete', retentionMs: 30 * DAY, key: 'symbol' },
  signals: {
    record: records.Signal,
    partitions: 1,
    cleanup: 'delete',
    retentionMs: null,
    key: 'symbol, market or country.indicator',
  },
  events: { record: records.EventRecord, partitions: 1, cleanup: 'delete', retentionMs: null, key: 'none' },
  quotes: { record: records.Quote, partitions: 1, cleanup: 'compact', retentionMs: null, key: 'symbol' },
  sessions: { record: records.Session, partitions: 1, cleanup: 'compact', retentionMs: null, key: 'market' },
  predictions: {
    record: records.Prediction,
    partitions: 1,
    cleanup: 'compact',
    retentionMs: null,
    key: 'country.indicator',
  },
  calendar: {
    record: records.CalendarChange,
    partitions: 1,
    cleanup: 'delete',
    retentionMs: null,
    key: 'country.indicator',
  },
  release_dates: {
    record: ReleaseDates,
    partitions: 1,
    cleanup: 'compact',
    retentionMs: null,
    key: 'calendar and release',
  },
  fetches: {
    record: records.DatasetFetch,
    partitions: 1,
    cleanup: 'compact',
    retentionMs: null,
    key: 'source and dataset',
  },
  access: { record: records.AccessKey, partitions: 1, cleanup: 'compact', retentionMs: null, key: 'key id' },
  quarantine: { record: records.Rejected, partitions: 1, cleanup: 'delete', retentionMs: 90 * DAY, key: 'source' },
} as const satisfies Record<
  string,
  { record: Type.TSchema; partitions: number; cleanup: 'delete' | 'compact'; retentionMs: number | null; key: string }
>

export type Topic = keyof typeof topics
// A cast, because `Object.keys` forgets the type of the keys.
export const topicNames = Object.keys(topics) as readonly Topic[]

/** The numbers of a topic's partitions. */
export const partitionsOf = (topic: Topic): number[] =>
  Array.from({ length: topics[topic].partitions }, (_, partition) => partition)

/** Retention that differs from `topics`, ms; null: for ever. */
export type Retention = { readonly [T in 'events' | 'ticks']?: number | null }
export type RecordOf<T extends Topic> = Type.Static<(typeof topics)[T]['record']>
