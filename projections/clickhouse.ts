/**
 * How the rest of Almanac talks to ClickHouse, be it the embedded store or a server: the stock client with our settings,
 * one way to insert a block, one to read rows, and one word for what a failure means for the caller.
 */
import { Agent, type AgentOptions } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
  type InsertResult,
  parseError,
  type Row,
} from '@clickhouse/client'
import { parseSocketAddress } from '../base/socket-address.ts'

interface ClickHouseOptions {
  /**
   * http or https. User, password, database and settings may stand in it and win: `//user:password@host/db?ch_x=1`.
   * Or the embedded store's `unix:/path/to/socket?ch_x=1`.
   */
  readonly url: string
  readonly password?: string
  /** Default `default`. It must exist. */
  readonly database?: string
  /** Longest silence of the server in milliseconds; then the request is given up with outcome unknown. */
  readonly timeoutMs?: number
  /** Connections, and so requests, at a time; more wait in the client. */
  readonly connections?: number
  /** gzip both ways: for a server across a network, not for loopback. */
  readonly compress?: boolean
}

/** Exactness: no number passes through a float, no time loses its zone. */
const exact: ClickHouseSettings = {
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_decimals: 1,
  date_time_input_format: 'best_effort',
  date_time_output_format: 'iso',
}

/** Wholeness: what meets a limit fails, whatever the user's profile says, and an exception can't be taken for a row. */
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

/** Makes a client with our settings. It connects when first used; see `waitForClickHouse`. */
export function openClickHouse(options: ClickHouseOptions): ClickHouseClient {
  const connections = options.connections ?? 10
  const socket = parseSocketAddress(options.url)
  return createClient({
    // The host of an address on a socket is a placeholder.
    url: socket ? `http://localhost/${socket.search}` : options.url,
    ...(socket ? { http_agent: socketAgent(socket.path, connections) } : {}),
    ...(options.password === undefined ? {} : { password: options.password }),
    ...(options.database === undefined ? {} : { database: options.database }),
    request_timeout: options.timeoutMs ?? 30_000,
    max_open_connections: connections,
    compression: { request: options.compress ?? false, response: options.compress ?? false },
    application: 'almanac',
    clickhouse_settings: { ...exact, ...whole },
    log: { level: ClickHouseLogLevel.OFF }, // whoever catches the error logs it
  })
}

/** Agent whose connections all go to one Unix socket, whatever host and port a request names. */
function socketAgent(socketPath: string, maxSockets: number): Agent {
  // Node's agent hands its options on to `net.connect`; its type leaves this one out.
  const options: AgentOptions & { readonly socketPath: string } = { keepAlive: true, maxSockets, socketPath }
  return new Agent(options)
}

/**
 * Resolves once ClickHouse answers a query. Throws the signal's reason when it aborts first, and ClickHouseFailure
 * `rejected` when ClickHouse answers but won't have us (wrong password, no such database): waiting doesn't mend that.
 */
export async function waitForClickHouse(client: ClickHouseClient, signal: AbortSignal): Promise<void> {
  for (let pause = 25; ; pause = Math.min(pause * 2, 1_000)) {
    signal.throwIfAborted()
    const pong = await client.ping({ select: true, abort_signal: signal })
    if (pong.success) return
    signal.throwIfAborted()
    if (failureKind(pong.error) === 'rejected') throw asFailure(pong.error)
    await sleep(pause, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

/** A value as JSON carries it. 64-bit integers and decimals are strings, Map columns objects. */
export type Cell = string | number | boolean | null | readonly Cell[] | { readonly [key: string]: Cell }

/** Rows of the largest block; far above the projector's. One block is the unit that is stored wholly or not at all. */
export const maxBlockRows = 1_000_000

/**
 * Inserts rows as one block, which becomes one part: stored wholly or not at all, whatever is killed. The engine refuses
 * rows that fall into several ClickHouse partitions. A block with a `token` that the table has seen (within its
 * `non_replicated_deduplication_window`) is dropped with success, **whatever its rows are, and even if the rows of the
 * first one are not there**: a server notes the token before the rows are in place, and may be killed in between.
 * Two things ClickHouse does without a word: decimals lose the digits that their column has no room for behind the
 * point, and null becomes 0 in a column of numbers that isn't Nullable.
 * Throws ClickHouseFailure; after `unavailable` and `outcome_unknown` look into the table first, see `writeBlock`.
 */
export async function insertBlock(
  client: ClickHouseClient,
  table: string,
  columns: readonly [string, ...string[]],
  rows: readonly (readonly Cell[])[],
  token: string,
): Promise<InsertResult> {
  if (rows.length === 0 || rows.length > maxBlockRows) {
    throw new ClickHouseFailure('rejected', `a block has 1 to ${maxBlockRows} rows, not ${rows.length}`)
  }
  try {
    return await client.insert({
      table,
      columns: [...columns] as [string, ...string[]],
      values: rows,
      format: 'JSONCompactEachRow',
      clickhouse_settings: { ...oneBlock, insert_deduplication_token: token },
    })
  } catch (error) {
    throw asFailure(error)
  }
}

/** With these the rows of an INSERT are one block, and it one part. */
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

/**
 * All rows of a query of ours whose answer is short. It begins only once the query has ended well, so a failure has a
 * status of its own; should it break off all the same, it throws. Throws what the client throws, and ClickHouseFailure.
 */
export async function readRows<R>(
  client: ClickHouseClient,
  query: string,
  params: Readonly<Record<string, string | number | readonly string[]>>,
  settings: ClickHouseSettings = {},
): Promise<R[]> {
  const clickhouse_settings = { ...settings, wait_end_of_query: 1 as const }
  const result = await client.query({ query, query_params: params, format: 'JSONEachRow', clickhouse_settings })
  const found: R[] = []
  for await (const rows of result.stream<R>()) for (const row of rows) found.push(rowOf(row))
  return found
}

/**
 * A row of an answer in JSONEachRow. Until 25.10 a server that fails after the first rows writes its exception among
 * them, under status 200, and the client takes it for one; later ones mark it, which the client knows. What isn't JSON
 * is therefore the server's error, or the end of an answer that broke off.
 */
export function rowOf<R>(row: Row<R>): R {
  try {
    return row.json()
  } catch (cause) {
    const error = parseError(row.text)
    if (error instanceof ClickHouseError) throw error
    throw new ClickHouseFailure('outcome_unknown', `the answer broke off at ${row.text.slice(0, 200)}`, { cause })
  }
}

/**
 * What a failure means.
 * - `unavailable`: nothing was done (no connection, overload, memory or disk full). Try again later.
 * - `outcome_unknown`: sent, but the answer is missing or says that it failed half-way; it may have been done or may yet
 *   be. Look before repeating it. For a query, which changes nothing, this is as good as `unavailable`.
 * - `rejected`: ClickHouse understood and refused: a bug or a schema that doesn't match. Trying again is useless.
 */
type FailureKind = 'unavailable' | 'outcome_unknown' | 'rejected'

/** A failed request with what it means; `code` is ClickHouse's, as a number in text, or the system's, if there is one. */
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

/** Whether an error is of a ClickHouse that is away or busy: the same request may succeed later. */
export const isAway = (error: unknown): error is ClickHouseFailure =>
  error instanceof ClickHouseFailure && error.kind !== 'rejected'

/** Anything that the client threw, as a ClickHouseFailure. */
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
  'EAGAIN', // of a Unix socket: not there yet, too many wait to be accepted
])
/** ClickHouse codes raised before anything is written, by a server that may do better later. */
const overload = new Set(['202', '203', '236', '241', '242', '243', '252', '439', '692'])
/** ClickHouse codes that leave open how far it got. */
const open = new Set(['159', '209', '210', '279', '319', '394', '425', '999'])
/** ClickHouse codes of a failed write, fsync or directory, on a full disk for one. */
const failedOnDisk = new Set(['75', '76', '204'])

/** Judges an error of the client. What isn't known to be harmless counts as `outcome_unknown`. Pure. */
export function failureKind(error: unknown): FailureKind {
  if (error instanceof ClickHouseFailure) return error.kind
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return 'rejected'
  const code = codeOf(error)
  if (error instanceof ClickHouseError) {
    // 252 is too many parts (merges are behind: wait) and too many partitions in one block (our bug).
    if (code === '252' && /partitions for single INSERT block/i.test(error.message)) return 'rejected'
    if (failedOnDisk.has(error.code)) return 'outcome_unknown'
    // Where the C++ library fails, in rename and mkdir, there is no code of its own.
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
