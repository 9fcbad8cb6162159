import type { ClickHouseClient } from '@clickhouse/client'
import { systemTime } from '../../base/time.ts'
import type { Topic } from '../../contracts/topics.ts'
import type { Config } from '../../infra/config.ts'
import type { Log } from '../../infra/log.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { CandleRoller } from '../../projections/candle-roller.ts'
import { HandOvers } from '../../projections/hand-over.ts'
import { type Progress, Projector } from '../../projections/projector.ts'
import { clickHouseReadModel } from '../../projections/read-model.ts'
import { Standstill } from '../../projections/standstill.ts'
import { readUserLags, type UserLag } from '../../projections/user-lags.ts'
import { candles } from '../../projections/views/candles/roll.ts'
import { views } from '../../projections/views/index.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { inTime } from './in-time.ts'

/** Projection of a read model. If another process runs it, its progress is read from the table. */
export type Projection = Pick<Projector<Topic>, 'name' | 'progress' | 'run' | 'caughtUp'>

/**
 * All projections. `served` are those whose tables requests read: a start waits for them, and `/health` reports their
 * lag. `userLags` are those of users' projections, which run elsewhere: their lag is an operator's matter, and no fault
 * of the service.
 */
export type Projections = {
  readonly served: readonly Projection[]
  readonly all: readonly Projection[]
  userLags(): Promise<readonly UserLag[]>
}

/** Lag from which `/health` reports read models as catching up, because requested rows may still be missing. */
const LAG_OFFSETS = 5_000

type Opened = {
  readonly config: Pick<Config, 'ticksFlushMs'>
  readonly journal: TypedJournal
  /** Opens a new client, so that a busy projection does not delay another one. */
  readonly client: () => ClickHouseClient
  readonly log: Log
}

export function openProjections({ config, journal, client, log }: Opened): Projections {
  const shared = client()
  const handOvers = new HandOvers(shared)
  const warnOfRetry = (view: string) => (error: unknown) =>
    log.warn({ view, err: error }, 'projection failed; retrying')
  const projectors = views.map((view) => ({
    gathers: view.gathers === true,
    projector: new Projector(view, {
      time: systemTime,
      journal,
      readModel: clickHouseReadModel(shared),
      onRetry: warnOfRetry(view.name),
      handOvers,
      ...(view.gathers && { intervalMs: config.ticksFlushMs }),
    }),
  }))
  const roller = new CandleRoller({
    time: systemTime,
    journal,
    client: client(),
    intervalMs: config.ticksFlushMs,
    onRetry: warnOfRetry('candles'),
    handOvers,
  })
  return {
    served: projectors.filter(({ gathers }) => !gathers).map(({ projector }) => projector),
    all: [...projectors.map(({ projector }) => projector), roller],
    userLags: () => readUserLags(shared, journal),
  }
}

/**
 * Returns a probe for `/health` that reports read models which are behind or stand still. Each call reads the progress
 * once. A standstill is found by comparison with earlier calls. `clock` returns monotonic milliseconds.
 */
export function watchProgress(
  { served, all }: Pick<Projections, 'served' | 'all'>,
  clock = () => performance.now(),
): () => Promise<string | undefined> {
  const standstill = new Standstill()
  return async () => {
    const progressByName = new Map(
      await Promise.all(all.map(async (one) => [one.name, await progressOf(one)] as const)),
    )
    // Only the node that runs a projection judges it: the table shows neither the holes behind its last row nor a running
    // insert.
    const behind = (name: string) => {
      const progress = progressByName.get(name)
      if (!progress?.running) return undefined
      return name === candles.name ? behindTicks(progress, progressByName.get(ticks.name)) : progress
    }
    const now = clock()
    const still = all.map(({ name }) => name).filter((name) => standstill.judge(name, behind(name), now))
    if (still.length > 0) return `behind the journal, and not written for a minute: ${still.join(', ')}`
    return served.some(({ name }) => (progressByName.get(name)?.lag ?? 0) > LAG_OFFSETS) ? 'catching up' : undefined
  }
}

/** Returns undefined if the progress cannot be read. `/health` reports a journal or ClickHouse that is down by other probes. */
const progressOf = (one: Projection): Promise<Progress | undefined> =>
  inTime(() => one.progress(), 1_000).catch(() => undefined)

/** Progress of the candles against the table of ticks, from which they are made. They cannot be ahead of it. */
const behindTicks = ({ watermarks }: Progress, source: Progress | undefined): Pick<Progress, 'lag' | 'watermarks'> => ({
  watermarks,
  lag: [...(source?.watermarks ?? [])].reduce((sum, [p, at]) => sum + Math.max(0, at - (watermarks.get(p) ?? -1)), 0),
})
