import { type ReleaseRow, releaseOfRow } from '../../projections/views/vintages/row.ts'
import type { MemoryReadModel } from '../support/memory-read-model.ts'
import type { Logged } from '../support/memory-vintages.ts'

type Rows = ReturnType<MemoryReadModel['rowsOf']>
const known = new WeakMap<Rows, readonly Logged[]>()

/** The rows of the table of vintages as releases, in the order of offsets. They are made once for all that ask. */
export const loggedVintages = (readModel: MemoryReadModel) => (): readonly Logged[] => {
  const rows = readModel.rowsOf('vintages')
  const before = known.get(rows) ?? []
  if (before.length === rows.length) return before
  const added = rows.slice(before.length).map((row) => ({
    offset: row._offset,
    // Cast: the projector has sent the columns of the view. A marker has no release, and no record of this topic needs one.
    release: releaseOfRow(row as unknown as ReleaseRow),
  }))
  const all = [...before, ...added].sort((a, b) => a.offset - b.offset)
  known.set(rows, all)
  return all
}
