import type { ConnectionTable } from '../access/connection-table.ts'
import type { Caller, Gate } from '../access/gate.ts'
import type { Tickets } from '../access/tickets.ts'
import type { Health } from '../contracts/resources.ts'
import type { FigureBoard } from '../domain/figure-board.ts'
import type { PriceBoard } from '../domain/price-board.ts'
import type { EventQueries } from '../projections/views/events/query.ts'
import type { VintageQueries } from '../projections/views/vintages/query.ts'

/** What the api is handed by `cli/`, which puts the parts together: ports no wider than what it calls. */

/** A value, or one that is being fetched. What is in memory comes at once, so that a hot path never waits a turn. */
export type Awaitable<T> = T | Promise<T>

export type { Caller }
export type ApiGate = Pick<Gate, 'authenticate' | 'burst' | 'charge' | 'refund' | 'rateLimit' | 'usage'>

export type Figures = Pick<FigureBoard, 'latest' | 'at' | 'servedSeries' | 'current' | 'countries' | 'periods'>
export type Prices = Pick<PriceBoard, 'spot' | 'fx' | 'isSimulated' | 'hasSimulated' | 'isDemonstration'>

/** Reads of the read models; they throw the problem `unavailable` where ClickHouse cannot be asked. */
type Events = Pick<EventQueries, 'page' | 'byId' | 'bounds'>
type History = Pick<VintageQueries, 'exportsHistory' | 'snapshotOf' | 'watermark'> & {
  /** `recorded_at` of the release of a series that stands at a journal offset; undefined if none does. */
  recordedAt(series: string, offset: number): Promise<string | undefined>
}

/** Where faults of ours are written. Never given a key, a ticket or a query string. */
export type FaultLog = Record<'error' | 'warn', (fields: object, message: string) => void>

export type ApiDeps = {
  readonly figures: Figures
  readonly prices: Prices
  readonly history: History
  readonly events: Events
  /** Sequence of the newest event in the journal itself, which the read model may not hold yet; 0 before the first. */
  readonly newestEvent: () => Promise<number>
  /** Whether the journal holds releases up to an offset. True also where the journal cannot be asked. */
  readonly journalReaches: (offset: number) => Awaitable<boolean>
  readonly gate: ApiGate
  readonly tickets: Pick<Tickets, 'issue'>
  /** Where REST and MCP are on this machine, without a slash at the end: `http://127.0.0.1:8080`. */
  readonly apiBase: string
  /** Where the streams are, without a slash at the end: `wss://stream.example.com`. */
  readonly streamBase: string
  readonly journalId: string
  readonly clock: () => Date
  readonly version: string
  readonly health: () => Health
  /** True once the figures and prices in memory hold what the start found; else the reason. Until then data calls are 503. */
  readonly answering: () => true | string
  /** True once everything is answered that this node is for: what `/ready` says. Else the reason. */
  readonly ready: () => true | string
  readonly logger?: FaultLog
  /** Counts and bounds the connections; absent: as many as the system has. */
  readonly connections?: ConnectionTable
  /** Origins of web pages that may read data endpoints and call MCP; none by default, for keys belong on servers. */
  readonly corsOrigins?: readonly string[]
}
