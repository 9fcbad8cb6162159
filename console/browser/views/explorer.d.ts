import type { IndicatorFacts } from '../bodies.d.ts'
import type { ViewContext } from '../view.d.ts'

/** What the parts of the indicators' view share. `as_of`, `period`: where its two cursors begin; both are kept in the address. */
export type Explorer = {
  readonly context: ViewContext
  readonly params: Readonly<Record<string, string>>
  readonly indicator: IndicatorFacts
  readonly country: string
  readonly figure: string
  /** As it is asked for; undefined: that of the latest figure. */
  readonly frequency: string | undefined
  readonly title: string
  readonly keep: (params: Readonly<Record<string, string | undefined>>) => void
  /** Shows another range of periods, and goes on from the plot. */
  readonly toRange: (range: Readonly<Record<'start' | 'end', string | undefined>>) => void
}
