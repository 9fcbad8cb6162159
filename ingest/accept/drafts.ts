import type { Draft } from '../../journal/typed.ts'
import { noRowsKept, type RowFault, type RowsKept } from './rejected.ts'
import { emptyTally, type Tally } from './tally.ts'

/** What comes of the items of one transaction. */
export type Drafts = {
  releases: Draft<'releases'>[]
  ticks: Draft<'ticks'>[]
  history: Draft<'price_history'>[]
  quarantine: Draft<'quarantine'>[]
  tally: Tally
  /** Faults in document order. */
  rejected: RowFault[]
  kept: RowsKept
}

export const noDrafts = (kept: RowsKept = noRowsKept()): Drafts => ({
  releases: [],
  ticks: [],
  history: [],
  quarantine: [],
  tally: emptyTally(),
  rejected: [],
  kept,
})
