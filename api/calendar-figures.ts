import type { CalendarEntry } from '../contracts/calendar.ts'
import { type ServedIndicator, servingOf } from '../contracts/indicators.ts'
import type { DatedEntry, EntryFigures } from '../domain/calendar-entries.ts'
import { shiftPeriod } from '../domain/period.ts'
import type { SeriesRecord } from '../domain/release-index.ts'
import { compareText } from '../domain/served-series.ts'
import type { ApiDeps } from './deps.ts'

/** The figures of releases that came: what was published first, and what was known of the period before. */

type Prints = readonly Pick<Awaited<ReturnType<ApiDeps['history']['prints']>>[number], 'figures' | 'released_on'>[]
type WithFigures = DatedEntry & CalendarEntry

/**
 * Entries whose prints one query reads, in the order of periods: a query reads those of all their series and all their periods,
 * which are few where the entries are of the same years.
 */
const READ_TOGETHER = 5_000

/** The entries with what the record of their series and its prints say of them. */
export async function withFigures(
  entries: readonly DatedEntry[],
  records: readonly SeriesRecord[],
  { history, figures }: Pick<ApiDeps, 'history' | 'figures'>,
): Promise<WithFigures[]> {
  const published = entries.filter(({ status }) => status === 'published')
  const inOrder = published.toSorted((a, b) => compareText(a.period, b.period))
  const ofPeriod = new Map<string, Prints>()
  for (let from = 0; from < inOrder.length; from += READ_TOGETHER) {
    const some = inOrder.slice(from, from + READ_TOGETHER)
    const series = [...new Set(some.map((entry) => entry.series))]
    const periods = [...new Set(some.flatMap(({ period }) => [shiftPeriod(period, -1), period]))]
    const prints = await history.prints({ series, snapshot: EVERYTHING, periods })
    for (const [key, own] of Map.groupBy(prints, ({ place, period }) => `${series[place - 1]} ${period}`))
      ofPeriod.set(key, own)
  }
  const byId = new Map(records.map((record) => [record.series.id, record]))
  /** Memory has a first print before the table of prints has it. */
  const firstPrint = (id: string, period: string): Prints => {
    const current = figures.current(id, period)
    return current?.revises === null ? [current] : []
  }
  return entries.map((entry) => {
    const record = byId.get(entry.series)
    // The cast: only indicators that are served are in the calendar.
    const { figure } = servingOf(entry.indicator as ServedIndicator).predicted
    const of = (period: string) => ofPeriod.get(`${entry.series} ${period}`) ?? firstPrint(entry.series, period)
    return {
      ...entry,
      publisher: record?.document?.publisher ?? '',
      unit: record?.series.unit ?? '',
      figure,
      ...figuresOf(entry, figure, of(entry.period), of(shiftPeriod(entry.period, -1))),
    }
  })
}

/** Whatever is on record: the calendar stands as it is now. */
const EVERYTHING = Number.MAX_SAFE_INTEGER

/** `prints` and `before` are those of the entry’s period and of the one before it, in the order of their dates. */
function figuresOf(
  { published_on }: DatedEntry,
  figure: string,
  prints: Prints,
  before: Prints,
): Pick<EntryFigures, 'actual' | 'previous' | 'previous_revised'> {
  if (published_on === null) return { actual: null, previous: null, previous_revised: null }
  const valueIn = (print: Prints[number] | undefined) => print?.figures[figure] ?? null
  const known = valueIn(before.findLast(({ released_on }) => released_on < published_on))
  const then = valueIn(before.findLast(({ released_on }) => released_on <= published_on))
  return {
    actual: valueIn(prints.find((print) => valueIn(print) !== null)),
    previous: known ?? then,
    previous_revised: known !== null && then !== known ? then : null,
  }
}
