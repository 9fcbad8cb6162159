import type { ClickHouseClient } from '@clickhouse/client'
import { pause } from '../../base/async/pause.ts'
import { parseSocketAddress } from '../../base/socket-address.ts'
import { systemTime } from '../../base/time.ts'
import type { History } from '../../domain/lineage.ts'
import { type Config, ConfigError } from '../../infra/config.ts'
import type { Log } from '../../infra/log.ts'
import { ClickHouseFailure, waitForClickHouse } from '../../projections/clickhouse.ts'
import { ProjectionError } from '../../projections/errors.ts'
import type { FillOptions } from '../../projections/fill.ts'
import { assertTablesOfJournal } from '../../projections/migrate.ts'
import { unreadableTables } from '../../projections/readable.ts'
import { remakeOutdated } from '../../projections/remake-outdated.ts'
import { rowsOf } from '../../projections/table.ts'
import { candles } from '../../projections/views/candles/roll.ts'
import { views } from '../../projections/views/index.ts'
import { inTime } from './in-time.ts'

const EVERY_MS = 10_000
/** Pause while the store is down, or has just started. */
const SOON_MS = 1_000

/** Names the tables of the read models that cannot be read, for `/health`. Returns undefined if all can. */
export async function faultOfReadModels(client: ClickHouseClient): Promise<string | undefined> {
  const unreadable = await unreadableTables(client, [...views.map(({ name }) => name), candles.name])
  return unreadable.length === 0 ? undefined : `cannot read ${unreadable.join(', ')}`
}

/** Version of the engine of the read models. Throws ClickHouseFailure. */
export const engineVersion = async (client: ClickHouseClient): Promise<string> =>
  (await rowsOf<{ version: string }>(client, 'SELECT version() AS version', {}))[0]?.version ?? ''

/** Tells whether this service's own store holds the read models: `start` has given its socket as the address. */
export const isEmbedded = ({ roles, clickhouseUrl }: Pick<Config, 'roles' | 'clickhouseUrl'>): boolean =>
  roles.includes('store') && parseSocketAddress(clickhouseUrl) !== undefined

/**
 * Makes the tables of a former release anew, so that an upgrade on the embedded store is no more than a start. Resolves once that
 * is done, or after `patienceMs` if the store has not answered by then: what doesn't need it must not wait for it. `late` is the
 * work that then goes on.
 */
export async function remakeTables(
  options: FillOptions,
  log: Log,
  patienceMs: number,
): Promise<{ readonly late: Promise<void> | undefined }> {
  const reasons = {
    release: 'another release made this table',
    restore: 'this table has rows of another history of the journal, before or after a restore',
  }
  const { client, signal } = options
  let isUp = false
  const done = waitForClickHouse(client, signal, options.time).then(() => {
    isUp = true
    const remade = remakeOutdated(views, options, (table, because) =>
      log.warn({ table }, `${reasons[because]}: making it anew from the journal, which may take minutes`),
    )
    return forOperators(remade)
  })
  const isDone = done.then(() => true)
  const waited = pause(patienceMs, signal, systemTime).then(() => (isUp ? isDone : false))
  return { late: (await Promise.race([isDone, waited])) ? undefined : done }
}

/**
 * Lets a client read only once the tables are those of this release: they may be of another history until then. Its queries fail
 * before, as if the store were away.
 */
export function readingAfter(tables: Promise<void>, client: ClickHouseClient): ClickHouseClient {
  const query = client.query.bind(client)
  let areMade = false
  // Whoever waits for the tables is told why they were not made.
  tables.then(() => (areMade = true)).catch(() => undefined)
  const asked = (...params: Parameters<typeof query>) =>
    areMade ? query(...params) : Promise.reject(new ClickHouseFailure('unavailable', 'its tables are being made anew'))
  // Cast: the type of an answer follows from the format that is asked for.
  return Object.assign(client, { query: asked as typeof query })
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
  journal: History,
  signal: AbortSignal,
): Promise<{ readonly done: Promise<void> }> {
  const look = () =>
    forOperators(inTime(() => assertTablesOfJournal(client, [...views, candles], journal))).then(
      () => EVERY_MS,
      (error) => {
        if (error instanceof ConfigError) throw error
        return SOON_MS
      },
    )
  const watch = async (first: number) => {
    for (let wait = first; !signal.aborted; wait = await look()) await pause(wait, signal, systemTime)
  }
  return { done: watch(await look()) }
}
