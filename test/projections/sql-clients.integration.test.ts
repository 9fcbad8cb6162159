/** Stock clients as the user `reader`: clickhouse-connect from PyPI, and curl as docs/sql.md prints it. */
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
