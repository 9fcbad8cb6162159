/** Refusals of the embedded store over real HTTP: faulty requests, ways out of its directory, limits. */
import { existsSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { codeIn, openStore } from './support/open-store.ts'

const store = openStore()
const tight = openStore({
  runningQueries: 1,
  waitingQueries: 1,
  waitMs: 300,
  lingerMs: 50,
  password: 'open sesame',
  insertBytes: 20_000,
  sqlBytes: 10_000,
  wholeAnswerBytes: 100_000,
  memoryBytes: 600_000_000,
})
const { run, post } = store

/**
 * Whether the client tells the error that ended an answer after its first rows. The client reads the block that names the error
 * only where it lies in one chunk of what was unpacked. Where it lies across two, the client tells that there was an error.
 */
const isTold = ({ code, message }: Error & { readonly code?: string }): boolean =>
  code === '395' || message.startsWith('there was an error in the stream')

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
    await expect(store.client.command({ query: sql })).rejects.toMatchObject({ code, type })
  })

  it('name the row that could not be read, and not our files', async () => {
    await run('CREATE TABLE strict (i UInt64) ENGINE = MergeTree ORDER BY i')
    const values = [{ i: '1' }, { i: 'two' }]
    const error = await store.client
      .insert({ table: 'strict', values, format: 'JSONEachRow' })
      .catch((caught) => caught)
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
      await expect(streamed()).rejects.toSatisfy(isTold)
      expect(rows).toBeGreaterThan(1_000)
      const ready = async () => (await own.query({ query, format: 'JSONEachRow' })).json()
      await expect(ready()).rejects.toSatisfy(isTold)
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
    expect(await store.client.ping()).toEqual({ success: true })
    expect(await store.client.ping({ select: true })).toEqual({ success: true })
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

describe('limits', () => {
  const key = { 'X-ClickHouse-Key': 'open sesame' }
  const short = (search: Record<string, string>, body: string | Buffer, headers = {}) =>
    tight.post(search, body, { ...key, ...headers })

  it('a password, if there is one', async () => {
    expect(codeIn(await tight.post({}, 'SELECT 1'))).toEqual([403, '516'])
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
