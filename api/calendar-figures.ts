import type { CalendarEntry } from '../contracts/calendar.ts'
import { type ServedIndicator, servingOf } from '../contracts/indicators.ts'
import type { DatedEntry, EntryFigures } from '../domain/calendar-entries.ts'
import { shiftPeriod } from '../domain/period.ts'
import type { PrintInPlace } from '../domain/prints.ts'
import type { SeriesRecord } from '../domain/release-index.ts'
import type { ApiDeps } from './deps.ts'
import { figureKey, type KeptPrints } from './kept-prints.ts'

/** The figures of releases that came: what was published first, and what was known of the period before. */

type Prints = readonly Pick<PrintInPlace, 'figures' | 'released_on'>[]
type WithFigures = DatedEntry & CalendarEntry

/** The entries with what the record of their series and its prints say of them. */
export async function withFigures(
  entries: readonly DatedEntry[],
  records: readonly SeriesRecord[],
  prints: Pick<KeptPrints, 'of'>,
  figures: Pick<ApiDeps['figures'], 'current'>,
): Promise<WithFigures[]> {
  const published = entries.filter(({ status }) => status === 'published')
  const asked = published.flatMap(({ series, period }) => [
    { series, period },
    { series, period: shiftPeriod(period, -1) },
  ])
  const found = await prints.of(asked)
  const byId = new Map(records.map((record) => [record.series.id, record]))
  /** Memory may have a first print long before the table of prints has it. */
  const firstPrint = (id: string, period: string): Prints => {
    const current = figures.current(id, period)
    return current?.revises === null ? [current] : []
  }
  return entries.map((entry) => {
    const record = byId.get(entry.series)
    // The cast: only indicators that are served are in the calendar.
    const { figure } = servingOf(entry.indicator as ServedIndicator).predicted
    const of = (period: string) => found.get(figureKey({ ...entry, period })) ?? firstPrint(entry.series, period)
    return {
      ...entry,
      publisher: record?.document?.publisher ?? '',
      unit: record?.series.unit ?? '',
      figure,
      ...figuresOf(entry, figure, of(entry.period), of(shiftPeriod(entry.period, -1))),
    }
  })
}

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
