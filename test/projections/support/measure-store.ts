/**
 * Measures the embedded store: `node test/projections/support/measure-store.ts`. Prints medians of one run; on a shared
 * machine only the ratios mean much. Rows have 15 columns, as the widest table has; a block has 50,000.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { socketAddress } from '../../../base/socket-address.ts'
import { type Cell, openClickHouse } from '../../../projections/clickhouse.ts'
import { insertBlock } from './insert-block.ts'
import { startStoreProcess } from './store-process.ts'

const columns = [
  ['_partition', 'UInt16'],
  ['_offset', 'UInt64'],
  ['_index', 'UInt16'],
  ['id', 'String'],
  ['series', 'LowCardinality(String)'],
  ['country', 'LowCardinality(String)'],
  ['period', 'String'],
  ['value', 'Decimal(76, 20)'],
  ['unit', 'LowCardinality(String)'],
  ['released_on', 'Date32'],
  ['recorded_at', 'DateTime64(3)'],
  ['source', 'LowCardinality(String)'],
  ['published', 'String'],
  ['previous', 'Nullable(String)'],
  ['notes', 'Map(String, String)'],
] as const
const names = columns.map(([name]) => name) as [string, ...string[]]
const blockRows = 50_000
const rounds = 12

const row = (offset: number): Cell[] => [
  0,
  String(offset),
  0,
  `rel_${(offset * 2_654_435_761).toString(36)}`,
  `us.cpi.${offset % 97}`,
  `C${offset % 200}`,
  `20${10 + (offset % 16)}-${String(1 + (offset % 12)).padStart(2, '0')}`,
  `${offset}.${String(offset % 1000).padStart(3, '0')}`,
  'index',
  '2026-02-03',
  '2026-02-03T04:05:06.007Z',
  'official',
  `${offset}.1`,
  offset % 3 === 0 ? null : `rel_${offset}`,
  { basis: 'stated' },
]
const rowsFrom = (block: number) => Array.from({ length: blockRows }, (_, i) => row(block * blockRows + i))
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const timed = async (work: () => Promise<unknown>) => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const home = mkdtempSync(join(tmpdir(), 'almanac-measure-'))
const path = join(home, 'store')
const socket = join(home, 'store.sock')
const store = await startStoreProcess({ path, socket, tcp: { host: '127.0.0.1', port: 0, password: undefined } })
const client = openClickHouse({ url: store.url })
for (const table of ['helped', 'bare', 'inside']) {
  const fields = columns.map(([name, type]) => `${name} ${type}`).join(', ')
  await client.command({
    query: `CREATE TABLE ${table} (${fields}) ENGINE = ReplacingMergeTree ORDER BY (series, period, _partition, _offset, _index)`,
  })
}

const helped: number[] = []
const bare: number[] = []
const encoding: number[] = []
const inside: number[] = []
for (let block = 0; block < rounds; block += 1) {
  const rows = rowsFrom(block)
  helped.push(await timed(() => insertBlock(client, 'helped', names, rows, `helped ${block}`)))
  let body = ''
  encoding.push(
    await timed(async () => {
      body = rows.map((cells) => `${JSON.stringify(cells)}\n`).join('')
    }),
  )
  if (block === 0) console.log(`a block: ${blockRows} rows, ${(Buffer.byteLength(body) / 1e6).toFixed(1)} MB of JSON`)
  const query = `INSERT INTO bare (${names.join(', ')}) FORMAT JSONCompactEachRow`
  const search = new URLSearchParams({ query, date_time_input_format: 'best_effort' })
  bare.push(await timed(() => fetch(`${store.url}/?${search}`, { method: 'POST', body }).then((reply) => reply.text())))
  inside.push(
    await timed(() =>
      client.command({ query: `INSERT INTO inside SELECT * FROM helped WHERE _offset >= ${block * blockRows}` }),
    ),
  )
}
const speed = (ms: number) => `${ms.toFixed(0)} ms, ${Math.round(blockRows / ms)},000 rows/s`
console.log(`insertBlock:           ${speed(median(helped))}`)
console.log(`bare insert (no JSON): ${speed(median(bare))}; making the JSON takes ${median(encoding).toFixed(0)} ms`)
console.log(`INSERT SELECT inside:  ${speed(median(inside))}`)

const latency = async (label: string, work: () => Promise<unknown>) => {
  const times: number[] = []
  for (let i = 0; i < 300; i += 1) times.push(await timed(work))
  const sorted = times.slice(50).toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
  console.log(`${label}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
}
await latency('ping by fetch', () => fetch(`${store.url}/ping`).then((reply) => reply.text()))
await latency('SELECT 1 by fetch', () =>
  fetch(store.url, { method: 'POST', body: 'SELECT 1' }).then((reply) => reply.text()),
)
await latency('SELECT 1 by client', async () =>
  (await client.query({ query: 'SELECT 1', format: 'JSONEachRow' })).json(),
)
const throughSocket = openClickHouse({ url: socketAddress(socket) })
await latency('SELECT 1 by client, socket', async () =>
  (await throughSocket.query({ query: 'SELECT 1', format: 'JSONEachRow' })).json(),
)
await throughSocket.close()
const watermark = 'SELECT max(_offset) FROM helped WHERE _partition = {p:UInt16}'
await latency('max(_offset)', async () =>
  (await client.query({ query: watermark, query_params: { p: 0 }, format: 'JSONEachRow' })).json(),
)
const page = 'SELECT * FROM helped FINAL WHERE series = {s:String} AND _offset <= 100000 ORDER BY period LIMIT 100'
await latency('a page of 100', async () =>
  (await client.query({ query: page, query_params: { s: 'us.cpi.5' }, format: 'JSONEachRow' })).json(),
)

await client.close()
await store.stop('SIGTERM')
const again = await startStoreProcess({ path })
console.log(`opening again: ${again.openMs} ms`)
await again.stop('SIGTERM')
rmSync(home, { recursive: true, force: true })
