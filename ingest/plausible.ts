import type { Release, Series } from '../contracts/records.ts'
import {
  type RecordedFigure,
  type Stated,
  type Suspicion,
  suspicionOf,
  suspicionOfWithdrawals,
} from '../domain/plausibility.ts'
import { mistakableFor, suspicionBeside, suspicionOfSameFigures } from '../domain/plausible-beside.ts'
import { suspicionOfEdition } from '../domain/plausible-edition.ts'
import { isWithdrawn } from '../domain/prints.ts'
import type { Document, Figure, Item, Missing } from './source.ts'

type Stating = Figure | Missing
type Figures = Release['figures']
type Periods = ReadonlyMap<string, { readonly figures: Figures }>

/** The figures on record. */
type FiguresOnRecord = {
  /** Those of a series, by period. */
  of(series: string): Periods | undefined
  /** The other series of the same country, indicator and frequency. */
  beside(series: Series): readonly Series[]
  /** The series of another indicator of the same country and frequency. */
  ofIndicator(series: Series, indicator: Series['indicator']): readonly Series[]
}

/** Fewest common periods on record that show that a series agrees with another source, or was approved. */
const FEWEST_COMPARED = 8

/** Figures of one series that are held for review, with the reason: of one date, unless a document withdraws many. */
export type HeldFigures = Pick<Suspicion, 'reason' | 'detail'> & { readonly figures: readonly Stating[] }

/**
 * Judges the figures of a document publication by publication: those of one series that were released on one date. Withdrawals
 * are also judged together, and so are the figures of a series that was never compared with another source. Items of
 * one publication lie in one chunk. A publication in `items` is also compared with those before it that are not held.
 */
export function heldOf(document: Document, items: readonly Item[], record: FiguresOnRecord): HeldFigures[] {
  const bySeries = new Map<string, Map<string, Stating[]>>()
  for (const item of items) {
    if (item.kind !== 'figure' && item.kind !== 'missing') continue
    const publications = bySeries.get(item.series.id) ?? new Map<string, Stating[]>()
    if (publications.size === 0) bySeries.set(item.series.id, publications)
    const on = item.released?.on ?? ''
    const publication = publications.get(on)
    if (publication) publication.push(item)
    else publications.set(on, [item])
  }
  return [...bySeries].flatMap(([series, publications]) =>
    heldOfSeries(series, publications, record, isUndatedFile(document)),
  )
}

function heldOfSeries(
  id: string,
  publications: ReadonlyMap<string, readonly Stating[]>,
  record: FiguresOnRecord,
  isUndated: boolean,
): HeldFigures[] {
  // Only a series with several publications in the chunk needs to remember what the earlier ones state.
  const isRemembered = publications.size > 1
  const ofSeries = record.of(id)
  const onRecord = numbersOn(ofSeries)
  // Where each figure has a date of its own, no publication withdraws many, or contradicts another source.
  const all = [...publications.values()].flat()
  const whole = suspicionOfAll(all, ofSeries, record)
  if (whole) return [{ reason: whole.reason, detail: whole.detail, figures: all }]
  const before = new Map<string, Readonly<Record<string, number>> | null>()
  const recordedFigure = (period: string, member: string): number | undefined => {
    const stated = before.get(period)
    return stated === undefined ? onRecord(period, member) : stated?.[member]
  }
  return [...publications].flatMap(([on, publication]): HeldFigures[] => {
    const [first] = publication
    if (!first) return []
    const stated = publication.map(statedBy)
    const suspicion = suspicionOf(first.series, stated, recordedFigure)
    const isHeld = (period: string) => suspicion?.periods.has(period) ?? false
    if (isRemembered) for (const { period, figures } of stated) if (!isHeld(period)) before.set(period, figures)
    const rest = stated.filter(({ period }) => !isHeld(period))
    const older =
      isUndated && on === '' && ofSeries
        ? suspicionOfEdition(first.series, rest, recordedFigure, lastPeriodOf(ofSeries))
        : undefined
    return [suspicion, older].flatMap((found) =>
      found
        ? {
            reason: found.reason,
            detail: found.detail,
            figures: publication.filter(({ period }) => found.periods.has(period)),
          }
        : [],
    )
  })
}

/** Whether nothing says how old a document is. A file in Almanac's own format means what it says, such as a correction. */
const isUndatedFile = ({ retrievedAt, lastUpdated, fileName }: Document): boolean =>
  retrievedAt === null && lastUpdated === undefined && fileName === undefined

function lastPeriodOf(periods: Periods): string {
  let last = ''
  for (const [period, known] of periods) if (period > last && !isWithdrawn(known)) last = period
  return last
}

function suspicionOfAll(
  all: readonly Stating[],
  ofSeries: Periods | undefined,
  record: FiguresOnRecord,
): Suspicion | undefined {
  const [first] = all
  if (!first) return undefined
  if (ofSeries && all.some(({ kind }) => kind === 'missing')) {
    const withdrawal = suspicionOfWithdrawals(first.series, all.map(statedBy), numbersOn(ofSeries))
    if (withdrawal) return withdrawal
  }
  const { series } = first
  const withFigures = (others: readonly Series[]) =>
    others.map((other) => ({ series: other, recorded: numbersOn(record.of(other.id)) }))
  const mistaken = mistakableFor(series.indicator).flatMap((indicator) => record.ofIndicator(series, indicator))
  const others = record.beside(series)
  if (mistaken.length === 0 && others.length === 0) return undefined
  const stated = all.map(statedBy)
  const same = suspicionOfSameFigures(series, stated, numbersOn(ofSeries), withFigures(mistaken))
  if (same || others.length === 0) return same
  const compared = ofSeries ? comparedOf(ofSeries, (period) => others.some(({ id }) => record.of(id)?.has(period))) : []
  if (compared.length >= FEWEST_COMPARED) return undefined
  const beside = withFigures(others)
  // What is on record and contradicts another source was approved.
  if (compared.length > 0 && suspicionBeside(series, compared, beside, false)) return undefined
  return suspicionBeside(series, stated, beside, !ofSeries)
}

/** The first figures on record of periods that another source has as well, at most `FEWEST_COMPARED`. */
const comparedOf = (ofSeries: Periods, isOfOther: (period: string) => boolean): Stated[] =>
  ofSeries
    .entries()
    .filter(([period]) => isOfOther(period))
    .take(FEWEST_COMPARED)
    .map(([period, { figures }]) => ({
      period,
      figures: Object.fromEntries(Object.entries(figures).map(([member, value]) => [member, Number(value)])),
    }))
    .toArray()

const numbersOn =
  (periods: Periods | undefined): RecordedFigure =>
  (period, member) =>
    numberOrNone(periods?.get(period)?.figures[member])

const numberOrNone = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

const statedBy = (item: Stating): Stated => ({
  period: item.period,
  figures: item.kind === 'missing' ? null : numbersOf(item.figures),
})

function numbersOf(figures: Figure['figures']): Record<string, number> {
  const numbers: Record<string, number> = {}
  for (const member in figures) {
    // Cast: the member is one of the object's own keys.
    const { printed, multiplier } = figures[member] as Figure['figures'][string]
    numbers[member] = Number(printed) * (multiplier === undefined ? 1 : Number(multiplier))
  }
  return numbers
}
