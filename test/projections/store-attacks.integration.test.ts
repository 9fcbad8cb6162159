/**
 * SQL that attacks the embedded store, each over the socket and over the TCP port with its password: it reads or writes no
 * file of the service's user, reaches no other host and runs no program. What clients send goes on working.
 */
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { login, PASSWORD, startGuardedStore } from './support/guarded-store.ts'
import { type Reply, type Request, send } from './support/send.ts'

const store = startGuardedStore()
const { home, socketUrl } = store
const secret = join(home, 'secret.txt')
const out = join(home, 'out')

beforeAll(() => writeFileSync(secret, 'TOPSECRET\n', { mode: 0o600 }))

/** Sends the same over both entrances. */
const sendToBoth = (sql: string, asked: Request = {}): Promise<Reply[]> =>
  Promise.all([
    send(socketUrl, sql, asked),
    send(store.tcpUrl, sql, { ...asked, headers: { ...login, ...asked.headers } }),
  ])

async function expectRefused(sql: string, asked: Request = {}): Promise<void> {
  for (const reply of await sendToBoth(sql, asked)) {
    expect(reply.status, reply.text).toBeGreaterThanOrEqual(400)
    expect(reply.code).toMatch(/^(62|73|81|115|164|452|456|497|344)$/)
    expect(reply.text).not.toContain('TOPSECRET')
  }
  expect(readdirSync(home).sort()).toEqual(['clickhouse', 'secret.txt', 'socket'])
}

const file = `file('${secret}')`
const inString = file.replaceAll("'", "\\'")
const filter = `SETTINGS additional_table_filters = {'t': 'throwIf(1, ${inString})'}`
const outfile = `OUTFILE '${out}'`

describe('SQL is refused that', () => {
  it.each([
    ['reads a file', `SELECT ${file}`],
    ['in a quoted name', `SELECT \`file\`('${secret}')`],
    ['in a double-quoted name', `SELECT "file"('${secret}')`],
    ['in a name with an escape', `SELECT \`f\\x69le\`('${secret}')`],
    ['in a double-quoted name with an escape', `SELECT "f\\u0069le"('${secret}')`],
    ['by APPLY', `SELECT * APPLY file FROM (SELECT '${secret}')`],
    ['by APPLY in brackets', `SELECT * APPLY(file) FROM (SELECT '${secret}')`],
    ['as an argument', `SELECT arrayMap(file, ['${secret}'])`],
    ['behind a nested comment', `SELECT 1 /* /* */ ' */, ${file} -- '`],
    ['behind a comment of two slashes', `SELECT 1 // '\n, ${file} // '`],
    ['behind an exponent', `SELECT 1e--1, ${file}\n`],
    ['behind a column called format', `INSERT INTO t SELECT format, ${file} FROM (SELECT 1 AS format)`],
    ['as a table', `SELECT * FROM \`${secret}\``],
    ['as a table function', `SELECT * FROM file('${secret}', 'LineAsString')`],
    [
      'in a default of a column',
      `SELECT * FROM format(JSONEachRow, 'a UInt8, b String DEFAULT ${inString}', '{"a":1}')`,
    ],
    ['in a default of random rows', `SELECT * FROM generateRandom('a UInt8 DEFAULT toUInt8(${inString})') LIMIT 1`],
    ['in a default of no rows', `SELECT * FROM null('a UInt8 DEFAULT toUInt8(${inString})')`],
    ['in a default of values', `SELECT * FROM values('a String DEFAULT ${inString}', 'x')`],
    ['in a default of the input', `INSERT INTO t SELECT s FROM input('s String DEFAULT ${inString}') FORMAT TSV`],
    ['in the format Values', `SELECT * FROM format(Values, 's String', '(${inString})')`],
    ['in the name of an aggregate function', `SELECT arrayReduce('quantiles(toUInt8(${inString}))', [1])`],
    ['in such a name by APPLY', `SELECT 'quantiles(toUInt8(${inString}))' AS f, * APPLY arrayReduce FROM t`],
    ['in such a name for a state', `SELECT initializeAggregation('quantiles(toUInt8(${inString}))', 1)`],
    ['in a filter of rows', `SELECT * FROM t SETTINGS additional_table_filters = {'t': '${inString} = 1'}`],
    ['in a filter of a subquery', `SELECT * FROM (SELECT * FROM t ${filter})`],
    ['in a filter of a WITH', `WITH x AS (SELECT * FROM t ${filter}) SELECT * FROM x`],
    ['in a filter of an IN', `SELECT 1 IN (SELECT 1 FROM t ${filter})`],
    ['in a filter of a member of a UNION', `SELECT * FROM t ${filter} UNION ALL SELECT ''`],
    ['in a filter of an INTERSECT', `SELECT * FROM t ${filter} INTERSECT SELECT ''`],
    ['in a filter of the last of a UNION', `SELECT '' UNION ALL SELECT * FROM t ${filter}`],
    ['in a filter of brackets', `(SELECT * FROM t ${filter}) UNION ALL (SELECT '')`],
    ['in a filter of a view', `CREATE VIEW w AS SELECT * FROM (SELECT * FROM t ${filter})`],
    ['in a filter of an explained query', `EXPLAIN SELECT * FROM t ${filter} UNION ALL SELECT ''`],
    ['in a filter of results', `SELECT 1 SETTINGS additional_result_filter = 'toUInt8(${inString})'`],
    [
      'in a string by eval',
      `SELECT * FROM eval('SELECT ${inString}') SETTINGS allow_experimental_eval_table_function = 1`,
    ],
    ['in a template', `SELECT 1 FORMAT Template SETTINGS format_template_row = '${secret}'`],
    ['in a schema', `SELECT 1 AS a FORMAT Protobuf SETTINGS format_schema = '${secret}:A'`],
    ['by INFILE', `INSERT INTO t FROM INFILE '${secret}' FORMAT LineAsString`],
    ['by an engine that runs queries', 'CREATE TABLE q (query String) ENGINE = QueryRunner'],
    ['by such an engine in quotes', 'CREATE TABLE q (query String) ENGINE "QueryRunner"'],
    ['by such an engine for a table called select', 'CREATE TABLE select (query String) ENGINE = QueryRunner'],
    ['by ATTACH', `ATTACH TABLE q (query String) ENGINE = QueryRunner`],
    ['by ATTACH of a path', `ATTACH TABLE a FROM '${home}' (s String) ENGINE = MergeTree ORDER BY s`],
    ['by the engine File', `CREATE TABLE f (s String) ENGINE = File(TSV, '${secret}')`],
    ['by the engine FileLog', `CREATE TABLE f (s String) ENGINE = FileLog('${secret}', 'TSV')`],
    ['by the database Filesystem', "CREATE DATABASE d ENGINE = Filesystem('/')"],
    ['by the database SQLite', `CREATE DATABASE d ENGINE = SQLite('${out}')`],
    [
      'by a dictionary',
      `CREATE DICTIONARY d (s String) PRIMARY KEY s SOURCE(FILE(PATH '${secret}' FORMAT 'TSV')) LAYOUT(FLAT()) LIFETIME(1)`,
    ],
    ['by another table format', `SELECT * FROM icebergLocal('${home}')`],
    ['by another language', `SELECT 1 SETTINGS dialect = 'kusto', allow_experimental_kusto_dialect = 1`],
    ['by COPY', `COPY t FROM '${secret}'`],
    ['by LOAD', `LOAD DATA INFILE '${secret}' INTO TABLE t`],
    ['by RESTORE', `RESTORE TABLE t FROM File('${secret}')`],
  ])('reads a file: %s', async (_, sql) => expectRefused(sql))

  it.each([
    '\u200b',
    '\u200c',
    '\u2060',
    '\u180e',
    '\u0085',
    '\u00a0',
    '\ufeff',
    '\u3000',
    '\0',
    '/**/',
    '\f',
    '\v',
    '-- \n',
    '//\n',
  ])('writes a file, with %j for a blank', async (blank) => {
    await expectRefused(`SELECT 1 INTO${blank}${outfile}`)
    await expectRefused(`SELECT${blank}1${blank}INTO${blank}OUTFILE${blank}'${out}'`, { method: 'GET' })
    await expectRefused(`SELECT 1 INTO${blank}${outfile} APPEND`)
    await expectRefused(`SELECT file${blank}('${secret}')`, { method: 'GET' })
  })

  it.each([
    ['from a SHOW', `SHOW TABLES INTO ${outfile}`],
    ['behind quotes of typography', `SELECT \u2018 ' \u2019 INTO ${outfile} -- '`],
    ['behind a coded string', `SELECT x'41'' INTO ${outfile} -- '`],
    ['behind a heredoc', `SELECT 1a$b$ ' $b$ INTO ${outfile} -- '`],
    ['by a table function', `INSERT INTO FUNCTION file('${out}', 'TSV') SELECT 1`],
    ['by BACKUP', `BACKUP TABLE t TO File('${out}')`],
    ['by BACKUP to a disk', "BACKUP TABLE t TO Disk('default', 'b')"],
    [
      'by a disk of its own',
      `CREATE TABLE o (s String) ENGINE = MergeTree ORDER BY s SETTINGS disk = disk(type = object_storage, object_storage_type = local, metadata_type = local, path = '${out}/')`,
    ],
    ['by a disk of a table that is there', `ALTER TABLE t MODIFY SETTING disk = disk(type = local, path = '${out}/')`],
    ['by the engine EmbeddedRocksDB', `CREATE TABLE o (s String) ENGINE = EmbeddedRocksDB(0, '${out}') PRIMARY KEY s`],
    [
      'by the errors of an INSERT',
      `INSERT INTO bytes SETTINGS input_format_record_errors_file_path = '${out}', input_format_allow_errors_num = 9 FORMAT TSV\nx\n`,
    ],
    ['by FREEZE', "ALTER TABLE t FREEZE WITH NAME 'f'"],
  ])('writes a file: %s', async (_, sql) => expectRefused(sql))

  it.each([
    "SELECT * FROM url('http://127.0.0.1:PORT/', 'TSV', 's String')",
    "SELECT * FROM s3('http://127.0.0.1:PORT/bucket/key', 'TSV', 's String')",
    "SELECT * FROM remote('127.0.0.1:PORT', 'system', 'one')",
    "SELECT * FROM mysql('127.0.0.1:PORT', 'a', 'b', 'c', 'd')",
    "SELECT * FROM redis('127.0.0.1:PORT', 's', 's String')",
    "SELECT * FROM mongodb('127.0.0.1:PORT', 'a', 'b', 'c', 'd', 's String')",
    "CREATE TABLE u (s String) ENGINE = URL('http://127.0.0.1:PORT/', 'TSV')",
    "CREATE TABLE w (s String) ENGINE = MergeTree ORDER BY s SETTINGS disk = disk(type = web, endpoint = 'http://127.0.0.1:PORT/a/')",
    "CREATE DATABASE c ENGINE = DataLakeCatalog('http://127.0.0.1:PORT') SETTINGS catalog_type = 'rest', warehouse = 'w'",
    "CREATE DICTIONARY d (s String) PRIMARY KEY s SOURCE(HTTP(URL 'http://127.0.0.1:PORT/' FORMAT 'TSV')) LAYOUT(FLAT()) LIFETIME(1)",
    "SELECT * FROM executable('id', 'TSV', 's String')",
    "CREATE TABLE x (s String) ENGINE = Executable('id', 'TSV')",
    "SELECT aiGenerate('a', 'b') SETTINGS allow_experimental_ai_functions = 1",
    'SYSTEM SHUTDOWN',
    "CREATE NAMED COLLECTION n AS url = 'http://127.0.0.1:PORT/'",
    'CREATE FUNCTION f AS x -> x',
    "CREATE USER eve IDENTIFIED BY 'x'",
    'GRANT ALL ON *.* TO default',
    'DROP TABLE nowhere PARALLEL WITH CREATE TABLE q (query String) ENGINE = QueryRunner',
  ])('reaches another host, runs a program or changes rights: %s', async (sql) => {
    const reached: Socket[] = []
    const listener = createServer((socket) => reached.push(socket.destroy())).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    onTestFinished(() => void listener.close())
    const { port } = listener.address() as { port: number }
    await expectRefused(
      sql.replace('PORT', String(port)),
      sql.includes('Catalog') ? { search: { allow_database_iceberg: '1' } } : {},
    )
    expect(reached).toEqual([])
  })

  it.each([
    [{ default_format: `TSV INTO ${outfile}` }],
    [{ format_schema: `${secret}:A`, default_format: 'Protobuf' }],
    [{ dialect: 'kusto', allow_experimental_kusto_dialect: '1' }],
    [{ additional_result_filter: file }],
  ] as Record<string, string>[][])('is given by the address: %j', async (search) =>
    expectRefused('SELECT 1', { search }),
  )

  it.each(['file', 'FILE', ' file', '`file`', 'f\\x69le', 'x.file', 'format', 'eval'])(
    'names the function in a query parameter: %s',
    async (name) => {
      const sql = `SELECT arrayMap({f:Identifier}, ['${secret}'])`
      for (const reply of await sendToBoth(sql, { search: { param_f: name } })) {
        expect(reply).toMatchObject({ code: '497' })
        expect(reply.text).not.toContain('TOPSECRET')
      }
    },
  )

  it('runs expressions among the rows of a body', async () => {
    const search = { query: 'INSERT INTO t VALUES' }
    const asked = { search: { ...search, input_format_values_interpret_expressions: '1' } }
    for (const sql of [`(${file})`, "(concat('a', 'b'))"]) {
      for (const reply of [...(await sendToBoth(sql, { search })), ...(await sendToBoth(sql, asked))])
        expect([reply.status >= 400, reply.text.includes('TOPSECRET')]).toEqual([true, false])
    }
    const settings = 'SETTINGS input_format_values_interpret_expressions = 1'
    await expectRefused('(1)', { search: { query: `INSERT INTO t ${settings} VALUES` } })
    expect(await send(socketUrl, 'SELECT groupArray(s) FROM t')).toMatchObject({ text: "['x']\n" })
  })

  it('changes anything, by GET', async () => {
    for (const sql of [
      'DROP TABLE t',
      "INSERT INTO t VALUES ('y')",
      'TRUNCATE TABLE t',
      'CREATE TABLE n (a Int8) ENGINE = Null',
    ])
      for (const reply of await sendToBoth(sql, { method: 'GET', search: { readonly: '0' } }))
        expect([reply.status, reply.code]).toEqual([403, '164'])
  })
})

describe('what clients send goes on working', () => {
  it('names of tables and columns in query parameters', async () => {
    const sql = 'SELECT {c:Identifier} FROM {t:Identifier} WHERE s = {s:String} FORMAT TSV'
    for (const reply of await sendToBoth(sql, {
      search: { param_c: 's', param_t: 't', param_s: 'x' },
    })) {
      expect(reply).toMatchObject({ status: 200, text: 'x\n' })
    }
  })

  it.each([
    ["SELECT 'into outfile', 'file(''x'')', '\u200b' -- é\n", /file/],
    ['SELECT 1 AS `a column`, 2 AS "profile"', /1\t2/],
    ['SELECT count() FROM numbers(10) WHERE number IN (SELECT number FROM numbers(3)) # comment', /3/],
    ['SELECT engine FROM system.tables WHERE name = {name:String}', /MergeTree/],
    ['EXPLAIN SELECT * FROM t', /t/],
    ['SELECT settings FROM (SELECT 1 AS settings ORDER BY settings DESC) SETTINGS max_threads = 1', /1/],
    ["SELECT 0x1F + 1e-3 + 1_000, [1, 2][1], (1, 2).1, x'41'", /A/],
  ])('%s', async (sql, wanted) => {
    for (const reply of await sendToBoth(sql, { search: { param_name: 't' } })) {
      expect(reply).toMatchObject({ status: 200 })
      expect(reply.text).toMatch(wanted)
    }
  })

  it('from the stock client by TCP', async () => {
    const client = createClient({ url: store.tcpUrl, username: 'default', password: PASSWORD })
    expect(await client.ping({ select: true })).toEqual({ success: true })
    await client.command({
      query: 'CREATE TABLE stock (s String, n Nullable(Int8)) ENGINE = ReplacingMergeTree ORDER BY s',
    })
    await client.insert({ table: 'stock', values: [{ s: 'a', n: null }], format: 'JSONEachRow' })
    await client.exec({ query: "INSERT INTO stock VALUES ('b', 1), (concat('c', 'd'), 2)" })
    await client.exec({ query: 'INSERT INTO stock SELECT s, 3 FROM t' })
    const rows = await client.query({ query: 'SELECT s FROM stock ORDER BY s', format: 'JSONCompactEachRow' })
    expect(await rows.json()).toEqual([['a'], ['b'], ['cd'], ['x']])
    await client.command({ query: 'ALTER TABLE stock DELETE WHERE s = {s:String}', query_params: { s: 'a' } })
    await client.command({ query: 'DROP TABLE stock' })
    await client.close()
  })
})
