/** Serves ClickHouse's HTTP interface over the embedded engine: one request, one slot, one session. */
import { randomBytes, randomUUID } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createServer } from '../../base/process/http.ts'
import { expressionSettings } from './allowed.ts'
import { sendError, sendStream, sendWhole, setSummary, startAnswer } from './answer.ts'
import { ClientGone, collect, readBody, spool } from './body.ts'
import { assertNotFromBrowser, authenticate, type Door } from './door.ts'
import type { Engine, Query, QueryAnswer } from './engine.ts'
import { refuse, toStoreError } from './errors.ts'
import { assertReaderMay, type StoreUser } from './reader.ts'
import { quote, readRequest, type StoreRequest } from './request.ts'
import type { Slots } from './slots.ts'
import { framing, readStatement, type Statement } from './statement.ts'

interface FrontLimits {
  /** Largest decoded request body with rows, in bytes. The body is written to disk. */
  readonly insertBytes: number
  /** Largest decoded request body with SQL, in bytes. The body is held in memory. */
  readonly sqlBytes: number
  /** Largest answer that is not streamed, in bytes of the engine's own format. The answer is held in memory. */
  readonly wholeAnswerBytes: number
  /** Time for the client to read the error at the end of a broken answer, in milliseconds. */
  readonly lingerMs: number
}

interface FrontParts {
  readonly engine: Engine
  readonly slots: Slots
  /** Slots of the user `reader`, which it takes before one of `slots`, so that it never has all of them. */
  readonly readerSlots: Slots
  readonly limits: FrontLimits
  /** Directory for the rows of running INSERTs; no glob characters in its path. */
  readonly spoolDir: string
  /** Kills running queries when it aborts. */
  readonly halt: AbortSignal
}

/** Formats whose blocks can be concatenated, because they have no header, frame or numbering. */
const streamable = new Set([
  'JSONEachRow',
  'JSONLines',
  'NDJSON',
  'JSONStringsEachRow',
  'JSONCompactEachRow',
  'JSONCompactStringsEachRow',
  'CSV',
  'TSV',
  'TabSeparated',
  'TSVRaw',
  'TabSeparatedRaw',
  'TSKV',
  'RowBinary',
  'Native',
])

/** Time limit for the head of a request, and the interval at which the server checks it. */
const HEADERS_TIMEOUT_MS = 10_000
const TIMEOUT_CHECK_MS = 1_000
/** Largest number of connections per door, so that half-open ones of the TCP port can't exhaust those of the socket. */
const MAX_CONNECTIONS = { socket: 512, tcp: 128, reader: 128 }

/** Creates the HTTP server behind one door. The caller makes it listen. */
export function createFront(parts: FrontParts, door: Door): Server {
  const server = createServer({
    maxHeaderSize: 1 << 20, // Parameters stand in the address, and one may be a list of ids.
    keepAliveTimeout: 30_000,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: 120_000,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  })
  server.on('request', (request, response) => void handle(parts, door, request, response))
  server.maxConnections = MAX_CONNECTIONS[door.kind]
  return server
}

async function handle(
  parts: FrontParts,
  door: Door,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new ClientGone('the client left before its answer'))
  })
  let asked: StoreRequest | undefined
  try {
    assertNotFromBrowser(door, request)
    asked = readRequest(request.method ?? '', request.url ?? '/', request.headers)
    response.setHeader('X-ClickHouse-Server-Display-Name', 'almanac-store')
    response.setHeader('X-ClickHouse-Query-Id', (asked.queryId ?? randomUUID()).replace(/[^\x20-\x7e]/g, '?'))
    response.setHeader('X-ClickHouse-Timezone', 'UTC')
    if (asked.path === '/ping') return void response.end('Ok.\n')
    if (asked.path !== '/') throw refuse(36, `There is no handler for ${asked.path}; send queries to /.`)
    if (!['GET', 'POST'].includes(request.method ?? ''))
      throw refuse(36, 'The method is not supported; use GET or POST.')
    const user = authenticate(door, asked.user, asked.password)
    const releaseReader = user === 'reader' ? await parts.readerSlots.take(gone.signal) : undefined
    try {
      const release = await parts.slots.take(gone.signal)
      try {
        const allowed = { ...asked, user, readonly: asked.readonly || user === 'reader' }
        await answer(parts, request, response, allowed, gone.signal)
      } finally {
        release()
      }
    } finally {
      releaseReader?.()
    }
  } catch (error) {
    if (error instanceof ClientGone || gone.signal.aborted) response.destroy()
    else sendError(response, toStoreError(error), asked?.gzip ?? false)
  }
}

async function answer(
  parts: FrontParts,
  request: IncomingMessage,
  response: ServerResponse,
  asked: UserRequest,
  gone: AbortSignal,
): Promise<void> {
  const body = (maxBytes: number) => readBody(request, asked.coding, maxBytes)
  if (asked.query !== '') {
    const statement = readAllowed(asked)
    if (statement.kind === 'insert') {
      const rows = body(parts.limits.insertBytes)
      return insert(parts, response, asked, statement, statement.inline === '' ? rows : prepend(statement.inline, rows))
    }
  }
  const rest = await collect(body(parts.limits.sqlBytes))
  const complete = await complement(asked, rest, request.headers['content-type'] ?? '')
  const statement = readAllowed(complete)
  if (statement.kind === 'insert') return insert(parts, response, complete, statement, prepend(statement.inline))
  await select(parts, response, complete, statement, gone)
}

/** A request and the user whose rights it has. `user` of a StoreRequest is only the name that the client sent. */
type UserRequest = Omit<StoreRequest, 'user' | 'password'> & { readonly user: StoreUser }

function readAllowed(asked: UserRequest): Statement {
  const statement = readStatement(asked.query, asked.params)
  if (asked.user === 'reader') assertReaderMay(asked.query, asked)
  return statement
}

/** Adds the parts in the body: the rest of the SQL, or a form with `query` and `param_…` (`use_multipart_params`). */
async function complement(asked: UserRequest, body: Buffer, type: string): Promise<UserRequest> {
  if (!type.startsWith('multipart/form-data')) {
    return { ...asked, query: [asked.query, body.toString()].filter((text) => text !== '').join('\n') }
  }
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch((error: Error) => {
      throw refuse(36, `The body is not a valid form of its content type: ${error.message}.`, { cause: error })
    })
  const fields = [...form].filter((field): field is [string, string] => typeof field[1] === 'string')
  const params = fields
    .filter(([name]) => name.startsWith('param_'))
    .map(([name, value]) => [name.slice(6), value] as const)
  const query = fields.find(([name]) => name === 'query')?.[1] ?? ''
  return { ...asked, query: asked.query || query, params: new Map([...asked.params, ...params]) }
}

/** Writes the rows to a file and lets the engine read it, because one file gives one stream of blocks in order. */
async function insert(
  { engine, spoolDir, halt }: FrontParts,
  response: ServerResponse,
  asked: UserRequest,
  { head, tail }: Statement & { kind: 'insert' },
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  const file = join(spoolDir, randomUUID())
  const sql = `${head} FROM INFILE ${quote(file)} COMPRESSION 'none' ${tail}`
  let done: QueryAnswer
  try {
    await spool(rows, file)
    // A client that leaves now doesn't stop the INSERT, because one that is half done helps no client.
    done = await engine.run({ ...asked, settings: withoutExpressions(asked.settings), sql, format: 'Null' }, halt)
  } catch (error) {
    throw error instanceof ClientGone ? error : toStoreError(error, file)
  } finally {
    // The answer doesn't depend on the file. The next start of the store removes one that is left.
    await unlink(file).catch(() => undefined)
  }
  setSummary(response, done, true)
  response.end()
}

/** Forbids expressions among the rows in the format Values, because no filter has checked them. */
const withoutExpressions = (settings: StoreRequest['settings']): StoreRequest['settings'] =>
  new Map([...settings, ...expressionSettings.map((name) => [name, '0'] as const)])

async function select(
  { engine, limits, halt }: FrontParts,
  response: ServerResponse,
  asked: UserRequest,
  statement: Exclude<Statement, { kind: 'insert' }>,
  gone: AbortSignal,
): Promise<void> {
  const format = (statement.kind === 'read' ? statement.format : undefined) ?? asked.format
  const query: Query = { ...asked, sql: statement.sql, format }
  const framed = [...asked.settings.keys()].some((name) => framing.has(name))
  const streams = statement.kind === 'read' && statement.plain && streamable.has(format) && !framed && !asked.whole
  if (streams) {
    startAnswer(response, { format, gzip: asked.gzip })
    const blocks = engine.stream(query, AbortSignal.any([gone, halt]))
    return sendStream(response, blocks, gone, exceptionTag(), limits.lingerMs)
  }
  const stop = statement.kind === 'read' ? AbortSignal.any([gone, halt]) : halt
  const done = await engine.run(bounded(query, limits.wholeAnswerBytes), stop)
  setSummary(response, done, false)
  startAnswer(response, { format, gzip: asked.gzip })
  await sendWhole(response, done.bytes, gone)
}

/** Returns the query with a size limit for its answer, which could otherwise take all memory. */
function bounded(query: Query, maxBytes: number): Query {
  const asked = Number(query.settings.get('max_result_bytes') ?? 0)
  const limit = asked > 0 ? Math.min(asked, maxBytes) : maxBytes
  return { ...query, settings: new Map([...query.settings, ['max_result_bytes', String(limit)]]) }
}

async function* prepend(text: string, rest?: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
  if (rest !== undefined) yield* rest
}

/** Creates a tag of 16 letters and digits, as ClickHouse does. It is random, so that no row can contain it. */
const exceptionTag = (): string => randomBytes(8).toString('hex')
