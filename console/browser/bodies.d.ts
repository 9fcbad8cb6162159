/** Bodies of the service's answers, as the console reads them. */
import type { CalendarEntry } from '../../contracts/calendar.ts'
import type { Candle, CandleInterval } from '../../contracts/candles.ts'
import type { CatalogEntry } from '../../contracts/catalog.ts'
import type { VintageList } from '../../contracts/histories.ts'

export type { CalendarEntry } from '../../contracts/calendar.ts'
export type { CatalogEntry } from '../../contracts/catalog.ts'
export type { Event, EventPage } from '../../contracts/events.ts'
export type { Problem } from '../../contracts/problems.ts'
export type { ReleaseDetail, ReleaseInput } from '../../contracts/release-detail.ts'
export type { FxRate, Health, SpotPrice, Usage } from '../../contracts/resources.ts'
export type { SearchHit, SearchResult as SearchBody } from '../../contracts/search.ts'
export type { Facts, IndicatorFacts, InstrumentGroup } from '../facts.ts'

export type CatalogBody = { readonly series: readonly CatalogEntry[] }
export type CandleBody = {
  readonly interval: CandleInterval
  readonly candles: readonly Candle[]
  readonly as_of: string
}
export type PairsBody = { readonly pairs: readonly (CandleBody & { readonly symbol: string })[] }
export type CalendarBody = { readonly entries: readonly CalendarEntry[]; readonly next_cursor: string | null }
/** One print of one figure, as a row of CSV has it: everything is text. */
export type VintageRow = { readonly [Member in keyof VintageList['vintages'][number]]: string }
