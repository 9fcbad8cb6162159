import type { Claim } from '../../journal/journal.ts'
import type { Draft } from '../../journal/typed.ts'
import type { Item } from '../source.ts'
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

/** Decides on the items of one kind that a document has, beside those on record. It reads the journal, and never writes to it. */
export type Decider<Decided extends Item> = {
  /** Reads what any process has written since the last call. `claim` is the caller's own, of any name. */
  catchUp(claim: Claim): Promise<void>
  /** Drops what is known of the journal, because it may not be written. */
  forget(): void
  /** Whether a transaction whose outcome was unknown is in the journal. Undefined if its drafts do not tell. */
  isRecorded(drafts: Drafts): boolean | undefined
  /** Decides on an item, and takes what is news as on record. Passes over one that is held. */
  decide(item: Decided, drafts: Drafts): void
}
