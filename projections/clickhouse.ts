/**
 * Access to ClickHouse, the embedded store or a server alike: the stock client with Almanac's settings, one function to
 * insert a block, one to read rows, and a classification of failures.
 */
import type { AgentOptions, Agent as HttpAgent } from 'node:http'
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
  parseError,
  type Row,
} from '@clickhouse/client'
import { Agent } from '../base/process/http.ts'
import { parseSocketAddress } from '../base/socket-address.ts'
import { systemTime, type Time } from '../base/time.ts'

interface ClickHouseOptions {
  /**
   * Address of a server (http or https) or of the embedded store (`unix:/path/to/socket?ch_x=1`). A server's address
   * may hold user, password, database and settings, which override all others: `//user:password@host/db?ch_x=1`.
   */
  readonly url: string
  readonly password?: string
  /** Name of an existing database; `default` if absent. */
  readonly database?: string
  /** Time without a byte from the server, in milliseconds, after which a request fails with `outcome_unknown`. */
  readonly timeoutMs?: number
  /** Largest number of connections, and so of requests at a time. Further requests wait in the client. */
  readonly connections?: number
  /** Uses gzip both ways, for a server across a network. */
  readonly compress?: boolean
}

/** Settings for exactness: no number becomes a float, no time loses its zone. */
const exact: ClickHouseSettings = {
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_decimals: 1,
  date_time_input_format: 'best_effort',
  date_time_output_format: 'iso',
  // Compiled from the third query on, min and max of a DateTime64 take times before 1970 for the latest of all.
  compile_aggregate_expressions: 0,
}

/** Settings for completeness: a query that meets a limit fails, and no exception can look like a row. */
const whole: ClickHouseSettings = {
  timeout_overflow_mode: 'throw',
  read_overflow_mode: 'throw',
  group_by_overflow_mode: 'throw',
  sort_overflow_mode: 'throw',
  distinct_overflow_mode: 'throw',
  set_overflow_mode: 'throw',
  join_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  http_write_exception_in_output_format: 0, // 1 until 25.10: then it is a row {"exception": …} under status 200
}

/** Creates a client with Almanac's settings. It connects when first used; see `waitForClickHouse`. */
export function openClickHouse(options: ClickHouseOptions): ClickHouseClient {
  const connections = options.connections ?? 10
  const socket = parseSocketAddress(options.url)
  return createClient({
    // On a socket, the host in the address is a placeholder.
    url: socket ? `http://localhost/${socket.search}` : options.url,
    ...(socket ? { http_agent: socketAgent(socket.path, connections) } : {}),
    ...(options.password === undefined ? {} : { password: options.password }),
    ...(options.database === undefined ? {} : { database: options.database }),
    request_timeout: options.timeoutMs ?? 30_000,
    max_open_connections: connections,
    compression: { request: options.compress ?? false, response: options.compress ?? false },
    application: 'almanac',
    clickhouse_settings: { ...exact, ...whole },
    log: { level: ClickHouseLogLevel.OFF }, // the code that catches an error logs it
  })
}

/** The time that the profile of the writer allows a query, ms (docs/clickhouse.md). */
const WRITER_MS = 600_000

/**
 * Creates a client for rebuilds and comparisons. They read whole tables, so that a large one may be silent for minutes, while
 * other queries that are silent for half a minute are taken for lost.
 */
export const openForWholeTables = (options: Omit<ClickHouseOptions, 'timeoutMs'>): ClickHouseClient =>
  openClickHouse({ ...options, timeoutMs: WRITER_MS })

/** Creates an agent whose connections all go to one Unix socket, whatever host and port a request names. */
function socketAgent(socketPath: string, maxSockets: number): HttpAgent {
  // Node's agent hands its options on to `net.connect`; its type leaves this one out.
  const options: AgentOptions & { readonly socketPath: string } = { keepAlive: true, maxSockets, socketPath }
  return new Agent(options)
}

/**
 * Resolves once ClickHouse answers a query. Throws the signal's reason when it aborts first, and ClickHouseFailure
 * `rejected` if ClickHouse refuses this client (wrong password, no such database), because waiting doesn't mend that.
 */
export async function waitForClickHouse(
  client: ClickHouseClient,
  signal: AbortSignal,
  time: Time = systemTime,
): Promise<void> {
  for (let pause = 25; ; pause = Math.min(pause * 2, 1_000)) {
    signal.throwIfAborted()
    const pong = await client.ping({ select: true, abort_signal: signal })
    if (pong.success) return
    signal.throwIfAborted()
    if (failureKind(pong.error) === 'rejected') throw asFailure(pong.error)
    await time.after(pause, signal)
  }
}

/** A value in JSON. 64-bit integers and decimals are strings, Map columns objects. */
export type Cell = string | number | boolean | null | readonly Cell[] | { readonly [key: string]: Cell }

/** Most rows in one block, which ClickHouse stores completely or not at all. The projector's blocks are far smaller. */
const maxBlockRows = 1_000_000

/** Settings that make the rows of an INSERT one block, and the block one part. */
export const oneBlock: ClickHouseSettings = {
  async_insert: 0,
  input_format_parallel_parsing: 0,
  input_format_null_as_default: 0,
  max_insert_threads: '1',
  max_insert_block_size: String(maxBlockRows),
  min_insert_block_size_rows: String(maxBlockRows),
  min_insert_block_size_bytes: '0',
  max_partitions_per_insert_block: '1',
  throw_on_max_partitions_per_insert_block: 1,
}

/** Parameters of a query, by name. */
export type QueryParams = Readonly<Record<string, string | number | readonly string[]>>

/**
 * Returns all rows of a query with a short answer. The answer begins only after the query has succeeded, so a failure
 * has its own HTTP status; an answer that breaks off throws. Throws the client's errors and ClickHouseFailure.
 */
export async function readRows<R>(
  client: ClickHouseClient,
  query: string,
  params: QueryParams,
  settings: ClickHouseSettings = {},
): Promise<R[]> {
  const clickhouse_settings = { ...settings, wait_end_of_query: 1 as const }
  const result = await client.query({ query, query_params: params, format: 'JSONEachRow', clickhouse_settings })
  const found: R[] = []
  for await (const rows of result.stream<R>()) for (const row of rows) found.push(rowOf(row))
  return found
}

/**
 * Parses a row of an answer in JSONEachRow. Until 25.10, a server that fails after the first rows writes its exception
 * among them, under status 200, and the client takes it for a row; later servers mark it, and the client understands.
 * A row that isn't JSON is therefore the server's error, or the end of an answer that broke off.
 */
function rowOf<R>(row: Row<R>): R {
  try {
    return row.json()
  } catch (cause) {
    const error = parseError(row.text)
    if (error instanceof ClickHouseError) throw error
    throw new ClickHouseFailure('outcome_unknown', `the answer broke off at ${row.text.slice(0, 200)}`, { cause })
  }
}

/**
 * Class of a failure.
 * - `unavailable`: nothing was done (no connection, overload, memory or disk full). Retry later.
 * - `outcome_unknown`: the request was sent, but the answer is missing or reports a failure half-way. It may have been
 *   done, or may still be. Check before a retry. A query changes nothing, so it can be retried at once.
 * - `rejected`: ClickHouse understood and refused: a bug, or a schema that doesn't match. A retry is useless.
 */
type FailureKind = 'unavailable' | 'outcome_unknown' | 'rejected'

/** A failed request and its class. `code` is ClickHouse's, as a number in text, or the system's, if there is one. */
export class ClickHouseFailure extends Error {
  override readonly name = 'ClickHouseFailure'
  readonly kind: FailureKind
  readonly code: string | undefined
  constructor(kind: FailureKind, message: string, options: ErrorOptions & { code?: string | undefined } = {}) {
    super(message, options)
    this.kind = kind
    this.code = options.code
  }
}

/** Tells whether an error means that ClickHouse is unavailable or busy, so that a retry may succeed. */
export const isAway = (error: unknown): error is ClickHouseFailure =>
  error instanceof ClickHouseFailure && error.kind !== 'rejected'

/** Converts anything that the client threw to a ClickHouseFailure. */
export function asFailure(error: unknown): ClickHouseFailure {
  if (error instanceof ClickHouseFailure) return error
  const { message } = error instanceof Error ? error : new Error(String(error))
  return new ClickHouseFailure(failureKind(error), message, { cause: error, code: codeOf(error) })
}

const refusedToConnect = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EMFILE',
  'ENOENT',
  'EAGAIN', // a Unix socket whose queue of connections is full
])
/** ClickHouse codes raised before anything is written, which a retry may avoid. */
const overload = new Set(['202', '203', '236', '241', '242', '243', '252', '439', '692'])
/** ClickHouse codes that leave open how much was written. */
const open = new Set(['159', '209', '210', '279', '319', '394', '425', '999'])
/** ClickHouse codes of a failed write, fsync or directory, such as on a full disk. */
const failedOnDisk = new Set(['75', '76', '204'])

/** Classifies an error of the client. An unknown one counts as `outcome_unknown`. Pure. */
export function failureKind(error: unknown): FailureKind {
  if (error instanceof ClickHouseFailure) return error.kind
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return 'rejected'
  const code = codeOf(error)
  if (error instanceof ClickHouseError) {
    // 252 means too many parts (merges are behind, so wait) or too many partitions in one block (a bug in Almanac).
    if (code === '252' && /partitions for single INSERT block/i.test(error.message)) return 'rejected'
    if (failedOnDisk.has(error.code)) return 'outcome_unknown'
    // Failures of the C++ library, in rename and mkdir, have no code of their own.
    if (code === '1001' && /filesystem error/.test(error.message)) return 'outcome_unknown'
    if (overload.has(error.code)) return 'unavailable'
    return open.has(error.code) ? 'outcome_unknown' : 'rejected'
  }
  return code !== undefined && refusedToConnect.has(code) ? 'unavailable' : 'outcome_unknown'
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
