import type { Plan } from './resources.ts'

export type Limits = {
  /** Calls a calendar month, UTC. */
  readonly callsPerMonth: number
  readonly callsPerMinute: number
  /** Shared across the prices, events and predictions streams. */
  readonly concurrentStreams: number
  readonly pricesStream: boolean
  /** Event families served to the plan. */
  readonly families: readonly string[]
}

/** What each plan allows (specification section 8; quotas and burst limits are ours). The one place to change them. */
export const plans: Readonly<Record<Plan, Limits>> = {
  free: {
    callsPerMonth: 5_000,
    callsPerMinute: 30,
    concurrentStreams: 1,
    pricesStream: false,
    families: ['inflation', 'labour', 'output', 'trade', 'predictions'],
  },
  basic: {
    callsPerMonth: 100_000,
    callsPerMinute: 120,
    concurrentStreams: 2,
    pricesStream: true,
    families: ['inflation', 'labour', 'output', 'trade', 'predictions', 'commodities', 'fx'],
  },
  pro: {
    callsPerMonth: 1_000_000,
    callsPerMinute: 600,
    concurrentStreams: 10,
    pricesStream: true,
    families: ['inflation', 'labour', 'output', 'trade', 'predictions', 'commodities', 'fx'],
  },
}
