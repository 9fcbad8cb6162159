import type { ClickHouseClient } from '@clickhouse/client'
import { pause } from '../../base/async/pause.ts'
import { ConfigError } from '../../infra/config.ts'
import { ProjectionError } from '../../projections/errors.ts'
import { assertTablesOfJournal } from '../../projections/migrate.ts'
import { unreadableTables } from '../../projections/readable.ts'
import { candles } from '../../projections/views/candles/roll.ts'
import { views } from '../../projections/views/index.ts'
import { inTime } from './in-time.ts'

const TABLES = views.map(({ name }) => name)
const EVERY_MS = 10_000
/** Pause while the store is down, or has just started. */
const SOON_MS = 1_000

/** Names the tables of the read models that cannot be read, for `/health`. Returns undefined if all can. */
export async function faultOfReadModels(client: ClickHouseClient): Promise<string | undefined> {
  const unreadable = await unreadableTables(client, [...TABLES, candles.name])
  return unreadable.length === 0 ? undefined : `cannot read ${unreadable.join(', ')}`
}

/** Turns a ProjectionError into a ConfigError: a restart does not help, because an operator must decide. */
export const forOperators = (task: Promise<void>): Promise<void> =>
  task.catch((error) => {
    throw error instanceof ProjectionError ? new ConfigError(error.message, { cause: error }) : error
  })

/**
 * Checks now and every 10 s that the tables belong to this journal. Otherwise the api would serve another journal's rows,
 * and cursors would mean other events. Resolves after the first check; `done` is the task that continues. Both throw
 * ConfigError if a table belongs to another journal.
 */
export async function watchReadModels(
  client: ClickHouseClient,
  journal: string,
  signal: AbortSignal,
): Promise<{ readonly done: Promise<void> }> {
  const look = () =>
    forOperators(inTime(() => assertTablesOfJournal(client, TABLES, journal))).then(
      () => EVERY_MS,
      (error) => {
        if (error instanceof ConfigError) throw error
        return SOON_MS
      },
    )
  const watch = async (first: number) => {
    for (let wait = first; !signal.aborted; wait = await look()) await pause(wait, signal)
  }
  return { done: watch(await look()) }
}
