/**
 * ClickHouse's engine inside this process: one data directory, one connection per query. A connection costs 0.1 ms and
 * holds the query's settings and parameters, so that none of them leaks into the next query.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { errorCode } from '../../base/errors.ts'
import { loadNative, type Native, type NativeConnection } from './native.ts'
import { readerLimits, type StoreUser } from './reader.ts'
import { pairsOf, quote, quoteName, type StoreRequest, setStatement } from './request.ts'

/** One statement and the settings of its session. */
export interface Query extends Pick<StoreRequest, 'settings' | 'params' | 'readonly' | 'database'> {
  /** User whose rights the session has; `default` if absent. */
  readonly user?: StoreUser
  readonly sql: string
  readonly format: string
}

/** Complete answer of a query. For an INSERT from a file, `rowsRead` and `bytesRead` count what was written. */
export interface QueryAnswer {
  readonly bytes: Uint8Array
  readonly elapsedSeconds: number
  readonly rowsRead: number
  readonly bytesRead: number
}

export interface Engine {
  /**
   * Runs a statement to its end. When `signal` aborts, the query is killed and rejects with code 394, unless it ends
   * first. Throws the engine's own errors, whose message begins `Code: <number>.`
   */
  run(query: Query, signal: AbortSignal): Promise<QueryAnswer>
  /**
   * Yields the answer of a SELECT block by block. Each block is formatted by itself, so only formats without a frame
   * work. Leaving the loop, or an aborted `signal`, stops the query. Planning runs on this thread.
   */
  stream(query: Query, signal: AbortSignal): AsyncGenerator<Uint8Array>
  /** Closes the data directory. Must not be called while a query runs. */
  close(): void
}

/**
 * Opens the engine on `path`, creating the directory if needed. `memoryBytes` limits all queries together; beyond it
 * one of them fails with code 241. Only one process may open a path, and a process only one path.
 * If the path is in use, throws an error that names the process. The engine's lock on `<path>/status` ends with its
 * process, so a killed store leaves nothing to clean up.
 */
export function openEngine(path: string, memoryBytes: number): Engine {
  const native = loadNative()
  const first = connect(native, path, memoryBytes)
  let queries = 0
  const open = async (query: Query): Promise<{ connection: NativeConnection; tag: string }> => {
    const tag = `almanac-store-${++queries}`
    const connection = native.CreateConnection(path)
    try {
      if (query.database !== undefined) await run(connection, `USE ${quoteName(query.database)}`)
      if (query.user === 'reader') {
        // A profile that is set so gives its constraints only. The limits come first, in a statement of their own: the
        // engine does not check a setting that stays as it is, and without a limit that would be 0, for none.
        await run(connection, 'SET ROLE reader')
        await run(connection, `SET ${pairsOf(readerLimits)}`)
        await run(connection, "SET profile = 'reader'")
      }
      await run(connection, setStatement(query, tag))
      return { connection, tag }
    } catch (error) {
      native.CloseConnection(connection)
      throw error
    }
  }
  const run = (connection: NativeConnection, sql: string, format = 'Null') =>
    native.QueryAsyncConnection(connection, sql, format)

  /**
   * Waits for `work`; once `signal` aborts, kills it by its tag. Repeats the KILL, because the first one may run before
   * the engine lists the query.
   */
  const killable = async <T>(work: Promise<T>, tag: string, signal: AbortSignal): Promise<T> => {
    const settled = new AbortController()
    const kill = async () => {
      while (!settled.signal.aborted) {
        const connection = native.CreateConnection(path)
        // A failed KILL is retried by the loop, and an aborted pause ends it.
        await run(connection, `KILL QUERY WHERE Settings['log_comment'] = ${quote(tag)} ASYNC`).catch(() => undefined)
        native.CloseConnection(connection)
        await sleep(50, undefined, { signal: settled.signal }).catch(() => undefined)
      }
    }
    let killing: Promise<void> | undefined
    const start = () => {
      killing = kill()
    }
    if (signal.aborted) start()
    else signal.addEventListener('abort', start, { once: true })
    try {
      return await work
    } finally {
      signal.removeEventListener('abort', start)
      settled.abort()
      await killing
    }
  }

  return {
    async run(query, signal) {
      const { connection, tag } = await open(query)
      try {
        signal.throwIfAborted()
        const answer = await killable(run(connection, query.sql, query.format), tag, signal)
        const { bytes, elapsed, rowsRead, bytesRead } = answer
        return { bytes, elapsedSeconds: elapsed, rowsRead, bytesRead }
      } finally {
        native.CloseConnection(connection)
      }
    },
    async *stream(query, signal) {
      const { connection, tag } = await open(query)
      try {
        signal.throwIfAborted()
        const cursor = native.StreamQuery(connection, query.sql, query.format)
        let ended = false
        try {
          while (!signal.aborted) {
            ended = true // a fetch that fails has freed the cursor
            const block = await killable(native.StreamFetch(cursor), tag, signal)
            if (block.done) return
            ended = false
            yield block.bytes
          }
        } finally {
          if (!ended) native.StreamCancel(cursor)
        }
      } finally {
        native.CloseConnection(connection)
      }
    },
    close: () => native.CloseConnection(first),
  }
}

const engineConfig = fileURLToPath(new URL('./engine.xml', import.meta.url))

function connect(native: Native, path: string, memoryBytes: number): NativeConnection {
  const options = [
    `--config-file=${engineConfig}`,
    `--users_config=${engineConfig}`,
    `--max_server_memory_usage=${memoryBytes}`,
    '--implicit_select=0', // otherwise `1 + 1` is a query, which ClickHouse refuses elsewhere
  ]
  try {
    return native.CreateConnection(path, options)
  } catch (error) {
    const holder = processHolding(path)
    const detail =
      holder === undefined
        ? 'the engine wrote the reason to standard error'
        : `it is in use by process ${holder} (only one store may open a directory)`
    throw new Error(`cannot open the store in ${path}: ${detail}`, { cause: error })
  }
}

/** Id of the live process that the engine's status file names; undefined if there is none. */
function processHolding(path: string): number | undefined {
  try {
    const pid = /^PID: (\d+)$/m.exec(readFileSync(join(path, 'status'), 'utf8'))?.[1]
    return pid !== undefined && lives(Number(pid)) ? Number(pid) : undefined
  } catch {
    return undefined
  }
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Cast: `process.kill` throws only system errors. EPERM: the process lives, under another user.
    return errorCode(error) === 'EPERM'
  }
}
