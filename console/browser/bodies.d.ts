/** Bodies of the service's answers, as the console reads them. */
export type { Event, EventPage } from '../../contracts/events.ts'
export type { Problem } from '../../contracts/problems.ts'
export type { FxRate, Health, SpotPrice, Usage } from '../../contracts/resources.ts'
export type { Facts, IndicatorFacts } from '../facts.ts'

export type CatalogEntry = {
  readonly series: string
  readonly country: string
  readonly country_name: string
  readonly indicator: string
  readonly indicator_name: string
  readonly publisher: string
  readonly source: string
  readonly dataset: string
  readonly licence: string
  readonly unit: string
  readonly frequency: string
  readonly seasonal_adjustment: string
  readonly annualization: string
  readonly base_period: string
  readonly base_value: string
  readonly derivation: string
  readonly is_served: boolean
  readonly first_period: string
  readonly last_period: string
  readonly observations: number
  readonly vintages: number
  readonly last_released_on: string
  readonly next_period: string | null
  readonly next_expected_on: string | null
  readonly days_late: number | null
}
export type Catalog = { readonly series: readonly CatalogEntry[]; readonly as_of: string }

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
export type CandleList = { readonly candles: readonly Candle[]; readonly next_cursor: string | null }

export type CalendarEntry = {
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
export type Calendar = { readonly entries: readonly CalendarEntry[]; readonly next_cursor: string | null }

export type ReleaseInput = {
  readonly release_id: string
  readonly indicator: string
  readonly period: string
  readonly figures: Readonly<Record<string, string>>
}
export type ReleaseDetail = {
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
  readonly provenance: {
    readonly publisher: string
    readonly url: string
    readonly licence: string
    readonly retrieved_at: string
    readonly sha256: string
    readonly location: string
  } | null
  readonly derivation: string
  readonly inputs: readonly ReleaseInput[]
  readonly event: { readonly id: string; readonly sequence: string; readonly time: string } | null
}
