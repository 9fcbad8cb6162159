/**
 * No function of the engine reads a file through SQL in a string, but those that the store refuses by name. Red with a
 * new version of the engine means: look at the functions that it names.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allowedTableFunctions } from '../../projections/store/allowed.ts'
import { StoreError } from '../../projections/store/errors.ts'
import { loadNative, type NativeConnection, nativeFunctions } from '../../projections/store/native.ts'
import { readStatement } from '../../projections/store/statement.ts'

const native = loadNative()
const home = mkdtempSync(join(tmpdir(), 'almanac-functions-'))
const secret = join(home, 'secret')
let connection: NativeConnection
beforeAll(async () => {
  writeFileSync(secret, 'TOPSECRET')
  connection = native.CreateConnection(join(home, 'store'))
  await run('SET max_execution_time = 2, max_memory_usage = 200000000')
})
afterAll(() => {
  native.CloseConnection(connection)
  rmSync(home, { recursive: true, force: true })
})

/** The answer or the error: a secret may stand in either. */
const run = (sql: string): Promise<string> =>
  native.QueryAsyncConnection(connection, sql, 'TSV').then(
    ({ bytes }) => Buffer.from(bytes).toString(),
    (error: Error) => error.message,
  )
const names = async (table: string) => (await run(`SELECT name FROM system.${table} ORDER BY name`)).trim().split('\n')

/** Whether the store passes the statement on. */
function isAllowed(sql: string): boolean {
  try {
    readStatement(sql)
    return true
  } catch (error) {
    if (error instanceof StoreError) return false
    throw error
  }
}

it('table functions are the allowed ones or refused', async () => {
  const allowed: readonly string[] = allowedTableFunctions
  const open = (await names('table_functions')).filter((name) => isAllowed(`SELECT * FROM \`${name}\` ('x')`))
  expect(open.sort()).toEqual([...allowed].sort())
})

it('no other function runs SQL in a string', async () => {
  const read = `toUInt8(file(\\'${secret}\\'))`
  const texts = [`quantiles(${read})`, `a UInt8 DEFAULT ${read}`, read].map((text) => `'${text}'`)
  const shapes = [(text: string) => text, (text: string) => `${text}, 1`, (text: string) => `${text}, [1]`]
  expect(await run(`SELECT arrayReduce(${texts[0]}, [1])`)).toContain('TOPSECRET') // the engine itself does it
  const leaks: string[] = []
  for (const name of await names('functions')) {
    if (name.startsWith('sleep')) continue
    for (const text of texts)
      for (const shape of shapes) {
        const sql = `SELECT \`${name}\`(${shape(text)})`
        if (isAllowed(sql) && (await run(sql)).includes('TOPSECRET')) leaks.push(sql)
      }
  }
  expect(leaks).toEqual([])
})

it('finds in chdb the private functions that the store rests on', () => {
  for (const name of nativeFunctions) expect(native[name]).toBeTypeOf('function')
})
