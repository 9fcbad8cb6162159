import type { Release } from '../contracts/records.ts'
import { type Stated, type Suspicion, suspicionOf, suspicionOfWithdrawals } from '../domain/plausibility.ts'
import type { Figure, Item, Missing } from './source.ts'

type Stating = Figure | Missing
type Figures = Release['figures']
/** The figures on record of a series, by period. */
type Recorded = (series: string) => ReadonlyMap<string, { readonly figures: Figures }> | undefined

/** Figures of one series that are held for review, with the reason: of one date, unless a document withdraws many. */
export type HeldFigures = Pick<Suspicion, 'reason' | 'detail'> & { readonly figures: readonly Stating[] }

/**
 * Judges the figures of a document publication by publication: those of one series that were released on one date. Only
 * withdrawals are also judged together. Items of one publication lie in one chunk. `recorded` gives the current figures
 * on record; a publication in `items` is also compared with those before it that are not held.
 */
export function heldOf(items: readonly Item[], recorded: Recorded): HeldFigures[] {
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
  return [...bySeries].flatMap(([series, publications]) => heldOfSeries(series, publications, recorded))
}

function heldOfSeries(
  id: string,
  publications: ReadonlyMap<string, readonly Stating[]>,
  recorded: Recorded,
): HeldFigures[] {
  // Only a series with several publications in the chunk needs to remember what the earlier ones state.
  const isRemembered = publications.size > 1
  const ofSeries = recorded(id)
  const onRecord = (period: string, member: string) => numberOrNone(ofSeries?.get(period)?.figures[member])
  const all = isRemembered ? [...publications.values()].flat() : []
  // Where each figure has a date of its own, no publication withdraws many.
  const missing = all.find(({ kind }) => kind === 'missing')
  const withdrawal = missing && suspicionOfWithdrawals(missing.series, all.map(statedBy), onRecord)
  if (withdrawal) return [{ reason: withdrawal.reason, detail: withdrawal.detail, figures: all }]
  const before = new Map<string, Readonly<Record<string, number>> | null>()
  const recordedFigure = (period: string, member: string): number | undefined => {
    const stated = before.get(period)
    return stated === undefined ? onRecord(period, member) : stated?.[member]
  }
  return [...publications.values()].flatMap((publication): HeldFigures[] => {
    const [first] = publication
    if (!first) return []
    const stated = publication.map(statedBy)
    const suspicion = suspicionOf(first.series, stated, recordedFigure)
    const isHeld = (period: string) => suspicion?.periods.has(period) ?? false
    if (isRemembered) for (const { period, figures } of stated) if (!isHeld(period)) before.set(period, figures)
    if (!suspicion) return []
    const { reason, detail } = suspicion
    return [{ reason, detail, figures: publication.filter(({ period }) => isHeld(period)) }]
  })
}

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
