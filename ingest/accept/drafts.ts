import type { Draft } from '../../journal/typed.ts'
import { noRowsKept, type RowFault, type RowsKept } from './rejected.ts'
import { emptyTally, type Tally } from './tally.ts'

/** What comes of the items of one transaction. */
export type Drafts = {
  /** Time of the records, UTC milliseconds. */
  readonly at: number
  /** The same time in ISO 8601. */
  readonly recordedAt: string
  releases: Draft<'releases'>[]
  ticks: Draft<'ticks'>[]
  history: Draft<'price_history'>[]
  /** The last one of each symbol and source, by record key. */
  newest: Map<string, Draft<'newest_prices'>>
  quarantine: Draft<'quarantine'>[]
  tally: Tally
  /** Faults of what is rejected or held, in document order. */
  faults: RowFault[]
  kept: RowsKept
}

export const noDrafts = (at: number, kept: RowsKept = noRowsKept()): Drafts => ({
  at,
  recordedAt: new Date(at).toISOString(),
  releases: [],
  ticks: [],
  history: [],
  newest: new Map(),
  quarantine: [],
  tally: emptyTally(),
  faults: [],
  kept,
})

/** Adds to the drafts of one transaction. It is called again with new drafts if the transaction fails. */
export type Drafting = (drafts: Drafts) => void
