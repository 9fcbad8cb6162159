/**
 * Stock clients as the user `reader`: clickhouse-connect from PyPI, curl as docs/sql.md prints it, and the requests of a
 * plugin for Grafana. `store-reader.integration.test.ts` has @clickhouse/client.
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { hasNoPython, python } from '../support/python.ts'
import { PASSWORD, READER_PASSWORD, startGuardedStore } from './support/guarded-store.ts'
import { send } from './support/send.ts'

const store = startGuardedStore()
const run = promisify(execFile)
const page = readFile(new URL('../../docs/sql.md', import.meta.url), 'utf8')

beforeAll(async () => {
  const figures = "SELECT 'USA' AS country, '2025' AS period, toDecimal256('3.10', 18) AS value"
  const view = `CREATE VIEW current_figures SQL SECURITY DEFINER AS ${figures}`
  expect(await send(store.socketUrl, view)).toMatchObject({ status: 200 })
  const closes = "SELECT toDateTime64('2026-11-02 00:00:00', 3, 'UTC') + number AS minute, number + 1 AS close"
  const candles = `CREATE VIEW price_candles SQL SECURITY DEFINER AS ${closes} FROM numbers(120)`
  expect(await send(store.socketUrl, candles)).toMatchObject({ status: 200 })
})

it.skipIf(hasNoPython)('clickhouse-connect reads exact decimals, and nothing but the view', async () => {
  const printed = /```python\n(.*?)```/s.exec(await page)?.[1] ?? ''
  const script = `
PASSWORD = '${READER_PASSWORD}'
${printed.replace('8124', new URL(store.tcpUrl).port)}
print(client.query('SELECT {s:String}', parameters={'s': 'é'}).result_rows)
try:
    client.query('SELECT * FROM t')
except clickhouse_connect.driver.exceptions.DatabaseError as error:
    print('497' in str(error))
try:
    client.insert('t', [['y']], column_names=['s'])
except clickhouse_connect.driver.exceptions.ClickHouseError as error:
    print('refused')
`
  const { stdout } = await run(python, ['-c', script])
  expect(stdout.split('\n')).toEqual([
    "[('USA', '2025', Decimal('3.100000000000000000'))]",
    "[('é',)]",
    'True',
    'refused',
    '',
  ])
  expect(await send(store.socketUrl, 'SELECT count() FROM t')).toMatchObject({ text: '1\n' })
})

it('curl, as printed', async () => {
  const line = (await page).split('\n').find((text) => text.startsWith('curl ')) ?? ''
  const command = line.replace('http://127.0.0.1:8124', store.tcpUrl)
  const ask = (password: string) => run('sh', ['-c', command], { env: { ...process.env, PASSWORD: password } })
  expect((await ask(READER_PASSWORD)).stdout).toBe('USA\t2025\t3.1\n')
  expect((await ask(PASSWORD)).stdout).toContain('password is wrong')
})

/**
 * Requests in the form of Altinity's ClickHouse plugin for Grafana, which speaks HTTP and reads JSON. They are written
 * after `pkg/client.go`, `request-options.ts`, `adhoc.ts` and `sql-query-helper.ts` of Altinity/clickhouse-grafana.
 */
const from = Date.UTC(2026, 10, 2)
const timeSeries = `/* grafana dashboard='prices', user='1' */ SELECT
    (intDiv(toUInt32(minute), 60) * 60) * 1000 AS t, max(close) AS close
FROM default.price_candles
WHERE minute >= toDateTime64(${from}/1000, 3) AND minute <= toDateTime64(${from + 3_600_000}/1000, 3)
GROUP BY t ORDER BY t FORMAT JSON`
it.each<[string, string, unknown[]]>([
  ['tests the data source', 'SELECT 1 AS one FORMAT JSON', [{ one: 1 }]],
  [
    'lists columns',
    `SELECT database, table, name, type FROM system.columns
WHERE database NOT IN ('system','INFORMATION_SCHEMA') AND table = 'price_candles' AND name = 'close'
ORDER BY database, table FORMAT JSON`,
    [{ database: 'default', table: 'price_candles', name: 'close', type: 'UInt64' }],
  ],
  [
    'lists the values of a variable',
    'SELECT DISTINCT country AS value FROM default.current_figures LIMIT 300 FORMAT JSON',
    [{ value: 'USA' }],
  ],
  [
    'draws a panel',
    timeSeries,
    [
      { t: from, close: 60 },
      { t: from + 60_000, close: 120 },
    ],
  ],
])('a plugin for Grafana %s', async (_, sql, rows) => {
  const search = { database: 'default', output_format_json_quote_64bit_integers: '0' }
  const basic = { Authorization: `Basic ${btoa(`reader:${READER_PASSWORD}`)}` }
  const names = { 'X-ClickHouse-User': 'reader', 'X-ClickHouse-Key': READER_PASSWORD }
  const replies = [
    await send(store.readerUrl, sql, { method: 'GET', search, headers: basic }),
    await send(store.readerUrl, sql, { search: { ...search, add_http_cors_header: '1' }, headers: basic }),
    await send(store.readerUrl, sql, { search, headers: names }),
  ]
  for (const { status, text } of replies) {
    expect([status, text]).toEqual([200, expect.stringContaining('"data"')])
    expect((JSON.parse(text) as { data: unknown }).data).toEqual(rows)
  }
})
