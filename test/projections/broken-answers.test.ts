/**
 * What the embedded store can't show: an exception after the first rows, as servers of three generations send it, and
 * answers that profiles, proxies and broken connections cut short. Whoever reads must never take what came for all.
 * Sources: ClickHouse `WriteBufferFromHTTPServerResponse::cancelWithException`, pull requests 52853, 68800 and 88818.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import type { ClickHouseClient } from '@clickhouse/client'
import { afterEach, describe, expect, it } from 'vitest'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { readWatermarks, runStatement } from '../../projections/table.ts'
import { eventQueries } from '../../projections/views/events/query.ts'
import { read } from '../../projections/views/read.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** One way in which an answer of two rows ends after the first; each is a step that goes out as a chunk of its own. */
type Ending = {
  readonly headers?: Readonly<Record<string, string>>
  readonly chunks: (asked: URLSearchParams) => readonly string[]
  /** Without the empty chunk that ends a body. */
  readonly cut?: true
}

const ROW = '{"n":1,"_partition":0,"offset":"7"}\n'
const tag = 'rwdpcnifmhqzbtke'
const exceptionOf = (code: number, type: string) =>
  `Code: ${code}. DB::Exception: it failed: While executing X. (${type}) (version 24.8.14 (official build))\n`
const tagged = (text: string) =>
  `\r\n__exception__\r\n${tag}\r\n${text}${Buffer.byteLength(text)} ${tag}\r\n__exception__\r\n`
const tagHeader = { 'X-ClickHouse-Exception-Tag': tag }

const endings = (text: string): readonly (readonly [string, Ending])[] => [
  [
    '23.9 to 24.10, as a row if it may be one',
    {
      chunks: (asked) => [
        ROW,
        asked.get('http_write_exception_in_output_format') === '0'
          ? text
          : `${JSON.stringify({ exception: text.trim() })}\n`,
      ],
    },
  ],
  ['24.10, in the middle of a row', { chunks: () => [`${ROW}{"n":2,"_part${text}`] }],
  ['24.11 to 25.10, behind a mark', { chunks: () => [ROW, `__exception__\r\n${text}`], cut: true }],
  ['25.11 on, in a block with a tag', { headers: tagHeader, chunks: () => [ROW, tagged(text)], cut: true }],
  ['25.11 on, all at once', { headers: tagHeader, chunks: () => [ROW + tagged(text)], cut: true }],
  [
    '25.11 on, torn apart by the network',
    { headers: tagHeader, chunks: () => [`${ROW}\r`, '\n__exc', tagged(text).slice(7)], cut: true },
  ],
]
const memory = exceptionOf(241, 'MEMORY_LIMIT_EXCEEDED')
const rows = exceptionOf(396, 'TOO_MANY_ROWS_OR_BYTES')
const without: readonly (readonly [string, Ending])[] = [
  ['a connection that breaks behind a row', { chunks: () => [ROW], cut: true }],
  ['a connection that breaks inside a row', { chunks: () => [`${ROW}{"n":2,"_pa`], cut: true }],
  ['a proxy’s page behind a row', { chunks: () => [ROW, '<html>upstream gone</html>\n'] }],
]

async function serverThat(ending: Ending): Promise<{ client: ClickHouseClient; asked: URLSearchParams[] }> {
  const asked: URLSearchParams[] = []
  const server = createServer(async (request, response) => {
    await request.resume().toArray()
    const search = new URL(request.url ?? '', 'http://server').searchParams
    asked.push(search)
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson', ...ending.headers })
    for (const chunk of ending.chunks(search)) {
      await new Promise((written) => response.write(chunk, written))
      await new Promise((later) => setImmediate(later))
    }
    if (ending.cut) request.socket.end()
    else response.end()
  })
  return { client: openClickHouse({ url: await listening(server), timeoutMs: 5_000 }), asked }
}

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const cost = { seconds: 5, megabytes: 100, rows: 10 }

describe.each([...endings(memory), ...without])('an answer that fails after a row: %s', (_, ending) => {
  it('is an error to whoever reads, and no short page', async () => {
    const { client, asked } = await serverThat(ending)
    await expect(read(client, 'SELECT 1', {}, cost)).rejects.toMatchObject({ code: 'unavailable' })
    await expect(eventQueries(client).bounds()).rejects.toMatchObject({ code: 'unavailable' })
    // A watermark that lacked a partition would have its rows written again.
    await expect(readWatermarks(client, 'events')).rejects.toMatchObject({ name: 'ClickHouseFailure' })
    const buffered = asked.map((search) => search.get('wait_end_of_query'))
    expect(buffered).toEqual(['1', '1', '1'])
    await client.close()
  })
})

it.each(endings(rows).filter(([, { cut }]) => !cut))(
  'the server’s reason is told where it stands among the rows: %s',
  async (_, ending) => {
    const { client } = await serverThat(ending)
    await expect(read(client, 'SELECT 1', {}, cost)).rejects.toMatchObject({
      code: 'invalid_query',
      cause: { code: '396' },
    })
    await client.close()
  },
)

type Asked = { readonly search: URLSearchParams; readonly user: string }

/** What arrives at a server of that address when `use` is done with a client for it. */
async function asked(path: string, use: (client: ClickHouseClient) => Promise<unknown>, login = ''): Promise<Asked[]> {
  const seen: Asked[] = []
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://server')
    const credentials = request.headers.authorization?.split(' ')[1] ?? ''
    seen.push({ search: searchParams, user: Buffer.from(credentials, 'base64').toString() })
    request.resume().on('end', () => response.end(ROW))
  })
  const client = openClickHouse({ url: (await listening(server)).replace('://', `://${login}`) + path })
  await use(client)
  await client.close()
  return seen
}

const reading = (client: ClickHouseClient) => read(client, 'SELECT 1', {}, cost)

it('what meets a limit fails, whatever profile the server has for us', async () => {
  const seen = await asked('/', async (client) => {
    await reading(client)
    await readWatermarks(client, 'events')
    await runStatement(client, 'INSERT INTO candles SELECT 1', {})
  })
  expect(seen).toHaveLength(3)
  for (const { search } of seen) {
    for (const mode of ['timeout', 'read', 'group_by', 'sort', 'distinct', 'set', 'join', 'result']) {
      expect(search.get(`${mode}_overflow_mode`), mode).toBe('throw')
    }
  }
})

describe('an address', () => {
  it('may hold user, password and database, every character of them', async () => {
    const password = 'p@s:s/w?r#d% +ü'
    const [seen] = await asked('/almanac', reading, `reader:${encodeURIComponent(password)}@`)
    expect(seen?.user).toBe(`reader:${password}`)
    expect(seen?.search.get('database')).toBe('almanac')
    expect(String(seen?.search)).not.toContain('p%40s')
  })

  it('may hold settings of the server, which ours join, for its own client', async () => {
    const [seen] = await asked('/?ch_select_sequential_consistency=1&ch_max_threads=2', reading)
    expect(Object.fromEntries(seen?.search ?? [])).toMatchObject({
      select_sequential_consistency: '1',
      max_threads: '2',
      readonly: '2',
      timeout_overflow_mode: 'throw',
    })
    const [other] = await asked('/', reading)
    expect(other?.search.has('max_threads')).toBe(false)
    // Then it is the user's own.
    expect(other?.search.has('database')).toBe(false)
  })

  it('of https is spoken to in TLS', async () => {
    const hello = Promise.withResolvers<Buffer>()
    const server = createTcpServer((socket) => void socket.once('data', hello.resolve).on('error', () => undefined))
    const client = openClickHouse({ url: (await listening(server)).replace('http:', 'https:'), timeoutMs: 5_000 })
    const failing = read(client, 'SELECT 1', {}, cost).catch((error: unknown) => error)
    expect((await hello.promise)[0]).toBe(0x16) // a TLS handshake record
    await client.close()
    expect(await failing).toMatchObject({ code: 'unavailable' })
  })
})
