import type { Proxies } from '../../access/proxies.ts'

/** Plots that web pages of others may show in a frame, without a key. */
export type Embed = {
  /** Figures that may be shown, as `USA.cpi` or `DEU.inflation.month_over_month`. */
  readonly figures: readonly string[]
  /** Sources of `frame-ancestors` (CSP); empty: this service's own pages. */
  readonly ancestors: readonly string[]
  readonly proxies: Proxies
}
