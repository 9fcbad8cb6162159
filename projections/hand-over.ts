/**
 * How a rebuild gets a table from the process that fills it, without that process being ended: it asks by the mark of its
 * copy, and the process releases its claim until the request is gone. A request lapses, so that a rebuild that was killed holds
 * nobody up.
 */

import type { ClickHouseClient } from '@clickhouse/client'
import { pause } from '../base/async/pause.ts'
import { errorMessage } from '../base/errors.ts'
import { cancelTimer, systemTime, type Time } from '../base/time.ts'
import type { Claim } from '../journal/journal.ts'
import { ProjectionError } from './errors.ts'
import type { FillOptions } from './fill.ts'
import { markRequest, readRequested } from './migrate.ts'
import { dropTable, rowsOf } from './table.ts'

/** How long a request holds. Within this time a process sees it, finishes its write and releases its claim. */
const REQUEST_MS = 30_000
const LOOK_MS = 2_000
/** Interval between looks whether a request is gone, for which a projector stands still. */
const RETURN_LOOK_MS = 200

export type TableOptions = FillOptions & {
  /** How long to wait for a process that is not asked, and for another rebuild, ms; for ever by default. */
  readonly patienceMs?: number
}

/**
 * Does `work` while no other process fills `table`. With `asks`, the one that does is asked for it, which must be of the same
 * release. Throws ProjectionError `projector_running` if it does not let go.
 */
export async function withTable<T>(
  table: string,
  options: TableOptions & { readonly asks?: boolean },
  work: (owned: AbortSignal) => Promise<T>,
): Promise<T> {
  const { client, signal, patienceMs, asks = false } = options
  // The table may be free, so a right that is missing is told only if it is not.
  const fault: unknown = asks ? await markRequest(client, table, true).catch((error) => error) : undefined
  const claimed = claimWithin(options, `projection/${table}`, asks ? REQUEST_MS : patienceMs)
  // A mark that stays lapses by itself.
  const cleared = asks ? claimed.finally(() => markRequest(client, table, false).catch(() => undefined)) : claimed
  const claim = await cleared
  if (!claim) {
    const detail = fault === undefined ? '' : `. It could not be asked: ${errorMessage(fault)}`
    throw new ProjectionError('projector_running', `another process fills ${table}, and has not let go of it${detail}`)
  }
  return whileOwned(claim, signal, work)
}

type Alone = Pick<TableOptions, 'journal' | 'signal' | 'time' | 'patienceMs'>

/** Does `work` while no other process rebuilds `table`. Throws ProjectionError `rebuild_running` if one goes on doing so. */
export async function rebuildingAlone<T>(
  table: string,
  options: Alone,
  work: (owned: AbortSignal) => Promise<T>,
): Promise<T> {
  const claim = await claimWithin(options, `rebuild/${table}`, options.patienceMs)
  if (!claim) throw new ProjectionError('rebuild_running', `another process is rebuilding ${table}; wait for its end`)
  return whileOwned(claim, options.signal, work)
}

/**
 * Does `work` with a copy of `table` to compare it with, while no other process does. The copy has a name of its own, so that a
 * process that was stopped for longer than its claim lives fails, and doesn't compare with the copy of another one. It is
 * dropped afterwards; the next run drops that of a run that was killed. Throws ProjectionError `verify_running` if another
 * process goes on comparing.
 */
export async function comparingAlone<T>(
  table: string,
  options: Alone & Pick<TableOptions, 'client'>,
  work: (copy: string, owned: AbortSignal) => Promise<T>,
): Promise<T> {
  const claim = await claimWithin(options, `verify/${table}`, options.patienceMs)
  if (!claim) throw new ProjectionError('verify_running', `another process is comparing ${table}; wait for its end`)
  const { client, time = systemTime } = options
  const copy = `${table}_${time.uuid().slice(0, 8)}_verified`
  return whileOwned(claim, options.signal, async (owned) => {
    for (const { name } of await rowsOf<{ name: string }>(client, COPIES, {
      copies: `^${table}(_[0-9a-f]{8})?_verified$`,
    }))
      await dropTable(client, name)
    try {
      return await work(copy, owned)
    } finally {
      await dropTable(client, copy)
    }
  })
}

const COPIES = 'SELECT name FROM system.tables WHERE database = currentDatabase() AND match(name, {copies:String})'

/** Claims a name; undefined if another process goes on owning it. `limitMs`: for ever by default. */
async function claimWithin(
  { journal, signal, time = systemTime }: Pick<TableOptions, 'journal' | 'signal' | 'time'>,
  name: string,
  limitMs: number | undefined,
): Promise<Claim | undefined> {
  const limit = new AbortController()
  const timer = limitMs === undefined ? undefined : time.timer(limitMs, () => limit.abort())
  try {
    return await journal.claim(name, AbortSignal.any([signal, limit.signal]))
  } catch (error) {
    if (signal.aborted || !limit.signal.aborted) throw error
    return undefined
  } finally {
    cancelTimer(timer)
  }
}

async function whileOwned<T>(claim: Claim, signal: AbortSignal, work: (owned: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await work(AbortSignal.any([signal, claim.lost]))
  } finally {
    // The outcome of `work` matters. A claim that can't be released passes on when its owner's heartbeats stop.
    await claim.release().catch(() => undefined)
  }
}

type HandOverOptions = { readonly time?: Time; readonly lookMs?: number }

/** The requests of rebuilds, for the processes that fill tables. All projections of a process share one query. */
export class HandOvers {
  readonly #client: ClickHouseClient
  readonly #time: Time
  readonly #lookMs: number
  #requested: Promise<ReadonlySet<string>> = Promise.resolve(new Set())
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(client: ClickHouseClient, { time = systemTime, lookMs = LOOK_MS }: HandOverOptions = {}) {
    this.#client = client
    this.#time = time
    this.#lookMs = lookMs
  }

  /** Resolves once a rebuild asks for `table`, or when `signal` aborts. */
  requestOf(table: string, signal: AbortSignal): Promise<void> {
    return this.#until((requested) => requested.has(table), this.#lookMs, signal)
  }

  /** Resolves once no rebuild asks for `table` any more, or when `signal` aborts. */
  endOfRequest(table: string, signal: AbortSignal): Promise<void> {
    return this.#until((requested) => !requested.has(table), Math.min(RETURN_LOOK_MS, this.#lookMs), signal)
  }

  async #until(
    isTrue: (requested: ReadonlySet<string>) => boolean,
    everyMs: number,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted && !isTrue(await this.#look(everyMs))) {
      await pause(everyMs, signal, this.#time)
    }
  }

  /** The tables asked for, as of `maxAgeMs` ago at most. None while the store does not tell: no rebuild can go on then either. */
  #look(maxAgeMs: number): Promise<ReadonlySet<string>> {
    const now = this.#time.monotonic()
    if (now - this.#lookedAt >= maxAgeMs) {
      this.#lookedAt = now
      this.#requested = readRequested(this.#client, REQUEST_MS / 1_000).catch(() => new Set<string>())
    }
    return this.#requested
  }
}
