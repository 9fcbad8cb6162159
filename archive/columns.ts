/**
 * Columns of the archive's tables. Each topic is a table: the position columns, which are the same in all of them, then the
 * members of its record, flat. A test compares the members with `contracts/records.ts`.
 *
 * Ids are permanent field ids of Parquet and Iceberg. A column is never removed, renamed or given another type. A new
 * member gets the next free id, and files from before it simply lack the column.
 */
import type { Topic } from '../contracts/topics.ts'

/** Types with one value. `decimal` is DECIMAL(38, 18), `timestamp` is in UTC microseconds. */
export type PlainType = 'string' | 'integer' | 'long' | 'boolean' | 'bytes' | 'decimal' | 'timestamp' | 'date'

/** A value that a column cannot hold exactly is null there: the record's `_value` always has it. */
export type ColumnType = PlainType | 'list<string>' | 'map<string, string>' | 'map<string, decimal>'

export type TableColumn = {
  readonly id: number
  readonly name: string
  readonly type: ColumnType
  readonly isRequired: boolean
}

/** A column of a member; `path` leads from the record to it. */
type MemberColumn = TableColumn & { readonly path: readonly string[] }

const recordColumn = (id: number, name: string, type: ColumnType, isRequired = true): TableColumn => ({
  id,
  name,
  type,
  isRequired,
})

/** Columns that every table has, because every record does: its position, time, key, headers and value. */
export const recordColumns = [
  recordColumn(1, '_topic', 'string'),
  recordColumn(2, '_partition', 'integer'),
  recordColumn(3, '_offset', 'long'),
  recordColumn(4, '_time', 'timestamp'),
  recordColumn(5, '_key', 'string', false),
  recordColumn(6, '_record_id', 'string', false),
  recordColumn(7, '_headers', 'map<string, string>'),
  recordColumn(8, '_schema', 'integer'),
  recordColumn(9, '_value', 'bytes'),
] as const

/** Field id of the elements of a list, or of the keys of a map; the next one is that of the map's values. */
export const nestedId = (column: TableColumn): number => 10_000 + 2 * column.id

const member = (id: number, name: string, type: ColumnType = 'string', path: string = name): MemberColumn => ({
  id,
  name,
  type,
  isRequired: false,
  path: path.split('.'),
})

export const memberColumns: { readonly [T in Topic]: readonly MemberColumn[] } = {
  releases: [
    member(101, 'release_id'),
    member(102, 'series_id', 'string', 'series.id'),
    member(103, 'series_indicator', 'string', 'series.indicator'),
    member(104, 'series_country', 'string', 'series.country'),
    member(105, 'series_frequency', 'string', 'series.frequency'),
    member(106, 'series_source', 'string', 'series.source'),
    member(107, 'series_dataset', 'string', 'series.dataset'),
    member(108, 'series_unit', 'string', 'series.unit'),
    member(109, 'series_seasonal_adjustment', 'string', 'series.seasonal_adjustment'),
    member(110, 'series_annualization', 'string', 'series.annualization'),
    member(111, 'series_base_period', 'string', 'series.base_period'),
    member(112, 'series_base_value', 'decimal', 'series.base_value'),
    member(113, 'series_derivation', 'string', 'series.derivation'),
    member(114, 'period'),
    member(115, 'value', 'decimal', 'figures.value'),
    member(116, 'figures', 'map<string, decimal>'),
    member(117, 'published', 'map<string, string>'),
    member(118, 'revises'),
    member(119, 'released_on', 'date'),
    member(120, 'released_on_basis'),
    member(121, 'recorded_at', 'timestamp'),
    member(122, 'provenance_publisher', 'string', 'provenance.publisher'),
    member(123, 'provenance_url', 'string', 'provenance.url'),
    member(124, 'provenance_licence', 'string', 'provenance.licence'),
    member(125, 'provenance_retrieved_at', 'timestamp', 'provenance.retrieved_at'),
    member(126, 'provenance_sha256', 'string', 'provenance.sha256'),
    member(127, 'provenance_location', 'string', 'provenance.location'),
    member(129, 'provenance_copy_holder', 'string', 'provenance.copy.holder'),
    member(130, 'provenance_copy_url', 'string', 'provenance.copy.url'),
    member(131, 'provenance_copy_revision', 'string', 'provenance.copy.revision'),
    member(132, 'provenance_copy_held_on', 'date', 'provenance.copy.held_on'),
    member(133, 'provenance_copy_is_transcribed', 'boolean', 'provenance.copy.is_transcribed'),
    member(134, 'provenance_file_name', 'string', 'provenance.file.name'),
    member(135, 'provenance_file_sha256', 'string', 'provenance.file.sha256'),
    member(128, 'inputs', 'list<string>'),
    member(136, 'late', 'boolean'),
    member(137, 'redates'),
    member(138, 'approval_held_for', 'string', 'approval.held_for'),
    member(139, 'approval_because', 'string', 'approval.because'),
    member(140, 'approval_input_id', 'string', 'approval.input_id'),
    member(141, 'voids'),
  ],
  ticks: [
    member(101, 'kind'),
    member(102, 'symbol'),
    member(103, 'source'),
    member(104, 'price', 'decimal'),
    member(105, 'observed_at', 'timestamp'),
    member(106, 'recorded_at', 'timestamp'),
    member(107, 'url'),
  ],
  price_history: [
    member(101, 'symbol'),
    member(102, 'source'),
    member(103, 'observed_at', 'timestamp'),
    member(104, 'price', 'decimal'),
    member(105, 'restates', 'decimal'),
    member(106, 'released_on', 'date'),
    member(107, 'released_on_basis'),
    member(108, 'recorded_at', 'timestamp'),
    member(109, 'dataset'),
    member(110, 'url'),
    member(111, 'sha256'),
    member(112, 'location'),
  ],
  newest_prices: [
    member(101, 'symbol'),
    member(102, 'source'),
    member(103, 'price', 'decimal'),
    member(104, 'observed_at', 'timestamp'),
  ],
  standings: [
    member(101, 'kind'),
    member(102, 'symbol'),
    member(103, 'source'),
    member(104, 'lapse_source', 'string', 'lapse.source'),
    member(105, 'lapse_heard_at', 'timestamp', 'lapse.heard_at'),
    member(106, 'lapse_since', 'timestamp', 'lapse.since'),
    member(107, 'signal'),
    member(108, 'recorded_at', 'timestamp'),
  ],
  signals: [
    member(101, 'signal_id'),
    member(102, 'key'),
    member(103, 'type'),
    member(104, 'family'),
    member(105, 'country'),
    member(106, 'subject'),
    member(107, 'time', 'timestamp'),
    member(108, 'dataschema'),
    member(109, 'data'),
  ],
  events: [
    member(101, 'sequence', 'long'),
    member(102, 'id'),
    member(103, 'type'),
    member(104, 'source'),
    member(105, 'family'),
    member(106, 'country'),
    member(107, 'subject'),
    member(108, 'time', 'timestamp'),
    member(109, 'dataschema'),
    member(110, 'data'),
  ],
  quotes: [
    member(101, 'symbol'),
    member(102, 'price', 'decimal'),
    member(103, 'source'),
    member(104, 'observed_at', 'timestamp'),
    member(105, 'stale', 'boolean'),
    member(106, 'tick_partition', 'long'),
    member(107, 'tick_offset', 'long'),
    member(108, 'state'),
  ],
  sessions: [
    member(101, 'market'),
    member(102, 'market_session'),
    member(103, 'since', 'timestamp'),
    member(104, 'tick_partition', 'long'),
    member(105, 'tick_offset', 'long'),
  ],
  calendar: [
    member(101, 'change'),
    member(102, 'country'),
    member(103, 'indicator'),
    member(104, 'period'),
    member(105, 'series'),
    member(106, 'expected_on', 'date'),
    member(109, 'expected_on_basis'),
    member(110, 'expected_at', 'timestamp'),
    member(107, 'reason'),
    member(108, 'recorded_at', 'timestamp'),
  ],
  release_dates: [
    member(101, 'calendar'),
    member(102, 'release'),
    member(103, 'covers', 'list<string>'),
    member(104, 'dates', 'list<string>'),
    member(105, 'times', 'list<string>'),
    member(106, 'url'),
    member(107, 'sha256'),
    member(108, 'retrieved_at', 'timestamp'),
    member(109, 'recorded_at', 'timestamp'),
  ],
  fetches: [member(101, 'source'), member(102, 'dataset'), member(103, 'fetched_at', 'timestamp')],
  predictions: [
    member(101, 'country'),
    member(102, 'indicator'),
    member(103, 'figure'),
    member(104, 'period'),
    member(105, 'value', 'decimal'),
    member(106, 'lower', 'decimal'),
    member(107, 'upper', 'decimal'),
    member(108, 'unit'),
    member(109, 'method'),
    member(110, 'computed', 'boolean'),
    member(111, 'made_at', 'timestamp'),
    member(112, 'scored_period', 'string', 'scored.period'),
    member(113, 'scored_value', 'decimal', 'scored.value'),
    member(114, 'scored_actual', 'decimal', 'scored.actual'),
    member(115, 'scored_error', 'decimal', 'scored.error'),
    member(116, 'scored_within', 'boolean', 'scored.within'),
  ],
  access: [
    member(101, 'key_id'),
    member(102, 'hash'),
    member(103, 'plan'),
    member(104, 'owner'),
    member(105, 'origins', 'list<string>'),
    member(106, 'status'),
    member(107, 'created_at', 'timestamp'),
    member(108, 'expires_at', 'timestamp'),
    member(109, 'replaced_by'),
    member(110, 'account'),
    member(111, 'kind'),
    member(112, 'parent'),
  ],
  quarantine: [
    member(101, 'input_id'),
    member(102, 'source'),
    member(103, 'dataset'),
    member(104, 'url'),
    member(105, 'reason'),
    member(106, 'detail'),
    member(107, 'location'),
    member(108, 'retrieved_at', 'timestamp'),
    member(109, 'recorded_at', 'timestamp'),
    member(110, 'sha256'),
    member(111, 'part', 'long'),
    member(112, 'parts', 'long'),
    member(113, 'bytes', 'bytes'),
  ],
}

/** All columns of a topic's table, in order. */
export const tableColumns = (topic: Topic): readonly TableColumn[] => [...recordColumns, ...memberColumns[topic]]
