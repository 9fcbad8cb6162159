import type { Tick } from '../../contracts/records.ts'

/** UTC milliseconds of an instant. */
export const at = (instant: string): number => Date.parse(instant)
export const iso = (ms: number): string => new Date(ms).toISOString()

/** A Wednesday noon in New York: both markets are open, and stay so for hours. */
export const NOON = at('2026-01-14T17:00:00.000Z')

type PriceTick = {
  readonly source?: string
  readonly symbol?: string
  /** UTC milliseconds; `observed` is `recorded` unless given. */
  readonly recorded?: number
  readonly observed?: number
}

export const priceTick = (
  price: string,
  { source = 'TEST', symbol = 'XAU-USD', recorded = NOON, observed = recorded }: PriceTick = {},
): Tick => ({
  kind: 'price',
  symbol,
  source,
  price,
  observed_at: iso(observed),
  recorded_at: iso(recorded),
  url: '',
})

export const timerTick = (symbol: string, dueAt: number, recorded = dueAt): Tick => ({
  kind: 'timer',
  symbol,
  source: '',
  price: '',
  observed_at: iso(dueAt),
  recorded_at: iso(recorded),
  url: '',
})
