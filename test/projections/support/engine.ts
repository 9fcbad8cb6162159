import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { StoreError } from '../../../projections/store/errors.ts'
import { loadNative, type NativeConnection } from '../../../projections/store/native.ts'
import { readStatement } from '../../../projections/store/statement.ts'

/** The engine itself, without what the store refuses, and a file with `TOPSECRET` that it can read. */
export function useEngine() {
  const native = loadNative()
  const home = mkdtempSync(join(tmpdir(), 'almanac-functions-'))
  const secret = join(home, 'secret')
  let connection: NativeConnection
  /** The answer or the error: a secret may stand in either. */
  const run = (sql: string): Promise<string> =>
    native.QueryAsyncConnection(connection, sql, 'TSV').then(
      ({ bytes }) => Buffer.from(bytes).toString(),
      (error: Error) => error.message,
    )
  beforeAll(async () => {
    writeFileSync(secret, 'TOPSECRET')
    connection = native.CreateConnection(join(home, 'store'))
    await run('SET max_execution_time = 2, max_memory_usage = 200000000')
  })
  afterAll(() => {
    native.CloseConnection(connection)
    rmSync(home, { recursive: true, force: true })
  })
  const names = async (table: string) =>
    (await run(`SELECT name FROM system.${table} ORDER BY name`)).trim().split('\n')
  return { native, run, names, secret }
}

/** Whether the store passes the statement on. */
export function isAllowed(sql: string): boolean {
  try {
    readStatement(sql)
    return true
  } catch (error) {
    if (error instanceof StoreError) return false
    throw error
  }
}
