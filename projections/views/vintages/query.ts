import type { ClickHouseClient } from '@clickhouse/client'
import type { Release } from '../../../contracts/records.ts'
import { type AnswerFrom, type AnsweringPrint, answersOverTime } from '../../../domain/answers-over-time.ts'
import type { HistoryPosition } from '../../../domain/history-cursor.ts'
import type { KnownSeries } from '../../../domain/history-row.ts'
import { latest } from '../../../domain/instant.ts'
import type { PrintInForce } from '../../../domain/panel.ts'
import { seriesRange } from '../../../domain/series.ts'
import type { QueryParams } from '../../clickhouse.ts'
import { type Cost, read } from '../read.ts'
import type { EstimatedDays } from './estimated-days.ts'
import { type ReleaseRow, releaseOfRow } from './row.ts'

/** A part of a history, as it stood when the release at `snapshot` was the newest of its series. */
type HistoryRange = {
  /** Ids of the series, best first. A period is answered by the first of them that has all needed figures, or else by the first. */
  readonly series: readonly string[]
  /** The figures to read, in their order. */
  readonly figures: readonly string[]
  /** Those without which the indicator has no body. */
  readonly needed: readonly string[]
  /** Journal offset; later releases are left out. */
  readonly snapshot: number
  /** First and last period, inclusive, at the series' own frequency; empty: no bound. */
  readonly start: string
  readonly end: string
  /** The last entry already read. */
  readonly after: HistoryPosition | null
  readonly limit: number
  /** Whether the newest period comes first. Observations only. */
  readonly isNewestFirst?: boolean
  /** Only this print of each figure, counted from 1, if it was the answer by `asOf` (YYYY-MM-DD; empty: now). Vintages only. */
  readonly print?: number
  readonly asOf?: string
}

/** One figure of a period. `number` is the place of the figure in `figures`, and `place` that of its series in `series`, from 1. */
type FigureRow = Pick<Release, 'period' | 'released_on' | 'released_on_basis'> & {
  readonly number: number
  readonly place: number
  readonly value: string
}

/** A print of a period. `place` is that of its series in `series`, from 1. */
type PrintRow = AnsweringPrint &
  Pick<Release, 'period' | 'release_id' | 'revises' | 'released_on_basis' | 'recorded_at'>

/** A figure from a day on; null if nothing answers it from then on. */
type VintageOfFigure = Omit<FigureRow, 'value'> & { readonly value: string | null; readonly valid_from: string } & Pick<
    PrintRow,
    'release_id' | 'revises' | 'recorded_at' | 'offset'
  >

/** Ids of series, the journal offset beyond which nothing is read, and the periods. */
type PeriodsOfSeries = Pick<HistoryRange, 'series' | 'snapshot'> & { readonly periods: readonly string[] }

type Successor = { readonly releaseId: string; readonly isVoiding: boolean }

const short = { seconds: 5, megabytes: 500, rows: 10_000 }
/** A panel of 100,000 figures, and what other series have of the same periods. */
const wide = { seconds: 8, megabytes: 500, rows: 500_000 }
/** Most rows of one history, plus one that shows that there are more. */
const long = { seconds: 15, megabytes: 500, rows: 100_001 }

const seriesQuery = (which: string) => `
SELECT
  series AS id, indicator, country, frequency, source, dataset, unit, seasonal_adjustment, annualization,
  base_period, base_value, derivation,
  minIf(released_on, isPrint) AS firstReleasedOn, max(_offset) AS newest,
  argMaxIf(recorded_at, _offset, isPrint OR {until:String} = '') AS recordedAt
FROM (
  SELECT *, voids IS NULL AND release_id NOT IN (
    SELECT assumeNotNull(coalesce(redates, voids)) FROM vintages
    WHERE ${which} AND _offset <= {snapshot:UInt64} AND (redates IS NOT NULL OR voids IS NOT NULL)
  ) AND (released_on <= {until:String} OR {until:String} = '') AS isPrint
  FROM vintages
  WHERE ${which} AND _offset <= {snapshot:UInt64}
)
GROUP BY ALL
HAVING countIf(isPrint) > 0
ORDER BY id`
const SERIES = seriesQuery('series > {from:String} AND series < {to:String}')
const SERIES_OF_MANY = seriesQuery('country IN {countries:Array(String)} AND indicator IN {indicators:Array(String)}')

const IN_RANGE = `
series IN {series:Array(String)} AND _offset <= {snapshot:UInt64}
  AND period >= {start:String} AND (period <= {end:String} OR {end:String} = '')
  AND (released_on <= {until:String} OR {until:String} = '')`

/** Leaves out prints whose date another one corrects, those that are voided, and the records that void them. */
const IN_PLACE = `
voids IS NULL AND release_id NOT IN (
  SELECT assumeNotNull(coalesce(redates, voids)) FROM vintages
  WHERE series IN {series:Array(String)} AND _offset <= {snapshot:UInt64} AND (redates IS NOT NULL OR voids IS NOT NULL)
)`

/**
 * The print in force of each series and period: the one released last, of those of one day the one read last. A series whose
 * figures were withdrawn does not answer the period. Aggregates, so that memory is that of the periods and not of their
 * vintages.
 */
const inForce = (periods: string) => `
SELECT series, period, argMax((figures, released_on, released_on_basis), (released_on, _offset)) AS print
FROM vintages
WHERE ${IN_RANGE} AND ${periods} AND (released_on <= {asOf:String} OR {asOf:String} = '') AND ${IN_PLACE}
GROUP BY series, period
HAVING notEmpty(print.1)`
const IN_FORCE = `
SELECT
  period, indexOf({series:Array(String)}, series) AS place, print.1 AS figures, print.2 AS released_on,
  print.3 AS released_on_basis
FROM (${inForce('1')})
ORDER BY place, period`

/** The inner limit is one more, because all figures of the first period may have been read. */
const observations = ({ comparison, order }: { readonly comparison: '>=' | '<='; readonly order: 'ASC' | 'DESC' }) => `
SELECT
  period, number, current.1[figure] AS value, current.2 AS released_on, current.3 AS released_on_basis, rank.2 AS place
FROM (
  SELECT
    period, min((NOT hasAll(mapKeys(print.1), {needed:Array(String)}), indexOf({series:Array(String)}, series))) AS rank,
    argMin(print, (NOT hasAll(mapKeys(print.1), {needed:Array(String)}), indexOf({series:Array(String)}, series))) AS current
  FROM (${inForce(`(period ${comparison} {afterPeriod:String} OR {afterPeriod:String} = '')`)})
  GROUP BY period
  ORDER BY period ${order}
  LIMIT {limit:UInt32} + 1
)
ARRAY JOIN {figures:Array(String)} AS figure, arrayEnumerate({figures:Array(String)}) AS number
WHERE mapContains(current.1, figure) AND (period != {afterPeriod:String} OR number > {afterNumber:UInt8})
ORDER BY period ${order}, number
LIMIT {limit:UInt32}`
const OLDEST_FIRST = observations({ comparison: '>=', order: 'ASC' })
const NEWEST_FIRST = observations({ comparison: '<=', order: 'DESC' })

/** FINAL leaves out rows that were written twice. The order with a limit needs only the memory of the block. */
const PRINTS = `
SELECT
  period, indexOf({series:Array(String)}, series) AS place, figures, release_id, revises, released_on,
  released_on_basis, recorded_at, _offset AS offset
FROM vintages FINAL
WHERE ${IN_RANGE} AND period >= {fromPeriod:String} AND ${IN_PLACE}
  AND (period IN {periods:Array(String)} OR empty({periods:Array(String)}))
  AND (period, released_on, _offset) > ({fromPeriod:String}, {fromDate:String}, {fromOffset:UInt64})
ORDER BY period, released_on, _offset
LIMIT {limit:UInt32}`

/** Prints that are read at a time: most pages need one block, and a long list does not stand in memory twice. */
const BLOCK = { least: 1_000, most: 25_000 }

const WATERMARK = 'SELECT count() AS rows, max(_offset) AS offset FROM vintages'

/** A scan of one column, because releases are sorted by series. The other columns are read only where an id matches. */
const BY_IDS = `
SELECT * FROM vintages
PREWHERE release_id IN {ids:Array(String)}
WHERE NOT _marker`

/** As of a day, what was never true then is unknown: records that another one voids or redates, and those that void. */
const BY_IDS_UNTIL = `${BY_IDS} AND released_on <= {until:String} AND voids IS NULL AND release_id NOT IN (
  SELECT assumeNotNull(coalesce(redates, voids)) FROM vintages
  WHERE redates IN {ids:Array(String)} OR voids IN {ids:Array(String)}
)`

const IDS_OF = `
SELECT release_id AS id FROM vintages
WHERE series > {from:String} AND series < {to:String} AND period = {period:String} AND NOT _marker
  AND (released_on <= {until:String} OR {until:String} = '')`

/** The record that took the place of a print: one that voids it, one with a better date, or else the next by date. */
const SUCCESSOR = `
SELECT release_id AS releaseId, coalesce(voids, '') = {id:String} AS isVoiding FROM vintages
WHERE series = {series:String} AND period = {period:String} AND NOT _marker AND release_id != {id:String}
  AND (released_on <= {until:String} OR {until:String} = '')
  AND (coalesce(redates, voids) = {id:String} OR voids IS NULL AND (released_on, _offset) > (
    SELECT released_on, _offset FROM vintages
    WHERE series = {series:String} AND period = {period:String} AND release_id = {id:String} LIMIT 1
  ))
  AND (coalesce(redates, voids) = {id:String} OR release_id NOT IN (
    SELECT assumeNotNull(coalesce(redates, voids)) FROM vintages
    WHERE series = {series:String} AND period = {period:String} AND (redates IS NOT NULL OR voids IS NOT NULL)
  ))
ORDER BY coalesce(redates, voids, '') = {id:String} DESC, released_on, _offset
LIMIT 1`

export type VintageQueries = ReturnType<typeof vintageQueries>

/**
 * Queries of the vintages. Each throws the problem `unavailable` if ClickHouse is unavailable or too busy.
 *
 * @param until nothing that was released after this day, YYYY-MM-DD, is read; empty: everything is
 * @param estimated the days in place of dates that are no evidence of a publication
 */
export const vintageQueries = (client: ClickHouseClient, until = '', estimated?: EstimatedDays) => {
  const recorded: Ask = (query, params, cost) => read(client, query, params, cost)
  const byDates: Ask = estimated
    ? async (query, params, cost) => recorded(await estimated.putInto(query, params), params, cost)
    : recorded
  return { ...queriesBy(byDates, until), watermark: () => watermark(recorded) }
}

/** Reads rows, by the dates on record or by estimated ones. */
type Ask = <R>(query: string, params: QueryParams, cost: Cost) => Promise<R[]>

/** Returns the table's greatest journal offset; undefined if the table is empty. */
async function watermark(ask: Ask): Promise<number | undefined> {
  const [table] = await ask<{ rows: number; offset: number }>(WATERMARK, {}, short)
  return table && table.rows > 0 ? table.offset : undefined
}

const queriesBy = (ask: Ask, until: string) => ({
  /** Returns the series of a country and indicator that have a release up to an offset. */
  series: (country: string, indicator: string, snapshot: number): Promise<KnownSeries[]> =>
    ask(SERIES, { ...seriesRange(country, indicator), snapshot, until }, short),

  /** Returns the series of any of the countries and any of the indicators that have a release. */
  seriesOfMany: (countries: readonly string[], indicators: readonly string[]): Promise<KnownSeries[]> =>
    ask(SERIES_OF_MANY, { countries, indicators, snapshot: Number.MAX_SAFE_INTEGER, until }, short),

  /**
   * Returns the print in force of each series and period, without those that withdrew their figures, in the order of the series
   * and then of periods.
   */
  inForce: (range: Pick<HistoryRange, 'series' | 'snapshot' | 'start' | 'end'> & { readonly asOf: string }) =>
    ask<PrintInForce>(IN_FORCE, { ...range, until }, wide),

  /**
   * Returns the figures of a history in the order of periods, or newest first. A period has its newest print, or with `asOf`
   * (YYYY-MM-DD) the newest of those that were released by that day.
   */
  observations: (range: HistoryRange & { readonly asOf: string }): Promise<FigureRow[]> =>
    ask(range.isNewestFirst ? NEWEST_FIRST : OLDEST_FIRST, { ...paramsOf(range), asOf: range.asOf, until }, long),

  /**
   * Returns the answers for the figures of a history over time, by period, figure and day. Undefined if `after` is none of
   * them.
   */
  async vintages(range: HistoryRange): Promise<VintageOfFigure[] | undefined> {
    const { after, limit } = range
    const entries: VintageOfFigure[] = []
    for await (const prints of wholePeriods(ask, range, until)) {
      const answers = answersOverTime(prints, range)
      const isAfter = after !== null && prints[0]?.period === after.period
      const index = answers.findIndex(({ number, offset }) => number === after?.figure && offset === after.offset)
      if (isAfter && index < 0) return undefined
      for (const answer of isAfter ? answers.slice(index + 1) : answers) entries.push(vintageOf(answer))
      if (entries.length >= limit) return entries.slice(0, limit)
    }
    return entries
  },

  /**
   * Returns the prints of any of the periods and series, in the order of periods and of their dates. One row more than the cost
   * allows is asked for, so that too many are refused and not cut.
   */
  prints: ({ series, snapshot, periods }: PeriodsOfSeries): Promise<PrintRow[]> => {
    const cost = periods.length === 1 ? short : wide
    const [start = ''] = [...periods].sort()
    const from = { fromPeriod: '', fromDate: '', fromOffset: 0, limit: cost.rows + 1 }
    return ask(PRINTS, { series, snapshot, start, end: latest(...periods), periods, ...from, until }, cost)
  },

  /** Returns the releases with these ids, current or revised, in no order. Unknown ids are left out. */
  async byIds(ids: readonly string[]): Promise<Release[]> {
    const rows = await ask<ReleaseRow>(until === '' ? BY_IDS : BY_IDS_UNTIL, { ids, until }, short)
    return rows.map(releaseOfRow)
  },

  /** Returns the id of the release that took the place of this one, and whether it voids it; undefined if there is none. */
  async successorOf({ series, period, release_id }: Release): Promise<Successor | undefined> {
    const [successor] = await ask<{ releaseId: string; isVoiding: boolean | number }>(
      SUCCESSOR,
      { series: series.id, period, id: release_id, until },
      short,
    )
    return successor && { releaseId: successor.releaseId, isVoiding: Boolean(successor.isVoiding) }
  },

  /** Returns the ids of all releases of a country, indicator and period. */
  async idsOf(country: string, indicator: string, period: string): Promise<string[]> {
    const range = { ...seriesRange(country, indicator), period, until }
    const rows = await ask<{ id: string }>(IDS_OF, range, short)
    return rows.map(({ id }) => id)
  },
})

/** Yields the prints of one period after the other, from the period of `after` on. */
async function* wholePeriods(ask: Ask, range: HistoryRange, until: string): AsyncGenerator<PrintRow[]> {
  const limit = Math.min(Math.max(range.limit, BLOCK.least), BLOCK.most)
  let from = { fromPeriod: range.after?.period ?? '', fromDate: '', fromOffset: 0 }
  let open: PrintRow[] = []
  for (;;) {
    const block: PrintRow[] = await ask(PRINTS, { ...paramsOf(range), periods: [], ...from, limit, until }, long)
    const periods = [...Map.groupBy([...open, ...block], ({ period }) => period).values()]
    // The next block may go on with the last period.
    open = block.length < limit ? [] : (periods.pop() ?? [])
    yield* periods
    const last = block.at(-1)
    if (!last || block.length < limit) return
    from = { fromPeriod: last.period, fromDate: last.released_on, fromOffset: last.offset }
  }
}

function vintageOf({ number, value, print, validFrom, offset }: AnswerFrom<PrintRow>): VintageOfFigure {
  const { period, place, release_id, revises, released_on, released_on_basis, recorded_at } = print
  const release = { release_id, revises, released_on, released_on_basis, recorded_at }
  return { period, number, place, value, valid_from: validFrom, ...release, offset }
}

const paramsOf = ({ series, figures, needed, snapshot, start, end, after, limit }: HistoryRange) => ({
  series,
  figures,
  needed,
  snapshot,
  start,
  end,
  afterPeriod: after?.period ?? '',
  afterNumber: after?.figure ?? 0,
  limit,
})
