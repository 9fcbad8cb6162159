import { topics } from '../contracts/topics.ts'

const DAY_MS = 86_400_000

/** The most that may be set, days. Ticks: the table of them keeps theirs twice as long, and must outlive the journal's. */
export const longestRetention = { events: 36_500, ticks: topics.ticks.retentionMs / DAY_MS } as const

/** A number of days as text, e.g. `0.5`, in ms. Undefined: it is none, isn't positive, or is more than `longest` days. */
export function retentionMs(days: string, longest: number): number | undefined {
  const ms = /^\d+(\.\d+)?$/.test(days) ? Math.round(Number(days) * DAY_MS) : 0
  return ms > 0 && ms <= longest * DAY_MS ? ms : undefined
}
