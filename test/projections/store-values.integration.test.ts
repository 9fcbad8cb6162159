/** Values and blocks of rows on their way into the embedded store and out of it, over real HTTP. */
import { readdirSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { brotliCompressSync, deflateSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cell, openClickHouse } from '../../projections/clickhouse.ts'
import { until } from '../support/journal.ts'
import { insertBlock } from './support/insert-block.ts'
import { codeIn, openStore } from './support/open-store.ts'

const store = openStore()
const { run, rowsOf, oneOf, post } = store

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
    await insertBlock(store.client, 'numbers', ['i', 'd', 'u', 'n'], rows, 'numbers')
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
        await insertBlock(store.client, 'texts', ['i', 's', 'm', 'a', 't'], rows, `texts ${batch++}`)
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
        const set = await store.client.query({
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
    const json = await store.client.query({ query: 'SELECT number FROM numbers(150000)', format: 'JSON' })
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
    await insertBlock(store.client, 'block', ['i', 's'], rows, 'one')
    const parts = "SELECT toInt32(rows) FROM system.parts WHERE table = 'block' AND active"
    expect(await rowsOf(parts)).toEqual([[200_000]])
    expect(readdirSync(join(store.path, 'spool'))).toEqual([])
  })

  it('is refused whole if it has a bad row or several partitions', async () => {
    await run(
      'CREATE TABLE fussy (p UInt8, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i SETTINGS non_replicated_deduplication_window = 100',
    )
    const insert = (rows: Cell[][], token: string) => insertBlock(store.client, 'fussy', ['p', 'i'], rows, token)
    const good = Array.from({ length: 70_000 }, (_, i) => [1, i])
    await expect(insert([...good, [1, 'x']], 'a')).rejects.toMatchObject({ kind: 'rejected', code: '27' })
    await expect(insert([...good, [2, 1]], 'b')).rejects.toMatchObject({ kind: 'rejected', code: '252' })
    await expect(insertBlock(store.client, 'nowhere', ['a'], [[1]], 'f')).rejects.toMatchObject({ code: '60' })
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
    await until('the body is in the spool', () => readdirSync(join(store.path, 'spool')).length === 1)
    socket.destroy()
    await until('the spool is empty', () => readdirSync(join(store.path, 'spool')).length === 0)
    expect(await oneOf('SELECT toInt32(count()) FROM halves')).toBe(0)
  })
})
