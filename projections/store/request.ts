/** Reads the address and headers of an HTTP request as ClickHouse's HTTP interface does. Pure. */
import type { IncomingHttpHeaders } from 'node:http'
import { refuse } from './errors.ts'

/** Codings of a request body that the store can undo. */
const codings = ['gzip', 'deflate', 'br', 'zstd'] as const
export type Coding = (typeof codings)[number]

export interface StoreRequest {
  readonly path: string
  /** SQL from the address, '' if the body holds all of it. */
  readonly query: string
  readonly queryId: string | undefined
  readonly database: string | undefined
  /** Format of the answer unless the statement names one. */
  readonly format: string
  /** Engine settings by name, in the order of the address. */
  readonly settings: ReadonlyMap<string, string>
  /** Query parameters by name, their values escaped as the interface demands (TSV). */
  readonly params: ReadonlyMap<string, string>
  /** True for GET and HEAD, which must not change anything. */
  readonly readonly: boolean
  /** True if the client accepts a gzip answer. */
  readonly gzip: boolean
  /** True if the answer must not begin before the query has succeeded. */
  readonly whole: boolean
  readonly coding: Coding | undefined
  /** User of the request, '' if it names none. */
  readonly user: string
  /** Password of the request, sent in any of the four ways. */
  readonly password: string
}

/** Parameters only for an HTTP server, and `log_comment`, with which the store itself marks running queries. */
const notForTheEngine = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'user',
  'password',
  'quota_key',
  'wait_end_of_query',
  'buffer_size',
  'http_response_buffer_size',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'enable_http_compression',
  'http_zlib_compression_level',
  'cancel_http_readonly_queries_on_client_close',
  'http_write_exception_in_output_format',
  'log_comment',
])
/** Parameters that only a server supports. They are refused, because ignoring them would mislead the client. */
const unsupported = new Set(['session_id', 'session_timeout', 'session_check', 'role', 'compress', 'decompress'])

/** A session keeps settings and temporary tables. The user `reader` can make neither, so its requests need none. */
const sessions = new Set(['session_id', 'session_timeout', 'session_check'])

const settingName = /^[a-z][a-z0-9_]{0,99}$/
const paramName = /^param_\w{1,100}$/
const formatName = /^\w{1,100}$/

/**
 * Reads method, address (path and search) and headers. Every name that isn't the interface's own is a setting. A name
 * of the wrong form is refused here (115), an unknown name by the engine (115 too).
 * Throws StoreError 48 for features of a server only (sessions, roles, native compression), 73 for a format that is no
 * name, 89 for an unknown coding.
 */
export function readRequest(method: string, address: string, headers: IncomingHttpHeaders): StoreRequest {
  const url = URL.parse(address, 'http://store')
  if (url === null) throw refuse(36, 'The address of the request is not valid.')
  const search = url.searchParams
  const settings = new Map<string, string>()
  const params = new Map<string, string>()
  const login = readLogin(search, headers)
  for (const [name, value] of search) {
    if (paramName.test(name)) params.set(name.slice('param_'.length), value)
    else if (login.user === 'reader' && sessions.has(name)) continue
    else if (unsupported.has(name) && value !== '0' && value !== '') {
      throw refuse(48, `The embedded store has no ${name}: every request has a session of its own.`)
    } else if (notForTheEngine.has(name) || unsupported.has(name)) continue
    else if (settingName.test(name)) settings.set(name, value)
    else throw refuse(115, `Neither a setting nor a parameter: '${name.slice(0, 100)}'.`)
  }
  const format = search.get('default_format') || single(headers['x-clickhouse-format']) || 'TabSeparated'
  if (!formatName.test(format)) throw refuse(73, `Unknown format ${JSON.stringify(format.slice(0, 100))}.`)
  return {
    path: url.pathname,
    query: search.get('query') ?? '',
    queryId: search.get('query_id') || single(headers['x-clickhouse-query-id']),
    database: search.get('database') || single(headers['x-clickhouse-database']),
    format,
    settings,
    params,
    readonly: method === 'GET' || method === 'HEAD',
    gzip: search.get('enable_http_compression') === '1' && /\bgzip\b/.test(single(headers['accept-encoding']) ?? ''),
    whole: search.get('wait_end_of_query') === '1',
    coding: readCoding(headers['content-encoding']),
    ...login,
  }
}

function readCoding(header: string | undefined): Coding | undefined {
  if (header === undefined || header === '' || header === 'identity') return undefined
  const coding = codings.find((known) => known === header.toLowerCase())
  if (coding === undefined) throw refuse(89, `Unknown Content-Encoding '${header}'; known are ${codings.join(', ')}.`)
  return coding
}

/** Reads user and password: from `Authorization`, else from ClickHouse's headers, else from the address. */
function readLogin(search: URLSearchParams, headers: IncomingHttpHeaders): { user: string; password: string } {
  const [, basic] = /^Basic (.+)$/i.exec(headers.authorization ?? '') ?? []
  const [, bearer] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? []
  const user = single(headers['x-clickhouse-user']) ?? search.get('user') ?? ''
  const password = single(headers['x-clickhouse-key']) ?? search.get('password') ?? ''
  if (basic === undefined) return { user, password: bearer ?? password }
  const pair = Buffer.from(basic, 'base64').toString()
  const colon = pair.indexOf(':')
  return { user: pair.slice(0, Math.max(colon, 0)) || user, password: pair.slice(colon + 1) }
}

const single = (header: string | string[] | undefined): string | undefined =>
  (Array.isArray(header) ? header[0] : header) || undefined

/**
 * Builds the SET that gives a session its settings and parameters. `readonly` comes last, because nothing can be set
 * after it. `tag` marks the running query, so that it can be found and killed.
 */
export function setStatement(request: Pick<StoreRequest, 'settings' | 'params' | 'readonly'>, tag: string): string {
  const pairs = [...request.settings].filter(([name]) => name !== 'readonly')
  for (const [name, value] of request.params) pairs.push([`param_${name}`, value])
  pairs.push(['log_comment', tag])
  const asked = request.settings.get('readonly') ?? '0'
  if (request.readonly || asked !== '0') pairs.push(['readonly', asked === '1' ? '1' : '2'])
  return `SET ${pairsOf(pairs)}`
}

/** Builds the list of settings behind SET. The names must have been checked. */
export const pairsOf = (settings: Iterable<readonly [string, string]>): string =>
  Array.from(settings, ([name, value]) => `${name} = ${quote(value)}`).join(', ')

/** Quotes a text as a string literal of ClickHouse SQL. */
export const quote = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`

/** Quotes a name as an identifier of ClickHouse SQL. */
export const quoteName = (name: string): string => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
