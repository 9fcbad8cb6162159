import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DatedEntry } from '../domain/calendar-entries.ts'
import { KeptCalendar } from '../domain/kept-calendar.ts'
import type { ApiDeps } from './deps.ts'
import { expectedReleases } from './expected-releases.ts'

type Deps = Pick<ApiDeps, 'figures' | 'releaseIndex' | 'statements' | 'releaseDates' | 'clock'>

type ReleaseCalendar = {
  /**
   * All entries, in their order. Those that are not up to date are made cell by cell, so that others are answered between: after
   * a start it is all of them.
   */
  readonly entries: () => Promise<readonly DatedEntry[]>
  /** What is late, and what is expected next. */
  readonly pending: () => readonly DatedEntry[]
}

/** Returns the release calendar, which keeps what did not change since it was last asked. */
export function calendarOf(deps: Deps): ReleaseCalendar {
  const { figures, releaseIndex, statements, releaseDates } = deps
  const facts = { figures, releaseIndex, statements, releaseDates, expectations: () => expectedReleases(deps) }
  const calendar = new KeptCalendar(facts)
  const now = () => deps.clock().getTime()
  return {
    entries: async () => {
      for (const cell of calendar.outdated()) {
        calendar.refresh(cell)
        await nextTurn()
      }
      return calendar.entries(now())
    },
    pending: () => calendar.pending(now()),
  }
}
