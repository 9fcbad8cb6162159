import type { ClickHouseClient } from '@clickhouse/client'
import type { Topic } from '../../contracts/topics.ts'
import type { Config } from '../../infra/config.ts'
import type { Log } from '../../infra/log.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { CandleRoller } from '../../projections/candle-roller.ts'
import { type Progress, Projector } from '../../projections/projector.ts'
import { Standstill } from '../../projections/standstill.ts'
import { candles } from '../../projections/views/candles/roll.ts'
import { views } from '../../projections/views/index.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { inTime } from './in-time.ts'

/** What fills a read model, here or in another process, whose progress is then asked of the table. */
export type Projection = Pick<Projector<Topic>, 'name' | 'progress' | 'run'>

/** All that fill a read model. Those that requests read are apart: they are waited for at start, and must not lag. */
export type Projections = { readonly served: readonly Projection[]; readonly all: readonly Projection[] }

/** Read models further behind the journal than this are not called well: what is asked of them may be missing yet. */
const LAG_OFFSETS = 5_000

type Opened = {
  readonly config: Pick<Config, 'ticksFlushMs'>
  readonly journal: TypedJournal
  /** A new client for each who asks, so that a busy projection makes no other wait. */
  readonly client: () => ClickHouseClient
  readonly log: Log
}

export function openProjections({ config, journal, client, log }: Opened): Projections {
  const shared = client()
  const heard = (view: string) => (error: unknown) => log.warn({ view, err: error }, 'projection waits')
  const projectors = views.map((view) => ({
    gathers: view.gathers === true,
    projector: new Projector(view, {
      journal,
      client: shared,
      onRetry: heard(view.name),
      ...(view.gathers && { intervalMs: config.ticksFlushMs }),
    }),
  }))
  const roller = new CandleRoller({
    journal,
    client: client(),
    intervalMs: config.ticksFlushMs,
    onRetry: heard('candles'),
  })
  return {
    served: projectors.filter(({ gathers }) => !gathers).map(({ projector }) => projector),
    all: [...projectors.map(({ projector }) => projector), roller],
  }
}

/**
 * For `/health`: what is wrong with the progress of the read models, if anything. Each call looks once; one that stands
 * still is known by what earlier looks saw. `clock` gives milliseconds that only grow.
 */
export function watchProgress(
  { served, all }: Projections,
  clock = () => performance.now(),
): () => Promise<string | undefined> {
  const standstill = new Standstill()
  return async () => {
    const said = new Map(await Promise.all(all.map(async (one) => [one.name, await progressOf(one)] as const)))
    // Another node's is its own to judge: a table shows neither the holes behind its last row nor that somebody is at work.
    const behind = (name: string) => {
      const progress = said.get(name)
      if (!progress?.running) return undefined
      return name === candles.name ? behindTicks(progress, said.get(ticks.name)) : progress
    }
    const now = clock()
    const still = all.map(({ name }) => name).filter((name) => standstill.judge(name, behind(name), now))
    if (still.length > 0) return `behind the journal, and not written for a minute: ${still.join(', ')}`
    return served.some(({ name }) => (said.get(name)?.lag ?? 0) > LAG_OFFSETS) ? 'catching up' : undefined
  }
}

/** Undefined if it can't be asked: that the journal or ClickHouse is away stands on a line of its own. */
const progressOf = (one: Projection): Promise<Progress | undefined> =>
  inTime(() => one.progress(), 1_000).catch(() => undefined)

/** Candles are made of the table of ticks; what that lacks they can't have. */
const behindTicks = ({ watermarks }: Progress, source: Progress | undefined): Pick<Progress, 'lag' | 'watermarks'> => ({
  watermarks,
  lag: [...(source?.watermarks ?? [])].reduce((sum, [p, at]) => sum + Math.max(0, at - (watermarks.get(p) ?? -1)), 0),
})
