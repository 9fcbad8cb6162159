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
/** While the store is away, or has just come. */
const SOON_MS = 1_000

/** For `/health`: undefined if every table of the read models can be read, else which ones can't. */
export async function faultOfReadModels(client: ClickHouseClient): Promise<string | undefined> {
  const unreadable = await unreadableTables(client, [...TABLES, candles.name])
  return unreadable.length === 0 ? undefined : `cannot read ${unreadable.join(', ')}`
}

/** What an operator must decide on is no use to start again for: ConfigError in place of ProjectionError. */
export const forOperators = (task: Promise<void>): Promise<void> =>
  task.catch((error) => {
    throw error instanceof ProjectionError ? new ConfigError(error.message, { cause: error }) : error
  })

/**
 * Looks, at once and then again and again, whether the tables that are read are of this journal: another's would be served
 * as its own, with cursors that mean other events. Returns after the first look, with what goes on looking. Both throw
 * ConfigError where a table is another's.
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
