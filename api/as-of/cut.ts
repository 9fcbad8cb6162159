import { clockOf, endOfDay } from '../../domain/day-of-knowledge.ts'
import type { ApiDeps, DatedReads } from '../deps.ts'
import { type Moment, prefixOf } from './address.ts'
import type { Boards } from './boards.ts'

/**
 * The dependencies of the api as of a day: the one place that cuts off what came later. Handlers are made over them as over
 * those of now, so that every answer is that of the day.
 */
export function cutAt(deps: ApiDeps, moment: Moment, reads: DatedReads, boards: Boards): ApiDeps {
  const { day, isEstimated } = moment
  const { history, vintages, events, candles, ticks } = reads
  const { statements, releaseDates, lineage, apiBase } = deps
  // What has not come is not counted: the day may be that of today.
  const pricesUntil = () => new Date(Math.min(deps.pricesUntil().getTime(), endOfDay(day) - 1))
  return {
    ...deps,
    figures: boards.figures,
    releaseIndex: boards.releaseIndex,
    history,
    vintages,
    events,
    candles,
    ticks,
    statements: dated(statements.until(day)),
    releaseDates: dated(releaseDates.until(day)),
    // When a dataset was last fetched, what waits for review, and which source prices an instrument, is known of now only.
    fetches: { lastOf: () => null },
    held: { spans: async () => [] },
    quotes: { quote: () => undefined },
    prices: pricesOf(deps.prices, boards.prices, pricesUntil),
    newestRelease: () => -1,
    newestRecords: { of: () => undefined },
    recentReleases: { since: () => undefined },
    newestEvent: async () => (await events.bounds())?.last.sequence ?? 0,
    clock: () => clockOf(day),
    pricesUntil,
    lineage: lineage.asOf(isEstimated ? `${day}-estimated` : day),
    apiBase: apiBase + prefixOf(moment),
    asOf: () => reads,
  }
}

/**
 * Prices of a day at its last instant, if they were read. Current ones are of now: without those of the day, only which pairs
 * can be computed from which is known.
 */
function pricesOf(
  now: ApiDeps['prices'],
  ofDay: ApiDeps['prices'] | undefined,
  until: ApiDeps['pricesUntil'],
): ApiDeps['prices'] {
  const known = ofDay ?? now
  return {
    spot: (commodity, currency) => ofDay?.spot(commodity, currency, until()),
    fx: (base) => ofDay?.fx(base, until()),
    routes: (base, quote) => known.routes(base, quote),
    isSimulated: (base, quote) => known.isSimulated(base, quote, until()),
    hasSimulated: known.hasSimulated,
    isDemonstration: known.isDemonstration,
  }
}

/** A board of a day is the same as of every later one that could be asked for: there is none. */
const dated = <B extends object>(board: B): B & { until(): B } => Object.assign(board, { until: () => board })
