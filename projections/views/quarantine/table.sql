-- Rejected inputs, one row each. Their bytes stay in the journal, at `_offset` and the offsets after it.
CREATE TABLE IF NOT EXISTS {table:Identifier}
(
  source LowCardinality(String),
  reason LowCardinality(String),
  input_id String,
  dataset LowCardinality(String),
  url LowCardinality(String),
  detail String,
  location String,
  retrieved_at DateTime64(3, 'UTC'),
  recorded_at DateTime64(3, 'UTC'),
  sha256 LowCardinality(String),
  parts UInt32,

  _partition UInt16,
  _offset UInt64,
  _index UInt16,
  _marker Bool
)
ENGINE = ReplacingMergeTree
ORDER BY (source, reason, _partition, _offset, _index)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1
