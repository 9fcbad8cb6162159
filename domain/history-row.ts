import { crc32 } from 'node:zlib'
import type { Frequency, Series } from '../contracts/records.ts'
import { frequencyOrder } from '../contracts/serving.ts'
import type { HistoryFilters } from './history-cursor.ts'
import { compareForServing } from './served-series.ts'

/** A series of a country and indicator, as the read model knows it at a snapshot. */
export type KnownSeries = Series & {
  /** The earliest `released_on` of its releases; empty if it is read from memory, which answers nothing as of a day. */
  readonly firstReleasedOn: string
  /** Journal offset and `recorded_at` of its newest release. */
  readonly newest: number
  readonly recordedAt: string
}

/** The row of a history: the series that it is read from, and its snapshot. */
export type HistoryRow = {
  /** Best first; empty if nothing was known on the day `asOf`. */
  readonly series: readonly Series[]
  /** Checksum of the ids of the series. */
  readonly row: number
  /** Journal offset and `recorded_at` of the newest release of these series. */
  readonly snapshot: number
  readonly recordedAt: string
  /** The earliest `released_on` of any series of the frequency, also of those that were not known on the day `asOf`. */
  readonly firstReleasedOn: string
}

/**
 * The row that answers a request for the history of a country and indicator; undefined if there is no series of the
 * frequency. Series are chosen as for single periods. With `asOf` only those count that had a release by that day, so that
 * the row is the one which was served then.
 */
export function historyRow(
  known: readonly KnownSeries[],
  { frequency, asOf }: Pick<HistoryFilters, 'frequency' | 'asOf'>,
): HistoryRow | undefined {
  const possible = known.filter((series) => frequency === '' || series.frequency === frequency)
  const [first] = possible
  if (!first) return undefined
  const released = possible.filter(({ firstReleasedOn }) => asOf === '' || firstReleasedOn <= asOf)
  const has = (wanted: Frequency) => released.some((series) => series.frequency === wanted)
  const chosen = frequencyOrder.find(has)
  const series = released.filter((each) => each.frequency === chosen).toSorted(compareForServing)
  const newest = (series.length > 0 ? series : possible).reduce((a, b) => (b.newest > a.newest ? b : a))
  return {
    series,
    row: crc32(series.map(({ id }) => id).join('\n')),
    snapshot: newest.newest,
    recordedAt: newest.recordedAt,
    firstReleasedOn: earliest(possible.map(({ firstReleasedOn }) => firstReleasedOn)),
  }
}

const earliest = (days: readonly string[]): string => days.toSorted()[0] ?? ''
