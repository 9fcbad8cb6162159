import { type Indicator, indicatorEntry, indicators } from '../contracts/indicators.ts'
import type { Provenance, Release, ReleasedOnBasis, Series } from '../contracts/records.ts'
import {
  canonicalDecimal,
  DecimalError,
  type DecimalFault,
  type DecimalReading,
  equalDecimals,
  isNegative,
  isPositive,
} from './decimal.ts'
import { derivedId } from './ids.ts'
import { isPeriodOf, startOfPeriod } from './period.ts'
import { faultOfResource } from './resource.ts'

type Vintage = Pick<Release, 'figures' | 'released_on'>

/** What the decider needs of the newest release on record, and of those it has revised, oldest first. */
export type KnownRelease = Vintage & { readonly release_id: string; readonly earlier?: readonly Vintage[] }

/** A release as the newest on record, after `known`. */
export const asKnown = (
  { release_id, figures, released_on }: Release,
  known: KnownRelease | undefined,
): KnownRelease => ({
  release_id,
  figures,
  released_on,
  ...(known ? { earlier: [...(known.earlier ?? []), { figures: known.figures, released_on: known.released_on }] } : {}),
})

/** What somebody says was published: the figures of one series and period, not yet judged. */
export type Candidate = {
  readonly series: Series
  readonly period: string
  /** By body member, as printed and how to read it. */
  readonly printed: Readonly<Record<string, DecimalReading & { readonly printed: string }>>
  /** Absent: the day of acceptance counts (`first_seen`). */
  readonly released?: { readonly on: string; readonly basis: ReleasedOnBasis } | undefined
  readonly provenance: Provenance | null
  /** Of a derived candidate: the releases it is computed from. */
  readonly inputs: readonly string[]
}

type RejectReason =
  | 'bad_period'
  | 'period_in_future'
  | 'bad_date'
  | 'bad_series'
  | 'figure_missing'
  | 'figure_unknown'
  | DecimalFault
  | 'figure_out_of_range'
  | 'vintage_out_of_order'
  | 'not_servable'

type Decision =
  | { readonly outcome: 'new' | 'revised'; readonly release: Release }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'rejected'; readonly reason: RejectReason; readonly detail: string }

/**
 * The accepting decider: says what a candidate means against the newest release on record for its series and period.
 * A value printed differently but numerically equal is unchanged. `at` is the time of acceptance (UTC, ISO 8601).
 * A vintage older than the one on record is rejected unless it says the same: history is never rewritten.
 */
export function decideRelease(known: KnownRelease | undefined, candidate: Candidate, at: string): Decision {
  const fault = faultOf(candidate, at)
  if (fault) return fault
  const figures: Record<string, string> = {}
  const published: Record<string, string> = {}
  for (const [member, { printed, ...reading }] of Object.entries(candidate.printed)) {
    try {
      figures[member] = canonicalDecimal(printed, reading)
    } catch (error) {
      if (error instanceof DecimalError) return rejected(error.code, `${member}: ${error.message}`)
      throw error
    }
    published[member] = printed
    const value = figures[member]
    const { indicator } = candidate.series
    if (!isInRange(value, indicators[indicator].range)) {
      return rejected('figure_out_of_range', `${member} of ${indicator} is ${value}`)
    }
  }
  if (known && sameFigures(known.figures, figures)) return { outcome: 'unchanged' }
  if (known && candidate.released && isOnRecord(known, figures, candidate.released.on)) return { outcome: 'unchanged' }
  const released = candidate.released ?? { on: at.slice(0, 10), basis: 'first_seen' as const }
  if (known && candidate.inputs.length === 0 && released.on < known.released_on) {
    return rejected('vintage_out_of_order', `published ${released.on}, but ${known.released_on} is on record already`)
  }
  const revises = known?.release_id ?? null
  const content = Object.keys(figures)
    .sort()
    .flatMap((member) => [member, figures[member] ?? ''])
  const release: Release = {
    release_id: derivedId('rel', candidate.series.id, candidate.period, revises ?? '', ...content),
    series: candidate.series,
    period: candidate.period,
    figures,
    published,
    revises,
    released_on: released.on,
    released_on_basis: released.basis,
    recorded_at: at,
    provenance: candidate.provenance,
    inputs: [...candidate.inputs],
  }
  const unservable = faultOfResource(release)
  return unservable ? rejected('not_servable', unservable) : { outcome: known ? 'revised' : 'new', release }
}

/**
 * Whether these figures are what history has for that day: an old vintage that is read again is no news. On the day of the
 * newest release itself it is: a print may be taken back within a day.
 */
function isOnRecord(
  { earlier = [], released_on }: KnownRelease,
  figures: Readonly<Record<string, string>>,
  on: string,
): boolean {
  const inForce = on < released_on && earlier.findLast((vintage) => vintage.released_on <= on)
  return inForce ? sameFigures(inForce.figures, figures) : false
}

function faultOf({ series, period, printed, released }: Candidate, at: string): Decision | undefined {
  const entry = indicatorEntry(series.indicator)
  if (!entry) return rejected('bad_series', `unknown indicator ${series.indicator}`)
  if (!/^[A-Z]{3}$/.test(series.country)) return rejected('bad_series', `not a country code: ${series.country}`)
  if (!isPeriodOf(series.frequency, period)) {
    return rejected('bad_period', `${JSON.stringify(period)} is not a period of frequency ${series.frequency}`)
  }
  if (startOfPeriod(period) > at.slice(0, 10))
    return rejected('period_in_future', `${period} has not begun on ${at.slice(0, 10)}`)
  if (released && !isDate(released.on)) return rejected('bad_date', `not a date: ${JSON.stringify(released.on)}`)
  // The day of acceptance anywhere on earth: a publisher's date is its own local one.
  const latestDay = new Date(Date.parse(at) + 14 * 3_600_000).toISOString().slice(0, 10)
  if (released && released.on > latestDay) return rejected('bad_date', `${released.on} is after the day of acceptance`)
  const { figures, optionalFigures = [] } = entry
  for (const member of figures) {
    if (!(member in printed) && !optionalFigures.includes(member))
      return rejected('figure_missing', `${member} of ${series.indicator}`)
  }
  for (const member of Object.keys(printed)) {
    if (!figures.includes(member)) return rejected('figure_unknown', `${member} of ${series.indicator}`)
  }
  return undefined
}

const isInRange = (value: string, range: (typeof indicators)[Indicator]['range']): boolean =>
  range === 'any' || (range === 'positive' ? isPositive(value) : !isNegative(value))

const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true

const rejected = (reason: RejectReason, detail: string): Decision => ({ outcome: 'rejected', reason, detail })

const sameFigures = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean => {
  const members = Object.keys(a)
  return (
    members.length === Object.keys(b).length &&
    members.every((m) => b[m] !== undefined && equalDecimals(a[m] ?? '', b[m]))
  )
}
