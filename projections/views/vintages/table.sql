-- Every release that was ever accepted, one row each; rows are only ever added. A revision is a row of its own.
--
-- Sorted by series and period, so that a series' history is one short read and the vintages of a figure lie together.
-- A current figure is that of the newest row that is not late: `late` says that a later print was on record already.
-- In the order of publication, prints are sorted by `released_on`, then `_offset`. Those that a `redates` names are left
-- out, because another row has the same figures and a better date. So are derived ones that a `voids` names, which
-- never were true, and the rows with a `voids` themselves. A row without figures withdraws them. The place in the
-- journal ends the key: no two releases ever replace each other, and only a row that was written twice (which takes two
-- projectors at once) is merged into one.
--
-- `released_on` is ISO 8601 text, which sorts as dates do, because publishers' dates reach further back than Date32.
-- Not approved by a person: `approval_held_for` is NULL. No provenance: `publisher` is NULL; no copy: `copy_holder` is
-- NULL; no file: `file_name` is NULL. What is not known of a document is NULL or empty.
--
-- What was published by a day:
--   SELECT period, figures['value'] FROM vintages
--   WHERE series = 'USA.inflation.M.…' AND released_on < '2026-03-01' AND NOT _marker
--     AND voids IS NULL AND release_id NOT IN (SELECT assumeNotNull(coalesce(redates, voids)) FROM vintages
--       WHERE series = 'USA.inflation.M.…' AND (redates IS NOT NULL OR voids IS NOT NULL))
--   ORDER BY period, released_on DESC, _offset DESC LIMIT 1 BY period
-- How a figure was revised:
--   SELECT released_on, figures['value'] FROM vintages WHERE series = '…' AND period = '2025-11'
--     AND voids IS NULL AND release_id NOT IN (SELECT assumeNotNull(coalesce(redates, voids)) FROM vintages
--       WHERE series = '…' AND (redates IS NOT NULL OR voids IS NOT NULL))
--   ORDER BY released_on, _offset
CREATE TABLE IF NOT EXISTS {table:Identifier}
(
  series LowCardinality(String),
  period LowCardinality(String),
  release_id String,
  revises Nullable(String),
  figures Map(LowCardinality(String), String),
  published Map(LowCardinality(String), String),
  released_on LowCardinality(String),
  released_on_basis LowCardinality(String),
  recorded_at DateTime64(3, 'UTC'),
  inputs Array(String),
  late Bool,
  redates Nullable(String),
  voids Nullable(String),
  approval_held_for LowCardinality(Nullable(String)),
  approval_because LowCardinality(String),
  approval_input_id LowCardinality(String),

  indicator LowCardinality(String),
  country LowCardinality(String),
  frequency LowCardinality(String),
  source LowCardinality(String),
  dataset LowCardinality(String),
  unit LowCardinality(String),
  seasonal_adjustment LowCardinality(String),
  annualization LowCardinality(String),
  base_period LowCardinality(String),
  base_value LowCardinality(String),
  derivation LowCardinality(String),

  publisher LowCardinality(Nullable(String)),
  url LowCardinality(String),
  licence LowCardinality(String),
  retrieved_at Nullable(DateTime64(3, 'UTC')),
  sha256 LowCardinality(String),
  location String,
  copy_holder LowCardinality(Nullable(String)),
  copy_url LowCardinality(Nullable(String)),
  copy_revision LowCardinality(Nullable(String)),
  copy_held_on LowCardinality(Nullable(String)),
  copy_is_transcribed Bool,
  file_name LowCardinality(Nullable(String)),
  file_sha256 LowCardinality(String),

  _partition UInt16,
  _offset UInt64,
  _index UInt16,
  _marker Bool
)
ENGINE = ReplacingMergeTree
ORDER BY (series, period, _partition, _offset, _index)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1
