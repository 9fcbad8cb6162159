/** The embedded store in a process of its own, over real HTTP, asked by the stock client and by hand. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { type ClickHouseClient, type ClickHouseSettings, createClient } from '@clickhouse/client'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cell, insertBlock, maxBlockRows, openClickHouse } from '../../projections/clickhouse.ts'
import { loadNative, nativeFunctions } from '../../projections/store/native.ts'
import { type StoreProcess, startStoreProcess } from './support/store-process.ts'

const home = mkdtempSync(join(tmpdir(), 'almanac-store-'))
const path = join(home, "it's a store") // a quote and spaces: the path ends up in SQL
let store: StoreProcess
let tight: StoreProcess
let client: ClickHouseClient

beforeAll(async () => {
  const limits = { runningQueries: 1, waitingQueries: 1, waitMs: 300, lingerMs: 50, password: 'open sesame' }
  const sizes = { insertBytes: 20_000, sqlBytes: 10_000, wholeAnswerBytes: 100_000, memoryBytes: 600_000_000 }
  ;[store, tight] = await Promise.all([
    startStoreProcess({ path, lingerMs: 15_000 }),
    startStoreProcess({ path: join(home, 'tight'), ...limits, ...sizes }),
  ])
  client = openClickHouse({ url: store.url })
})

afterAll(async () => {
  await client?.close()
  await Promise.all([store?.stop('SIGTERM'), tight?.stop('SIGTERM')])
  rmSync(home, { recursive: true, force: true })
})

const run = (query: string, settings: ClickHouseSettings = {}) =>
  client.command({ query, clickhouse_settings: settings })
const rowsOf = async (query: string, query_params: Record<string, unknown> = {}): Promise<unknown[][]> =>
  (await client.query({ query, query_params, format: 'JSONCompactEachRow' })).json()
const oneOf = async (query: string, params: Record<string, unknown> = {}) => (await rowsOf(query, params))[0]?.[0]

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}
/** A request by hand. */
async function ask(search: Record<string, string>, init: RequestInit = {}, url = store.url): Promise<Reply> {
  const response = await fetch(`${url}/?${new URLSearchParams(search)}`, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const post = (
  search: Record<string, string>,
  body: string | Buffer,
  headers: Record<string, string> = {},
  url?: string,
) => ask(search, { method: 'POST', body: typeof body === 'string' ? body : new Uint8Array(body), headers }, url)
const codeIn = (reply: Reply): [status: number, code: string | null] => [
  reply.status,
  reply.headers.get('x-clickhouse-exception-code'),
]

/** Asks again until `check` holds: for what the engine does in its own time. Fails after 10 s. */
async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 10_000; !(await check()); await sleep(10)) {
    if (Date.now() > deadline) throw new Error('it did not come to pass')
  }
}
/** How many queries run whose text holds `mark`. */
const running = (mark: string) =>
  oneOf(
    "SELECT toInt32(count()) FROM system.processes WHERE position(query, {mark:String}) > 0 AND query NOT LIKE '%processes%'",
    { mark },
  )

describe('what goes in comes out', () => {
  const nasty = [
    '',
    ' ',
    "it's",
    '"',
    '\\',
    '\\N',
    'a\nb\n\nc\r\n\t',
    '\0',
    'é 漢 🏦',
    '{x:String}',
    "'; DROP TABLE t; --",
  ]

  it('for the greatest and least numbers, to the last digit', async () => {
    await run(
      'CREATE TABLE numbers (i UInt32, d Decimal(76, 20), u UInt64, n Nullable(Int64)) ENGINE = MergeTree ORDER BY i',
    )
    const nines = '9'.repeat(56)
    const rows = [
      [0, `${nines}.99999999999999999999`, '18446744073709551615', '-9223372036854775808'],
      [1, `-${nines}.99999999999999999999`, '0', null],
      [2, '0.00000000000000000001', '9007199254740993', '9007199254740993'],
    ]
    await insertBlock(client, 'numbers', ['i', 'd', 'u', 'n'], rows, 'numbers')
    expect(await rowsOf('SELECT * FROM numbers ORDER BY i')).toEqual(rows)
  })

  it('for any text, and maps and arrays of it', async () => {
    await run(
      'CREATE TABLE texts (i UInt32, s String, m Map(String, String), a Array(String), t DateTime64(3)) ENGINE = MergeTree ORDER BY i',
    )
    const text = fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary' }))
    const row = fc.tuple(text, fc.dictionary(text, text, { maxKeys: 4 }), fc.array(text, { maxLength: 4 }))
    const time = '2026-02-03T04:05:06.007Z'
    let batch = 0
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 200, size: 'max' }), async (cells) => {
        await run('TRUNCATE TABLE texts')
        const rows = cells.map(([s, m, a], i): Cell[] => [i, s, { ...m }, a, time])
        await insertBlock(client, 'texts', ['i', 's', 'm', 'a', 't'], rows, `texts ${batch++}`)
        const back = (await rowsOf('SELECT * FROM texts ORDER BY i')) as [number, string, object, string[], string][]
        expect(back.map(([i, s, m, a, t]) => [i, s, Object.entries(m).sort(), a, t])).toEqual(
          rows.map(([i, s, m, a, t]) => [i, s, Object.entries(m as object).sort(), a, t]),
        )
      }),
      { numRuns: 4 },
    )
  })

  it('for parameters of every type, in the address and in a form', async () => {
    const query =
      'SELECT {s:String}, {a:Array(String)}, {m:Map(String, String)}, {d:Decimal(76, 20)}, {n:Nullable(String)}'
    const d = '12345678901234567890123456789012345678901234567890.00000000000000000001'
    for (const multipart of [false, true]) {
      for (const s of nasty.filter((text) => !text.includes('\0'))) {
        const query_params = { s, a: nasty, m: { [s]: s }, d, n: null }
        const set = await client.query({
          query,
          query_params,
          use_multipart_params: multipart,
          format: 'JSONCompactEachRow',
        })
        expect(await set.json()).toEqual([[s, nasty, { [s]: s }, d, null]])
      }
    }
    expect(await oneOf('SELECT length({a:Array(String)})', { a: Array(20_000).fill('0123456789') })).toBe('20000')
    const missing = await post({}, 'SELECT {nobody:String}')
    expect(codeIn(missing)).toEqual([400, '456'])
  })

  it('for binary rows and blank lines, which chdb’s own raw insert cuts off', async () => {
    await run('CREATE TABLE bytes (b UInt8) ENGINE = MergeTree ORDER BY tuple()')
    await run('CREATE TABLE lines (s String) ENGINE = MergeTree ORDER BY tuple()')
    const bytes = Buffer.from([1, 10, 10, 2, 10, 10, 10, 59, 32, 0, 13, 10])
    const inserted = await post({ query: 'INSERT INTO bytes FORMAT RowBinary' }, bytes)
    expect(JSON.parse(inserted.headers.get('x-clickhouse-summary') ?? '{}')).toMatchObject({ written_rows: '12' })
    expect(await rowsOf('SELECT b FROM bytes')).toEqual([...bytes].map((b) => [b]))
    await post({ query: 'INSERT INTO lines FORMAT TSV' }, '\nx\n\n; DROP TABLE lines\n')
    await post({}, 'INSERT INTO lines FORMAT JSONEachRow\n{"s":"in the text"}\n\n{"s":"and so on"}')
    await post({ query: 'INSERT INTO lines VALUES' }, " ('a;\n\n') , ('b')")
    await post({ param_p: 'c' }, "INSERT INTO lines VALUES ({p:String}), (concat('d', ';'))")
    const lines = ['', 'x', '', '; DROP TABLE lines', 'in the text', 'and so on', 'a;\n\n', 'b', 'c', 'd;']
    expect((await rowsOf('SELECT s FROM lines')).flat().sort()).toEqual(lines.sort())
    expect(await post({ query: 'INSERT INTO lines FORMAT TSV' }, '')).toMatchObject({ status: 200 })
  })

  it('for formats with a frame, and Parquet there and back', async () => {
    const csv = await post({}, 'SELECT number AS n FROM numbers(150000) FORMAT CSVWithNames')
    expect(csv.text.split('\n').filter((line) => line.includes('n'))).toHaveLength(1)
    expect(csv.text.length).toBeGreaterThan(888_000)
    const json = await client.query({ query: 'SELECT number FROM numbers(150000)', format: 'JSON' })
    expect((await json.json<{ number: string }>()).data).toHaveLength(150_000)
    await run('CREATE TABLE parquet (number UInt64, s String) ENGINE = MergeTree ORDER BY number')
    const sql = "SELECT number, concat('\n\n', toString(number)) AS s FROM numbers(3) FORMAT Parquet"
    const file = Buffer.from(await (await fetch(store.url, { method: 'POST', body: sql })).arrayBuffer())
    expect((await post({ query: 'INSERT INTO parquet FORMAT Parquet' }, file)).status).toBe(200)
    expect(await rowsOf('SELECT s FROM parquet ORDER BY number')).toEqual([['\n\n0'], ['\n\n1'], ['\n\n2']])
  })

  it('compressed, both ways', async () => {
    const packed = openClickHouse({ url: store.url, compress: true })
    await run('CREATE TABLE packed (s String) ENGINE = MergeTree ORDER BY s')
    const values = Array.from({ length: 30_000 }, (_, i) => ({ s: `row ${i}` }))
    await packed.insert({ table: 'packed', values, format: 'JSONEachRow' })
    await packed.insert({ table: 'packed', values: Readable.from(values), format: 'JSONEachRow' })
    const set = await packed.query({ query: 'SELECT s FROM packed', format: 'JSONEachRow' })
    expect(set.response_headers['content-encoding']).toBe('gzip')
    let rows = 0
    for await (const some of set.stream()) rows += some.length
    expect(rows).toBe(60_000)
    await expect(packed.query({ query: 'SELECT * FROM nowhere' })).rejects.toMatchObject({ code: '60' })
    await packed.close()
    for (const [coding, pack] of Object.entries({
      br: brotliCompressSync,
      zstd: zstdCompressSync,
      deflate: deflateSync,
    })) {
      const reply = await post({}, pack(Buffer.from('SELECT 1')), { 'Content-Encoding': coding })
      expect(reply).toMatchObject({ status: 200, text: '1\n' })
    }
  })
})

describe('a block', () => {
  it('is one part, however many rows, and leaves no file behind', async () => {
    await run('CREATE TABLE block (i UInt64, s String) ENGINE = MergeTree ORDER BY i')
    const rows = Array.from({ length: 200_000 }, (_, i) => [i, `${i}`])
    const { summary } = await insertBlock(client, 'block', ['i', 's'], rows, 'one')
    expect(summary?.written_rows).toBe('200000')
    const parts = "SELECT toInt32(rows) FROM system.parts WHERE table = 'block' AND active"
    expect(await rowsOf(parts)).toEqual([[200_000]])
    expect(readdirSync(join(path, 'spool'))).toEqual([])
  })

  it('is refused whole if it has a bad row, several partitions, or no rows', async () => {
    await run(
      'CREATE TABLE fussy (p UInt8, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i SETTINGS non_replicated_deduplication_window = 100',
    )
    const insert = (rows: Cell[][], token: string) => insertBlock(client, 'fussy', ['p', 'i'], rows, token)
    const good = Array.from({ length: 70_000 }, (_, i) => [1, i])
    await expect(insert([...good, [1, 'x']], 'a')).rejects.toMatchObject({ kind: 'rejected', code: '27' })
    await expect(insert([...good, [2, 1]], 'b')).rejects.toMatchObject({ kind: 'rejected', code: '252' })
    await expect(insert([], 'd')).rejects.toMatchObject({ kind: 'rejected' })
    await expect(insert(Array(maxBlockRows + 1).fill([1, 1]), 'e')).rejects.toMatchObject({ kind: 'rejected' })
    await expect(insertBlock(client, 'nowhere', ['a'], [[1]], 'f')).rejects.toMatchObject({ code: '60' })
    expect(await oneOf('SELECT toInt32(count()) FROM fussy')).toBe(0)
    await insert(good, 'g')
    await insert(good, 'g')
    expect(await oneOf('SELECT toInt32(count()) FROM fussy')).toBe(70_000)
  })

  it('is not inserted if its sender goes away half-way', async () => {
    await run('CREATE TABLE halves (s String) ENGINE = MergeTree ORDER BY s')
    const socket = createConnection(Number(new URL(store.url).port), '127.0.0.1')
    const address = `/?${new URLSearchParams({ query: 'INSERT INTO halves FORMAT TSV' })}`
    socket.write(`POST ${address} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nhalf a row\nand`)
    await eventually(async () => readdirSync(join(path, 'spool')).length === 1)
    socket.destroy()
    await eventually(async () => readdirSync(join(path, 'spool')).length === 0)
    expect(await oneOf('SELECT toInt32(count()) FROM halves')).toBe(0)
  })
})

describe('sessions', () => {
  it('keep settings and parameters to themselves', async () => {
    const threads = (settings: ClickHouseSettings) =>
      client
        .query({ query: "SELECT getSetting('max_threads')", format: 'TabSeparated', clickhouse_settings: settings })
        .then((set) => set.text())
    const standard = await threads({})
    const asked = Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? undefined : String(i + 50)))
    const answers = await Promise.all(asked.map((n) => threads(n === undefined ? {} : { max_threads: n as never })))
    expect(answers).toEqual(asked.map((n) => (n === undefined ? standard : `${n}\n`)))
    expect(codeIn(await post({}, 'SELECT {s:String}'))).toEqual([400, '456'])
  })

  it('read only by GET', async () => {
    expect(await ask({ query: 'SELECT 1' })).toMatchObject({ status: 200, text: '1\n' })
    await run('CREATE TABLE got (a Int8) ENGINE = Memory')
    for (const query of ['DROP TABLE got', 'SET readonly = 0', 'INSERT INTO got SELECT 1']) {
      expect([query, codeIn(await ask({ query, readonly: '0' }))]).toEqual([query, [403, '164']])
    }
    expect(codeIn(await post({ readonly: '1' }, 'DROP TABLE got'))).toEqual([403, '164'])
  })

  it('use the database asked for', async () => {
    await run('CREATE DATABASE `odd ``name`')
    const other = createClient({ url: store.url, database: 'odd `name' })
    await other.command({ query: 'CREATE TABLE here (a Int8) ENGINE = Memory' })
    await other.close()
    expect(await oneOf("SELECT database FROM system.tables WHERE name = 'here'")).toBe('odd `name')
    expect(codeIn(await post({ database: 'nowhere' }, 'SELECT 1'))).toEqual([404, '81'])
  })
})

describe('errors', () => {
  it.each([
    ['SELECT * FROM nowhere', 404, '60', 'UNKNOWN_TABLE'],
    ['SELEC 1', 400, '62', 'SYNTAX_ERROR'],
    ['SELECT 1; SELECT 2', 400, '62', 'SYNTAX_ERROR'],
    ['SELECT nothing', 404, '47', 'UNKNOWN_IDENTIFIER'],
    ['SELECT throwIf(1)', 500, '395', 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO'],
    ['SELECT 1 FORMAT Nonsense', 404, '73', 'UNKNOWN_FORMAT'],
    ['INSERT INTO nowhere FORMAT TSV\nx', 404, '60', 'UNKNOWN_TABLE'],
  ])('%s', async (sql, status, code, type) => {
    expect(codeIn(await post({}, sql))).toEqual([status, code])
    await expect(client.command({ query: sql })).rejects.toMatchObject({ code, type })
  })

  it('name the row that could not be read, and not our files', async () => {
    await run('CREATE TABLE strict (i UInt64) ENGINE = MergeTree ORDER BY i')
    const values = [{ i: '1' }, { i: 'two' }]
    const error = await client.insert({ table: 'strict', values, format: 'JSONEachRow' }).catch((caught) => caught)
    expect(error).toMatchObject({ code: '27', type: 'CANNOT_PARSE_INPUT_ASSERTION_FAILED' })
    expect(error.message).toContain('at row 2')
    expect(error.message).not.toContain('spool')
  })

  it.each([false, true])(
    'after the first rows arrive as themselves, not as a short answer (gzip: %s)',
    async (compress) => {
      const own = openClickHouse({ url: store.url, compress })
      const hasty = openClickHouse({ url: tight.url, password: 'open sesame', compress })
      const query = 'SELECT throwIf(number = 300000), number FROM numbers(400000) SETTINGS max_block_size = 1000'
      let rows = 0
      const streamed = async () => {
        for await (const some of (await own.query({ query, format: 'JSONEachRow' })).stream()) rows += some.length
      }
      await expect(streamed()).rejects.toMatchObject({ code: '395' })
      expect(rows).toBeGreaterThan(1_000)
      const ready = async () => (await own.query({ query, format: 'JSONEachRow' })).json()
      await expect(ready()).rejects.toMatchObject({ code: '395' })
      // Nobody looks for an error in a text; then the answer breaks off.
      const text = await hasty.query({ query, format: 'CSV' })
      await expect(text.text()).rejects.toThrow()
      await Promise.all([own.close(), hasty.close()])
    },
  )

  it.each([
    ['an unknown setting', { no_such_setting: '1' }, 'SELECT 1', {}, 404, '115'],
    ['a setting with a bad value', { max_threads: 'many' }, 'SELECT 1', {}, 400, '27'],
    ['a name that is none', { 'max_threads=1,x': '1' }, 'SELECT 1', {}, 404, '115'],
    ['an unknown coding', {}, 'SELECT 1', { 'Content-Encoding': 'lzma' }, 415, '89'],
    ['a body that is not gzip', {}, 'SELECT 1', { 'Content-Encoding': 'gzip' }, 400, '354'],
    ['rows that are not gzip', { query: 'INSERT INTO t FORMAT TSV' }, 'x', { 'Content-Encoding': 'gzip' }, 400, '354'],
    ['a cut gzip', {}, gzipSync('SELECT 1').subarray(0, 15), { 'Content-Encoding': 'gzip' }, 400, '354'],
    ['a form that is none', {}, 'SELECT 1', { 'Content-Type': 'multipart/form-data; boundary=b' }, 400, '36'],
    ['a session', { session_id: 's' }, 'SELECT 1', {}, 501, '48'],
    ['no query', {}, '', {}, 400, '62'],
    ['a browser', {}, 'SELECT 1', { Origin: 'https://example.com' }, 403, '497'],
  ] as const)('answer %s', async (_, search, body, headers, status, code) => {
    const reply = await post(search, body, headers)
    expect(codeIn(reply)).toEqual([status, code])
    expect(reply.text).toMatch(new RegExp(`^Code: ${code}\\. DB::Exception: .*\\([A-Z_]+\\)\n$`, 's'))
  })

  it('answer other addresses and methods', async () => {
    expect(await (await fetch(`${store.url}/ping`)).text()).toBe('Ok.\n')
    expect((await fetch(`${store.url}/nowhere`)).status).toBe(400)
    expect((await fetch(store.url, { method: 'PUT', body: 'SELECT 1' })).status).toBe(400)
    expect(await client.ping()).toEqual({ success: true })
    expect(await client.ping({ select: true })).toEqual({ success: true })
  })
})

describe('ways out of the data directory are shut', () => {
  it.each([
    "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a String')",
    "SELECT * FROM file('/etc/passwd', 'LineAsString')",
    "SELECT * FROM s3('http://127.0.0.1:1/bucket/key', 'CSV', 'a String')",
    "SELECT * FROM remote('127.0.0.1:1', 'system', 'one')",
    "SELECT * FROM mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
    "SELECT * FROM sqlite('/tmp/x.db', 't')",
    'SELECT * FROM `/etc/passwd`',
    "SELECT file('/etc/passwd')",
    "SELECT 1 INTO OUTFILE '/tmp/almanac-out'",
    "INSERT INTO FUNCTION file('/tmp/almanac-out', 'CSV') SELECT 1",
    "INSERT INTO t FROM INFILE '/etc/passwd' FORMAT LineAsString",
    "CREATE TABLE f (a String) ENGINE = File('CSV', '/etc/passwd')",
    "CREATE TABLE u (a String) ENGINE = URL('http://127.0.0.1:1/', 'CSV')",
    "CREATE DICTIONARY d (a Int8) PRIMARY KEY a SOURCE(FILE(PATH '/etc/passwd' FORMAT 'CSV')) LAYOUT(FLAT()) LIFETIME(1)",
    'CREATE FUNCTION f AS x -> x',
    "BACKUP DATABASE default TO File('/tmp/almanac-out')",
    'SYSTEM SHUTDOWN',
    "CREATE USER eve IDENTIFIED BY 'x'",
    'GRANT ALL ON *.* TO default',
  ])('%s', async (sql) => {
    expect(codeIn(await post({}, sql))).toEqual([403, '497'])
    expect(existsSync('/tmp/almanac-out')).toBe(false)
  })

  it('and no program is run', async () => {
    const reply = await post({}, "SELECT * FROM executable('id', 'CSV', 'a String')")
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.text).not.toContain('uid=')
  })
})

describe('streams', () => {
  it('stop when the reader breaks off', async () => {
    const set = await client.query({
      query: "SELECT number, 'broken off' FROM numbers(1000000000000)",
      format: 'JSONEachRow',
    })
    let rows = 0
    for await (const some of set.stream()) {
      rows += some.length
      if (rows > 100_000) break
    }
    await eventually(async () => (await running('broken off')) === 0)
  })

  it.each([
    ['streamed, before its first row', "SELECT count() FROM numbers(1000000000000) WHERE 'left' = 'left'"],
    ['answered whole', "SELECT * FROM (SELECT count() FROM numbers(1000000000000) WHERE 'left' = 'left')"],
  ])('and queries stop when the client leaves: %s', async (_, query) => {
    const leaving = new AbortController()
    const asked = client.query({ query, format: 'JSONEachRow', abort_signal: leaving.signal })
    const outcome = expect(asked).rejects.toThrow()
    await eventually(async () => (await running("'left'")) === 1)
    leaving.abort()
    await outcome
    await eventually(async () => (await running("'left'")) === 0)
  })

  it('wait for a slow reader without piling up its rows or holding up others', async () => {
    const search = new URLSearchParams({ query: "SELECT number, repeat('stalled', 100) FROM numbers(1000000000)" })
    const stalled = httpRequest(`${store.url}/?${search}`)
    const response = await new Promise<IncomingMessage>((resolve) => stalled.on('response', resolve).end())
    response.pause()
    // Rows made so far; once nobody takes them, no more are made, however many other queries come and go.
    const made = () =>
      oneOf("SELECT read_rows FROM system.processes WHERE query LIKE '%stalled%' AND query NOT LIKE '%processes%'")
    await eventually(async () => {
      const before = await made()
      for (let i = 0; i < 20; i += 1) expect(await oneOf('SELECT 1')).toBe(1)
      return before === (await made())
    })
    expect(Number(await made())).toBeLessThan(10_000_000)
    stalled.destroy()
    await eventually(async () => (await running('stalled')) === 0)
  })

  it('leave the event loop to others while a subquery is planned', async () => {
    const query = 'SELECT (SELECT sum(sleepEachRow(0.5)) FROM numbers(3)) AS s FORMAT JSONEachRow'
    const slow = post({ max_block_size: '1' }, query)
    let answered = 0
    let done = false
    void slow.finally(() => {
      done = true
    })
    while (!done) {
      await fetch(`${store.url}/ping`).then((reply) => reply.text())
      answered++
    }
    expect(await slow).toMatchObject({ status: 200 })
    // A loop that stands still meanwhile answers the first, and perhaps the last.
    expect(answered).toBeGreaterThan(5)
  })
})

it('serves 100 mixed requests at once', async () => {
  await run('CREATE TABLE mixed (i UInt32) ENGINE = MergeTree ORDER BY i')
  const many = openClickHouse({ url: store.url, connections: 100 })
  const work = Array.from({ length: 100 }, async (_, i) => {
    if (i % 4 === 0) return insertBlock(many, 'mixed', ['i'], [[i]], `mixed ${i}`)
    if (i % 4 === 1) {
      const set = await many.query({
        query: 'SELECT number FROM numbers({n:UInt32})',
        query_params: { n: 50_000 + i },
        format: 'JSONEachRow',
      })
      return expect((await set.json()).length).toBe(50_000 + i)
    }
    if (i % 4 === 2)
      return expect(many.command({ query: `SELECT * FROM nowhere_${i}` })).rejects.toThrow(`nowhere_${i}`)
    const set = await many.query({
      query: 'SELECT {i:UInt32} AS i, (SELECT count() FROM numbers(100000)) AS n',
      query_params: { i },
      format: 'JSONEachRow',
    })
    return expect(await set.json()).toEqual([{ i, n: '100000' }])
  })
  await Promise.all(work)
  await many.close()
  expect(await oneOf('SELECT toInt32(count()) FROM mixed')).toBe(25)
})

describe('limits', () => {
  const key = { 'X-ClickHouse-Key': 'open sesame' }
  const short = (search: Record<string, string>, body: string | Buffer, headers = {}) =>
    post(search, body, { ...key, ...headers }, tight.url)

  it('a password, if there is one', async () => {
    expect(codeIn(await post({}, 'SELECT 1', {}, tight.url))).toEqual([403, '516'])
    const knowing = openClickHouse({ url: tight.url, password: 'open sesame' })
    expect(await knowing.ping({ select: true })).toEqual({ success: true })
    await knowing.close()
  })

  it('queries at a time: one runs, one waits a little, the next is refused at once', async () => {
    const running = short(
      {},
      "SELECT count() FROM numbers(1000000000000) WHERE 'busy' = 'busy' SETTINGS max_execution_time = 1",
    )
    const replies = await Promise.all([1, 2, 3].map(() => short({}, 'SELECT 1')))
    for (const reply of replies) {
      expect(codeIn(reply)).toEqual([503, '202'])
      expect(reply.headers.get('retry-after')).toBe('1')
    }
    expect(codeIn(await running)).toEqual([408, '159'])
    const [first, second] = await Promise.all([short({}, 'SELECT 1'), short({}, 'SELECT 2')])
    expect([first.text, second.text]).toEqual(['1\n', '2\n'])
  })

  it('sizes, of what comes and of what unpacks, while the sender still sends', async () => {
    await short({}, 'CREATE TABLE t (s String) ENGINE = MergeTree ORDER BY s')
    const insert = { query: 'INSERT INTO t FORMAT TSV' }
    expect(codeIn(await short(insert, 'x'.repeat(5_000_000)))).toEqual([413, '229'])
    expect(codeIn(await short(insert, gzipSync('x'.repeat(5_000_000)), { 'Content-Encoding': 'gzip' }))).toEqual([
      413,
      '229',
    ])
    expect(codeIn(await short({}, `SELECT '${'x'.repeat(20_000)}'`))).toEqual([413, '229'])
    expect(await short({}, 'SELECT count() FROM t')).toMatchObject({ text: '0\n' })
  })

  it('answers that are not streamed, and memory', async () => {
    expect(codeIn(await short({}, 'SELECT number FROM numbers(1000000) FORMAT JSON'))).toEqual([500, '396'])
    expect((await short({}, 'SELECT number FROM numbers(1000000) FORMAT TSV')).text).toHaveLength(6_888_890)
    expect(codeIn(await short({}, 'SELECT length(groupArray(number)) FROM numbers(100000000)'))).toEqual([500, '241'])
    expect(await short({}, 'SELECT 1')).toMatchObject({ text: '1\n' })
  })
})

it('finds in chdb the private functions that the store rests on', () => {
  const native = loadNative()
  for (const name of nativeFunctions) expect(native[name]).toBeTypeOf('function')
})

it('answers gzip only to who asks for it', async () => {
  const header = { 'Accept-Encoding': 'gzip' }
  const reply = await fetch(`${store.url}/?enable_http_compression=1&query=SELECT+1`, { headers: header })
  expect(reply.headers.get('content-encoding')).toBe('gzip')
  expect(await reply.text()).toBe('1\n') // fetch has unpacked it
  expect((await ask({ query: 'SELECT 1' }, { headers: header })).headers.get('content-encoding')).toBe(null)
  expect(gunzipSync(gzipSync('x')).toString()).toBe('x')
})
