/** Bodies of the service's answers, as the console reads them. */
import type { CatalogEntry } from '../../contracts/catalog.ts'
import type { Provenance } from '../../contracts/records.ts'

export type { CatalogEntry } from '../../contracts/catalog.ts'
export type { Event, EventPage } from '../../contracts/events.ts'
export type { Problem } from '../../contracts/problems.ts'
export type { FxRate, Health, SpotPrice, Usage } from '../../contracts/resources.ts'
export type { Facts, IndicatorFacts } from '../facts.ts'

export type CatalogBody = { readonly series: readonly CatalogEntry[]; readonly as_of: string }

/** One print of one figure: a row of the CSV of `…/vintages`. */
export type VintageRow = {
  readonly country: string
  readonly measure: string
  readonly value: string
  readonly unit: string
  readonly transformation: string
  readonly period: string
  readonly released_on: string
  readonly released_on_basis: string
  readonly recorded_at: string
  readonly release_id: string
  readonly revises: string
}

type Candle = {
  readonly start: string
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly ticks: number
}
export type CandleBody = { readonly candles: readonly Candle[]; readonly next_cursor: string | null }

export type CalendarItem = {
  readonly country: string
  readonly indicator: string
  readonly series: string
  readonly period: string
  readonly status: 'expected' | 'late' | 'published' | 'cancelled'
  readonly expected_on: string | null
  readonly expected_on_basis: string | null
  readonly published_on: string | null
  readonly published_on_basis: string | null
  readonly release_id: string | null
  readonly days_late: number | null
}
export type CalendarBody = { readonly entries: readonly CalendarItem[]; readonly next_cursor: string | null }

export type InputBody = {
  readonly release_id: string
  readonly indicator: string
  readonly period: string
  readonly figures: Readonly<Record<string, string>>
  readonly provenance: Provenance | null
}
export type ReleaseBody = {
  readonly release_id: string
  readonly country: string
  readonly indicator: string
  readonly series: Readonly<Record<string, string>>
  readonly period: string
  readonly figures: Readonly<Record<string, string>>
  readonly printed: Readonly<Record<string, string>>
  readonly revises: string | null
  readonly revised_by: string | null
  readonly released_on: string
  readonly released_on_basis: string
  readonly recorded_at: string
  readonly is_current: boolean
  readonly is_served: boolean
  readonly provenance: Provenance | null
  readonly derivation: string
  readonly inputs: readonly InputBody[]
  readonly event: { readonly id: string; readonly sequence: string; readonly time: string } | null
}
