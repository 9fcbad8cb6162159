import {
  type FigureRange,
  figureBounds,
  type Indicator,
  indicatorDefinition,
  lackingFigures,
  rangeOf,
} from '../contracts/indicators.ts'
import type { Provenance, Release, ReleaseApproval, Series } from '../contracts/records.ts'
import { addDays, isDate, latestDay } from './day.ts'
import {
  canonicalDecimal,
  compareDecimals,
  DecimalError,
  type DecimalFault,
  type DecimalReading,
  signOf,
} from './decimal.ts'
import { derivedId } from './ids.ts'
import { frequencyOf, isPeriodOf, shiftPeriod, startOfPeriod } from './period.ts'
import { type Dated, type KnownRelease, placeAmongPrints, printReadAfter } from './prints.ts'
import { sourceDay } from './publisher-day.ts'
import { faultOfResource } from './resource.ts'

/** The figures of one series and period as a document states them, not yet decided on. */
export type Candidate = {
  readonly series: Series
  readonly period: string
  /** By body member: the printed figure, and how to read it. Null: the document states that it has no figure. */
  readonly printed: Readonly<Record<string, DecimalReading & { readonly printed: string }>> | null
  /** The date of publication. If absent, the day of acceptance at the source's place counts (`first_seen`). */
  readonly released?: Dated | undefined
  /** Last day on which the figures stood, if others followed that are not known from the same document. */
  readonly until?: string | undefined
  readonly provenance: Provenance | null
  /** Set if the figures were held as implausible, and a person has approved them. */
  readonly approval?: ReleaseApproval | undefined
  /** When they were first seen (UTC, ISO 8601), if that was before today: they were held or rejected. */
  readonly seenAt?: string | undefined
}

/**
 * Most days before the end of a period on which its figure can be published: flash estimates of inflation come in the last
 * days of their month. An earlier figure is a forecast, or of part of the period.
 */
const FLASH_DAYS = 7

type RejectReason =
  | 'bad_period'
  | 'period_in_future'
  | 'bad_date'
  | 'bad_series'
  | 'base_in_future'
  | 'figure_missing'
  | 'figure_unknown'
  | DecimalFault
  | 'figure_out_of_range'
  | 'superseded'
  | 'not_current'
  | 'not_servable'

/** Outcome for a candidate that is on record now. An earlier print is `late`, even one that withdraws a figure, or `redated`. */
type Accepted = 'new' | 'revised' | 'withdrawn' | 'late' | 'redated'

type Decision =
  | { readonly outcome: Accepted; readonly release: Release }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'rejected'; readonly reason: RejectReason; readonly detail: string }

/**
 * Decides what a candidate means for the prints on record of its series and period. Each candidate proves what the
 * publisher's figure was on a day, so the order in which candidates arrive does not matter (`domain/prints.ts`). A figure
 * that is printed differently but numerically equal is unchanged. `at` is the time of acceptance (UTC, ISO 8601).
 */
export function decideRelease(known: KnownRelease | undefined, candidate: Candidate, at: string): Decision {
  const fault = faultOf(candidate, at)
  if (fault) return fault
  const { series, period, printed, until, provenance, approval = null, seenAt } = candidate
  const read = printed === null ? { figures: {}, published: {} } : readFigures(series.indicator, printed)
  if ('outcome' in read) return read
  const { figures, published } = read
  const released = dateOf(known, candidate, at)
  const placement = placeAmongPrints(known, figures, released)
  if (placement.kind === 'repeats') return { outcome: 'unchanged' }
  const later = seenAt === undefined ? undefined : printReadAfter(known, released.on, seenAt)
  if (later && placement.kind === 'follows')
    return rejected(
      'superseded',
      `${period} has other figures of ${released.on}, which were read at ${later.recorded_at}, after these were first seen. If these are right all the same, read their document again`,
    )
  if (until !== undefined && placement.kind === 'follows' && !placement.late)
    return rejected(
      'not_current',
      `${period} had these figures until ${until}, and those that followed are not on record. Read the current ones first`,
    )
  const redated = placement.kind === 'redates' ? placement.print : undefined
  const before = placement.kind === 'follows' ? placement.before : undefined
  const isWithdrawal = printed === null
  if (isWithdrawal && !redated && !before) return { outcome: 'unchanged' }
  // What a document does not state is not taken back by it.
  const lost = isWithdrawal
    ? undefined
    : before && lackingFigures(series.indicator, figures).find((m) => before.figures[m])
  if (lost)
    return rejected('figure_missing', `${period} is on record with ${lost}, of which the document gives no value`)
  const revises = redated ? redated.revises : (before?.release_id ?? null)
  const identity = figuresIdentity(series, period, revises, figures)
  // The same figures may follow the same print twice, at two dates, unless they are current.
  if (redated || placement.late) identity.push(redated?.release_id ?? '', released.on, released.basis)
  const release: Release = {
    release_id: derivedId('rel', ...identity),
    series,
    period,
    figures,
    published,
    revises,
    released_on: released.on,
    released_on_basis: released.basis,
    recorded_at: at,
    provenance,
    inputs: [],
    late: placement.late,
    redates: redated?.release_id ?? null,
    approval,
    voids: null,
  }
  const unservable = isWithdrawal ? undefined : faultOfResource(release)
  if (unservable) return rejected('not_servable', unservable)
  if (redated) return { outcome: 'redated', release }
  if (placement.late) return { outcome: 'late', release }
  return { outcome: isWithdrawal ? 'withdrawn' : known ? 'revised' : 'new', release }
}

/** The date of a candidate. One without a date is current now, so it is not dated before the release on record. */
function dateOf(known: KnownRelease | undefined, { series, released }: Candidate, at: string): Dated {
  if (released) return released
  const on = sourceDay(series.source, Date.parse(at))
  return { on: known && on < known.released_on ? known.released_on : on, basis: 'first_seen' }
}

/** What makes a release what it is, as parts of its id. */
export function figuresIdentity(series: Series, period: string, revises: string | null, figures: Release['figures']) {
  const identity = [series.id, period, revises ?? '']
  for (const member of Object.keys(figures).sort()) identity.push(member, figures[member] ?? '')
  return identity
}

/** The canonical figures, and the same as they were printed. */
export function readFigures(
  indicator: Indicator,
  printed: NonNullable<Candidate['printed']>,
): Pick<Release, 'figures' | 'published'> | (Decision & { readonly outcome: 'rejected' }) {
  const figures: Record<string, string> = {}
  const published: Record<string, string> = {}
  for (const member in printed) {
    // Cast: the member is one of the object's own keys.
    const reading = printed[member] as NonNullable<Candidate['printed']>[string]
    try {
      figures[member] = canonicalDecimal(reading.printed, reading)
    } catch (error) {
      if (error instanceof DecimalError) return rejected(error.code, `${member}: ${error.message}`)
      throw error
    }
    published[member] = reading.printed
    const value = figures[member]
    const beyond = boundBroken(value, rangeOf(indicator, member))
    if (beyond) return rejected('figure_out_of_range', `${member} of ${indicator} is ${value}; it must be ${beyond}`)
  }
  return { figures, published }
}

function faultOf(
  { series, period, printed, released, provenance }: Candidate,
  at: string,
): (Decision & { readonly outcome: 'rejected' | 'unchanged' }) | undefined {
  const entry = indicatorDefinition(series.indicator)
  if (!entry) return rejected('bad_series', `unknown indicator ${series.indicator}`)
  if (!/^[A-Z]{3}$/.test(series.country)) return rejected('bad_series', `not a country code: ${series.country}`)
  if (!isPeriodOf(series.frequency, period)) {
    return rejected('bad_period', `${JSON.stringify(period)} is not a period of frequency ${series.frequency}`)
  }
  // A day is compared with a time as text: that of the same day comes before it.
  const dayAfter = startOfPeriod(shiftPeriod(period, 1))
  const soonest = dayAfter > at || (released && released.on < dayAfter) ? addDays(dayAfter, -FLASH_DAYS) : dayAfter
  if (soonest > at) return tooEarly(printed, 'period_in_future', `${period} is not over on ${at.slice(0, 10)}`)
  if (released && !isDate(released.on)) return rejected('bad_date', `not a date: ${JSON.stringify(released.on)}`)
  if (released && released.on > at && released.on > latestDay(new Date(at)))
    return rejected('bad_date', `${released.on} is after the day of acceptance`)
  // Because the earliest date wins, a wrong one could never be corrected.
  if (released && released.on < soonest)
    return tooEarly(printed, 'bad_date', `${released.on} is before ${period} was over`)
  const misdated =
    printed === null
      ? undefined
      : (misdatedBy('the document was fetched', provenance?.retrieved_at, dayAfter, at) ??
        misdatedBy('the copy was held', provenance?.copy?.held_on, dayAfter, at))
  if (misdated) return rejected('bad_date', `${period}: ${misdated}`)
  const { base_period } = series
  const base = base_period.split('/')[0] ?? ''
  // The series with the newest base is served, so an impossible one would hide the true one for ever.
  if (frequencyOf(base) && startOfPeriod(base) > at)
    return tooEarly(printed, 'base_in_future', `the base ${base_period} has not begun on ${at.slice(0, 10)}`)
  if (printed === null) return undefined
  const [missing] = lackingFigures(series.indicator, printed)
  if (missing !== undefined && (!entry.figuresStandAlone || Object.keys(printed).length === 0))
    return rejected('figure_missing', `${missing} of ${series.indicator} is missing`)
  for (const member in printed) {
    if (!entry.figures.includes(member))
      return rejected('figure_unknown', `${series.indicator} has no figure ${member}`)
  }
  return undefined
}

/**
 * What is wrong with the time at which something was done to a document, before the figure was accepted. `dayAfter` is the day
 * after its period. Days are computed only where the texts do not tell.
 */
function misdatedBy(done: string, time: string | null | undefined, dayAfter: string, at: string): string | undefined {
  if (!time) return undefined
  const day = time.slice(0, 10)
  if (time > at && day > latestDay(new Date(at))) return `${done} on ${day}, after the day of acceptance`
  return day < dayAfter && day < addDays(dayAfter, -FLASH_DAYS) ? `${done} on ${day}, before it was over` : undefined
}

/** A table may have a place for a period that has not begun. If it is empty, there is nothing to withdraw. */
const tooEarly = (printed: Candidate['printed'], reason: RejectReason, detail: string) =>
  printed === null ? ({ outcome: 'unchanged' } as const) : rejected(reason, detail)

/** The bound that a value breaks, in words. */
function boundBroken(value: string, range: FigureRange): string | undefined {
  const { above, from, to } = figureBounds(range)
  if (above !== undefined && compareToBound(value, above) <= 0) return `above ${above}`
  if (from !== undefined && compareToBound(value, from) < 0) return `${from} or above`
  if (to !== undefined && compareToBound(value, to) > 0) return `${to} or below`
  return undefined
}

/** Zero is the bound of most figures, and their text alone tells their sign. */
const compareToBound = (value: string, bound: number): number =>
  bound === 0 ? signOf(value) : compareDecimals(value, String(bound))

const rejected = (reason: RejectReason, detail: string) => ({ outcome: 'rejected', reason, detail }) as const
