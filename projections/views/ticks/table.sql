-- Every price as a source gave it, one row per tick, for two to three months. Candles are made from it and kept for ever.
--
-- Sorted by symbol and the source's own time, so that a symbol over a time range is one short read. A symbol has one
-- journal partition, so within it the place in the journal is the order of arrival. `by_place` finds what was added last.
--
-- `price` is the canonical decimal as it was accepted, any length, zeros that end it included; `value` is the same for
-- arithmetic in SQL and takes no room: exact to 38 digits before and 38 behind the point, NULL where a price is larger.
--
-- A month of appending is dropped once all its rows are older than the TTL. That is twice the journal's longest
-- retention: a shorter one could drop the watermark of a quiet partition while the journal still has later records.
CREATE TABLE IF NOT EXISTS {table:Identifier}
(
  symbol LowCardinality(String),
  source LowCardinality(String),
  price String CODEC(ZSTD(1)),
  value Nullable(Decimal(76, 38)) ALIAS toDecimal256OrNull(price, 38),
  observed_at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  appended_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  url LowCardinality(String),

  _partition UInt16 CODEC(ZSTD(1)),
  _offset UInt64 CODEC(Delta, ZSTD(1)),
  _index UInt16 CODEC(ZSTD(1)),
  _marker Bool CODEC(ZSTD(1)),

  INDEX by_place (_partition, _offset) TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(appended_at)
ORDER BY (symbol, observed_at, _partition, _offset, _index)
TTL toDateTime(appended_at, 'UTC') + INTERVAL 60 DAY
SETTINGS ttl_only_drop_parts = 1,
  non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1
