/**
 * Access to chdb's native addon, whose functions its package doesn't export. The package's public `Session` can't be
 * used: it delays every close while any query runs, so one slow query made the sessions of all others pile up (260 MB
 * to 1.8 GB in 6 s, tried with chdb 3.4.0). `engine.ts` keeps the rules of `Session`: it closes a connection only when
 * nothing runs on it, and cancels a stream only between two fetches.
 *
 * `InsertRawAsync…` must not be used. It appends the data to the SQL text, where the engine stops at the first empty
 * line: `RowBinary` bytes 01 0A 0A 02 insert one row of four and report success.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A connection of the engine, with its own settings and parameters over shared data. Opaque. */
export type NativeConnection = object & { readonly __connection: never }
/** A query whose result is fetched block by block. Opaque; it ends with its connection. */
type Cursor = object & { readonly __cursor: never }

export interface Native {
  /** Opens a connection, synchronously (0.1 ms; the first one starts the engine). `options` as for `clickhouse local`. */
  CreateConnection(path: string, options?: readonly string[]): NativeConnection
  /** Closes a connection, synchronously. Nothing may run on it any more. Closing the last one stops the engine. */
  CloseConnection(connection: NativeConnection): void
  /** Runs one query on a thread of libuv's pool. `elapsed` in seconds; `bytes` is the formatted result. */
  QueryAsyncConnection(
    connection: NativeConnection,
    sql: string,
    format: string,
  ): Promise<{ bytes: Uint8Array; elapsed: number; rowsRead: number; bytesRead: number }>
  /** Plans a SELECT **on the calling thread** and starts it. Throws errors of planning. */
  StreamQuery(connection: NativeConnection, sql: string, format: string): Cursor
  /** Fetches the next block, formatted by itself. After `done` or a rejection the cursor is freed. */
  StreamFetch(cursor: Cursor): Promise<{ done: boolean; bytes: Uint8Array; numRows: number }>
  /** Stops the query and frees the cursor. Must not be called during a fetch, nor after the cursor's end. */
  StreamCancel(cursor: Cursor): void
}

export const nativeFunctions = [
  'CreateConnection',
  'CloseConnection',
  'QueryAsyncConnection',
  'StreamQuery',
  'StreamFetch',
  'StreamCancel',
] as const satisfies readonly (keyof Native)[]

/**
 * Loads the addon. Throws an error that names the missing functions if a chdb upgrade has moved or removed some. The
 * cast is safe because all functions of `Native` are checked.
 */
export function loadNative(): Native {
  const require = createRequire(import.meta.url)
  const home = dirname(require.resolve('chdb/package.json'))
  const addon: Record<string, unknown> = require(join(home, 'dist', 'loader.js')).loadNative()
  const missing = nativeFunctions.filter((name) => typeof addon[name] !== 'function')
  if (missing.length > 0) throw new Error(`this chdb lacks ${missing.join(', ')}; pin the version that has them`)
  return addon as unknown as Native
}
