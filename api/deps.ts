import type { ConnectionTable } from '../access/connection-table.ts'
import type { Caller, Gate } from '../access/gate.ts'
import type { Tickets } from '../access/tickets.ts'
import type { Health } from '../contracts/resources.ts'
import type { StatementBoard } from '../domain/calendar-statements.ts'
import type { FetchBoard } from '../domain/fetch-board.ts'
import type { FigureBoard } from '../domain/figure-board.ts'
import type { Lineage } from '../domain/lineage.ts'
import type { NewestRecords } from '../domain/newest-records.ts'
import type { PriceBoard } from '../domain/price-board.ts'
import type { PublishersIds } from '../domain/publishers-ids.ts'
import type { RecentReleases } from '../domain/recent-releases.ts'
import type { ReleaseDatesBoard } from '../domain/release-dates.ts'
import type { ReleaseIndex } from '../domain/release-index.ts'
import type { TypedJournal } from '../journal/typed.ts'
import type { CandleQueries } from '../projections/views/candles/query.ts'
import type { EventQueries } from '../projections/views/events/query.ts'
import type { PublishedQueries } from '../projections/views/published/query.ts'
import type { TickQueries } from '../projections/views/ticks/query.ts'
import type { VintageQueries } from '../projections/views/vintages/query.ts'
import type { Embed } from './embed/embed.ts'
import type { HeldSpans } from './held-spans.ts'
import type { Tables } from './iceberg/tables-port.ts'

/** The dependencies of the api, passed in by `cli/`, which composes the parts. Each port has only the methods it calls. */

/** A value or a promise of one. A value from memory is returned directly, so that hot paths never wait for a turn. */
export type Awaitable<T> = T | Promise<T>

export type { Caller }
export type ApiGate = Pick<
  Gate,
  | 'authenticate'
  | 'authenticateRead'
  | 'authenticateAddressKey'
  | 'burst'
  | 'charge'
  | 'refund'
  | 'rateLimit'
  | 'usage'
  | 'stillAdmits'
>

export type Figures = Pick<
  FigureBoard,
  | 'latest'
  | 'newest'
  | 'at'
  | 'current'
  | 'inHistory'
  | 'partial'
  | 'withdrawal'
  | 'servedSeries'
  | 'countries'
  | 'periods'
  | 'seriesOf'
  | 'inForce'
>
export type Prices = Pick<PriceBoard, 'spot' | 'fx' | 'routes' | 'isSimulated' | 'hasSimulated' | 'isDemonstration'>

type Statements = Pick<StatementBoard, 'of' | 'find' | 'wasExpected' | 'changes' | 'count' | 'recordedAt'>
type AnnouncedDays = Pick<ReleaseDatesBoard, 'of' | 'changedAt' | 'count' | 'recordedAt'>

/** Queries of the read models. They throw the problem `unavailable` if ClickHouse cannot be reached. */
type Events = Pick<EventQueries, 'page' | 'byId' | 'bounds' | 'recordedFrom'>
type Vintages = Pick<VintageQueries, 'byIds' | 'idsOf' | 'successorOf' | 'watermark'>
type History = Pick<
  VintageQueries,
  'series' | 'seriesOfMany' | 'observations' | 'inForce' | 'vintages' | 'prints' | 'watermark'
>

/** What the read models have of all that was released or observed by the end of a day. */
export type DatedReads = {
  readonly history: History
  readonly vintages: Vintages
  readonly events: Events
  readonly candles: CandleQueries
  readonly ticks: TickQueries
  readonly published: PublishedQueries
}

/** The events in the journal itself, which exports read. */
export type JournalOfEvents = Pick<TypedJournal, 'bounds' | 'newest' | 'offsetForTime' | 'read'>

/** Log of the service's own faults. It never gets a key, a ticket or a query string. */
export type FaultLog = Record<'error' | 'warn', (fields: object, message: string) => void>

export type ApiDeps = {
  readonly figures: Figures
  readonly releaseIndex: Pick<ReleaseIndex, 'series' | 'current' | 'changedAt' | 'changes' | 'count'>
  /** What operators have said of releases, and which days were announced. */
  readonly statements: Statements & { until(day: string): Statements }
  /** The days that publishers’ own calendars announce. */
  readonly releaseDates: AnnouncedDays & { until(day: string): AnnouncedDays }
  /** When datasets were last fetched. */
  readonly fetches: Pick<FetchBoard, 'lastOf'>
  /**
   * The ids of publishers, such as CPIAUCSL or LNS14000000. `seriesOf(id, releaseIndex.series())` has the series that an id names,
   * best first; `readAs(id)` says what it is, also if nothing of it is on record; `all` lists every id that ingest knows.
   */
  readonly publishersIds: Pick<PublishersIds, 'all' | 'readAs' | 'seriesOf'>
  readonly prices: Prices
  /** The current quotes, which say what source prices an instrument. */
  readonly quotes: Pick<PriceBoard, 'quote'>
  readonly history: History
  readonly vintages: Vintages
  readonly events: Events
  /** Figures that wait for review. */
  readonly held: Pick<HeldSpans, 'spans'>
  readonly journal: JournalOfEvents
  readonly candles: CandleQueries
  readonly ticks: TickQueries
  /** The same read models, as of a day (YYYY-MM-DD); with estimated dates, if asked for. */
  readonly asOf: (day: string, isEstimated?: boolean) => DatedReads
  /** Offset of the newest release in memory; -1 before the first. */
  readonly newestRelease: () => number
  /** The newest record of each series in memory. */
  readonly newestRecords: Pick<NewestRecords, 'of'>
  /** The newest releases in memory. */
  readonly recentReleases: Pick<RecentReleases, 'since'>
  /** Sequence of the newest event in the journal, which the read model may not have yet; 0 before the first. */
  readonly newestEvent: () => Promise<number>
  /** Whether the journal has releases up to an offset. Also true if the journal cannot be reached. */
  readonly journalReaches: (offset: number) => Awaitable<boolean>
  readonly gate: ApiGate
  readonly tickets: Pick<Tickets, 'issue'>
  /** Base address of REST and MCP, without a slash at the end: `http://127.0.0.1:8080`. */
  readonly apiBase: string
  /** Base address of the streams, without a slash at the end: `wss://stream.example.com`. */
  readonly streamBase: string
  readonly lineage: Lineage
  readonly clock: () => Date
  /** The last instant of which prices are served: that of the clock, or as of a day its end. */
  readonly pricesUntil: () => Date
  readonly version: string
  readonly health: () => Health
  /** True once figures and prices on record are loaded into memory; else the reason. Until then data calls are 503. */
  readonly answering: () => true | string
  /** State of `/ready`: true once this node answers everything that it serves; else the reason why not. */
  readonly ready: () => true | string
  readonly logger?: FaultLog
  /** Counts and limits the connections. Absent: no limit. */
  readonly connections?: ConnectionTable
  /** Origins of web pages that may call MCP and POST, besides the reads that any page may make with a key. None by default. */
  readonly corsOrigins?: readonly string[]
  /** The archive's tables at /iceberg. Absent: this node has no archive. */
  readonly tables?: Tables
  /** Plots for pages of others. Absent: none. */
  readonly embed?: Embed
}
