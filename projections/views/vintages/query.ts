import type { ClickHouseClient } from '@clickhouse/client'
import type { Provenance, Release, Series } from '../../../contracts/records.ts'
import { read, stream } from '../read.ts'

/** A history as it stood when the release at `snapshot` was the newest of its series. */
type HistoryRange = {
  /** Journal offset; later releases are left out. */
  readonly snapshot: number
  /** The last period already read. */
  readonly after?: string | undefined
  /** First and last period, inclusive, at the series' own frequency. */
  readonly start?: string | undefined
  readonly end?: string | undefined
  readonly limit: number
}

/** A current release and its journal offset. */
type CurrentRelease = { readonly offset: number; readonly release: Release }

const short = { seconds: 5, megabytes: 500, rows: 10_000 }
const whole = { seconds: 300, megabytes: 2_000, rows: 50_000_000 }

const HISTORY = `
SELECT period, figures['value'] AS value
FROM vintages
WHERE series = {series:String} AND _offset <= {snapshot:UInt64}
  AND period > {after:String} AND period >= {start:String} AND (period <= {end:String} OR {end:String} = '')
ORDER BY period, _offset DESC
LIMIT 1 BY period
LIMIT {limit:UInt32}`

const NEWEST = `
SELECT _offset AS offset, recorded_at AS recordedAt
FROM vintages
WHERE series = {series:String}
ORDER BY _offset DESC
LIMIT 1`

const RECORDED_AT = `
SELECT recorded_at AS recordedAt
FROM vintages
WHERE series = {series:String} AND _offset = {offset:UInt64}
LIMIT 1`

const WATERMARK = 'SELECT count() AS rows, max(_offset) AS offset FROM vintages'

/** Reads backwards along the sorting key, so that ClickHouse reads in order and needs little memory. */
const CURRENT = `
SELECT * FROM vintages
WHERE NOT _marker
ORDER BY series DESC, period DESC, _partition DESC, _offset DESC, _index DESC
LIMIT 1 BY series, period`

/** A scan of one column, because releases are sorted by series. The other columns are read only where an id matches. */
const BY_IDS = `
SELECT * FROM vintages
PREWHERE release_id IN {ids:Array(String)}
WHERE NOT _marker`

const REVISION_OF = `
SELECT release_id AS releaseId FROM vintages
WHERE series = {series:String} AND period = {period:String} AND revises = {id:String} AND NOT _marker
LIMIT 1`

export type VintageQueries = ReturnType<typeof vintageQueries>

/** Queries of the vintages. Each throws the problem `unavailable` if ClickHouse is unavailable or too busy. */
export const vintageQueries = (client: ClickHouseClient) => ({
  /** Returns the figures of a series in period order: for each period the newest release up to the snapshot. */
  exportsHistory: async (series: string, { snapshot, after = '', start = '', end = '', limit }: HistoryRange) => ({
    rows: await read<{ period: string; value: string }>(
      client,
      HISTORY,
      { series, snapshot, after, start, end, limit },
      short,
    ),
  }),

  /** Returns the newest release of a series; undefined if it has none. */
  async snapshotOf(series: string): Promise<{ offset: number; recordedAt: string } | undefined> {
    const [newest] = await read<{ offset: number; recordedAt: string }>(client, NEWEST, { series }, short)
    return newest
  },

  /** Returns when the release of a series at a journal offset was recorded; undefined if there is none. */
  async recordedAt(series: string, offset: number): Promise<string | undefined> {
    const [release] = await read<{ recordedAt: string }>(client, RECORDED_AT, { series, offset }, short)
    return release?.recordedAt
  },

  /** Returns the table's greatest journal offset; undefined if the table is empty. */
  async watermark(): Promise<number | undefined> {
    const [table] = await read<{ rows: number; offset: number }>(client, WATERMARK, {}, short)
    return table && table.rows > 0 ? table.offset : undefined
  },

  /** Returns the releases with these ids, current or revised, in no order. Unknown ids are left out. */
  async byIds(ids: readonly string[]): Promise<Release[]> {
    const rows = await read<VintageRow>(client, BY_IDS, { ids }, short)
    return rows.map((row) => {
      const provenance = row.retrieved_at === null ? null : provenanceOfRow(row, row.retrieved_at)
      return releaseOfRow(row, seriesOfRow(row), provenance)
    })
  },

  /** Returns the id of the release that revised this one; undefined if there is none. */
  async revisionOf({ series, period, release_id }: Release): Promise<string | undefined> {
    const [revision] = await read<{ releaseId: string }>(
      client,
      REVISION_OF,
      { series: series.id, period, id: release_id },
      short,
    )
    return revision?.releaseId
  },

  /** Yields the newest release of every series and period with its offset. The greatest offset is the watermark. */
  async *currentReleases(): AsyncGenerator<CurrentRelease> {
    let series: Series | null = null
    let provenance: Provenance | null = null
    for await (const row of stream<VintageRow>(client, CURRENT, {}, whole)) {
      // Neighbouring rows share these objects, so that 100,000 releases don't hold as many copies.
      series = same(series, seriesOfRow(row))
      provenance = row.retrieved_at === null ? null : same(provenance, provenanceOfRow(row, row.retrieved_at))
      yield { offset: row._offset, release: releaseOfRow(row, series, provenance) }
    }
  },
})

type VintageRow = Omit<Release, 'series' | 'provenance'> &
  Omit<Series, 'id'> &
  Omit<Provenance, 'retrieved_at'> & {
    readonly series: string
    readonly retrieved_at: string | null
    readonly _offset: number
  }

const releaseOfRow = (row: VintageRow, series: Series, provenance: Provenance | null): Release => ({
  release_id: row.release_id,
  series,
  period: row.period,
  figures: row.figures,
  published: row.published,
  revises: row.revises,
  released_on: row.released_on,
  released_on_basis: row.released_on_basis,
  recorded_at: row.recorded_at,
  provenance,
  inputs: row.inputs,
})

const seriesOfRow = (row: VintageRow): Series => ({
  id: row.series,
  indicator: row.indicator,
  country: row.country,
  frequency: row.frequency,
  source: row.source,
  dataset: row.dataset,
  unit: row.unit,
  seasonal_adjustment: row.seasonal_adjustment,
  annualization: row.annualization,
  base_period: row.base_period,
  base_value: row.base_value,
  derivation: row.derivation,
})

const provenanceOfRow = (row: VintageRow, retrieved_at: string): Provenance => ({
  publisher: row.publisher,
  url: row.url,
  licence: row.licence,
  retrieved_at,
  sha256: row.sha256,
  location: row.location,
})

/** Returns `before` if it is equal to `now`, so that one copy is kept. */
const same = <T extends Readonly<Record<string, unknown>>>(before: T | null, now: T): T =>
  before && Object.keys(now).every((member) => before[member] === now[member]) ? before : now
