import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { exceptionBlock, refuse, StoreError, toStoreError } from '../../projections/store/errors.ts'
import { readRequest, setStatement } from '../../projections/store/request.ts'
import { createSlots } from '../../projections/store/slots.ts'
import { readStatement } from '../../projections/store/statement.ts'

const codeOf = (run: () => unknown): number | undefined => {
  try {
    run()
  } catch (error) {
    return error instanceof StoreError ? error.code : -1
  }
  return undefined
}

describe('readStatement', () => {
  it.each([
    ['SELECT 1', undefined, true],
    ['select 1 format JSONEachRow', 'JSONEachRow', true],
    ['SELECT 1 FORMAT CSV;', 'CSV', true],
    ['SELECT 1 FORMAT JSON SETTINGS max_threads = 1', 'JSON', true],
    ['WITH 1 AS x SELECT x', undefined, true],
    ["SELECT 'FORMAT CSV'", undefined, true],
    ['SELECT 1 -- FORMAT CSV', undefined, true],
    ['SELECT format FROM t', undefined, true],
    ['SELECT max(a) FROM t WHERE a > (SELECT min(a) FROM t) FORMAT TSV', 'TSV', false],
    ['SELECT 1 UNION ALL SELECT 2', undefined, false],
    ['SELECT a, count() FROM t GROUP BY a WITH TOTALS', undefined, false],
    ['SELECT 1 SETTINGS extremes = 1', undefined, false],
    ['SHOW TABLES', undefined, false],
    ['(SELECT 1)', undefined, false],
  ])('reads %s', (sql, format, plain) => {
    expect(readStatement(sql)).toMatchObject({ kind: 'read', format, plain })
  })

  it('cuts the FORMAT out and leaves the settings', () => {
    const statement = readStatement('SELECT 1 FORMAT JSON SETTINGS max_threads = 1')
    expect(statement).toMatchObject({ sql: 'SELECT 1   SETTINGS max_threads = 1' })
  })

  it.each([
    ['INSERT INTO t FORMAT JSONEachRow', 'INSERT INTO t ', 'FORMAT JSONEachRow', ''],
    ['insert into t (a, b) format RowBinary\n', 'insert into t (a, b) ', 'format RowBinary', ''],
    [
      'INSERT INTO t SETTINGS max_threads=1 FORMAT TSV\n\nx\n',
      'INSERT INTO t ',
      'SETTINGS max_threads=1 FORMAT TSV',
      '\nx\n',
    ],
    [
      'INSERT INTO t FORMAT JSONEachRow {"a":"it\'s; file("}',
      'INSERT INTO t ',
      'FORMAT JSONEachRow',
      '{"a":"it\'s; file("}',
    ],
    ['INSERT INTO t VALUES', 'INSERT INTO t ', ' FORMAT Values', ''],
  ])('splits %s', (sql, head, tail, inline) => {
    expect(readStatement(sql)).toEqual({ kind: 'insert', head, tail, inline })
  })

  it.each([
    'CREATE TABLE t (a Int8) ENGINE = Memory',
    "INSERT INTO t VALUES (1, ';')",
    'INSERT INTO t SELECT * FROM u FORMAT Null',
    'INSERT INTO t WITH 1 AS x SELECT x',
    'KILL QUERY WHERE 1',
  ])('passes on %s', (sql) => {
    expect(readStatement(sql)).toEqual({ kind: 'other', sql })
  })

  it.each([
    ['', 62],
    [' -- nothing', 62],
    ['SELECT 1; DROP TABLE t', 62],
    ["SELECT 'open", 62],
    ['SELECT /* open', 62],
    ['INSERT INTO t FORMAT', 62],
    ['INSERT INTO t FORMAT TSV SETTINGS a = 1', 62],
    ["SELECT 1 INTO OUTFILE '/tmp/x'", 497],
    ["INSERT INTO t FROM INFILE '/etc/passwd' FORMAT TSV", 497],
    ["SELECT file('/etc/passwd')", 497],
    ["SELECT `file` /* */ ('/etc/passwd')", 497],
  ])('refuses %s with %i', (sql, code) => {
    expect(codeOf(() => readStatement(sql))).toBe(code)
  })

  it('takes a megabyte of string in its stride', () => {
    const started = process.cpuUsage()
    expect(readStatement(`SELECT '${"\\'''".repeat(250_000)}' FORMAT CSV`)).toMatchObject({ format: 'CSV' })
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000)
  })
})

describe('readRequest', () => {
  const read = (address: string, headers = {}, method = 'POST') => readRequest(method, address, headers)

  it('tells settings, parameters and its own fields apart', () => {
    const asked = read('/?query=SELECT+1&query_id=q&max_threads=1&param_a=it%27s&default_format=CSV&database=d&x=')
    expect(asked).toMatchObject({ query: 'SELECT 1', queryId: 'q', format: 'CSV', database: 'd', readonly: false })
    expect([...asked.settings]).toEqual([
      ['max_threads', '1'],
      ['x', ''],
    ])
    expect([...asked.params]).toEqual([['a', "it's"]])
  })

  it.each([
    ['/?session_id=s', {}, 48],
    ['/?compress=1', {}, 48],
    ['/?a%20b=1', {}, 115],
    ["/?x'%3D1=1", {}, 115],
    ['/', { 'content-encoding': 'lzma' }, 89],
    ['//', {}, 36],
  ])('refuses %s with %o: %i', (address, headers, code) => {
    expect(codeOf(() => read(address, headers))).toBe(code)
  })

  it('finds the password wherever a client puts it', () => {
    const basic = `Basic ${Buffer.from('default:a:b').toString('base64')}`
    expect(read('/', { authorization: basic }).password).toBe('a:b')
    expect(read('/', { authorization: 'Bearer t' }).password).toBe('t')
    expect(read('/', { 'x-clickhouse-key': 'k' }).password).toBe('k')
    expect(read('/?password=p').password).toBe('p')
    expect(read('/').password).toBe('')
  })

  it('sets everything in one statement that no value can leave, read-only last', () => {
    const asked = read("/?readonly=0&join_use_nulls=1&param_x=%5C'%00;--", {}, 'GET')
    const expected = "SET join_use_nulls = '1', param_x = '\\\\\\'\\0;--', log_comment = 'tag', readonly = '2'"
    expect(setStatement(asked, 'tag')).toBe(expected)
    expect(setStatement(read('/?readonly=1'), 't')).toContain("readonly = '1'")
    expect(setStatement(read('/'), 't')).not.toContain('readonly')
  })
})

describe('slots', () => {
  const never = new AbortController().signal

  it('lets the limit run and the next ones wait in order', async () => {
    const slots = createSlots({ running: 1, waiting: 2, waitMs: 60_000 })
    const order: string[] = []
    const first = await slots.take(never)
    const second = slots.take(never).then((release) => [order.push('second'), release()])
    const third = slots.take(never).then((release) => [order.push('third'), release()])
    await expect(slots.take(never)).rejects.toMatchObject({ code: 202 })
    expect(order).toEqual([])
    first()
    first() // giving back twice must not make a second slot
    await Promise.all([second, third, slots.idle()])
    expect(order).toEqual(['second', 'third'])
  })

  it('ends a wait that is too long, aborted or overtaken by closing', async () => {
    const slots = createSlots({ running: 1, waiting: 9, waitMs: 5 })
    const release = await slots.take(never)
    await expect(slots.take(never)).rejects.toMatchObject({ code: 202 })
    const leaving = new AbortController()
    const left = slots.take(leaving.signal)
    leaving.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    const closed = slots.take(never)
    slots.close(refuse(236, 'closing'))
    await expect(closed).rejects.toMatchObject({ code: 236 })
    await expect(slots.take(never)).rejects.toMatchObject({ code: 236 })
    let idle = false
    const done = slots.idle().then(() => {
      idle = true
    })
    await turn()
    expect(idle).toBe(false)
    release()
    await done
  })
})

describe('errors', () => {
  it('keep the engine’s code, hide the spool file, and know their status', () => {
    const error = toStoreError(new Error('Code: 27. DB::Exception: bad (in file/uri /d/spool/x). (T)'), '/d/spool/x')
    expect(error).toMatchObject({ code: 27, status: 400 })
    expect(error.message).toBe('Code: 27. DB::Exception: bad (in file/uri the request body). (T)')
    expect(refuse(202, 'x')).toMatchObject({ status: 503, message: expect.stringMatching(/TOO_MANY_SIMULT/) })
    expect(toStoreError(Object.assign(new Error('no room'), { code: 'ENOSPC' }))).toMatchObject({ code: 243 })
    expect(toStoreError('odd')).toMatchObject({ code: 1002, status: 500 })
  })

  it('cut a long text in the middle, since the type stands at its end', () => {
    const error = toStoreError(new Error(`Code: 1. ${'x'.repeat(100_000)} (LAST)`))
    expect(error.message.length).toBeLessThan(17_000)
    expect(error.message).toMatch(/\(LAST\)$/)
  })

  it('write the exception block with the length in bytes', () => {
    const block = exceptionBlock('tag', new StoreError(1, 'é')).toString()
    expect(block).toBe('\r\n__exception__\r\ntag\r\né\n3 tag\r\n__exception__\r\n')
  })
})
