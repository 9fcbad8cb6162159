import type { ClickHouseClient } from '@clickhouse/client'
import type { Release } from '../../../contracts/records.ts'
import { read } from '../read.ts'
import type { EstimatedDays } from '../vintages/estimated-days.ts'
import { type ReleaseRow, releaseOfRow } from '../vintages/row.ts'

/** A country's prints are a few thousand, and a reader in memory needs all of them. */
const cost = { seconds: 8, megabytes: 1_000, rows: 1_000_000 }

const CELLS = `
SELECT indicator, arraySort(groupUniqArray(toString(country))) AS countries FROM vintages
WHERE NOT _marker AND released_on <= {day:String} AND voids IS NULL AND release_id NOT IN (
  SELECT assumeNotNull(coalesce(redates, voids)) FROM vintages WHERE redates IS NOT NULL OR voids IS NOT NULL
)
GROUP BY indicator`

/** FINAL leaves out rows that were written twice. */
const PUBLISHED = `
SELECT * FROM vintages FINAL
WHERE series > {from:String} AND series < {to:String} AND released_on <= {day:String} AND voids IS NULL
  AND release_id NOT IN (
    SELECT assumeNotNull(coalesce(redates, voids)) FROM vintages
    WHERE series > {from:String} AND series < {to:String} AND (redates IS NOT NULL OR voids IS NOT NULL)
  )
ORDER BY released_on, _offset`

/** Later than every date. */
const NO_END = '9999-12-31'

export type PublishedQueries = ReturnType<typeof publishedQueries>

/**
 * Queries of what was published by a day, YYYY-MM-DD, by the best date of each print, also by estimated ones if they are given.
 * Each throws the problem `unavailable` if ClickHouse is unavailable or too busy.
 */
export const publishedQueries = (client: ClickHouseClient, day: string, estimated?: EstimatedDays) => {
  /** Returns the countries with a release by the day, in the order of their codes, by indicator. */
  async function cells(): Promise<ReadonlyMap<string, readonly string[]>> {
    const query = (await estimated?.putInto(CELLS, {})) ?? CELLS
    const rows = await read<{ indicator: string; countries: string[] }>(client, query, { day }, cost)
    return new Map(rows.map(({ indicator, countries }) => [indicator, countries]))
  }

  /**
   * Returns the releases of a country in the order of their dates, those of one day in that of the journal. Left out are those
   * that another record voids or redates, and the records that void one.
   */
  async function releases(country: string): Promise<Release[]> {
    const range = { from: `${country}.`, to: `${country}/`, day: estimated ? NO_END : day }
    const recorded = (await read<ReleaseRow>(client, PUBLISHED, range, cost)).map(releaseOfRow)
    if (!estimated) return recorded
    const days = await estimated.of([country])
    return recorded
      .map((release) => datedBy(days.get(release.release_id), release))
      .filter(({ released_on }) => released_on <= day)
      .sort((a, b) => (a.released_on < b.released_on ? -1 : a.released_on > b.released_on ? 1 : 0))
  }

  return { cells, releases }
}

const datedBy = (estimate: string | undefined, release: Release): Release =>
  estimate === undefined ? release : { ...release, released_on: estimate, released_on_basis: 'estimated' }
