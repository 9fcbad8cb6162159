/** What failures of a ClickHouse connection mean, shown with servers that fail on purpose. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, createServer as createTcpServer } from 'node:net'
import { ClickHouseError } from '@clickhouse/client'
import { afterEach, describe, expect, it } from 'vitest'
import {
  asFailure,
  ClickHouseFailure,
  failureKind,
  openClickHouse,
  openForWholeTables,
  waitForClickHouse,
} from '../../projections/clickhouse.ts'
import { insertBlock } from './support/insert-block.ts'

const refusal = (code: number, message: string) => new ClickHouseError({ code: String(code), message, type: 'T' })

describe('kindOf', () => {
  it.each([
    [refusal(60, 'no table'), 'rejected'],
    [refusal(27, 'bad row'), 'rejected'],
    [refusal(516, 'password'), 'rejected'],
    [refusal(202, 'too many queries'), 'unavailable'],
    [refusal(241, 'memory'), 'unavailable'],
    [refusal(243, 'disk'), 'unavailable'],
    [refusal(252, 'Too many parts (3000)'), 'unavailable'],
    [refusal(252, 'Too many partitions for single INSERT block (more than 1)'), 'rejected'],
    [refusal(159, 'timeout'), 'outcome_unknown'],
    [refusal(319, 'unknown status'), 'outcome_unknown'],
    [refusal(204, 'Cannot fsync'), 'outcome_unknown'],
    [refusal(1001, 'std::exception: filesystem error: in rename: No space left on device'), 'outcome_unknown'],
    [refusal(1001, 'std::exception: bad_alloc'), 'rejected'],
    [Object.assign(new Error('no'), { code: 'ECONNREFUSED' }), 'unavailable'],
    [Object.assign(new Error('reset'), { code: 'ECONNRESET' }), 'outcome_unknown'],
    [new Error('Timeout error.'), 'outcome_unknown'],
    [new Error('<html>502 Bad Gateway</html>'), 'outcome_unknown'],
    [new TypeError('a bug'), 'rejected'],
    [new ClickHouseFailure('unavailable', 'already judged'), 'unavailable'],
    ['thrown text', 'outcome_unknown'],
  ] as const)('%s: %s', (error, kind) => {
    expect(failureKind(error)).toBe(kind)
  })

  it('keeps code, message and cause', () => {
    const cause = refusal(60, 'no table')
    expect(asFailure(cause)).toMatchObject({ kind: 'rejected', code: '60', message: 'no table', cause })
  })
})

it('a rebuild and a comparison wait as long as the profile of the writer lets a query run', async () => {
  const clients = [openClickHouse, openForWholeTables].map((open) => open({ url: 'http://127.0.0.1:1' }))
  // The client tells its parameters to nobody, and a test that waits for them would take ten minutes.
  const params = clients.map((client) => Reflect.get(client, 'connectionParams'))
  expect(params).toMatchObject([{ request_timeout: 30_000 }, { request_timeout: 600_000 }])
  for (const client of clients) await client.close()
})

describe('a server that', () => {
  let server: Server | ReturnType<typeof createTcpServer>
  afterEach(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  const clientOf = async (made: typeof server, timeoutMs = 5_000) => {
    server = made.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return openClickHouse({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, timeoutMs })
  }
  const insert = async (made: typeof server, timeoutMs?: number) => {
    const client = await clientOf(made, timeoutMs)
    const failure = await insertBlock(client, 't', ['a'], [[1]], 'token').catch((error: unknown) => error)
    await client.close()
    return failure
  }

  it('hangs up after it has the request leaves the outcome unknown', async () => {
    let body = ''
    const hangingUp = createServer((request) => {
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => request.socket.destroy())
    })
    expect(await insert(hangingUp)).toMatchObject({ kind: 'outcome_unknown', code: 'ECONNRESET' })
    expect(body).toBe('[1]\n')
  })

  it('never answers does too', async () => {
    expect(await insert(createServer(), 100)).toMatchObject({ kind: 'outcome_unknown' })
  })

  it('is asked for one block, whatever its defaults', async () => {
    let asked = new URLSearchParams()
    const listening = createServer((request, response) => {
      asked = new URL(request.url ?? '', 'http://x').searchParams
      request.resume().on('end', () => response.end())
    })
    await insert(listening)
    expect(Object.fromEntries(asked)).toMatchObject({
      query: 'INSERT INTO `t` (`a`) FORMAT JSONCompactEachRow',
      async_insert: '0',
      input_format_parallel_parsing: '0',
      insert_deduplication_token: 'token',
      max_partitions_per_insert_block: '1',
      min_insert_block_size_bytes: '0',
      min_insert_block_size_rows: '1000000',
    })
  })

  it('refuses us ends the wait; one that isn’t there yet doesn’t', async () => {
    let answers = 0
    const warming = createServer((_, response) => {
      answers += 1
      if (answers < 3) response.writeHead(503).end('Code: 202. DB::Exception: wait. (TOO_MANY_SIMULTANEOUS_QUERIES)')
      else response.writeHead(403).end('Code: 516. DB::Exception: no. (AUTHENTICATION_FAILED)')
    })
    const client = await clientOf(warming)
    const waiting = waitForClickHouse(client, AbortSignal.timeout(5_000))
    await expect(waiting).rejects.toMatchObject({ kind: 'rejected', code: '516' })
    expect(answers).toBe(3)
    await client.close()
    const nowhere = openClickHouse({ url: 'http://127.0.0.1:1' })
    const giveUp = new AbortController()
    const waitingInVain = waitForClickHouse(nowhere, giveUp.signal)
    giveUp.abort(new Error('given up'))
    await expect(waitingInVain).rejects.toThrow('given up')
    await nowhere.close()
  })
})
