/** The store's user `reader` reads the views for SQL clients and nothing else, within limits that it cannot raise. */
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { readerLimits, readerSystemTables } from '../../projections/store/reader.ts'
import { PASSWORD, READER_PASSWORD, startGuardedStore } from './support/guarded-store.ts'
import { type Request, send } from './support/send.ts'

const store = startGuardedStore()
const login = { 'X-ClickHouse-User': 'reader', 'X-ClickHouse-Key': READER_PASSWORD }
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** Sends a request as the reader over the port. */
const ask = (sql: string, asked: Request = {}) =>
  send(store.tcpUrl, sql, { ...asked, headers: { ...login, ...asked.headers } })

async function expectRefused(sql: string, asked: Request = {}): Promise<void> {
  for (const reply of [
    await ask(sql, asked),
    await ask(sql, { ...asked, search: { ...asked.search, user: 'reader' } }),
    await send(store.socketUrl, sql, { ...asked, search: { ...asked.search, user: 'reader' } }),
  ]) {
    expect(reply.code, reply.text).toMatch(/^(36|62|70|115|164|452|497)$/)
    expect(reply.text).not.toContain('SECRET')
  }
}

beforeAll(async () => {
  for (const sql of [
    'CREATE TABLE hidden (s String) ENGINE = MergeTree ORDER BY s',
    "INSERT INTO hidden VALUES ('SECRET')",
    'CREATE VIEW current_figures SQL SECURITY DEFINER AS SELECT length(s) AS value FROM hidden',
  ])
    expect(await send(store.socketUrl, sql)).toMatchObject({ status: 200 })
})

describe('the reader', () => {
  it.each([
    ['headers', { headers: login }],
    ['Basic', { headers: { Authorization: basic('reader', READER_PASSWORD) } }],
    ['the address', { search: { user: 'reader', password: READER_PASSWORD } }],
  ] as [string, Request][])('logs in by %s', async (_, asked) => {
    const reply = await send(store.tcpUrl, 'SELECT value FROM current_figures', asked)
    expect(reply).toMatchObject({ status: 200, text: '6\n' })
  })

  it.each([
    ['its name with the other password', 'reader', PASSWORD],
    ['the other name with its password', 'default', READER_PASSWORD],
    ['its name without a password', 'reader', ''],
    ['another name', 'root', PASSWORD],
  ])('is not %s', async (_, user, password) => {
    const reply = await send(store.tcpUrl, 'SELECT 1', { headers: { Authorization: basic(user, password) } })
    expect(reply).toMatchObject({ status: 403, code: '516' })
  })

  it('is what the stock client expects', async () => {
    const log = { level: ClickHouseLogLevel.OFF }
    const client = createClient({
      url: store.tcpUrl,
      username: 'reader',
      password: READER_PASSWORD,
      session_id: 's',
      log,
    })
    expect(await client.ping({ select: true })).toEqual({ success: true })
    const rows = await client.query({
      query: 'SELECT value + {n:UInt8} AS value FROM current_figures',
      query_params: { n: 1 },
      format: 'JSONEachRow',
      clickhouse_settings: { max_execution_time: 5, date_time_output_format: 'iso' },
    })
    expect(await rows.json()).toEqual([{ value: 7 }])
    await expect(client.insert({ table: 'hidden', values: [{ s: 'x' }], format: 'JSONEachRow' })).rejects.toThrow(
      /read/,
    )
    await client.close()
  })

  it.each([
    ['JSON', '"value": "123456789012345678901.5"'],
    ['JSONEachRow', '{"value":"123456789012345678901.5"}\n'],
    ['JSONCompactEachRow', '["123456789012345678901.5"]\n'],
  ])('reads decimals as texts in %s, because a number of JavaScript holds 15 digits', async (format, shown) => {
    const sql = `SELECT toDecimal256('123456789012345678901.5', 18) AS value FORMAT ${format}`
    expect((await ask(sql)).text).toContain(shown)
    const bare = await ask(sql, { search: { output_format_json_quote_decimals: '0' } })
    expect(bare.text).toContain(shown.replace('"123456789012345678901.5"', '123456789012345678901.5'))
  })

  it.each([
    ['SHOW TABLES', 'current_figures\n'],
    ['SHOW DATABASES', 'default\n'],
    ["SELECT name FROM system.tables WHERE database = 'default'", 'current_figures\n'],
    ["SELECT name FROM system.columns WHERE database = 'default'", 'value\n'],
    ["SELECT table_name FROM information_schema.tables WHERE table_schema = 'default'", 'current_figures\n'],
    ["SELECT currentDatabase(), timeZone() != '', version() != ''", 'default\t1\t1\n'],
    ["SELECT 'system.processes' AS `a column`, 1 AS system_name", 'system.processes\t1\n'],
    ['EXISTS TABLE current_figures', '1\n'],
  ])('asks what clients ask: %s', async (sql, text) => {
    expect(await ask(sql)).toMatchObject({ status: 200, text })
  })

  it.each(readerSystemTables)('reads system.%s', async (table) => {
    expect(await ask(`SELECT * FROM system.${table} LIMIT 1`)).toMatchObject({ status: 200 })
  })
})

describe('the port of the reader', () => {
  it('admits the reader with its password, also through a proxy that another host name leads to', async () => {
    const headers = { ...login, Host: 'sql.example.com' }
    const reply = await send(store.readerUrl, 'SELECT value FROM current_figures', { headers })
    expect(reply).toMatchObject({ status: 200, text: '6\n' })
  })

  it.each([
    ['default', PASSWORD],
    ['default', READER_PASSWORD],
    ['', PASSWORD],
    ['reader', PASSWORD],
    ['reader', ''],
  ])('refuses %j with the password %j', async (user, password) => {
    const reply = await send(store.readerUrl, 'SELECT 1', { headers: { Authorization: basic(user, password) } })
    expect(reply).toMatchObject({ status: 403, code: '516' })
  })

  it('refuses what the reader may not do, and browsers', async () => {
    for (const [sql, headers] of [
      ['SELECT * FROM hidden', login],
      ["INSERT INTO hidden VALUES ('x')", login],
      ['SELECT 1', { ...login, Origin: 'http://127.0.0.1' }],
    ] as const)
      expect(await send(store.readerUrl, sql, { headers })).toMatchObject({ code: '497' })
  })
})

describe('the reader cannot', () => {
  it.each([
    'SELECT * FROM hidden',
    'SELECT * FROM default.hidden',
    'SELECT * FROM `default`.`hidden`',
    "SELECT 'SECRET' IN hidden",
    'SELECT (SELECT s FROM hidden)',
    'SELECT * FROM view(SELECT * FROM hidden)',
    'SELECT * FROM current_figures UNION ALL SELECT length(s) FROM hidden',
    'WITH x AS (SELECT * FROM hidden) SELECT * FROM x',
    "SELECT * FROM merge('default', 'hidden')",
    'SELECT * FROM loop(hidden)',
    'SELECT * FROM mergeTreeIndex(default, hidden)',
    "SELECT hasColumnInTable('default', 'hidden', 's')",
    'DESCRIBE hidden',
    'SHOW CREATE TABLE hidden',
    'EXISTS TABLE hidden',
    'EXPLAIN SELECT * FROM hidden',
    'SELECT * FROM {x:Identifier}',
  ])('read another table: %s', async (sql) => expectRefused(sql, { search: { param_x: 'hidden' } }))

  it.each([
    'SELECT query FROM system.processes',
    'SELECT query FROM `system`.processes',
    'SELECT query FROM "system"."processes"',
    'SELECT query FROM system . /* */ processes',
    'SELECT * FROM system.parts',
    'SELECT * FROM system.disks',
    'SELECT * FROM system.server_settings',
    'SELECT * FROM system.user_processes',
    'SELECT * FROM {x:Identifier}',
    'SELECT * FROM {y:Identifier}.processes',
    'SHOW PROCESSLIST',
    'SHOW GRANTS',
    'SHOW USERS',
    "SELECT getServerSetting('path')",
    'SELECT addressToSymbol(1)',
    "SELECT * FROM merge('system', 'processes')",
  ])('read what the engine knows of others: %s', async (sql) =>
    expectRefused(sql, { search: { param_x: 'system.processes', param_y: 'system' } }),
  )

  it('begin in the database system', async () => {
    await expectRefused('SELECT * FROM processes', { search: { database: 'system' } })
    await expectRefused('SELECT * FROM processes', { headers: { 'X-ClickHouse-Database': 'system' } })
  })

  it.each([
    "INSERT INTO hidden VALUES ('x')",
    'INSERT INTO hidden SELECT s FROM current_figures',
    'CREATE TABLE n (a Int8) ENGINE = Memory',
    'CREATE TEMPORARY TABLE n (a Int8)',
    'CREATE VIEW n AS SELECT 1',
    'CREATE DATABASE n',
    'DROP VIEW current_figures',
    'DROP TABLE hidden',
    'TRUNCATE TABLE hidden',
    'ALTER TABLE hidden DELETE WHERE 1',
    'DELETE FROM hidden WHERE 1',
    'RENAME TABLE hidden TO n',
    'OPTIMIZE TABLE hidden',
    'KILL QUERY WHERE 1',
    'SYSTEM STOP MERGES',
    'SET max_threads = 8',
    'SET ROLE owner',
    'SET ROLE ALL',
    'USE system',
    'SELECT 1; SET ROLE owner',
  ])('change anything: %s', async (sql) => expectRefused(sql))

  it('write rows that come behind the statement', async () => {
    await expectRefused('x\n', { search: { query: 'INSERT INTO hidden FORMAT TSV' } })
    expect(await send(store.socketUrl, 'SELECT count() FROM hidden')).toMatchObject({ text: '1\n' })
  })

  it.each([...readerLimits])('raise %s above %s, or to none', async (name, most) => {
    // No threads means as many as the machine has processors, which is compared.
    const none = name === 'max_threads' ? [] : ['0']
    for (const value of [...none, String(Number(most) + 1), '9223372036854775807']) {
      await expectRefused('SELECT 1', { search: { [name]: value } })
      await expectRefused(`SELECT 1 SETTINGS ${name} = ${value}`)
      await expectRefused(`SELECT * FROM (SELECT 1 SETTINGS ${name} = ${value})`)
      await expectRefused(`SELECT 1 SETTINGS ${name} = ${value} UNION ALL SELECT 1`)
    }
    expect(await ask(`SELECT getSetting('${name}')`)).toMatchObject({ text: `${most}\n` })
    const fewer = String(Number(most) / 2)
    expect(await ask(`SELECT getSetting('${name}')`, { search: { [name]: fewer } })).toMatchObject({
      text: `${fewer}\n`,
    })
  })

  it.each([
    { profile: 'default' },
    { readonly: '0', query: 'CREATE TABLE n (a Int8) ENGINE = Memory' },
    { timeout_overflow_mode: 'break' },
    { use_query_cache: '1' },
    { role: 'owner' },
    { additional_table_filters: "{'current_figures': '1'}" },
    { format_schema: '/etc/passwd:A' },
    { dialect: 'kusto' },
    { priority: '1' },
  ] as Record<string, string>[])('send the setting %j', async (search) => {
    const reply = await ask('SELECT 1', { search })
    expect(reply.code, reply.text).toMatch(/^(48|452|497|164)$/)
  })

  it.each([
    "SELECT 1 SETTINGS profile = 'default'",
    "SELECT 1 SETTINGS `profile` = 'default'",
    'SELECT 1 SETTINGS readonly = 0',
    "SELECT 1 SETTINGS timeout_overflow_mode = 'break'",
  ])('set it in the text: %s', async (sql) => expectRefused(sql))

  it('take more time, memory or rows than it has', async () => {
    const slow = 'SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1'
    expect(await ask(slow, { search: { max_execution_time: '1' } })).toMatchObject({ code: '159' })
    expect(await ask('SELECT groupArray(number) FROM numbers(1000000000)')).toMatchObject({ code: '241' })
    const many = await ask('SELECT number FROM numbers(3000000)', { search: { wait_end_of_query: '1' } })
    expect(many).toMatchObject({ code: '396' })
  })
})

it('heavy queries of the reader leave room for others', async () => {
  const heavy = Array.from({ length: 20 }, () =>
    ask('SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1', {
      search: { max_execution_time: '2' },
    }),
  )
  for (let i = 0; i < 10; i += 1)
    expect(await send(store.socketUrl, 'SELECT 1', { search: { max_execution_time: '5' } })).toMatchObject({
      text: '1\n',
    })
  expect(new Set((await Promise.all(heavy)).map(({ code }) => code))).toEqual(new Set(['159']))
})
