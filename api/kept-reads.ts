import type { ApiDeps } from './deps.ts'
import { ProjectedReleases } from './projected-releases.ts'

/** Most rows of all reads that are kept. A row takes about 300 bytes. */
const MAX_ROWS = 200_000
/** What a read without rows counts as: its question takes as much. */
const LEAST_ROWS = 3
/** How long a read is kept; milliseconds. As long as clients may keep the first page that is made of it. */
const KEPT_MS = 60_000

type History = ApiDeps['history']
type Deps = Pick<ApiDeps, 'history' | 'newestRelease' | 'recentReleases' | 'clock'> & {
  readonly releaseIndex: Pick<ApiDeps['releaseIndex'], 'changes'>
}
type Rows = readonly unknown[] | undefined
type Kept = { readonly until: number; readonly rows: Promise<Rows>; size: number }

/**
 * The history, which keeps what it has read of the newest snapshots, so that what is asked often costs the read model nothing.
 * The series of a country and indicator are read anew after each release of theirs. The figures of a snapshot never change.
 */
export function keptReads(deps: Deps): History {
  const { history } = deps
  /** By what was asked, the one used last at the end. */
  const kept = new Map<string, Kept>()
  let size = 0
  const projected = new ProjectedReleases(deps)

  function drop(key: string, own: Kept): void {
    if (kept.get(key) !== own) return
    kept.delete(key)
    size -= own.size
  }

  function count(key: string, own: Kept, rows: Rows): void {
    if (kept.get(key) !== own) return
    own.size = LEAST_ROWS + (rows?.length ?? 0)
    size += own.size
    for (const [oldest, other] of kept) {
      if (size <= MAX_ROWS) break
      drop(oldest, other)
    }
  }

  /** What was read before, or else `read`. `isWhole` tells whether it may be kept, and is asked before. */
  function keeping<R extends Rows>(key: string, read: () => Promise<R>, isWhole?: () => Promise<boolean>): Promise<R> {
    // No release is in memory yet, or the history is that of a day.
    if (deps.newestRelease() < 0) return read()
    const now = deps.clock().getTime()
    for (const [key, old] of kept) {
      if (old.until > now) break
      drop(key, old)
    }
    const known = kept.get(key)
    if (known && known.until > now) {
      kept.delete(key)
      kept.set(key, known)
      // A cast, because the key says what was read.
      return known.rows as Promise<R>
    }
    if (known) drop(key, known)
    const fill = async () => {
      const isKept = (await isWhole?.()) ?? true
      const made = await read()
      if (isKept) count(key, own, made)
      else drop(key, own)
      return made
    }
    const rows = fill()
    const own: Kept = { until: now + KEPT_MS, rows, size: 0 }
    kept.set(key, own)
    rows.catch(() => drop(key, own))
    return rows
  }

  return {
    ...history,
    series(country, indicator, snapshot) {
      const read = () => history.series(country, indicator, snapshot)
      if (snapshot !== Number.MAX_SAFE_INTEGER) return read()
      // What the read model lacks now, the series may lack.
      const isWhole = () => projected.include([{ country, indicator }])
      const changes = deps.releaseIndex.changes(country, indicator)
      return keeping(`series ${country} ${indicator} ${changes}`, read, isWhole)
    },
    observations: (range) => keeping(`observations ${JSON.stringify(range)}`, () => history.observations(range)),
    vintages: (range) => keeping(`vintages ${JSON.stringify(range)}`, () => history.vintages(range)),
  }
}
