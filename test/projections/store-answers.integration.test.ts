/** Sessions and streamed answers of the embedded store over real HTTP, asked by the stock client and by hand. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type ClickHouseSettings, createClient } from '@clickhouse/client'
import { describe, expect, it } from 'vitest'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { until } from '../support/journal.ts'
import { insertBlock } from './support/insert-block.ts'
import { codeIn, openStore } from './support/open-store.ts'

const store = openStore()
const { run, oneOf, ask, post } = store

/** How many queries run whose text holds `mark`. */
const running = (mark: string) =>
  oneOf(
    "SELECT toInt32(count()) FROM system.processes WHERE position(query, {mark:String}) > 0 AND query NOT LIKE '%processes%'",
    { mark },
  )

describe('sessions', () => {
  it('keep settings and parameters to themselves', async () => {
    const threads = (settings: ClickHouseSettings) =>
      store.client
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

describe('streams', () => {
  it('stop when the reader breaks off', async () => {
    const set = await store.client.query({
      query: "SELECT number, 'broken off' FROM numbers(1000000000000)",
      format: 'JSONEachRow',
    })
    let rows = 0
    for await (const some of set.stream()) {
      rows += some.length
      if (rows > 100_000) break
    }
    await until('the query has ended', async () => (await running('broken off')) === 0)
  })

  it.each([
    ['streamed, before its first row', "SELECT count() FROM numbers(1000000000000) WHERE 'left' = 'left'"],
    ['answered whole', "SELECT * FROM (SELECT count() FROM numbers(1000000000000) WHERE 'left' = 'left')"],
  ])('and queries stop when the client leaves: %s', async (_, query) => {
    const leaving = new AbortController()
    const asked = store.client.query({ query, format: 'JSONEachRow', abort_signal: leaving.signal })
    const outcome = expect(asked).rejects.toThrow()
    await until('the query runs', async () => (await running("'left'")) === 1)
    leaving.abort()
    await outcome
    await until('the query has ended', async () => (await running("'left'")) === 0)
  })

  it('wait for a slow reader without piling up its rows or holding up others', async () => {
    const search = new URLSearchParams({ query: "SELECT number, repeat('stalled', 100) FROM numbers(1000000000)" })
    const stalled = httpRequest(`${store.url}/?${search}`)
    const response = await new Promise<IncomingMessage>((resolve) => stalled.on('response', resolve).end())
    response.pause()
    // Rows made so far; once nobody takes them, no more are made, however many other queries come and go.
    const made = () =>
      oneOf("SELECT read_rows FROM system.processes WHERE query LIKE '%stalled%' AND query NOT LIKE '%processes%'")
    await until('no more rows are made', async () => {
      const before = await made()
      for (let i = 0; i < 20; i += 1) expect(await oneOf('SELECT 1')).toBe(1)
      return before === (await made())
    })
    expect(Number(await made())).toBeLessThan(10_000_000)
    stalled.destroy()
    await until('the query has ended', async () => (await running('stalled')) === 0)
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

it('answers gzip only to who asks for it', async () => {
  const header = { 'Accept-Encoding': 'gzip' }
  const reply = await fetch(`${store.url}/?enable_http_compression=1&query=SELECT+1`, { headers: header })
  expect(reply.headers.get('content-encoding')).toBe('gzip')
  expect(await reply.text()).toBe('1\n') // fetch has unpacked it
  expect((await ask({ query: 'SELECT 1' }, { headers: header })).headers.get('content-encoding')).toBe(null)
  expect(gunzipSync(gzipSync('x')).toString()).toBe('x')
})
