import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { ClickHouseClient } from '@clickhouse/client'
import { errorMessage } from '../../base/errors.ts'
import { systemTime } from '../../base/time.ts'
import { program } from '../../contracts/program.ts'
import { asFailure, ClickHouseFailure, openClickHouse, openForWholeTables } from '../../projections/clickhouse.ts'
import { ProjectionError } from '../../projections/errors.ts'
import type { TableOptions } from '../../projections/hand-over.ts'
import { HandOvers } from '../../projections/hand-over.ts'
import { shortHash } from '../../projections/migrate.ts'
import { type Progress, Projector } from '../../projections/projector.ts'
import { clickHouseReadModel } from '../../projections/read-model.ts'
import { rebuild } from '../../projections/rebuild.ts'
import { UNKNOWN_TABLE } from '../../projections/table.ts'
import type { ProjectedTopic, UserProjection } from '../../projections/user-projection.ts'
import { checkedProjection, type ProjectionFile, UserProjectionError, viewOf } from '../../projections/user-view.ts'
import { verify } from '../../projections/verify.ts'
import type { View } from '../../projections/view.ts'
import { parsed } from '../arguments.ts'
import { type Command, interruptSignal, print, UsageError } from '../command.ts'
import { counted } from '../counted.ts'
import { openJournal } from '../parts.ts'
import { clickHouseUrl } from '../store-address.ts'
import { isRunning, printOutcome } from './rebuild.ts'
import { described, PATIENCE_MS } from './verify.ts'

export const command: Command = {
  usage: `${program} project FILE [--once | --verify | --csv] [--rebuild]

FILE exports a projection by default: a topic, the columns of a table, and a pure function from a record to rows. The rows are
written to the table user_<name> beside the read models, from the first record on, and then as records come, until Ctrl-C.
Rows and position are written together, so the command may be killed at any time and run again. If the same projection
runs twice, the second stands by.
  --once     ends at the journal's end
  --verify   compares the table with the journal, row for row, and ends with 1 if a row differs
  --csv      prints the table, as it is, as CSV
  --rebuild  first makes the table anew and swaps it in. Needed after each change of FILE. Another run of the same FILE goes on
             behind it
docs/your-own-projection.md leads through an example.`,
  async run(args, config) {
    const flag = { type: 'boolean', default: false } as const
    const options = { once: flag, verify: flag, csv: flag, rebuild: flag }
    const { values, positionals } = parsed(args, options, 1)
    const [file] = positionals
    if (file === undefined) throw new UsageError(`name a file: \`${program} project FILE\``)
    if (Number(values.once) + Number(values.verify) + Number(values.csv) > 1)
      throw new UsageError('give one of --once, --verify and --csv')
    const { projection, source } = await loadProjection(file)
    const interrupted = interruptSignal('interrupted: the table is whole, and the next run continues it')
    const url = await clickHouseUrl(config)
    const journal = await openJournal(config)
    const client = openClickHouse({ url })
    const patient = openForWholeTables({ url })
    // Keeps the process alive: waiting at the journal's tail alone does not.
    const alive = setInterval(() => undefined, 60_000)
    try {
      const view = await viewOf(projection, source, client)
      const options = { journal, client: patient, signal: interrupted, patienceMs: PATIENCE_MS }
      if (values.rebuild) await rebuildOnce(view, options)
      if (values.rebuild && values.once) return 0
      if (values.csv) return await printCsv(client, view, projection.orderBy ?? [])
      if (values.verify) return await verifyOnce(view, options)
      return await follow(view, { journal, client, signal: interrupted }, values.once)
    } catch (error) {
      throw explainedTo(file, error)
    } finally {
      clearInterval(alive)
      await journal.close()
      await client.close()
      await patient.close()
    }
  },
}

/** Module that projections in a clone import as `almanac/projection`. */
const publicModule = join(import.meta.dirname, '../../projections/user-projection.ts')

/** Loads the projection that a file exports by default. Throws UsageError, which names the file. */
async function loadProjection(
  file: string,
): Promise<{ readonly projection: UserProjection; readonly source: ProjectionFile }> {
  const path = resolve(file)
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new UsageError(`${file} cannot be read: ${errorMessage(cause)}`, { cause })
  })
  const loaded: { readonly default?: unknown } = await import(pathToFileURL(path).href).catch((cause) => {
    throw new UsageError(`${file} cannot be loaded: ${loadingFault(cause)}`, { cause })
  })
  try {
    return { projection: checkedProjection(loaded.default, file), source: { file, hash: shortHash(text) } }
  } catch (error) {
    throw new UsageError(errorMessage(error), { cause: error })
  }
}

function loadingFault(error: unknown): string {
  const message = errorMessage(error)
  if (/Cannot find package 'almanac'|Package subpath '.\/projection'/.test(message))
    return `it is outside of this clone, where almanac/projection is not known. Import from '${publicModule}' instead`
  // The stack of a syntax error begins with its location.
  const [location = ''] = error instanceof SyntaxError ? (error.stack ?? '').split('\n') : []
  return /:\d+$/.test(location) ? `${message} (${location})` : message
}

type UserView = View<ProjectedTopic>

async function rebuildOnce(view: UserView, options: TableOptions): Promise<void> {
  print(`${view.name}: rebuilding …`)
  const { comparison, takenOver } = await rebuild(view, options).catch((error) => {
    if (!isRunning(error)) throw error
    const detail = `${view.name} is being projected, by another version of its file or of Almanac: end that \`${program} project\` first`
    throw new UsageError(detail, { cause: error })
  })
  printOutcome(view.name, comparison && described(view.name, comparison), takenOver)
}

async function verifyOnce(view: UserView, options: TableOptions): Promise<number> {
  const comparison = await verify(view, options)
  print(described(view.name, comparison))
  return comparison.differences === 0 ? 0 : 1
}

const quoted = (column: string): string => `\`${column}\``

/** Prints a view's table as CSV with a header, sorted by columns of its own and then by its journal. */
async function printCsv(
  client: ClickHouseClient,
  { name, columns }: Pick<View, 'name' | 'columns'>,
  orderBy: readonly string[],
): Promise<number> {
  const order = [...orderBy.map(quoted), '_partition', '_offset', '_index'].join(', ')
  const query = `SELECT ${columns.map(quoted).join(', ')} FROM {table:Identifier} FINAL WHERE NOT _marker ORDER BY ${order} FORMAT CSVWithNames`
  try {
    const { stream } = await client.exec({ query, query_params: { table: name } })
    await pipeline(stream, process.stdout, { end: false })
    return 0
  } catch (error) {
    // The reader of the output, such as `head`, has closed the pipe: that ends the command and is no error.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 0
    const failure = asFailure(error)
    if (failure.code === UNKNOWN_TABLE)
      throw new UsageError(`there is no table ${name} yet: run the command without --csv first`, { cause: error })
    throw failure
  }
}

/** Projects until `interrupted` aborts, or with `once` until the table has all records of the start. */
async function follow(view: UserView, options: Omit<TableOptions, 'patienceMs'>, once: boolean): Promise<number> {
  const { journal, client, signal: interrupted } = options
  const done = new AbortController()
  const signal = AbortSignal.any([interrupted, done.signal])
  const projector = new Projector(view, {
    journal,
    readModel: clickHouseReadModel(client, systemTime),
    time: systemTime,
    onRetry: (error) => process.stderr.write(`${view.name}: retrying: ${errorMessage(error)}\n`),
    handOvers: new HandOvers(client),
  })
  const telling = tellProgress(projector, signal)
  try {
    const running = projector.run(signal)
    if (once) await Promise.race([projector.caughtUp.finally(() => done.abort()), running])
    await running
    if (once) interrupted.throwIfAborted()
    print(`${view.name}: ${once ? 'has all records up to the end of the journal' : 'ended'}`)
    return 0
  } finally {
    done.abort()
    await telling
  }
}

const LOOK_MS = 500
/** Time between two lines while it is behind, ms. */
const TELL_MS = 5_000

/** Prints when the projector starts, stands by or has caught up, and how far it is while it is behind. */
async function tellProgress(projector: Projector<ProjectedTopic>, signal: AbortSignal): Promise<void> {
  let printed = ''
  let printedAt = Number.NEGATIVE_INFINITY
  while (!signal.aborted) {
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
    // The projector itself reports that ClickHouse or the journal is away.
    const progress = await projector.progress().catch(() => undefined)
    if (!progress || signal.aborted) continue
    const state = stateOf(progress)
    if (state === printed && (state !== 'behind' || performance.now() - printedAt < TELL_MS)) continue
    printed = state
    printedAt = performance.now()
    print(`${projector.name}: ${sentences[state](progress)}`)
  }
}

const stateOf = ({ running, lag }: Progress): keyof typeof sentences =>
  !running ? 'standby' : lag === 0 ? 'current' : 'behind'

const sentences = {
  standby: () => 'standing by, because another process runs it',
  current: () => 'has all records; following the journal',
  behind: ({ lag }: Progress) => `${counted(lag, 'offset')} behind`,
}

/** Makes errors that the user's file can mend errors of one line that name it. */
function explainedTo(file: string, error: unknown): unknown {
  if (error instanceof UserProjectionError) return new UsageError(error.message, { cause: error })
  if (error instanceof ProjectionError) return new UsageError(`${file}: ${error.message}`, { cause: error })
  if (error instanceof ClickHouseFailure && error.kind === 'rejected')
    return new UsageError(`${file}: ClickHouse refuses it: ${error.message}`, { cause: error })
  return error
}
