import type { Plan } from './resources.ts'

export type Limits = {
  /** Calls per calendar month, UTC. */
  readonly callsPerMonth: number
  readonly callsPerMinute: number
  /** Open streams of prices, events and predictions together. */
  readonly concurrentStreams: number
  readonly pricesStream: boolean
  /** Event families served to the plan. */
  readonly families: readonly string[]
}

/**
 * Limits of each plan, and the only place to change them. Section 8 of the specification names the plans; the quotas
 * and burst limits are chosen here.
 */
export const plans: Readonly<Record<Plan, Limits>> = {
  free: {
    callsPerMonth: 5_000,
    callsPerMinute: 30,
    concurrentStreams: 1,
    pricesStream: false,
    families: ['inflation', 'labour', 'output', 'trade', 'predictions', 'calendar'],
  },
  basic: {
    callsPerMonth: 100_000,
    callsPerMinute: 120,
    concurrentStreams: 2,
    pricesStream: true,
    families: ['inflation', 'labour', 'output', 'trade', 'predictions', 'commodities', 'fx', 'prices', 'calendar'],
  },
  pro: {
    callsPerMonth: 1_000_000,
    callsPerMinute: 600,
    concurrentStreams: 10,
    pricesStream: true,
    families: ['inflation', 'labour', 'output', 'trade', 'predictions', 'commodities', 'fx', 'prices', 'calendar'],
  },
}
