-- Prices of a symbol and source by the minute of the source's own time: first, highest, lowest and last, and how many.
-- Kept for ever, long after their ticks have gone.
--
-- A candle is written anew, as a whole, whenever ticks of its minute arrive, also late ones. `_offset` is the journal
-- offset up to which it counts ticks. The row with the greatest `_offset` wins, so read the table with FINAL. A row with
-- symbol '' holds the position of a journal partition, and stands in the same block as the candles up to it.
--
-- Prices are canonical decimals as they were accepted. `first_at`, `first_offset` and so on are the places of the first
-- and last tick, in the source's time and, within a millisecond, in order of arrival.
CREATE TABLE IF NOT EXISTS {table:Identifier}
(
  symbol LowCardinality(String),
  source LowCardinality(String),
  minute DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  open String CODEC(ZSTD(1)),
  high String CODEC(ZSTD(1)),
  low String CODEC(ZSTD(1)),
  close String CODEC(ZSTD(1)),
  ticks UInt64 CODEC(T64, ZSTD(1)),
  first_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  first_offset UInt64 CODEC(Delta, ZSTD(1)),
  last_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  last_offset UInt64 CODEC(Delta, ZSTD(1)),

  _partition UInt16 CODEC(ZSTD(1)),
  _offset UInt64 CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(_offset)
ORDER BY (symbol, source, minute, _partition)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1
