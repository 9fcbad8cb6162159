import type { ApiDeps } from './deps.ts'
import type { ReadModelReach } from './read-model-reach.ts'
import { RecentlyUsed } from './recently-used.ts'

/** Most rows of all reads that are kept. A row takes about 300 bytes. */
const MAX_ROWS = 200_000
/** What a read without rows counts as: its question takes as much. */
const LEAST_ROWS = 3

type History = ApiDeps['history']
type Deps = Pick<ApiDeps, 'history' | 'newestRelease'> & {
  readonly releaseIndex: Pick<ApiDeps['releaseIndex'], 'changes'>
  readonly reach: Pick<ReadModelReach, 'includes'>
  readonly monotonic: () => number
}
type Rows = readonly unknown[] | undefined

/**
 * The history, which keeps what it has read of the newest snapshots, so that what is asked often costs the read model nothing.
 * The series of a country and indicator are read anew after each release of theirs. The figures of a snapshot never change.
 */
export function keptReads(deps: Deps): History {
  const { history, newestRelease, releaseIndex, reach } = deps
  /** By what was asked. */
  const kept = new RecentlyUsed<Promise<Rows>>(MAX_ROWS, deps.monotonic)

  /** What was read before, or else `read`. */
  function keeping<R extends Rows>(key: string, read: () => Promise<R>): Promise<R> {
    // No release is in memory yet, or the history is that of a day.
    if (newestRelease() < 0) return read()
    const known = kept.get(key)
    // A cast, because the key says what was read.
    if (known) return known as Promise<R>
    const rows = read()
    kept.set(key, rows, LEAST_ROWS)
    rows.then(
      (made) => kept.resize(key, rows, LEAST_ROWS + (made?.length ?? 0)),
      () => kept.drop(key, rows),
    )
    return rows
  }

  return {
    ...history,
    async series(country, indicator, snapshot) {
      const read = () => history.series(country, indicator, snapshot)
      // The history of a day, or that of a later page.
      if (newestRelease() < 0 || snapshot !== Number.MAX_SAFE_INTEGER) return read()
      const changes = releaseIndex.changes(country, indicator)
      // What the read model lacks now, the series may lack, also for who asks while they are read.
      if (!(await reach.includes([{ country, indicator }]))) return read()
      return keeping(`series ${country} ${indicator} ${changes}`, read)
    },
    observations: (range) => keeping(`observations ${JSON.stringify(range)}`, () => history.observations(range)),
    vintages: (range) => keeping(`vintages ${JSON.stringify(range)}`, () => history.vintages(range)),
  }
}
