import type Type from 'typebox'
import * as records from './records.ts'

const DAY = 86_400_000

/**
 * The journal’s topics: what each holds, how it is keyed, split and kept. Names carry a configurable prefix. How long
 * `events` and `ticks` are kept is a setting too (`Retention`); what stands here is its default, and of ticks the longest.
 */
export const topics = {
  releases: { record: records.Release, partitions: 1, cleanup: 'delete', retentionMs: null, key: 'country' },
  ticks: { record: records.Tick, partitions: 6, cleanup: 'delete', retentionMs: 30 * DAY, key: 'symbol' },
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
  access: { record: records.AccessKey, partitions: 1, cleanup: 'compact', retentionMs: null, key: 'key id' },
  quarantine: { record: records.Rejected, partitions: 1, cleanup: 'delete', retentionMs: 90 * DAY, key: 'source' },
} as const satisfies Record<
  string,
  { record: Type.TSchema; partitions: number; cleanup: 'delete' | 'compact'; retentionMs: number | null; key: string }
>

export type Topic = keyof typeof topics

/** How long records are kept where it isn't what `topics` says, ms; null: for ever. */
export type Retention = { readonly [T in 'events' | 'ticks']?: number | null }
export type RecordOf<T extends Topic> = Type.Static<(typeof topics)[T]['record']>
