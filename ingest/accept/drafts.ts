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
  quarantine: Draft<'quarantine'>[]
  tally: Tally
  /** Faults in document order. */
  rejected: RowFault[]
  kept: RowsKept
}

export const noDrafts = (at: number, kept: RowsKept = noRowsKept()): Drafts => ({
  at,
  recordedAt: new Date(at).toISOString(),
  releases: [],
  ticks: [],
  history: [],
  quarantine: [],
  tally: emptyTally(),
  rejected: [],
  kept,
})
