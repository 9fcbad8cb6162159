-- The public event journal, one row an event, in journal order.
--
-- Sorted by sequence: a page is one read from its cursor on. Filters need no index of their own: country, family and type
-- are a byte or two a row, so a million rows are looked through in milliseconds, faster than set indexes were (tried).
-- A single event is found by its id through the bloom filter.
CREATE TABLE IF NOT EXISTS {table:Identifier}
(
  sequence UInt64,
  id String,
  type LowCardinality(String),
  source LowCardinality(String),
  family LowCardinality(String),
  country LowCardinality(Nullable(String)),
  subject String,
  time DateTime64(3, 'UTC'),
  dataschema LowCardinality(String),
  data String CODEC(ZSTD(1)),
  recorded_at DateTime64(3, 'UTC'),
  -- Day of the release that caused the event, ISO 8601; empty for other events, and for those of releases up to 0.3.
  released_on LowCardinality(String),

  _partition UInt16,
  _offset UInt64,
  _index UInt16,
  _marker Bool,

  INDEX by_id id TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = ReplacingMergeTree
ORDER BY (sequence, _partition, _offset, _index)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1
