import { topics } from '../contracts/topics.ts'

const DAY_MS = 86_400_000

/**
 * Longest retention that may be set, days. The table of ticks keeps them twice as long, because it must outlive the
 * journal's.
 */
export const longestRetention = { events: 36_500, ticks: topics.ticks.retentionMs / DAY_MS } as const

/**
 * Converts days as text, e.g. `0.5`, into ms. Returns undefined unless it is a positive number of at most `longest` days.
 */
export function retentionMs(days: string, longest: number): number | undefined {
  const ms = /^\d+(\.\d+)?$/.test(days) ? Math.round(Number(days) * DAY_MS) : 0
  return ms > 0 && ms <= longest * DAY_MS ? ms : undefined
}
