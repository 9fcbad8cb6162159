/** One embedded store in a process of its own, asked over real HTTP by the stock client and by hand. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { afterAll, beforeAll } from 'vitest'
import { openClickHouse } from '../../../projections/clickhouse.ts'
import { type StoreProcess, type StoreProcessOptions, startStoreProcess } from './store-process.ts'

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/**
 * Starts a store before the tests of a file, and stops it after them. `url` exists only once the tests run.
 * `path` has a quote and spaces, because it ends up in SQL.
 */
export function openStore(options: Omit<StoreProcessOptions, 'path'> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'almanac-store-'))
  const path = join(home, "it's a store")
  let store: StoreProcess
  let client: ClickHouseClient

  beforeAll(async () => {
    store = await startStoreProcess({ path, lingerMs: 15_000, ...options })
    client = openClickHouse({
      url: store.url,
      ...(options.password === undefined ? {} : { password: options.password }),
    })
  })
  afterAll(async () => {
    await client?.close()
    await store?.stop('SIGTERM')
    rmSync(home, { recursive: true, force: true })
  })

  const run = (query: string, settings: ClickHouseSettings = {}) =>
    client.command({ query, clickhouse_settings: settings })
  const rowsOf = async (query: string, query_params: Record<string, unknown> = {}): Promise<unknown[][]> =>
    (await client.query({ query, query_params, format: 'JSONCompactEachRow' })).json()
  const oneOf = async (query: string, params: Record<string, unknown> = {}) => (await rowsOf(query, params))[0]?.[0]

  /** A request by hand. */
  async function ask(search: Record<string, string>, init: RequestInit = {}): Promise<Reply> {
    const response = await fetch(`${store.url}/?${new URLSearchParams(search)}`, init)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const post = (search: Record<string, string>, body: string | Buffer, headers: Record<string, string> = {}) =>
    ask(search, { method: 'POST', body: typeof body === 'string' ? body : new Uint8Array(body), headers })

  return {
    path,
    get url() {
      return store.url
    },
    get client() {
      return client
    },
    run,
    rowsOf,
    oneOf,
    ask,
    post,
  }
}

export const codeIn = (reply: Reply): [status: number, code: string | null] => [
  reply.status,
  reply.headers.get('x-clickhouse-exception-code'),
]
