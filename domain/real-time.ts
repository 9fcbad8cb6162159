/**
 * Observations by real-time period, the terms of FRED and ALFRED: each value with the first and the last day on which it was
 * the newest one. Days are YYYY-MM-DD and inclusive. Source: https://fred.stlouisfed.org/docs/api/fred/realtime_period.html
 */

import { addDays } from './day.ts'
import { startOfPeriod } from './period.ts'

/** Last day of a real-time period that has not ended. */
export const OPEN_END = '9999-12-31'

/** What was answered for one figure of a period from a day on; null if nothing was any more. */
export type DatedValue = { readonly period: string; readonly value: string | null; readonly valid_from: string }

export type RealTimeObservation = {
  readonly period: string
  /** First day of the period, by which FRED names it. */
  readonly date: string
  /** Null if the figure was withdrawn. */
  readonly value: string | null
  readonly realtimeStart: string
  readonly realtimeEnd: string
}

/** First and last day of a real-time window. */
export type DayWindow = { readonly start: string; readonly end: string }

/**
 * Gives each value of a figure its real-time period. Of several values of one day the last one counts. A value that is
 * answered again by another print, as when only other figures of a release changed, keeps its period.
 *
 * @param values of one figure, by period and then in the order of time
 */
export function realTimeObservations(values: readonly DatedValue[]): RealTimeObservation[] {
  return [...Map.groupBy(values, ({ period }) => period).values()].flatMap((ofPeriod) => {
    const [first, ...later] = changesOf(ofPeriod)
    // A period begins with a value.
    return withPeriods(first && first.value !== null ? [first, ...later] : later)
  })
}

/** Gives the values of one period, in the order of time, their real-time periods. They may begin without a value. */
export const realTimeChanges = (values: readonly DatedValue[]): RealTimeObservation[] => withPeriods(changesOf(values))

const withPeriods = (changes: readonly DatedValue[]): RealTimeObservation[] =>
  changes.map(({ period, value, valid_from }, i) => {
    const next = changes[i + 1]
    const realtimeEnd = next ? addDays(next.valid_from, -1) : OPEN_END
    return { period, date: startOfPeriod(period), value, realtimeStart: valid_from, realtimeEnd }
  })

/** The values at the ends of days, without those that repeat the one before. */
function changesOf(values: readonly DatedValue[]): DatedValue[] {
  const changes: DatedValue[] = []
  for (const [i, entry] of values.entries()) {
    if (values[i + 1]?.valid_from === entry.valid_from) continue
    if (changes.length === 0 || changes.at(-1)?.value !== entry.value) changes.push(entry)
  }
  return changes
}

/** The observations whose real-time period has a day in the window. */
export const withinWindow = (
  observations: readonly RealTimeObservation[],
  { start, end }: DayWindow,
): RealTimeObservation[] =>
  observations.filter(({ realtimeStart, realtimeEnd }) => realtimeStart <= end && realtimeEnd >= start)

/** The observations that were the newest on one of these days. */
export const onDays = (observations: readonly RealTimeObservation[], days: readonly string[]): RealTimeObservation[] =>
  observations.filter(({ realtimeStart, realtimeEnd }) =>
    days.some((day) => realtimeStart <= day && realtimeEnd >= day),
  )

/** The first value of each period. A computed period may begin without one; one that never had any keeps its first entry. */
export function initialReleases(observations: readonly RealTimeObservation[]): RealTimeObservation[] {
  const first = new Map<string, RealTimeObservation>()
  for (const observation of observations) {
    const { period, value } = observation
    const known = first.get(period)
    if (!known || (known.value === null && value !== null)) first.set(period, observation)
  }
  return [...first.values()]
}

/** The days on which a value was released, revised or withdrawn, in the order of time. */
export const vintageDates = (observations: readonly RealTimeObservation[]): string[] =>
  [...new Set(observations.map(({ realtimeStart }) => realtimeStart))].sort()

/**
 * The vintages that a window shows: that of its first day, if there was one, and each of a later day. A vintage is named by the
 * day as of which it is read.
 */
export function vintagesWithin(dates: readonly string[], { start, end }: DayWindow): string[] {
  const later = dates.filter((date) => date > start && date <= end)
  return dates.some((date) => date <= start) ? [start, ...later] : later
}

/** A period, and its value as of each of several days; null where there was none. */
type ByVintage = { readonly date: string; readonly values: readonly (string | null)[] }

/**
 * The observations as a matrix: a row for each period that had a value on one of the days, with a column for each day.
 *
 * @param days in the order of time
 */
export function observationsByVintage(
  observations: readonly RealTimeObservation[],
  days: readonly string[],
): ByVintage[] {
  return [...Map.groupBy(observations, ({ date }) => date)]
    .map(([date, own]) => ({ date, values: valuesAsOf(own, days) }))
    .filter(({ values }) => values.some((value) => value !== null))
}

/** The newest values of one period on these days. Both lists are in the order of time, so each is read once. */
function valuesAsOf(ofPeriod: readonly RealTimeObservation[], days: readonly string[]): (string | null)[] {
  let known = 0
  return days.map((day) => {
    while ((ofPeriod[known]?.realtimeStart ?? OPEN_END) <= day && known < ofPeriod.length) known++
    return ofPeriod[known - 1]?.value ?? null
  })
}
