/**
 * The only door to chdb's native addon, whose functions its package doesn't export. The package's public `Session`
 * can't serve: while any query runs it puts off every close, so that one slow query made the sessions of all others
 * pile up (260 MB to 1.8 GB in 6 s, tried with chdb 3.4.0). The rules that `Session` keeps are kept in `engine.ts`:
 * a connection is closed only when nothing runs on it, a stream is cancelled only between two fetches.
 *
 * Not used, and not to be used: `InsertRawAsync…`. It pastes the data behind the SQL text, where the engine ends it at
 * the first empty line: `RowBinary` bytes 01 0A 0A 02 insert one row of four and report success.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A connection of the engine: own settings and parameters, shared data. Opaque. */
export type NativeConnection = object & { readonly __connection: never }
/** A query whose result is fetched block by block. Opaque; lives inside its connection. */
type Cursor = object & { readonly __cursor: never }

export interface Native {
  /** Opens a connection, synchronously (0.1 ms; the first one starts the engine). `options` as for `clickhouse local`. */
  CreateConnection(path: string, options?: readonly string[]): NativeConnection
  /** Synchronous. Nothing may run on the connection any more. Closing the last one stops the engine. */
  CloseConnection(connection: NativeConnection): void
  /** Runs one query on a thread of libuv's pool. `elapsed` in seconds; `bytes` is the formatted result. */
  QueryAsyncConnection(
    connection: NativeConnection,
    sql: string,
    format: string,
  ): Promise<{ bytes: Uint8Array; elapsed: number; rowsRead: number; bytesRead: number }>
  /** Plans a SELECT **on the calling thread** and starts it. Throws what planning finds. */
  StreamQuery(connection: NativeConnection, sql: string, format: string): Cursor
  /** Next block, formatted by itself. After `done` or a rejection the cursor is gone. */
  StreamFetch(cursor: Cursor): Promise<{ done: boolean; bytes: Uint8Array; numRows: number }>
  /** Stops the query and frees the cursor. Not while a fetch runs, not after its end. */
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

/** Loads the addon. Throws, naming what is missing, when a chdb upgrade has moved or removed what we use. */
export function loadNative(): Native {
  const require = createRequire(import.meta.url)
  const home = dirname(require.resolve('chdb/package.json'))
  const addon: Record<string, unknown> = require(join(home, 'dist', 'loader.js')).loadNative()
  const missing = nativeFunctions.filter((name) => typeof addon[name] !== 'function')
  if (missing.length > 0) throw new Error(`this chdb lacks ${missing.join(', ')}; pin the version that has them`)
  return addon as unknown as Native
}
